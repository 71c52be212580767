#include "scenes/blocks/drawn_joints.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/model/shapes/convex_polyhedron.hpp"

namespace scree::blocks {
namespace {

Block box(const std::string& name, const Vector3& low, const Vector3& high) {
  Block block;
  block.name = name;
  for (int i = 0; i < 8; ++i) {
    block.vertices.emplace_back((i & 1) != 0 ? high.x() : low.x(),
                                (i & 2) != 0 ? high.y() : low.y(),
                                (i & 4) != 0 ? high.z() : low.z());
  }
  for (const auto& face : box_faces) block.faces.emplace_back(face.begin(), face.end());
  return block;
}

// Two cubes of 1 m side by side and one of 2 x 1 x 1 on them, each larger by `over` on all sides,
// and the joints in the middle of the overlap, each as wide as the faces that meet.
JointPieces overlapping(double over) {
  const Vector3 o = Vector3::Constant(over);
  BlockModel model{"m.json", "", {}};
  model.blocks = {box("a", -o, Vector3(1, 1, 1) + o),
                  box("c", Vector3(1, 0, 0) - o, Vector3(2, 1, 1) + o),
                  box("b", Vector3(0, 0, 1) - o, Vector3(2, 1, 2) + o)};
  const auto rectangle = [&](int across, double at, const Vector3& low, const Vector3& high) {
    const int u = (across + 1) % 3, v = (across + 2) % 3;
    std::vector<Vector3> corners;
    for (const auto& [i, k] :
         {std::pair(0, 0), std::pair(1, 0), std::pair(1, 1), std::pair(0, 1)}) {
      Vector3 p;
      p(across) = at;
      p(u) = i != 0 ? high(u) + over : low(u) - over;
      p(v) = k != 0 ? high(v) + over : low(v) - over;
      corners.push_back(p);
    }
    return corners;
  };
  model.joints = {{"a", "c", rectangle(0, 1.0, Vector3(0, 0, 0), Vector3(0, 1, 1))},
                  {"a", "b", rectangle(2, 1.0, Vector3(0, 0, 0), Vector3(1, 1, 0))},
                  {"c", "b", rectangle(2, 1.0, Vector3(1, 0, 0), Vector3(2, 1, 0))}};
  SolidReport report;
  return pieces_at_joints(make_solids(model, {}, report), model.joints, 1.0);
}

double highest(const std::optional<ConvexParts>& parts, int axis, double sign) {
  double most = -1e9;
  for (const auto& part : parts.value().corners)
    for (const Vector3& p : part) most = std::max(most, sign * p(axis));
  return most;
}

TEST_CASE("Joints that are drawn over each other end where they meet", "[blocks]") {
  for (const double over : {0.0, 1e-5, 3e-4}) {
    INFO(over);
    const JointPieces pieces = overlapping(over);
    CHECK(pieces.polygons == 3);
    CHECK(pieces.trimmed == (over > 0.0 ? 3 : 0));
    CHECK(std::abs(pieces.farthest_over - over) <= 1e-15);
    // a, c and b, as make_solids keeps their order: each stays on its side of all its joints.
    CHECK(highest(pieces.parts[0], 0, 1.0) <= 1.0 + 1e-15);
    CHECK(highest(pieces.parts[0], 2, 1.0) <= 1.0 + 1e-15);
    CHECK(highest(pieces.parts[1], 0, -1.0) <= -1.0 + 1e-15);
    CHECK(highest(pieces.parts[1], 2, 1.0) <= 1.0 + 1e-15);
    CHECK(highest(pieces.parts[2], 2, -1.0) <= -1.0 + 1e-15);
    // Where nothing is drawn they are as wide as drawn.
    CHECK(std::abs(highest(pieces.parts[0], 1, 1.0) - (1.0 + over)) <= 1e-15);
  }
}

TEST_CASE("Polygons that go on behind another's plane are not cut", "[blocks]") {
  // Drawn over by more than the tolerance: not what rounding or a misfit of blocks makes.
  const JointPieces pieces = overlapping(0.02);
  CHECK(pieces.trimmed == 0);
  CHECK(std::abs(highest(pieces.parts[0], 0, 1.0) - 1.02) <= 1e-15);
}

TEST_CASE("Pieces at drawn joints touch with their polygon alone", "[blocks]") {
  // Of four points of the polygon and four within: all sides lean inward by the same slope.
  const JointPieces pieces = overlapping(0.0);
  for (const auto& part : pieces.parts[0].value().corners) {
    REQUIRE(part.size() == 8);
    for (std::size_t k = 0; k < 4; ++k) {
      const Vector3 way = (part[k + 4] - part[k]).cwiseAbs();
      Vector3 sorted = way;
      std::sort(sorted.begin(), sorted.end());
      CHECK(sorted(2) > 0.1);
      CHECK(std::abs(sorted(0) - 0.5 * sorted(2)) <= 1e-12);
      CHECK(std::abs(sorted(1) - 0.5 * sorted(2)) <= 1e-12);
      CHECK(part[k + 4](1) > 0.0);
      CHECK(part[k + 4](1) < 1.0);
    }
  }
}

}  // namespace
}  // namespace scree::blocks
