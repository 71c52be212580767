// Blocks of several closed surfaces: bodies of parts that touch, cavities, solids drawn twice; and
// meshes of many faces.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "engine/base/check.hpp"
#include "engine/model/shapes/shapes.hpp"
#include "scenes/blocks/decompose.hpp"
#include "scenes/blocks/solids.hpp"
#include "scenes/blocks/triangulate.hpp"

namespace pieces_test {

using namespace scree;
using namespace scree::blocks;

namespace {

const std::vector<Face> cube_faces = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                      {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

void add_box(Block& block, const Vector3& low, const Vector3& high, bool inward = false) {
  const auto first = static_cast<std::int32_t>(block.vertices.size());
  for (const auto& [x, y, z] : {std::tuple(0, 0, 0),
                                {1, 0, 0},
                                {1, 1, 0},
                                {0, 1, 0},
                                {0, 0, 1},
                                {1, 0, 1},
                                {1, 1, 1},
                                {0, 1, 1}})
    block.vertices.emplace_back(x == 0 ? low.x() : high.x(), y == 0 ? low.y() : high.y(),
                                z == 0 ? low.z() : high.z());
  for (Face face : cube_faces) {
    for (std::int32_t& v : face) v += first;
    if (inward) std::reverse(face.begin(), face.end());
    block.faces.push_back(std::move(face));
  }
}

std::vector<Solid> solids_of(const Block& block, bool repair = false) {
  SolidOptions options;
  options.repair = repair;
  SolidReport report;
  return make_solids({"model.obj", "", {block}}, options, report);
}

std::string message_of(const Block& block) {
  try {
    solids_of(block);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

double volume_of(const ConvexParts& parts) {
  double volume = 0.0;
  for (const std::vector<Vector3>& corners : parts.corners)
    volume += mass_properties(make_convex_polyhedron(corners)).volume;
  return volume;
}

// A sphere of radius 1 + bump sin(3 phi) sin(4 theta), in triangles.
Block sphere(int rings, double bump) {
  Block block;
  block.name = "stone";
  const int around = 2 * rings;
  const double pi = std::numbers::pi;
  block.vertices.emplace_back(0, 0, 1);
  for (int i = 1; i < rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const double t = pi * i / rings, p = 2.0 * pi * j / around;
      const double r = 1.0 + bump * std::sin(3.0 * p) * std::sin(4.0 * t);
      block.vertices.emplace_back(r * std::sin(t) * std::cos(p), r * std::sin(t) * std::sin(p),
                                  r * std::cos(t));
    }
  }
  block.vertices.emplace_back(0, 0, -1);
  const auto at = [&](int i, int j) { return 1 + (i - 1) * around + j % around; };
  const auto last = static_cast<std::int32_t>(block.vertices.size()) - 1;
  for (int j = 0; j < around; ++j) {
    block.faces.push_back({0, at(1, j), at(1, j + 1)});
    for (int i = 1; i + 1 < rings; ++i) {
      block.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      block.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
    block.faces.push_back({last, at(rings - 1, j + 1), at(rings - 1, j)});
  }
  return block;
}

}  // namespace

TEST_CASE("Parts of a body may touch along a face, an edge or not at all", "[blocks]") {
  // The second box: on the whole side, on part of it, along an edge, apart.
  const std::vector<Vector3> seconds = {{1, 0, 0}, {1, 0.5, 0}, {1, 1, 0}, {3, 0, 0}};
  for (const Vector3& second : seconds) {
    INFO(second.transpose());
    Block block;
    block.name = "pair", block.cluster = true;
    add_box(block, Vector3::Zero(), Vector3::Ones());
    add_box(block, second, second + Vector3::Ones());
    const std::vector<Solid> solids = solids_of(block);
    REQUIRE(solids.size() == 1);
    CHECK(std::abs(solids[0].integrals.volume - 2.0) < 1e-14);
    CHECK((solids[0].integrals.centre - 0.5 * (second + Vector3::Ones())).norm() < 1e-14);
    const ConvexParts parts = decompose(solids[0]);
    CHECK(parts.corners.size() == 2);
    CHECK(std::abs(volume_of(parts) - 2.0) < 1e-12);
    // It is one body in the file that import writes, too.
    BlockModel model{"model.obj", "", {block}};
    const BlockModel back = read_blocks(write_obj(model, "test"), "model.obj");
    REQUIRE(back.blocks.size() == 1);
    CHECK(back.blocks[0].cluster);
    SolidReport report;
    const std::vector<Solid> again = make_solids(back, {}, report);
    REQUIRE(again.size() == 1);
    CHECK(report.clusters == 1);
    CHECK(again[0].integrals.volume == solids[0].integrals.volume);
  }
}

TEST_CASE("A closed surface that looks inward within another is a cavity", "[blocks]") {
  Block block;
  block.name = "hollow";
  add_box(block, Vector3::Zero(), Vector3::Constant(3.0));
  add_box(block, Vector3::Constant(1.0), Vector3::Constant(2.0), true);
  const std::vector<Solid> solids = solids_of(block);
  REQUIRE(solids.size() == 1);
  CHECK(std::abs(solids[0].integrals.volume - 26.0) < 1e-12);
  // I = rho (27 * 9 - 1 * 1) / 6 about the centre.
  CHECK((solids[0].integrals.inertia - Matrix3::Identity() * (243.0 - 1.0) / 6.0).norm() < 1e-11);
  const ConvexParts parts = decompose(solids[0]);
  CHECK(std::abs(volume_of(parts) - 26.0) < 1e-11);
  for (const std::vector<Vector3>& corners : parts.corners) {
    Vector3 middle = Vector3::Zero();
    for (const Vector3& p : corners) middle += p / static_cast<double>(corners.size());
    CHECK((middle - Vector3::Constant(1.5)).cwiseAbs().maxCoeff() > 0.5);
  }
  // One that looks outward is a block in a block, as drawn.
  Block both;
  both.name = "both";
  add_box(both, Vector3::Zero(), Vector3::Constant(3.0));
  add_box(both, Vector3::Constant(1.0), Vector3::Constant(2.0));
  CHECK(solids_of(both).size() == 2);
}

TEST_CASE("A solid that is there twice is refused, and dropped by repair", "[blocks]") {
  for (const bool inward : {false, true}) {
    Block block;
    block.name = "twice";
    add_box(block, Vector3::Zero(), Vector3(1, 2, 3));
    add_box(block, Vector3::Zero(), Vector3(1, 2, 3), inward);
    CHECK(message_of(block) ==
          "model.obj: block 'twice.2': is the same solid at the same place as block 'twice.1', as "
          "if every face were there twice; --repair drops one");
    CHECK(solids_of(block, true).size() == 1);
  }
  // The same box turned about its centre is another one.
  Block cross;
  cross.name = "cross";
  add_box(cross, Vector3(-1, -2, 0), Vector3(1, 2, 1));
  add_box(cross, Vector3(-2, -1, 0), Vector3(2, 1, 1));
  CHECK(message_of(cross) == "accepted");
}

TEST_CASE("Solids of many faces are cut as those of few", "[blocks]") {
  // Either side of the number from which pieces are sorted by place.
  for (const int rings : {11, 13}) {
    const Block convex = sphere(rings, 0.0), bumpy = sphere(rings, 0.1);
    CHECK(decompose(solids_of(convex)[0]).corners.size() == 1);
    const Solid solid = solids_of(bumpy)[0];
    const ConvexParts parts = decompose(solid);
    CHECK(parts.corners.size() > 10);
    // Edges that turn back by less than 2e-7 of the size count as flat.
    CHECK(std::abs(volume_of(parts) / solid.integrals.volume - 1.0) < 1e-6);
  }
  const Solid large = solids_of(sphere(75, 0.1))[0];
  CHECK_THROWS_WITH(decompose(large),
                    "block 'stone': is not convex and has 22200 faces; at most 20000 can be cut "
                    "into convex parts: simplify its mesh");
}

TEST_CASE("Faces of many corners that turn back are triangulated in time", "[blocks]") {
  // A star: corners on two circles in turn. Minutes if every corner were looked at for each that is
  // cut off.
  constexpr int n = 6000;
  std::vector<Vector3> vertices;
  Face face;
  for (int k = 0; k < n; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / n, radius = k % 2 == 0 ? 1.0 : 1.5;
    vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.0);
    face.push_back(k);
  }
  const std::vector<Face> triangles = shortest_triangulation(vertices, face);
  REQUIRE(triangles.size() == n - 2);
  double area = 0.0;
  for (const Face& triangle : triangles) {
    const FacePlane plane = plane_of(vertices, triangle);
    CHECK(plane.normal.z() > 0.9);
    area += plane.area;
  }
  const double wanted = 0.5 * n * 1.5 * std::sin(2.0 * std::numbers::pi / n);
  CHECK(std::abs(area / wanted - 1.0) < 1e-12);
}

}  // namespace pieces_test
