#include "tools/joints/outer_surface.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "engine/model/shapes/convex_polyhedron.hpp"

namespace scree::outer_surface_test {
namespace {

// Of boxes from `low` to `high`.
struct Box {
  Vector3 low, high;
};

ResultShape compound(const std::vector<Box>& boxes) {
  ResultShape shape;
  shape.kind = "compound";
  for (const Box& box : boxes) {
    shape.part_face_begin.push_back(static_cast<std::int32_t>(shape.face_begin.size()));
    const auto first = static_cast<std::int32_t>(shape.vertices.size());
    for (int i = 0; i < 8; ++i) {
      shape.vertices.emplace_back((i & 1) != 0 ? box.high.x() : box.low.x(),
                                  (i & 2) != 0 ? box.high.y() : box.low.y(),
                                  (i & 4) != 0 ? box.high.z() : box.low.z());
    }
    for (const auto& face : box_faces) {
      shape.face_begin.push_back(static_cast<std::int32_t>(shape.faces.size()));
      for (const std::int32_t v : face) shape.faces.push_back(first + v);
    }
  }
  shape.part_face_begin.push_back(static_cast<std::int32_t>(shape.face_begin.size()));
  shape.face_begin.push_back(static_cast<std::int32_t>(shape.faces.size()));
  return shape;
}

TEST_CASE("Parts that miss each other by rounding have one surface without cracks", "[joints]") {
  // A slab and two cubes on it, a box of 2 x 1 x 2 in all; the cubes hang together by the slab
  // alone, with a slit or an overlap between them, or one of them floats over it.
  for (const double miss : {0.0, 5e-9, 5e-8, -5e-8, 5e-7, -5e-7, 5e-6, -5e-6}) {
    for (const bool upright : {true, false}) {
      INFO(miss << (upright ? " beside" : " above"));
      const double x = upright ? 1.0 + miss : 1.0, z = upright ? 1.0 : 1.0 + miss;
      const ResultShape shape = compound({{Vector3(0, 0, 0), Vector3(2, 1, 1)},
                                          {Vector3(0, 0, 1), Vector3(1, 1, 2)},
                                          {Vector3(x, 0, z), Vector3(2, 1, 2)}});
      const OuterSurface surface = outer_surface(shape);
      CHECK(surface.closed);
      CHECK(surface.shells == 1);
      CHECK(surface.vertices.size() == 8);
      CHECK(surface.faces.size() == 6);
      for (const Vector3& p : surface.vertices) {
        for (const double value : {p.x() / 2.0, p.y(), p.z() / 2.0})
          CHECK(std::min(std::abs(value), std::abs(value - 1.0)) <= 1e-12);
      }
    }
  }
}

TEST_CASE("A slit that somebody drew stays open", "[joints]") {
  const ResultShape shape = compound({{Vector3(0, 0, 0), Vector3(2, 1, 1)},
                                      {Vector3(0, 0, 1), Vector3(1, 1, 2)},
                                      {Vector3(1.001, 0, 1), Vector3(2, 1, 2)}});
  const OuterSurface surface = outer_surface(shape);
  CHECK(surface.closed);
  CHECK(surface.shells == 1);
  CHECK(surface.vertices.size() == 16);
  CHECK(surface.faces.size() == 10);
}

}  // namespace
}  // namespace scree::outer_surface_test
