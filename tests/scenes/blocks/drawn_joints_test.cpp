// Joints that a file draws as the places where blocks touch.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "engine/base/check.hpp"
#include "engine/model/shapes/shapes.hpp"
#include "scenes/blocks/drawn_joints.hpp"

namespace drawn_joints_test {

using namespace scree;
using namespace scree::blocks;

namespace {

// A block between two heights over the arc, its face there of `facets` flat pieces.
Block arched(const std::string& name, int facets, double radius, double other, bool below) {
  Block block;
  block.name = name;
  std::vector<Vector3> loop;  // counter-clockwise in x, z
  for (int k = 0; k <= facets; ++k) {
    const double angle = std::numbers::pi * (0.25 + 0.5 * k / facets);
    loop.emplace_back(radius * std::cos(angle), 0.0, radius * std::sin(angle));
  }
  const double half = radius * std::cos(0.25 * std::numbers::pi);
  if (below) {
    loop.emplace_back(-half, 0.0, other), loop.emplace_back(half, 0.0, other);
  } else {
    std::reverse(loop.begin(), loop.end());
    loop.emplace_back(half, 0.0, other), loop.emplace_back(-half, 0.0, other);
  }
  const auto n = static_cast<std::int32_t>(loop.size());
  Face front, back;
  for (std::int32_t k = 0; k < n; ++k) {
    block.vertices.push_back(loop[static_cast<std::size_t>(k)]);
    front.push_back(k), back.push_back(2 * n - 1 - k);
  }
  for (const Vector3& v : loop) block.vertices.emplace_back(v.x(), 1.0, v.z());
  block.faces = {front, back};
  for (std::int32_t k = 0; k < n; ++k) {
    const std::int32_t next = (k + 1) % n;
    block.faces.push_back({next, k, k + n, next + n});
  }
  return block;
}

std::vector<DrawnJoint> arc(int polygons, double radius, const std::string& a,
                            const std::string& b) {
  const auto at = [&](int k, double y) {
    const double angle = std::numbers::pi * (0.25 + 0.5 * k / polygons);
    return Vector3(radius * std::cos(angle), y, radius * std::sin(angle));
  };
  std::vector<DrawnJoint> joints;
  for (int k = 0; k < polygons; ++k) {
    DrawnJoint joint{a, b, {at(k, 0.0), at(k + 1, 0.0), at(k + 1, 1.0), at(k, 1.0)}};
    if (k % 2 == 1) std::reverse(joint.corners.begin(), joint.corners.end());
    joints.push_back(joint);
  }
  return joints;
}

std::vector<Solid> arched_solids() {
  SolidReport report;
  return make_solids(
      {"model", "", {arched("lower", 5, 1.0, 0.2, true), arched("upper", 7, 1.0, 1.4, false)}}, {},
      report);
}

std::string message_of(const std::vector<DrawnJoint>& joints) {
  try {
    pieces_at_joints(arched_solids(), joints, 1.0);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("Pieces at drawn joints lie within their blocks and share the polygons", "[blocks]") {
  constexpr int polygons = 12;
  const std::vector<Solid> solids = arched_solids();
  for (const bool turned : {false, true}) {
    const std::vector<DrawnJoint> joints =
        turned ? arc(polygons, 1.0, "upper", "lower") : arc(polygons, 1.0, "lower", "upper");
    const JointPieces pieces = pieces_at_joints(solids, joints, 1.0);
    CHECK(pieces.pairs == 1);
    CHECK(pieces.polygons == polygons);
    for (std::size_t s = 0; s < 2; ++s) {
      REQUIRE(pieces.parts[s]);
      REQUIRE(pieces.parts[s]->corners.size() == polygons);
      for (std::size_t k = 0; k < polygons; ++k) {
        const std::vector<Vector3>& corners = pieces.parts[s]->corners[k];
        REQUIRE(corners.size() == 8);
        // The polygon, and a back: inward of the arc for the lower block, outward for the upper.
        double front = 0.0, back = 0.0;
        for (std::size_t c = 0; c < 8; ++c) {
          const double radius = std::hypot(corners[c].x(), corners[c].z());
          (c < 4 ? front : back) += 0.25 * radius;
        }
        CHECK(std::abs(front - 1.0) < 1e-12);
        CHECK((s == 0 ? front - back : back - front) > 0.02);
        // Neighbours share a whole side, so that it is an inner one: four corners, to the bit.
        if (k == 0) continue;
        int shared = 0;
        for (const Vector3& p : corners) {
          for (const Vector3& q : pieces.parts[s]->corners[k - 1])
            if ((p - q).norm() < 1e-14) ++shared;
        }
        CHECK(shared == 4);
      }
    }
  }
}

TEST_CASE("A drawn joint that is not flat or not convex becomes triangles", "[blocks]") {
  const std::vector<Solid> solids = arched_solids();
  const auto on_arc = [](double x, double y) { return Vector3(x, y, std::sqrt(1.0 - x * x)); };
  // Four corners on the arc that are not in one plane.
  const std::vector<DrawnJoint> warped = {
      {"lower",
       "upper",
       {on_arc(0.1, 0.1), on_arc(0.1, 0.6), on_arc(-0.1, 0.6), on_arc(-0.3, 0.1)}}};
  CHECK(pieces_at_joints(solids, warped, 1.0).polygons == 2);
}

TEST_CASE("Joints without area are counted and left out", "[blocks]") {
  std::vector<DrawnJoint> joints = arc(4, 1.0, "lower", "upper");
  joints.push_back({"lower", "upper", {Vector3(0, 0, 1), Vector3(0, 1, 1)}});
  joints.push_back({"lower", "upper", {Vector3(0, 0, 1), Vector3(0, 1, 1), Vector3(0, 0.5, 1)}});
  const JointPieces pieces = pieces_at_joints(arched_solids(), joints, 1.0);
  CHECK(pieces.without_area == 2);
  CHECK(pieces.polygons == 4);
}

TEST_CASE("Drawn joints that cannot be are refused with their blocks", "[blocks]") {
  CHECK(message_of(arc(4, 1.0, "lower", "upper")) == "accepted");
  CHECK(message_of(arc(4, 1.0, "lower", "roof")) ==
        "joint of 'lower' and 'roof': there is no block 'roof'");
  CHECK(message_of(arc(4, 1.0, "lower", "lower")) ==
        "joint of 'lower' and 'lower': is one of a block with itself");
  // Far from both.
  const std::string far = message_of(arc(4, 5.0, "lower", "upper"));
  CHECK(far.starts_with("joint of 'lower' and 'upper': at ("));
  CHECK(far.ends_with("the blocks are not on two sides of it"));
}

TEST_CASE("Drawn joints come back from OBJ bit for bit", "[blocks]") {
  BlockModel model{
      "model", "", {arched("lower", 5, 1.0, 0.2, true), arched("up:per", 7, 1.0, 1.4, false)}};
  model.joints = arc(3, 1.0, "lower", "up:per");
  const BlockModel back = read_blocks(write_obj(model, "test"), "model.obj");
  REQUIRE(back.blocks.size() == 2);
  REQUIRE(back.joints.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(back.joints[k].a == "lower");
    CHECK(back.joints[k].b == "up:per");
    CHECK(back.joints[k].corners == model.joints[k].corners);
  }
}

TEST_CASE("COMPAS states joints at the edges of its graphs", "[blocks]") {
  const std::string points = "[[0, 0, 1], [1, 0, 1], [1, 1, 1]]";
  const std::string typed =
      R"([{"dtype": "p", "data": [0, 0, 1]}, {"dtype": "p", "data": [1, 0, 1]}, {"dtype": "p", "data": [1, 1, 1]}])";
  const std::string mesh =
      R"({"vertex": {"0": {"x": 0, "y": 0, "z": 0}, "1": {"x": 1, "y": 0, "z": 0}, "2": {"x": 0, "y": 1, "z": 0}, "3": {"x": 0, "y": 0, "z": 1}}, "face": {"0": [0, 2, 1], "1": [0, 1, 3], "2": [1, 2, 3], "3": [2, 0, 3]}})";
  const auto nodes = [&](const char* edge) {
    return fmt::format(
        R"("node": {{"3": {{"block": {}}}, "5": {{"block": {}}}}}, "edge": {{"5": {{"3": {}}}, "3": {{}}}})",
        mesh, mesh, edge);
  };
  const std::vector<std::string> texts = {
      // A: both directions of an edge are one joint.
      fmt::format(
          R"({{"blocks": {{"3": {0}, "5": {0}}}, "assembly": {{"vertex": {{}}, "edge": {{"5": {{"3": {{"interface_points": {1}}}}}, "3": {{"5": {{"interface_points": {1}}}}}}}}}}})",
          mesh, points),
      fmt::format(
          "{{{}}}",
          nodes(
              fmt::format(R"({{"interface": {{"dtype": "i", "value": {{"points": {}}}}}}})", points)
                  .c_str())),
      fmt::format(
          R"({{"dtype": "a", "data": {{"graph": {{"dtype": "g", "data": {{{}}}}}}}}})",
          nodes(fmt::format(R"({{"interfaces": [{{"dtype": "i", "data": {{"points": {}}}}}]}})",
                            typed)
                    .c_str())),
      fmt::format(
          R"({{"dtype": "m", "data": {{"elements": [{{"dtype": "b", "guid": "x", "data": {{"geometry": {0}}}}}, {{"dtype": "b", "guid": "y", "data": {{"geometry": {0}}}}}], "graph": {{"node": {{"3": {{"element": "x"}}, "5": {{"element": "y"}}}}, "edge": {{"5": {{"3": {{"contacts": [{{"dtype": "c", "data": {{"points": {1}}}}}]}}}}}}}}}}}})",
          mesh, typed)};
  for (const std::string& text : texts) {
    INFO(text);
    const BlockModel model = read_blocks(text, "model.json");
    REQUIRE(model.joints.size() == 1);
    CHECK(model.joints[0].corners ==
          std::vector<Vector3>{Vector3(0, 0, 1), Vector3(1, 0, 1), Vector3(1, 1, 1)});
    CHECK(std::min(model.joints[0].a, model.joints[0].b) == "3");
    CHECK(std::max(model.joints[0].a, model.joints[0].b) == "5");
  }
  CHECK_THROWS_AS(
      read_blocks(fmt::format("{{{}}}", nodes(R"({"interface": {"points": [[0, 0], [1, 0]]}})")),
                  "m.json"),
      InputError);
}

}  // namespace drawn_joints_test
