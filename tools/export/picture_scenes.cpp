#include "tools/export/picture_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "engine/base/check.hpp"
#include "engine/base/quantile.hpp"
#include "engine/files/result_path.hpp"
#include "tools/analyse/packing.hpp"
#include "tools/export/wall_mesh.hpp"
#include "tools/picture/colouring.hpp"

namespace scree {
namespace {

using picture::PictureScene;
using picture::Solid;

struct Source {
  ResultBodies bodies;
  std::vector<ResultShape> shapes;
  std::vector<std::int32_t>
      group;  // [n_bodies] bodies of one material and kind of shape share a colour
  std::vector<std::uint8_t> stray = {};  // [n_bodies] not framed, though it moves

  const ResultShape& shape(std::size_t body) const {
    return shapes[static_cast<std::size_t>(bodies.shape[body])];
  }
};

Source read_source(const ResultReader& results) {
  Source source{results.bodies(), results.shapes(), {}, {}};
  std::vector<std::pair<std::string, std::int32_t>> groups;
  for (std::size_t i = 0; i < source.bodies.name.size(); ++i) {
    if (source.bodies.fixed[i] != 0) {
      source.group.push_back(-1);
      continue;
    }
    const std::pair wanted(source.shape(i).kind, source.bodies.material[i]);
    const auto found = std::find(groups.begin(), groups.end(), wanted);
    source.group.push_back(static_cast<std::int32_t>(found - groups.begin()));
    if (found == groups.end()) groups.push_back(wanted);
  }
  return source;
}

bool is_stress(ColourBy colour_by) {
  return colour_by == ColourBy::pressure || colour_by == ColourBy::tau;
}

// Mean stress of each body of a frame; NaN: none.
std::vector<measure::StressTensor> stresses_of(const ResultReader& results, std::int64_t frame) {
  if (results.has_stress()) return results.stress(frame).stress;
  const analyse::Packing packing = analyse::PackingReader(results).read(frame);
  const std::vector<Matrix3> moments = analyse::moments_of(packing);
  std::vector<measure::StressTensor> stresses(moments.size());
  for (std::size_t i = 0; i < moments.size(); ++i) {
    stresses[i].fill(std::numeric_limits<double>::quiet_NaN());
    if (packing.moves[i] != 0 && packing.volume[i] > 0.0)
      stresses[i] = measure::symmetric_part(moments[i] / packing.volume[i]);
  }
  return stresses;
}

std::vector<double> stress_values(const std::vector<measure::StressTensor>& stresses,
                                  ColourBy colour_by) {
  std::vector<double> values;
  for (const measure::StressTensor& stress : stresses)
    values.push_back(colour_by == ColourBy::pressure ? measure::pressure_of(stress)
                                                     : measure::shear_of(stress));
  return values;
}

std::vector<double> values_of(const ResultReader& results, std::int64_t index,
                              const ResultFrame& frame, const ResultFrame& start,
                              ColourBy colour_by) {
  if (is_stress(colour_by)) return stress_values(stresses_of(results, index), colour_by);
  std::vector<double> values(frame.position.size(), 0.0);
  const Cell cell = results.cell();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (colour_by == ColourBy::speed) values[i] = frame.velocity[i].norm();
    if (colour_by == ColourBy::displacement)
      values[i] = (path_of(cell, frame, i) - start.position[i]).norm();
  }
  return values;
}

void add_polyhedron(const ResultShape& shape, const Pose& pose, Solid solid, PictureScene& scene) {
  for (const Vector3& vertex : shape.vertices) solid.vertices.push_back(pose * vertex);
  for (std::size_t f = 0; f + 1 < shape.face_begin.size(); ++f)
    solid.faces.emplace_back(shape.faces.begin() + shape.face_begin[f],
                             shape.faces.begin() + shape.face_begin[f + 1]);
  scene.solids.push_back(std::move(solid));
}

// A body that is only points: small balls.
void add_points(const ResultShape& shape, const Pose& pose, const Solid& like,
                PictureScene& scene) {
  double size = 0.0;
  for (const Vector3& vertex : shape.vertices) size = std::max(size, vertex.norm());
  for (const Vector3& vertex : shape.vertices) {
    Solid solid = like;
    solid.centre = pose * vertex;
    solid.radius = size > 0.0 ? 0.06 * size : 0.01;
    scene.solids.push_back(solid);
  }
}

void add_plane(const ResultShape& shape, const Pose& pose, PictureScene& scene) {
  picture::Plane plane;
  plane.normal = (pose.q * shape.normal).normalized();
  plane.offset = shape.offset + plane.normal.dot(pose.x);
  if (plane.normal.z() < 0.95) plane.colour = picture::Colour(0.46F, 0.46F, 0.43F);
  scene.planes.push_back(plane);
}

// Farthest that a moving body is from this one: where a wall without ends may end.
double farthest(const Source& source, const ResultFrame& frame, const Vector3& from) {
  double size = 1e-3;
  for (std::size_t i = 0; i < frame.position.size(); ++i) {
    if (source.bodies.fixed[i] == 0 && frame.active[i] != 0)
      size = std::max(size, (frame.position[i] - from).norm());
  }
  return size;
}

void add_wall(const ResultShape& shape, const Pose& pose, double size, Solid solid,
              PictureScene& scene) {
  const WallMesh mesh = cylinder_wall_mesh(shape, size);
  for (const Vector3& point : mesh.points) solid.vertices.push_back(pose * point);
  for (const auto& face : mesh.faces) solid.faces.emplace_back(face.begin(), face.end());
  solid.framed = false;
  scene.solids.push_back(std::move(solid));
}

// Bodies that are far from all others at the start of the run and are few: framing them would make
// the rest tiny. [n_bodies]
std::vector<std::uint8_t> strays(const Source& source, const ResultFrame& start,
                                 std::span<const ResultFrame> shown) {
  constexpr double far = 2.5;          // radii of the scene at its start
  constexpr std::size_t part_of = 10;  // more than one in so many are a flow, no strays
  const std::size_t n = start.position.size();
  Eigen::AlignedBox3d box;
  std::size_t moving = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (source.bodies.fixed[i] != 0) continue;
    ++moving;
    if (start.active[i] != 0) box.extend(start.position[i]);
  }
  std::vector<std::uint8_t> found(n, 0);
  if (box.isEmpty()) return found;
  const double reach = far * 0.5 * box.diagonal().norm();
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (source.bodies.fixed[i] != 0) continue;
    for (const ResultFrame& frame : shown) {
      if (frame.active[i] != 0 && (frame.position[i] - box.center()).norm() > reach) found[i] = 1;
    }
    count += found[i];
  }
  if (part_of * count > moving) found.assign(n, 0);
  return found;
}

void add_body(const Source& source, const ResultFrame& frame, std::size_t body,
              const picture::Colour& colour, PictureScene& scene) {
  const Pose pose{.x = frame.position[body], .q = frame.orientation[body]};
  const ResultShape& shape = source.shape(body);
  Solid solid;
  solid.body = static_cast<std::int32_t>(body);
  solid.colour = colour;
  solid.framed = source.bodies.fixed[body] == 0 && source.stray[body] == 0;
  if (shape.kind == "half_space") {
    add_plane(shape, pose, scene);
  } else if (shape.kind == "sphere") {
    solid.radius = shape.radius;
    solid.centre = pose * shape.centre;
    scene.solids.push_back(std::move(solid));
  } else if (shape.kind == "cylinder_wall") {
    add_wall(shape, pose, farthest(source, frame, pose.x), std::move(solid), scene);
  } else if (shape.kind == "points") {
    add_points(shape, pose, solid, scene);
  } else {
    add_polyhedron(shape, pose, std::move(solid), scene);
  }
}

picture::Colour body_colour(const Source& source, std::size_t body, ColourBy colour_by,
                            double share) {
  if (source.group[body] < 0) return picture::from_srgb(0x9A9A96);
  if (std::isnan(share)) return picture::from_srgb(0xC9C9C5);
  if (colour_by != ColourBy::body) return picture::scale_colour(share);
  return picture::group_colour(source.group[body], static_cast<std::int32_t>(body));
}

std::string caption(double time, ColourBy colour_by, double largest) {
  std::string when = fmt::format("t = {:.3g} s", time);
  if (colour_by == ColourBy::speed) return when + fmt::format("   speed 0 - {:.3g} m/s", largest);
  if (colour_by == ColourBy::displacement)
    return when + fmt::format("   displacement 0 - {:.3g} m", largest);
  if (is_stress(colour_by)) {
    return when + fmt::format("   {} 0 - {:.3g} Pa",
                              colour_by == ColourBy::pressure ? "pressure" : "tau", largest);
  }
  return when;
}

std::optional<picture::ColourBar> colour_bar(ColourBy colour_by, double largest) {
  if (colour_by == ColourBy::speed) return picture::ColourBar{"speed", "m/s", largest};
  if (colour_by == ColourBy::displacement) return picture::ColourBar{"displacement", "m", largest};
  if (colour_by == ColourBy::pressure) return picture::ColourBar{"pressure", "Pa", largest};
  if (colour_by == ColourBy::tau) return picture::ColourBar{"tau", "Pa", largest};
  return std::nullopt;
}

// The index of the frame nearest to a moment.
std::int64_t nearest_frame(double time, std::span<const double> times) {
  const double slack = 1e-9 * std::max(1.0, std::abs(times.back()));
  require(time >= times.front() - slack && time <= times.back() + slack, "--time",
          fmt::format("{} s is outside the run, which has frames from {} to {} s", time,
                      times.front(), times.back()));
  const auto nearer = [time](double a, double b) {
    return std::abs(a - time) < std::abs(b - time);
  };
  return std::min_element(times.begin(), times.end(), nearer) - times.begin();
}

}  // namespace

std::vector<std::int64_t> choose_frames(const FrameChoice& choice,
                                        std::span<const double> frame_times) {
  const auto n = static_cast<std::int64_t>(frame_times.size());
  require(n > 0, "frames", "the file has none");
  if (choice.frame) {
    require(*choice.frame >= -n && *choice.frame < n, "--frame",
            fmt::format("{} is not one of the frames 0 to {}", *choice.frame, n - 1));
    return {*choice.frame < 0 ? *choice.frame + n : *choice.frame};
  }
  std::vector<std::int64_t> frames;
  for (const double time : choice.times) frames.push_back(nearest_frame(time, frame_times));
  if (choice.panels) {
    require(*choice.panels >= 1 && *choice.panels <= 100, "--panels",
            fmt::format("{} is not in [1, 100]", *choice.panels));
    const std::int64_t count = std::min(*choice.panels, n);
    for (std::int64_t i = 0; i < count; ++i)
      frames.push_back(count == 1 ? n - 1 : i * (n - 1) / (count - 1));
  }
  if (frames.empty()) frames.push_back(n - 1);
  return frames;
}

namespace {

// What the contacts of two bodies amount to.
struct PairForce {
  std::size_t body_a = 0, body_b = 0;
  bool moves_a = false, moves_b = false;
  Vector3 to_a = Vector3::Zero(), to_b = Vector3::Zero();    // as of PackedContact
  Vector3 force = Vector3::Zero(), point = Vector3::Zero();  // [N], [m] where it acts
};

// Contacts of a pair are neighbours.
std::vector<PairForce> pair_forces(const analyse::Packing& packing) {
  std::vector<PairForce> pairs;
  std::vector<double> weight;
  for (const analyse::PackedContact& contact : packing.contacts) {
    if (pairs.empty() || pairs.back().body_a != contact.body_a ||
        pairs.back().body_b != contact.body_b || pairs.back().to_a != contact.to_a ||
        pairs.back().to_b != contact.to_b) {
      pairs.push_back({contact.body_a, contact.body_b, contact.moves_a, contact.moves_b,
                       contact.to_a, contact.to_b});
      weight.push_back(0.0);
    }
    const double size = std::abs(contact.normal_force());
    pairs.back().force += contact.force, pairs.back().point += size * contact.point;
    weight.back() += size;
  }
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (weight[i] > 0.0) pairs[i].point /= weight[i];
  return pairs;
}

// A prism of eight sides from one point to another.
Solid bar_between(const Vector3& from, const Vector3& to, double radius,
                  const picture::Colour& colour, std::int32_t number) {
  constexpr int sides = 8;
  const Vector3 along = (to - from).normalized();
  const Vector3 helper = std::abs(along.z()) < 0.9 ? Vector3::UnitZ() : Vector3::UnitX();
  const Vector3 u = along.cross(helper).normalized(), v = along.cross(u);
  Solid bar;
  bar.body = number, bar.colour = colour, bar.framed = false;
  std::vector<std::int32_t> top, bottom;
  for (int k = 0; k < sides; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / sides;
    const Vector3 across = radius * (std::cos(angle) * u + std::sin(angle) * v);
    bar.vertices.push_back(from + across), bar.vertices.push_back(to + across);
    top.push_back(2 * k + 1), bottom.insert(bottom.begin(), 2 * k);
    const int next = (k + 1) % sides;
    bar.faces.push_back({2 * k, 2 * next, 2 * next + 1, 2 * k + 1});
  }
  bar.faces.push_back(top), bar.faces.push_back(bottom);
  return bar;
}

// Bars of the thickest radius for the largest force; the least are not drawn.
void add_bars(const analyse::Packing& packing, const std::vector<PairForce>& pairs, double largest,
              double thickest, PictureScene& scene) {
  constexpr double least = 0.004;  // of the largest force
  std::int32_t number = 0;
  for (const PairForce& pair : pairs) {
    const double share = pair.force.norm() / largest;
    if (!(share > least)) continue;
    const auto add = [&](bool moves, const Vector3& centre, const Vector3& way) {
      const Vector3 point = pair.point + way;
      if (!moves || (point - centre).norm() < 1e-9 * thickest) return;
      scene.bars.push_back(bar_between(centre, point, share * thickest,
                                       picture::scale_colour(0.15 + 0.85 * share), number));
    };
    add(pair.moves_a, packing.centre[pair.body_a], pair.to_a);
    add(pair.moves_b, packing.centre[pair.body_b], pair.to_b);
    ++number;
  }
}

// Half the radius of the ball that has the volume of a body, in the middle of all that move.
double thickest_bar(const analyse::Packing& packing) {
  std::vector<double> radius;
  for (std::size_t i = 0; i < packing.volume.size(); ++i) {
    if (packing.moves[i] != 0 && packing.volume[i] > 0.0)
      radius.push_back(std::cbrt(packing.volume[i] * 3.0 / (4.0 * std::numbers::pi)));
  }
  return radius.empty() ? 0.01 : 0.5 * quantile(std::move(radius), 0.5);
}

void add_forces(const ResultReader& results, std::span<const std::int64_t> frames,
                std::vector<PictureScene>& scenes) {
  const analyse::PackingReader reader(results);
  std::vector<analyse::Packing> packings;
  std::vector<std::vector<PairForce>> pairs;
  double largest = 0.0;
  for (const std::int64_t frame : frames) {
    packings.push_back(reader.read(frame));
    pairs.push_back(pair_forces(packings.back()));
    for (const PairForce& pair : pairs.back()) largest = std::max(largest, pair.force.norm());
  }
  if (!(largest > 0.0)) return;
  for (std::size_t i = 0; i < scenes.size(); ++i)
    add_bars(packings[i], pairs[i], largest, thickest_bar(packings[i]), scenes[i]);
  scenes.front().force_bar = picture::ColourBar{"force", "N", largest};
}

}  // namespace

std::vector<PictureScene> picture_scenes(const ResultReader& results,
                                         std::span<const std::int64_t> frames, ColourBy colour_by,
                                         bool forces) {
  Source source = read_source(results);
  const ResultFrame start = results.frame(0);
  std::vector<ResultFrame> shown;
  std::vector<std::vector<double>> values_shown;
  double largest = 0.0;
  for (const std::int64_t index : frames) {
    shown.push_back(results.frame(index));
    values_shown.push_back(values_of(results, index, shown.back(), start, colour_by));
    const std::vector<double>& values = values_shown.back();
    for (std::size_t i = 0; i < values.size(); ++i)
      if (source.group[i] >= 0 && shown.back().active[i] != 0)
        largest = std::max(largest, values[i]);
  }
  source.stray = strays(source, start, shown);
  std::vector<PictureScene> scenes;
  for (const ResultFrame& frame : shown) {
    PictureScene scene;
    scene.caption = caption(frame.time, colour_by, largest);
    if (scenes.empty() && largest > 0.0) scene.bar = colour_bar(colour_by, largest);
    scene.left_out = std::count(source.stray.begin(), source.stray.end(), 1);
    const std::vector<double>& values = values_shown[scenes.size()];
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (frame.active[i] == 0) continue;
      if (colour_by == ColourBy::pressure && values[i] < 0.0) ++scene.tension;
      const double share = largest > 0.0 || std::isnan(values[i]) ? values[i] / largest : 0.0;
      add_body(source, frame, i, body_colour(source, i, colour_by, share), scene);
    }
    scenes.push_back(std::move(scene));
  }
  if (forces) add_forces(results, frames, scenes);
  return scenes;
}

}  // namespace scree
