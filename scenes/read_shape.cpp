#include "scenes/read_shape.hpp"

namespace scree::scenes {
namespace {

enum class Kind { sphere, box, convex, half_space, points };

const Choices<Kind>& kinds() {
  static const Choices<Kind> choices = {{"sphere", Kind::sphere},
                                        {"box", Kind::box},
                                        {"convex", Kind::convex},
                                        {"half_space", Kind::half_space},
                                        {"points", Kind::points}};
  return choices;
}

Shape read_sphere(TableReader& reader) {
  const Range range = positive("[m]");
  return Sphere{reader.need(reader.number("radius", range), "radius", range.text()), Vector3::Zero()};
}

Shape read_box(TableReader& reader) {
  const Range range = positive("[m]");
  return make_box(reader.need(reader.vector("sides", range), "sides", "three lengths > 0 [m]"));
}

Shape read_convex(TableReader& reader) {
  const auto vertices =
      reader.need(reader.points("vertices", any("[m]")), "vertices", "at least 4 points [x, y, z] [m]");
  try {
    return make_convex_polyhedron(vertices);
  } catch (const InputError& error) {
    reader.document().fail_as(reader.place("vertices"), reader.field("vertices"), error);
  }
}

Shape read_half_space(TableReader& reader) {
  const Vector3 normal =
      reader.need(reader.vector("normal", any("")), "normal", "a vector [x, y, z] that points out of the solid");
  if (normal.norm() == 0.0) reader.fail("normal", "[0, 0, 0] is not allowed; must have a direction");
  return HalfSpace{normal.normalized(), reader.number("offset", any("[m]")).value_or(0.0)};
}

Shape read_points(TableReader& reader) {
  auto points = reader.need(reader.points("points", any("[m]")), "points", "at least one point [x, y, z] [m]");
  if (points.empty()) reader.fail("points", "an empty list is not allowed; must be at least one point [x, y, z] [m]");
  return PointSet{std::move(points)};
}

}  // namespace

DrawnShape read_shape(TableReader& reader) {
  const Kind kind =
      reader.need(reader.choice("kind", kinds()), "kind", "one of sphere, box, convex, half_space, points");
  switch (kind) {
    case Kind::sphere:
      return {read_sphere(reader), false};
    case Kind::box:
      return {read_box(reader), false};
    case Kind::convex:
      return {read_convex(reader), false};
    case Kind::half_space:
      return {read_half_space(reader), true};
    case Kind::points:
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
