// Mean stresses of bodies, and gauges, against closed forms of statics and of free motion.
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/measure/body_stress.hpp"
#include "engine/measure/gauges.hpp"
#include "engine/measure/stress_tensor.hpp"
#include "scenes/simulation.hpp"
#include "tests/support/scene_file.hpp"
#include "tests/support/validation_table.hpp"

namespace stress_test {

using namespace scree;
using measure::BodyStress;
using measure::StressTensor;

namespace {

constexpr double g = 9.81, pi = std::numbers::pi;
constexpr const char* section = "Stress";

std::string head(double h, double end, double mu, const std::string& world = "",
                 const std::string& law = "") {
  return fmt::format(R"([world]
{}
[time]
dt = {}
end = {}
[solver]
tolerance = 1e-13
velocity_tolerance = 1e-9
measure = "scaled"
[law]
{}
[[material]]
name = "a"
density = 1000
[[contact]]
between = ["a", "a"]
mu = {}
e = 0
)",
                     world, h, end, law, mu);
}

std::string number_list(const Vector3& v) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z());
}

// Stress of a body from its moment [Pa].
StressTensor stress_of(const StepView& view, const BodyStress& stress, const std::string& name) {
  const auto i = static_cast<std::size_t>(test::body_named(view.model, name));
  return measure::symmetric_part(stress.moment()[i] / view.model.volume[i]);
}

double asymmetry_of(const StepView& view, const BodyStress& stress, const std::string& name) {
  const auto i = static_cast<std::size_t>(test::body_named(view.model, name));
  return measure::asymmetry_of(measure::symmetric_part(stress.moment()[i]), stress.unbalanced()[i]);
}

using Look = std::function<void(const StepView& view, const BodyStress& stress)>;

// Runs a scene; look after each step.
void run_with(Scene scene, const Look& look) {
  Simulation simulation(std::move(scene));
  BodyStress stress;
  bool started = false;
  simulation.observe([&](const StepView& view) {
    if (!std::exchange(started, true)) return stress.start(view.state);
    stress.compute(view);
    look(view, stress);
  });
  simulation.run();
}

void run_with(const std::string& text, const Look& look) {
  run_with(parse_scene(text, "stress.toml"), look);
}

// Largest difference of the components.
double distance(const StressTensor& a, const StressTensor& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

void require_row(const std::string& name, double got, double allowed, const char* source) {
  INFO(name);
  CHECK(test::validated({section, name, 0.0, got, allowed, false, source}));
}

}  // namespace

TEST_CASE("Cubes of a tower carry half of what is above and below them", "[measure][analytic]") {
  constexpr int n = 6;
  const double a = 0.5, weight = 1000 * a * a * a * g;
  const double h = GENERATE(1e-3, 4e-3), mu = GENERATE(0.0, 0.6);
  const std::string text = head(h, 20 * h, mu) + fmt::format(R"(
[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "a"
[[stack]]
name = "t"
count = {}
sides = [{}, {}, {}]
material = "a"
)",
                                                             n, a, a, a);
  double worst = 0.0, asymmetry = 0.0;
  run_with(text, [&](const StepView& view, const BodyStress& stress) {
    for (int i = 1; i <= n; ++i) {
      const std::string name = fmt::format("t-{}", i);
      const double top = (n - i) * weight, expected = -(top + top + weight) / (2.0 * a * a);
      worst = std::max(
          worst, distance(stress_of(view, stress, name), {0.0, 0.0, expected, 0.0, 0.0, 0.0}) /
                     std::abs(expected));
      asymmetry = std::max(asymmetry, asymmetry_of(view, stress, name));
    }
  });
  const std::string name = fmt::format("tower of {} cubes, h = {} s, mu = {}: ", n, h, mu);
  require_row(name + "error of the stresses, rel.", worst, 1e-8, "-(N_bottom + N_top) / (2 a^2)");
  require_row(name + "largest asymmetry", asymmetry, 1e-12, "balance of moments");
}

TEST_CASE("A squeezed cube has F over its area, however the scene is turned or shifted",
          "[measure][analytic]") {
  const double a = 0.2, F = 5e3, h = GENERATE(1e-3, 5e-3);
  const int turned = GENERATE(0, 1, 2);
  const Quaternion q =
      turned == 0 ? Quaternion::Identity() : Quaternion(0.5, 0.1, -0.7, 0.3 * turned).normalized();
  const Vector3 shift = turned == 2 ? Vector3(1000.0, -500.0, 30.0) : Vector3(Vector3::Zero());
  const Vector3 up = q * Vector3::UnitZ();
  const std::string turn =
      fmt::format("orientation = [{:.17g}, {:.17g}, {:.17g}, {:.17g}]", q.w(), q.x(), q.y(), q.z());
  const std::string text =
      head(h, 20 * h, 0.0, "gravity = [0, 0, 0]") +
      fmt::format(R"(
[[body]]
name = "base"
kind = "half_space"
normal = [0, 0, 1]
material = "a"
position = {}
{}
[[body]]
name = "cube"
kind = "box"
sides = [{}, {}, {}]
material = "a"
position = {}
{}
[[body]]
name = "plate"
kind = "box"
sides = [{}, {}, 0.05]
material = "a"
position = {}
{}
load = {{ force = {} }}
)",
                  number_list(shift), turn, a, a, a, number_list(shift + 0.5 * a * up), turn, 2 * a,
                  2 * a, number_list(shift + (a + 0.025) * up), turn, number_list(-F * up));
  const Matrix3 expected = -F / (a * a) * up * up.transpose();
  double worst = 0.0;
  run_with(text, [&](const StepView& view, const BodyStress& stress) {
    worst = std::max(worst,
                     distance(stress_of(view, stress, "cube"), measure::symmetric_part(expected)));
  });
  const char* how = turned == 0 ? "upright" : turned == 1 ? "turned" : "turned, 1 km away";
  // A coordinate of 1 km is known to 1e-13 m, 6e-13 of the cube.
  require_row(fmt::format("squeezed cube, {}, h = {} s: error of the stress, rel.", how, h),
              worst / (F / (a * a)), turned == 2 ? 1e-9 : 1e-10, "-F/a^2 e (x) e");
}

TEST_CASE("A ball that spins freely is in tension across its axis", "[measure][analytic]") {
  const double r = 0.3, w = 40.0, h = GENERATE(1e-3, 1e-2);
  const std::string frames = GENERATE("start", "middle");
  const std::string text =
      head(h, 50 * h, 0.0, "", "frames = \"" + frames + "\"") + fmt::format(R"(
[[body]]
name = "ball"
kind = "sphere"
radius = {}
material = "a"
angular_velocity = [0, 0, {}]
velocity = [3, -2, 1]
)",
                                                                            r, w);
  const double tension = 1000 * r * r * w * w / 5.0;
  double worst = 0.0;
  run_with(text, [&](const StepView& view, const BodyStress& stress) {
    worst = std::max(
        worst, distance(stress_of(view, stress, "ball"), {tension, tension, 0.0, 0.0, 0.0, 0.0}));
  });
  require_row(fmt::format("spinning ball, {}, h = {} s: error of the stress, rel.", frames, h),
              worst / tension, 1e-10, "rho r^2 w^2 / 5");
}

TEST_CASE("The trace of a tumbling block's stress is twice its energy of rotation",
          "[measure][property]") {
  const double h = GENERATE(1e-3, 1e-2);
  const std::string frames = GENERATE("start", "middle");
  const std::string text = head(h, 100 * h, 0.0, "", "frames = \"" + frames + "\"") + R"(
[[body]]
name = "block"
kind = "box"
sides = [0.3, 0.5, 0.8]
material = "a"
angular_velocity = [4, 9, -3]
)";
  double worst = 0.0, asymmetry = 0.0;
  run_with(text, [&](const StepView& view, const BodyStress& stress) {
    const std::size_t i = 0;
    const Vector3 w =
        view.R_WB[i].transpose() * (0.5 * (view.start_spin_W[i] + view.end_spin_W[i]));
    const double twice = w.dot(view.model.inertia[i].cwiseProduct(w));
    worst = std::max(worst, std::abs(stress.moment()[i].trace() - twice) / twice);
    asymmetry = std::max(asymmetry, asymmetry_of(view, stress, "block"));
  });
  const std::string name = fmt::format("tumbling block, {}, h = {} s: ", frames, h);
  require_row(name + "trace of V sigma against w . J w, rel.", worst, 1e-13, "virial of rotation");
  require_row(name + "largest asymmetry", asymmetry, 1e-12, "Euler's equation");
}

TEST_CASE("Stress and kinetic stress of what spins are the flux of its momentum",
          "[measure][analytic]") {
  // Bodies that turn where they are carry no momentum anywhere: balls at no moment, a block not in
  // the mean over a turn. Their own stresses are large.
  const std::string frames = GENERATE("start", "middle");
  const int steps_of_turn = GENERATE(20, 60);
  // Cayley's angle of a step, with frames in the middle of two halves of one.
  const double halves = frames == "middle" ? 2.0 : 1.0;
  const double r = 0.3, w = 40.0, h = 2.0 * halves / w * std::tan(pi / (halves * steps_of_turn));
  const auto one = [&](const char* name, const char* shape, double x, const Vector3& spin) {
    return fmt::format(
        "[[body]]\nname = \"{}\"\n{}\nmaterial = \"a\"\nposition = [{}, 0, 0]\nangular_velocity "
        "= {}\n",
        name, shape, x, number_list(spin));
  };
  const std::string text =
      head(h, steps_of_turn * h, 0.0, "gravity = [0, 0, 0]", "frames = \"" + frames + "\"") +
      one("ball-1", "kind = \"sphere\"\nradius = 0.3", 0.0, {w, 0.0, 0.0}) +
      one("ball-2", "kind = \"sphere\"\nradius = 0.2", 1.0, {-7.0, 20.0, 33.0}) +
      one("block", "kind = \"box\"\nsides = [0.4, 0.7, 0.3]", 3.0, {0.0, 0.0, w}) +
      "[[gauge]]\nname = \"of balls\"\nkind = \"bodies\"\nbodies = [\"ball-1\", "
      "\"ball-2\"]\n[[gauge]]\nname = \"of block\"\nkind = \"box\"\nlow = [2, -1, -1]\nhigh = [4, "
      "1, "
      "1]\n";
  const Scene scene = parse_scene(text, "spins.toml");
  measure::Gauges gauges(scene.model, scene.settings.measure.gauges);
  const double scale = 1000.0 * r * r * w * w / 5.0;
  double worst = 0.0, own = 0.0;
  StressTensor mean = {};
  run_with(text, [&](const StepView& view, const BodyStress& stress) {
    gauges.compute(view, stress);
    const measure::GaugeRow &balls = gauges.rows(0)[0], &block = gauges.rows(1)[0];
    CHECK(std::abs(balls.temperature) <= 1e-20);
    for (std::size_t k = 0; k < mean.size(); ++k) {
      worst = std::max(worst, std::abs(balls.stress[k] + balls.kinetic_stress[k]));
      mean[k] += (block.stress[k] + block.kinetic_stress[k]) / steps_of_turn;
      own = std::max(own, std::abs(block.stress[k] + block.kinetic_stress[k]));
    }
  });
  CHECK(own > 0.01 * scale);
  const std::string name = fmt::format("spins, {}, {} steps a turn: ", frames, steps_of_turn);
  require_row(name + "balls, stress and kinetic stress over rho r^2 w^2 / 5", worst / scale, 1e-12,
              "no flux of momentum");
  require_row(name + "block, their mean over a turn over it",
              distance(mean, StressTensor{}) / scale, 1e-10, "no flux of momentum");
}

TEST_CASE("A ball between two forces has 3 F over 2 pi r squared along them",
          "[measure][analytic]") {
  const double r = 0.1, F = 700.0, h = GENERATE(1e-3, 1e-2);
  const std::string text = head(h, 10 * h, 0.0, "gravity = [0, 0, 0]") + fmt::format(R"(
[[body]]
name = "ball"
kind = "sphere"
radius = {0}
material = "a"
load = [ {{ force = [-{1}, 0, 0], at = [{0}, 0, 0] }}, {{ force = [{1}, 0, 0], at = [-{0}, 0, 0] }} ]
)",
                                                                                     r, F);
  const double expected = -3.0 * F / (2.0 * pi * r * r);
  double worst = 0.0;
  run_with(text, [&](const StepView& view, const BodyStress& stress) {
    worst = std::max(
        worst, distance(stress_of(view, stress, "ball"), {expected, 0.0, 0.0, 0.0, 0.0, 0.0}));
  });
  require_row(fmt::format("ball between two forces, h = {} s: error of the stress, rel.", h),
              worst / std::abs(expected), 1e-12, "-3 F / (2 pi r^2)");
}

TEST_CASE("A block that is pushed along has half of F over its area", "[measure][analytic]") {
  const double a = 3.0, h = GENERATE(1e-3, 5e-3);
  const Vector3 sides(0.4, 0.2, 0.3);
  const std::string text =
      head(h, 40 * h, 0.0, "gravity = [0, 0, 0]") + fmt::format(R"(
[[body]]
name = "plate"
kind = "box"
sides = [0.1, 1, 1]
material = "a"
position = [-0.25, 0, 0]
motion = {{ kind = "acceleration", time = [0], linear = [[{}, 0, 0]] }}
[[body]]
name = "block"
kind = "box"
sides = [{}, {}, {}]
material = "a"
)",
                                                                a, sides.x(), sides.y(), sides.z());
  const double F = 1000 * sides.prod() * a, expected = -F / (2.0 * sides.y() * sides.z());
  double worst = 0.0;
  run_with(text, [&](const StepView& view, const BodyStress& stress) {
    worst = std::max(
        worst, distance(stress_of(view, stress, "block"), {expected, 0.0, 0.0, 0.0, 0.0, 0.0}));
  });
  require_row(fmt::format("pushed block, h = {} s: error of the stress, rel.", h),
              worst / std::abs(expected), 1e-8, "-F / (2 A)");
}

TEST_CASE("Couples, drag and locks are no error of the stress", "[measure][property]") {
  const std::string frames = GENERATE("start", "middle");
  // A block that is dragged about by a torque, a load that turns with it, drag and a floor that
  // resists rolling; and a wheel on a shaft.
  std::string text = head(2e-3, 0.6, 0.5, "", "frames = \"" + frames + "\"") + R"(
[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "a"
[[body]]
name = "ball"
kind = "sphere"
radius = 0.2
material = "a"
position = [0, 0, 0.2]
velocity = [1, 0.5, 0]
load = [ { torque = [1, 2, 3] }, { force = [20, 10, -30], at = [0.1, 0, 0.1], axes = "body" } ]
drag = { linear = 3, angular = 0.4 }
[[body]]
name = "block"
kind = "box"
sides = [0.2, 0.4, 0.3]
material = "a"
position = [2, 0, 0.5]
angular_velocity = [3, 1, 2]
load = { force = [0, 50, 0], at = [0.05, 0.1, 0.1] }
drag = { angular = 0.2 }
[[body]]
name = "wheel"
kind = "box"
sides = [0.4, 0.1, 0.4]
material = "a"
position = [5, 0, 2]
free = ["ry"]
load = { force = [0, 0, -40], at = [0.2, 0.05, 0] }
)";
  text.insert(text.find("mu = 0.5"), "rolling = 0.05\nspinning = 0.02\n");
  double asymmetry = 0.0;
  bool couples = false;
  run_with(text, [&](const StepView& view, const BodyStress& stress) {
    for (const char* name : {"ball", "block", "wheel"})
      asymmetry = std::max(asymmetry, asymmetry_of(view, stress, name));
    for (const Matrix3& couple : stress.couple()) couples = couples || !couple.isZero(0.0);
  });
  CHECK(couples);
  require_row("loads, torques, drag, rolling resistance, a shaft, frames = " + frames +
                  ": largest asymmetry",
              asymmetry, 1e-11, "balance of moments");
}

TEST_CASE("Layers of cubes in a smooth box hand down what is above them", "[measure][analytic]") {
  constexpr int across = 3, layers = 4;
  const double a = 0.1, F = 200.0, h = GENERATE(1e-3, 4e-3);
  const double cube = 1000 * a * a * a * g, layer = across * across * cube,
               area = across * across * a * a, lid = 1000 * area * 0.05 * g;
  std::string text = head(h, 20 * h, 0.0);
  const double side = across * a;
  for (const auto& [name, normal, offset] :
       {std::tuple("ground", "[0, 0, 1]", 0.0), std::tuple("west", "[1, 0, 0]", 0.0),
        std::tuple("east", "[-1, 0, 0]", -side), std::tuple("south", "[0, 1, 0]", 0.0),
        std::tuple("north", "[0, -1, 0]", -side)}) {
    text += fmt::format(
        "[[body]]\nname = \"{}\"\nkind = \"half_space\"\nnormal = {}\noffset = {}\nmaterial = "
        "\"a\"\n",
        name, normal, offset);
  }
  for (int i = 0; i < across; ++i) {
    for (int j = 0; j < across; ++j) {
      text += fmt::format(
          "[[stack]]\nname = \"c{}{}\"\ncount = {}\nsides = [{}, {}, {}]\nmaterial = "
          "\"a\"\nposition "
          "= [{}, {}, 0]\n",
          i, j, layers, a, a, a, (i + 0.5) * a, (j + 0.5) * a);
    }
  }
  text += fmt::format(R"(
[[body]]
name = "lid"
kind = "box"
sides = [{0}, {0}, 0.05]
material = "a"
position = [{1}, {1}, {2}]
load = {{ force = [0, 0, -{3}] }}
[[gauge]]
name = "layers"
kind = "grid"
low = [0, 0, 0]
high = [{0}, {0}, {4}]
cells = [1, 1, {5}]
bodies = ["c*"]
[[gauge]]
name = "half layers"
kind = "grid"
low = [0, 0, 0]
high = [{0}, {0}, {4}]
cells = [3, 1, {6}]
bodies = ["c*"]
[[gauge]]
name = "all"
kind = "bodies"
bodies = ["c*"]
)",
                      side, 0.5 * side, layers * a + 0.025, F, layers * a, layers, 2 * layers);
  const Scene scene = parse_scene(text, "layers.toml");
  measure::Gauges gauges(scene.model, scene.settings.measure.gauges);
  double worst = 0.0, halves = 0.0, across_error = 0.0, floor_error = 0.0, sum_error = 0.0;
  run_with(text, [&](const StepView& view, const BodyStress& stress) {
    gauges.compute(view, stress);
    double sum = 0.0, across_sum = 0.0;
    for (int k = 0; k < layers; ++k) {
      const measure::GaugeRow& row = gauges.rows(0)[static_cast<std::size_t>(k)];
      const double above = F + lid + (layers - 1 - k) * layer;
      worst = std::max(worst, std::abs(row.stress[2] * area + above + 0.5 * layer) / above);
      across_sum += row.stress[0] * area * a;
      CHECK(std::abs(row.solid_fraction - 1.0) < 1e-12);
      sum += row.stress[2] * area * a;
      // Above the centres, and below them.
      for (const int half : {0, 1}) {
        double force = 0.0;
        for (std::size_t i = 0; i < 3; ++i)
          force +=
              gauges.rows(1)[i * 2 * layers + static_cast<std::size_t>(2 * k + half)].stress[2] *
              area / 3.0;
        halves = std::max(halves, std::abs(force + above + (half == 0 ? layer : 0.0)) / above);
      }
    }
    sum_error =
        std::max(sum_error, std::abs(sum / (area * layers * a) - gauges.rows(2)[0].stress[2]) /
                                std::abs(gauges.rows(2)[0].stress[2]));
    // Walls may press on cubes that need it not: how much is not fixed, but the same all across.
    double on_floor = 0.0, on_west = 0.0;
    for (std::size_t c = 0; c < view.in_problem.size(); ++c) {
      if (view.problem.body_a[c] == 0) on_floor += view.impulse_W[c].z() / h;
      const auto b = static_cast<std::size_t>(view.problem.body_b[c]);
      const bool of_cube = view.model.name[b].starts_with('c');
      if (view.problem.body_a[c] == 1 && of_cube) on_west += view.impulse_W[c].x() / h;
    }
    across_error = std::max(across_error, std::abs(across_sum + on_west * side) / (F * side));
    const measure::GaugeRow& lowest = gauges.rows(0)[0];
    floor_error = std::max(floor_error,
                           std::abs(on_floor - 0.5 * layer + lowest.stress[2] * area) / on_floor);
  });
  const std::string name = fmt::format("36 cubes under a lid, h = {} s: ", h);
  require_row(name + "force through each layer, rel.", worst, 1e-8, "weights above");
  require_row(name + "force above and below the centres, rel.", halves, 1e-8, "weights above");
  require_row(name + "stress across against the force of a wall, of the load", across_error, 1e-8,
              "balance across");
  require_row(name + "floor's force less half a layer and integral of sigma_zz, rel.", floor_error,
              1e-8, "balance of the lowest layer");
  require_row(name + "sum over the grid against the bodies' stresses, rel.", sum_error, 1e-12,
              "shares add up to one");
}

TEST_CASE("Smooth balls at rest in a box press as a fluid does", "[measure][analytic]") {
  const double h = GENERATE(1e-3, 2e-3), side = 0.5;
  std::string text = head(h, 1.6, 0.0);
  text.replace(text.find("1e-13"), 5, "1e-8");
  text += "[start]\noverlap_tolerance = 1e-3\n";
  for (const auto& [name, normal, offset] :
       {std::tuple("ground", "[0, 0, 1]", 0.0), std::tuple("west", "[1, 0, 0]", -0.5 * side),
        std::tuple("east", "[-1, 0, 0]", -0.5 * side),
        std::tuple("south", "[0, 1, 0]", -0.5 * side),
        std::tuple("north", "[0, -1, 0]", -0.5 * side)}) {
    text += fmt::format(
        "[[body]]\nname = \"{}\"\nkind = \"half_space\"\nnormal = {}\noffset = {}\nmaterial = "
        "\"a\"\n",
        name, normal, offset);
  }
  constexpr int cells = 12;
  text += fmt::format(R"(
[[grains]]
name = "g"
shape = "sphere"
material = "a"
count = 160
size = 0.1
region = {{ kind = "box", length = {0}, width = {0} }}
[[gauge]]
name = "profile"
kind = "grid"
low = [-{1}, -{1}, 0]
high = [{1}, {1}, {2}]
cells = [1, 1, {3}]
)",
                      side, 0.5 * side, 0.9, cells);
  const Scene scene = parse_scene(text, "fluid.toml");
  measure::Gauges gauges(scene.model, scene.settings.measure.gauges);
  const double area = side * side, slice = 0.9 / cells;
  double weight = 0.0;
  for (const double mass : scene.model.mass) weight += mass * g;
  std::vector<double> stress_zz(cells, 0.0), expected(cells, 0.0);
  double floor_force = 0.0;
  int count = 0;
  run_with(text, [&](const StepView& view, const BodyStress& stress) {
    if (view.state.time < 1.4) return;
    ++count;
    gauges.compute(view, stress);
    for (int k = 0; k < cells; ++k)
      stress_zz[static_cast<std::size_t>(k)] +=
          gauges.rows(0)[static_cast<std::size_t>(k)].stress[2];
    for (std::size_t i = 0; i < view.model.mass.size(); ++i) {
      if (view.model.kind[i] != BodyKind::dynamic) continue;
      // What lies under its centre carries it.
      for (int k = 0; k < cells; ++k) {
        const double under = std::clamp(view.centre[i].z() / slice - k, 0.0, 1.0);
        expected[static_cast<std::size_t>(k)] -= under * view.model.mass[i] * g / area;
      }
    }
    for (std::size_t c = 0; c < view.in_problem.size(); ++c)
      if (view.problem.body_a[c] == 0) floor_force += view.impulse_W[c].z() / h;
  });
  double worst = 0.0;
  for (std::size_t k = 0; k < cells; ++k)
    worst = std::max(worst, std::abs(stress_zz[k] - expected[k]) / count);
  const std::string name = fmt::format("160 smooth balls at rest, h = {} s: ", h);
  require_row(name + "sigma_zz(z) against the weight above, of that at the floor",
              worst * area / weight, 1e-3, "-g integral of rho nu over the depth");
  require_row(name + "force of the floor against the weight, rel.",
              std::abs(floor_force / count - weight) / weight, 1e-3, "weight");
}

TEST_CASE("Two thousand balls under even pressure have it and an even fabric",
          "[measure][analytic]") {
  // A lattice of equal balls that touch, between three fixed walls and three lids, no friction and
  // no weight. Forces in it are not unique, their mean is.
  // Steps are so short that no lid would get within one to the balls that stand beyond its edge:
  // the scheme would stop it there.
  const double h = GENERATE(1e-3, 2e-3);
  constexpr int n = 8;
  const double cell = 0.1, largest = cell / std::sqrt(8.0), side = (n - 0.5) * cell + 2.0 * largest;
  const double plate = 0.945 * side, F = 1e4 * plate * plate;
  std::string text = head(h, 20 * h, 0.0, "gravity = [0, 0, 0]");
  text.replace(text.find("1e-13"), 5, "1e-10");
  text += "[start]\noverlap_tolerance = 1e-3\n";
  const char* axes = "xyz";
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3 normal = Vector3::Unit(axis);
    Vector3 sides = Vector3::Constant(plate), place = Vector3::Constant(0.5 * plate);
    sides[axis] = 0.05, place[axis] = side + 0.025;
    text += fmt::format(
        "[[body]]\nname = \"wall-{0}\"\nkind = \"half_space\"\nnormal = {1}\nmaterial = "
        "\"a\"\n[[body]]\nname = \"lid-{0}\"\nkind = \"box\"\nsides = {2}\nposition = "
        "{3}\nmaterial "
        "= \"a\"\nfree = [\"{0}\"]\nload = {{ force = {4} }}\n",
        axes[axis], number_list(normal), number_list(sides), number_list(place),
        number_list(-F * normal));
  }
  int balls = 0;
  for (int i = 0; i < 2 * n; ++i) {
    for (int j = 0; j < 2 * n; ++j) {
      for (int k = 0; k < 2 * n; ++k) {
        if ((i + j + k) % 2 != 0) continue;
        const Vector3 x = Vector3::Constant(largest) + 0.5 * cell * Vector3(i, j, k);
        text += fmt::format(
            "[[body]]\nname = \"b{}\"\nkind = \"sphere\"\nradius = {:.17g}\nposition = "
            "{}\nmaterial "
            "= \"a\"\n",
            balls++, largest, number_list(x));
      }
    }
  }
  REQUIRE(balls == 2048);
  double virial = 0.0, isotropy = 0.0, mean_error = 0.0, fabric_error = 0.0;
  run_with(text, [&](const StepView& view, const BodyStress& stress) {
    if (!view.last) return;
    Vector3 L;
    for (int axis = 0; axis < 3; ++axis) {
      const std::string name = fmt::format("lid-{}", axes[axis]);
      const auto i = static_cast<std::size_t>(test::body_named(view.model, name));
      L[axis] = view.centre[i][axis] - 0.025;
    }
    const double volume = L.prod();
    Matrix3 sum = Matrix3::Zero(), fabric = Matrix3::Zero();
    for (std::size_t i = 0; i < view.model.name.size(); ++i) {
      if (view.model.name[i][0] != 'b') continue;
      sum += stress.moment()[i];
    }
    double count = 0.0;
    for (std::size_t c = 0; c < view.in_problem.size(); ++c) {
      const bool inner =
          view.model.name[static_cast<std::size_t>(view.problem.body_a[c])][0] == 'b' &&
          view.model.name[static_cast<std::size_t>(view.problem.body_b[c])][0] == 'b';
      if (!inner || view.impulse[c].isZero(0.0)) continue;
      const Vector3 normal = view.problem.R_WC[c].col(0);
      fabric += normal * normal.transpose(), count += 1.0;
    }
    fabric /= count;
    // In balance sum l . f = -F (L_x + L_y + L_z); each wall's pressure is F over its area.
    virial = std::abs(sum.trace() + F * L.sum()) / (F * L.sum());
    const double p = F * L.sum() / (3.0 * volume);
    const Matrix3 sigma = sum / volume;
    mean_error = std::abs(sigma.trace() / 3.0 + p) / p;
    isotropy = (sigma + p * Matrix3::Identity()).cwiseAbs().maxCoeff() / p;
    fabric_error = (fabric - Matrix3::Identity() / 3.0).cwiseAbs().maxCoeff() * 3.0;
  });
  const std::string name = fmt::format("2048 balls under p, h = {} s: ", h);
  require_row(name + "virial, sum of l . f against the walls, rel.", virial, 1e-6, "-3 p V");
  require_row(name + "sigma against -p I, largest component, rel.", isotropy, 0.02, "pressure");
  require_row(name + "H against I/3, largest component, rel.", fabric_error, 0.02, "isotropy");
  CHECK(mean_error < 1e-6);
}

}  // namespace stress_test
