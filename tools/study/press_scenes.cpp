#include "tools/study/press_scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/generate/random.hpp"

namespace scree::study {
namespace {

// World, law, materials: grains among each other, and with the walls.
std::string head(const PressSetup& setup, const std::string& comment, const std::string& world,
                 double end, double frames, double friction) {
  std::string text = comment + "\n[world]\n" + world;
  text += fmt::format("\n[time]\ndt = {}\nend = {}\ntheta = {}\n\n", setup.dt(), end, setup.theta);
  text += fmt::format(
      "[law]\ndefault = \"{}\"\ncorrection = \"projection\"\ncorrection_slop = 1e-3\n\n",
      setup.law);
  text += fmt::format("[solver]\ntolerance = {}\n\n[output]\nframes_per_second = {}\n\n",
                      setup.tolerance, frames / end);
  for (const char* name : {"grain", "wall"})
    text += fmt::format("[[material]]\nname = \"{}\"\ndensity = {}\n\n", name, setup.density);
  const auto pair = [&](const char* one, const char* other, double mu) {
    text +=
        fmt::format("[[contact]]\nbetween = [\"{}\", \"{}\"]\nmu = {}\ne = 0\n\n", one, other, mu);
  };
  pair("grain", "grain", friction), pair("grain", "wall", setup.wall_friction);
  pair("wall", "wall", 0.0);
  return text;
}

std::string half_space(const char* name, const Vector3& normal, double offset) {
  return fmt::format(
      "[[body]]\nname = \"{0}\"\ngroup = \"{0}\"\nkind = \"half_space\"\nnormal = [{1}, {2}, "
      "{3}]\noffset = {4}\nmaterial = \"wall\"\n\n",
      name, normal.x(), normal.y(), normal.z(), offset);
}

std::string balls(const PressSetup& setup, const PressMember& member) {
  const double room = (1.0 - 1e-6) * setup.side();
  std::string text = fmt::format(
      "[[grains]]\nname = \"grain\"\ngroup = \"grains\"\nmaterial = \"grain\"\ncount = {}\nseed = "
      "{}\nshape = \"{}\"\n",
      setup.grains, member.seed, setup.shape);
  if (setup.shape == "hull") text += "sphericity = 0.8\n";
  text += fmt::format("size_range = [{}, {}]\n", (1.0 - setup.spread) * setup.d(),
                      (1.0 + setup.spread) * setup.d());
  text += fmt::format("region = {{ kind = \"box\", length = {0}, width = {0} }}\n\n", room);
  return text;
}

const std::string oedometer_title =
    "# Grains in a box under a lid whose pressure grows in stages, and falls again.\n"
    "# Look for: the lid rides on p A and its weight, and the sides carry less than the floor.\n"
    "title = \"Oedometer\"\n";

// Of the highest grain at the start [m].
double top_of_balls(const PressSetup& setup, const PressMember& member) {
  const Scene scene = parse_scene(
      head(setup, oedometer_title, "", 1.0, 1.0, member.friction) + balls(setup, member), "grains");
  double top = 0.0;
  for (std::size_t i = 0; i < scene.state.x.size(); ++i)
    top = std::max(top, scene.state.x[i].z() + scene.model.radius[i]);
  return top;
}

// Of the largest pressure, or 100 Pa.
double largest_pressure(const PressSetup& setup) {
  double largest = 100.0;
  for (const double pressure : setup.pressures) largest = std::max(largest, pressure);
  return largest;
}

// Corners of a polygon about its centre, irregular, that a circle of the radius holds.
std::vector<Vector3> polygon(Random& random, double radius) {
  constexpr std::size_t least = 5, kinds = 4;
  constexpr double uneven = 0.3;  // of the angle between two corners
  const std::size_t n = least + random.below(kinds);
  const double turn = 2.0 * std::numbers::pi * random.uniform();
  std::vector<Vector3> corners;
  for (std::size_t i = 0; i < n; ++i) {
    const double share = static_cast<double>(i) + uneven * (random.uniform() - 0.5);
    const double angle = turn + 2.0 * std::numbers::pi * share / static_cast<double>(n);
    corners.emplace_back(radius * std::cos(angle), 0.0, radius * std::sin(angle));
  }
  return corners;
}

std::string prism(const std::vector<Vector3>& corners) {
  std::string text = "kind = \"convex\"\nvertices = [";
  for (const double y : {-0.5, 0.5}) {
    for (const Vector3& corner : corners)
      text += fmt::format("[{:.9g}, {}, {:.9g}], ", corner.x(), y, corner.z());
  }
  text.resize(text.size() - 2);
  return text + "]\n";
}

// Rows and columns of the places of plane grains.
struct Places {
  std::int64_t rows = 0, columns = 0;
  double room = 0.0;  // [m] of each
};

Places places_of(const PressSetup& setup) {
  // As high as wide once it is packed.
  constexpr double packed = 0.82, gap = 1.05;
  double area = 0.0;
  for (const double radius : setup.radii)
    area += std::numbers::pi * radius * radius / static_cast<double>(std::size(setup.radii));
  Places places;
  places.room = gap * 2.0 * *std::max_element(std::begin(setup.radii), std::end(setup.radii));
  const double height = std::sqrt(static_cast<double>(setup.grains) * area / packed);
  places.rows = std::max<std::int64_t>(2, std::llround(height / places.room));
  places.columns = (setup.grains + places.rows - 1) / places.rows;
  return places;
}

// Plane grains at their places, thrown about, so that they do not pack in rows.
std::string plane_grains(const PressSetup& setup, const PressMember& member) {
  const Places places = places_of(setup);
  const double slack = 0.5 * places.room, speed = 0.3 * std::sqrt(setup.p / setup.density);
  Random random(static_cast<std::uint64_t>(member.seed));
  std::string text;
  std::vector<double> sizes;
  for (std::int64_t i = 0; i < setup.grains; ++i)
    sizes.push_back(setup.radii[static_cast<std::size_t>(i) % std::size(setup.radii)]);
  random.shuffle(sizes);
  for (std::int64_t i = 0; i < setup.grains; ++i) {
    const double radius = sizes[static_cast<std::size_t>(i)];
    const auto within = [&](std::int64_t cell) {
      const double most = slack - radius - 1e-3 * places.room;
      return places.room * (static_cast<double>(cell) + 0.5) +
             most * (2.0 * random.uniform() - 1.0);
    };
    const double x = within(i / places.rows), z = within(i % places.rows);
    const double vx = speed * (2.0 * random.uniform() - 1.0),
                 vz = speed * (2.0 * random.uniform() - 1.0);
    text += fmt::format(
        "[[body]]\nname = \"grain-{}\"\ngroup = \"grains\"\nmaterial = \"grain\"\nposition = "
        "[{:.9g}, 0, {:.9g}]\nvelocity = [{:.9g}, 0, {:.9g}]\n",
        i + 1, x, z, vx, vz);
    text += setup.shape == "disc" ? fmt::format("kind = \"disc\"\nradius = {}\n\n", radius)
                                  : prism(polygon(random, radius)) + "\n";
  }
  return text;
}

// Floor, left side and the platen above, half-spaces; and the one at the right, which presses.
std::string platens(const PressSetup& setup, const BiaxialFrame& frame, const std::string& motion) {
  std::string text = half_space("floor", Vector3::UnitZ(), 0.0) +
                     half_space("left", Vector3::UnitX(), 0.0) +
                     half_space("top", -Vector3::UnitZ(), -frame.height);
  text.resize(text.size() - 1);
  text += motion + "\n";
  // As heavy as a layer of grains. It reaches from floor to platen, which pass it without a force,
  // as it is locked along z.
  constexpr double thickness = 1.0;
  const double mass = setup.density * frame.height * setup.d(), slit = 1e-3 * setup.d();
  text += fmt::format(
      "[[body]]\nname = \"right\"\ngroup = \"right\"\nkind = \"box\"\nsides = [{}, 1, "
      "{}]\nmaterial = \"wall\"\nmass = {}\nposition = [{}, 0, {}]\nfree = [\"x\"]\nload = {{ "
      "pressure = {}, direction = [-1, 0, 0], span = {{ between = [\"floor\", \"top\"], axis = "
      "[0, 0, 1], length = {}, depth = 1 }} }}\n\n",
      thickness, frame.height - 2.0 * slit, mass, frame.width + 0.5 * thickness, 0.5 * frame.height,
      setup.p, frame.height);
  return text;
}

}  // namespace

std::string PressMember::name(PressKind kind) const {
  return kind == PressKind::oedometer
             ? fmt::format("mu{:g}-s{}", friction, seed)
             : fmt::format("mu{:g}-packed{:g}-s{}", friction, packing_friction, seed);
}

double PressSetup::time_unit(double pressure) const { return d() * std::sqrt(density / pressure); }

double PressSetup::dt() const {
  return step * time_unit(kind == PressKind::oedometer ? largest_pressure(*this) : p);
}

std::vector<PressStage> stages_of(const PressSetup& setup, const PressMember& member) {
  // Until it has fallen and lies still: five times the fall of the highest grain.
  constexpr double falls = 5.0, ramp = 5.0, hold = 15.0;
  const double settled = falls * std::sqrt(2.0 * top_of_balls(setup, member) / setup.g);
  std::vector<PressStage> stages = {{0.0, 0.0, 0.0, settled}};
  double before = 0.0;
  for (const double pressure : setup.pressures) {
    const double start = stages.back().end;
    // In the time that the smaller of both pressures takes.
    const double unit = setup.time_unit(before > 0.0 ? std::min(before, pressure) : pressure);
    stages.push_back({pressure, start, start + ramp * unit, start + (ramp + hold) * unit});
    before = pressure;
  }
  return stages;
}

std::string oedometer_scene(const PressSetup& setup, const PressMember& member) {
  const std::vector<PressStage> stages = stages_of(setup, member);
  const double end = stages.back().end, side = setup.side();
  double shortest = end;
  for (const PressStage& stage : stages) shortest = std::min(shortest, stage.end - stage.ramp);
  constexpr double frames_a_stage = 20.0;
  std::string text = head(setup, oedometer_title, fmt::format("gravity = [0, 0, {}]\n", -setup.g),
                          end, frames_a_stage * end / shortest, member.friction);
  text += half_space("floor", Vector3::UnitZ(), 0.0);
  text += half_space("left", Vector3::UnitX(), -0.5 * side);
  text += half_space("right", -Vector3::UnitX(), -0.5 * side);
  text += half_space("front", Vector3::UnitY(), -0.5 * side);
  text += half_space("back", -Vector3::UnitY(), -0.5 * side);
  const double lid = 0.98 * side;
  text += fmt::format(
      "[[body]]\nname = \"lid\"\ngroup = \"lid\"\nkind = \"box\"\nsides = [{0}, {0}, "
      "{1}]\nmaterial = \"wall\"\nposition = [0, 0, {2}]\nfree = [\"z\"]\n\n",
      lid, lid_thickness, top_of_balls(setup, member) + 0.6 * lid_thickness);
  std::string times = "0", pressures = "0";
  for (const PressStage& stage : stages) {
    if (stage.ramp > 0.0) {
      times += fmt::format(", {}", stage.hold);
      pressures += fmt::format(", {}", stage.pressure);
    }
    times += fmt::format(", {}", stage.end);
    pressures += fmt::format(", {}", stage.pressure);
  }
  text += fmt::format(
      "[[body.load]]\ndirection = [0, 0, -1]\narea = {}\ntime = [{}]\npressure = [{}]\n\n",
      side * side, times, pressures);
  // Away from the walls by a fifth of the side, and from floor and lid by two grains.
  const double volume = std::numbers::pi / 6.0 * std::pow(setup.d(), 3.0);
  const double height = static_cast<double>(setup.grains) * volume / (0.62 * side * side);
  const double low = std::min(2.0 * setup.d(), 0.25 * height);
  text += fmt::format(
      "[[gauge]]\nname = \"middle\"\nkind = \"box\"\nbodies = [\"grains\"]\nlow = [{0}, {0}, "
      "{1}]\nhigh = [{2}, {2}, {3}]\n\n",
      -0.3 * side, low, 0.3 * side, height - low);
  return text + balls(setup, member);
}

BiaxialFrame biaxial_frame(const PressSetup& setup, const PressMember&) {
  const Places places = places_of(setup);
  BiaxialFrame frame;
  frame.height = static_cast<double>(places.rows) * places.room;
  frame.width = static_cast<double>(places.columns) * places.room;
  frame.speed = setup.inertial / setup.time_unit(setup.p) * frame.height;
  // The side presses the packing to balance before the platen moves.
  constexpr double hold = 40.0;
  const double unit = setup.time_unit(setup.p);
  frame.hold = hold * unit;
  frame.moving = frame.hold + 10.0 * unit;
  frame.end = 0.5 * (frame.hold + frame.moving) + setup.strain * frame.height / frame.speed;
  // A strain that is over before the platen has its speed.
  frame.end = std::max(frame.end, frame.moving + unit);
  return frame;
}

std::string biaxial_packing_scene(const PressSetup& setup, const PressMember& member) {
  const BiaxialFrame frame = biaxial_frame(setup, member);
  // The side crosses the room at about sqrt(p / rho).
  constexpr double crossings = 12.0;
  const double end = crossings * frame.width * std::sqrt(setup.density / setup.p);
  return head(setup,
              "# Plane grains, thrown about, are pressed together by the platen at their side.\n"
              "# Look for: a packing at rest under its pressure.\n"
              "title = \"Biaxial test: packing\"\n",
              "gravity = [0, 0, 0]\nplane = \"xz\"\n", end, 50.0, member.packing_friction) +
         platens(setup, frame, "") + plane_grains(setup, member);
}

std::string biaxial_scene(const PressSetup& setup, const PressMember& member,
                          const std::string& packing) {
  const BiaxialFrame frame = biaxial_frame(setup, member);
  // A frame each 0.1 % of strain.
  constexpr double frames_of_strain = 1000.0;
  std::string text =
      head(setup,
           fmt::format(
               "# Biaxial compression: the platen above comes down, the side keeps its pressure.\n"
               "# Look for: the stress rises at once to a peak if the packing is dense, and it "
               "dilates.\ntitle = \"Biaxial test, mu = {:g}\"\n",
               member.friction),
           "gravity = [0, 0, 0]\nplane = \"xz\"\n", frame.end,
           std::max(100.0, frames_of_strain * setup.strain * frame.end / (frame.end - frame.hold)),
           member.friction);
  // The packing overlaps by what the position correction leaves.
  text += fmt::format("[initial]\nfrom = \"{}\"\n\n[start]\noverlap_tolerance = 0.01\n\n", packing);
  text += platens(setup, frame,
                  fmt::format("motion = {{ kind = \"velocity\", time = [0, {0}, {1}, {2}], linear "
                              "= [[0, 0, 0], [0, 0, 0], [0, 0, {3}], [0, 0, {3}]] }}\n",
                              frame.hold, frame.moving, frame.end, -frame.speed));
  // Of the part that the platen does not reach.
  const double width = static_cast<double>(setup.grains) * 0.0761 / (0.82 * frame.height);
  text += fmt::format(
      "[[gauge]]\nname = \"middle\"\nkind = \"box\"\nbodies = [\"grains\"]\nlow = [{}, -0.5, "
      "{}]\nhigh = [{}, 0.5, {}]\n\n",
      0.2 * width, 0.15 * frame.height, 0.8 * width, 0.7 * frame.height);
  return text + plane_grains(setup, member);
}

}  // namespace scree::study
