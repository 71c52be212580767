#include "scenes/read/read_shape.hpp"

#include <fmt/format.h>

#include "collision/detect.hpp"
#include "engine/model/state.hpp"
#include "scenes/read/read_body.hpp"

namespace scree::scenes {
namespace {

// Kinds that are drawn by more than lengths, and those that say themselves what they are drawn by.
enum class NamedKind {
  by_lengths,
  box,
  convex,
  disc,
  half_space,
  points,
  cylinder_wall,
  compound,
  terrain
};

// Calls act(name, keys, draw) for each of the latter.
template <class Act>
void for_each_by_lengths(Act&& act) {
  const auto one = [&]<class T>(std::in_place_type_t<T>) {
    if constexpr (requires { T::scene_keys; }) {
      act(T::name, std::span<const char* const>(T::scene_keys),
          [](std::span<const double> lengths) -> Shape { return T::drawn(lengths); });
    }
  };
  [&]<class... T>(const std::variant<T...>*) {
    (one(std::in_place_type<T>), ...);
  }(static_cast<const Shape*>(nullptr));
}

const Choices<NamedKind>& kinds() {
  static const Choices<NamedKind> choices = [] {
    Choices<NamedKind> all;
    for_each_by_lengths(
        [&](const char* name, auto, auto) { all.emplace_back(name, NamedKind::by_lengths); });
    all.insert(all.end(), {{"box", NamedKind::box},
                           {"convex", NamedKind::convex},
                           {"disc", NamedKind::disc},
                           {"half_space", NamedKind::half_space},
                           {"points", NamedKind::points},
                           {"cylinder_wall", NamedKind::cylinder_wall},
                           {"compound", NamedKind::compound},
                           {"terrain", NamedKind::terrain}});
    return all;
  }();
  return choices;
}

std::string kind_names() {
  std::string names;
  for (const auto& [name, kind] : kinds()) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names;
}

Shape read_by_lengths(TableReader& reader) {
  const std::string wanted = *reader.text("kind");
  const Range range = positive("[m]");
  Shape shape;
  for_each_by_lengths([&](const char* name, std::span<const char* const> keys, auto draw) {
    if (wanted != name) return;
    std::vector<double> lengths;
    for (const char* key : keys)
      lengths.push_back(reader.need(reader.number(key, range), key, range.text()));
    shape = draw(lengths);
  });
  return shape;
}

DrawnShape read_disc(TableReader& reader) {
  const Range range = positive("[m]");
  DrawnShape disc;
  const double radius = reader.need(reader.number("radius", range), "radius", range.text());
  disc.shape = Sphere{radius, Vector3::Zero()};
  disc.disc_thickness = reader.number("thickness", range).value_or(1.0);
  return disc;
}

Shape read_box(TableReader& reader) {
  const Range range = positive("[m]");
  const Vector3 sides =
      reader.need(reader.vector("sides", range), "sides", "three lengths > 0 [m]");
  return at_key(reader, [&] { return make_box(sides); });
}

Shape read_convex(TableReader& reader) {
  const auto vertices = reader.need(reader.points("vertices", any("[m]")), "vertices",
                                    "at least 4 points [x, y, z] [m]");
  return at_key(reader, [&] { return make_convex_polyhedron(vertices); });
}

Shape read_half_space(TableReader& reader) {
  const Vector3 normal = reader.need(reader.direction("normal"), "normal",
                                     "a vector [x, y, z] that points out of the solid");
  return HalfSpace{normal, reader.number("offset", any("[m]")).value_or(0.0)};
}

Shape read_cylinder_wall(TableReader& reader) {
  const Range range = positive("[m]");
  CylinderWall wall;
  wall.radius = reader.need(reader.number("radius", range), "radius", range.text());
  wall.axis = reader.direction("axis").value_or(wall.axis);
  wall.bottom = reader.number("bottom", any("[m]")).value_or(wall.bottom);
  wall.top = reader.number("top", any("[m]")).value_or(wall.top);
  if (wall.bottom >= wall.top) {
    reader.fail("top", fmt::format("{} is not allowed; must be above bottom = {} [m]", wall.top,
                                   wall.bottom));
  }
  return wall;
}

Shape read_terrain(TableReader& reader) {
  static const Choices<Diagonal> diagonals = {{"smaller_step", Diagonal::smaller_step},
                                              {"rising", Diagonal::rising},
                                              {"falling", Diagonal::falling}};
  const std::string file =
      reader.need(reader.text("file"), "file", "the name of a raster: .asc, .xyz or .tif");
  const Diagonal diagonal = reader.choice("diagonal", diagonals).value_or(Diagonal::smaller_step);
  return make_terrain(
      reader.document().read_ground(reader.place("file"), reader.field("file"), file, diagonal),
      file);
}

Shape read_points(TableReader& reader) {
  auto points = reader.need(reader.points("points", any("[m]")), "points",
                            "at least one point [x, y, z] [m]");
  if (points.empty())
    reader.fail("points", "an empty list is not allowed; must be at least one point [x, y, z] [m]");
  return PointSet{std::move(points)};
}

// One part of a compound: a box or a convex polyhedron, drawn in its own axes and put into those of
// the compound.
ConvexPolyhedron read_part(TableReader reader) {
  const NamedKind kind = reader.need(reader.choice("kind", kinds()), "kind", "box or convex");
  reader.expect("kind", "\"box\", \"convex\"");
  if (kind != NamedKind::box && kind != NamedKind::convex)
    reader.fail("kind", "is not allowed for a part of a compound; must be box or convex");
  const Shape drawn = kind == NamedKind::box ? read_box(reader) : read_convex(reader);
  const Vector3 position = reader.vector("position", any("[m]")).value_or(Vector3::Zero());
  const Quaternion q = read_orientation(reader);
  reader.finish();
  // to_axes takes the pose of the new axes in the old ones.
  return std::get<ConvexPolyhedron>(
      to_axes(drawn, Pose{-(q.conjugate() * position), q.conjugate()}));
}

void refuse_overlapping(const TableReader& reader, const std::vector<Shape>& parts) {
  // Parts that share a face overlap by round-off.
  constexpr double round_off = 1e-9;
  Model model;
  State state;
  for (const Shape& part : parts) {
    BodyDefinition body;
    body.name = fmt::format("{}", state.x.size() + 1);
    body.shape = part;
    body.density = 1.0;
    const Vector3 centre = at_key(
        reader, [&] { return add_body(model, body); }, "parts");
    state.x.push_back(centre);
    state.q.push_back(model.q_BU.back().conjugate());
    state.active.push_back(1);
  }
  const auto overlaps =
      collision::find_overlaps(model, {state.x, state.q}, state.active, round_off);
  if (overlaps.empty()) return;
  reader.fail("parts",
              fmt::format("parts {} and {} overlap by {:.3g} m; must not overlap, as mass and "
                          "inertia are sums over the parts",
                          overlaps[0].body_a + 1, overlaps[0].body_b + 1, overlaps[0].depth));
}

DrawnShape read_compound(TableReader& reader) {
  std::vector<Shape> parts;
  for (const TableReader& part : reader.tables("parts")) parts.push_back(read_part(part));
  if (parts.size() < 2) reader.fail("parts", "must be at least two tables of kind box or convex");
  refuse_overlapping(reader, parts);
  DrawnShape shape;
  shape.shape = parts[0];
  shape.further_parts.assign(parts.begin() + 1, parts.end());
  return shape;
}

}  // namespace

DrawnShape read_shape(TableReader& reader) {
  const NamedKind kind =
      reader.need(reader.choice("kind", kinds()), "kind", "one of " + kind_names());
  switch (kind) {
    case NamedKind::by_lengths:
      return {read_by_lengths(reader), false};
    case NamedKind::box:
      return {read_box(reader), false};
    case NamedKind::convex:
      return {read_convex(reader), false};
    case NamedKind::disc:
      return read_disc(reader);
    case NamedKind::half_space:
      return {read_half_space(reader), true};
    case NamedKind::cylinder_wall:
      return {read_cylinder_wall(reader), true};
    case NamedKind::compound:
      return read_compound(reader);
    case NamedKind::terrain:
      return {read_terrain(reader), true};
    case NamedKind::points:
      break;
  }
  return {read_points(reader), true};
}

ShapeTable read_shapes(TableReader& file) {
  ShapeTable shapes;
  for (TableReader& reader : file.tables("shape")) {
    const std::string name = reader.name();
    if (!shapes.emplace(name, read_shape(reader)).second) {
      reader.fail("name", "there is already a shape \"" + name + "\"; names must be unique");
    }
    reader.finish();
  }
  return shapes;
}

}  // namespace scree::scenes
