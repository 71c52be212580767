// Blocks from files: one cube in every format, what is refused, and what becomes of solids.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <random>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "engine/model/shapes/convex_hull.hpp"
#include "engine/model/shapes/shapes.hpp"
#include "scenes/blocks/close_gaps.hpp"
#include "scenes/blocks/decompose.hpp"
#include "scenes/blocks/joints.hpp"
#include "scenes/blocks/solids.hpp"
#include "scenes/blocks/supports.hpp"
#include "tests/support/places.hpp"

namespace blocks_test {

using namespace scree;
using namespace scree::blocks;

namespace {

const std::vector<Vector3> cube_corners = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                           {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
const std::vector<Face> cube_faces = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                      {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

Block cube(const std::string& name, const Vector3& at = Vector3::Zero(),
           const Vector3& sides = Vector3::Ones()) {
  Block block;
  block.name = name;
  for (const Vector3& p : cube_corners) block.vertices.push_back(at + p.cwiseProduct(sides));
  block.faces = cube_faces;
  return block;
}

std::vector<Solid> solids_of(const BlockModel& model, SolidOptions options = {}) {
  SolidReport report;
  return make_solids(model, options, report);
}

std::string mesh_json(bool strings, const char* vertex_defaults = "") {
  std::string vertex, face;
  for (std::size_t v = 0; v < cube_corners.size(); ++v) {
    const Vector3& p = cube_corners[v];
    vertex += fmt::format("{}\"{}\": {{\"x\": {}, \"y\": {}, \"z\": {}}}", v == 0 ? "" : ", ",
                          v + 3, p.x(), p.y(), p.z());
  }
  for (std::size_t f = 0; f < cube_faces.size(); ++f) {
    face += fmt::format("{}\"{}\": [", f == 0 ? "" : ", ", f);
    for (std::size_t k = 0; k < 4; ++k)
      face += (k == 0 ? "" : ", ") + (strings ? fmt::format("\"{}\"", cube_faces[f][k] + 3)
                                              : fmt::format("{}", cube_faces[f][k] + 3));
    face += "]";
  }
  return fmt::format("{{\"attributes\": {{}}, {} \"vertex\": {{{}}}, \"face\": {{{}}}}}",
                     vertex_defaults, vertex, face);
}

std::string block_json(const char* kind) {
  return fmt::format("{{\"dtype\": \"{}\", \"data\": {}}}", kind, mesh_json(false));
}

std::string message_of(const std::string& text, const std::string& name,
                       SolidOptions options = {}) {
  try {
    const std::vector<Solid> solids = solids_of(read_blocks(text, name), options);
    for (const Solid& solid : solids) decompose(solid);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string obj_of(const std::vector<Block>& list) {
  BlockModel model;
  model.blocks = list;
  return write_obj(model, "test");
}

double parts_volume(const ConvexParts& parts) {
  double volume = 0.0;
  for (const auto& part : parts.corners) volume += make_convex_polyhedron(part).integrals().volume;
  return volume;
}

// A solid seen from its middle at random distances: reflex at about half of its edges.
Solid random_star(std::mt19937_64& random, std::size_t points, double roughness) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(1.0 - roughness, 1.0);
  std::vector<Vector3> on_ball;
  Solid solid;
  solid.name = "star";
  // Until the middle is well inside.
  for (double least = 0.0; least < 0.05;) {
    on_ball.clear(), solid.faces.clear();
    for (std::size_t i = 0; i < points; ++i)
      on_ball.push_back(Vector3(normal(random), normal(random), normal(random)).normalized());
    least = 1.0;
    for (const HullTriangle& t : hull_triangles(on_ball)) {
      solid.faces.push_back({t.corner[0], t.corner[1], t.corner[2]});
      const auto at = [&](std::size_t k) {
        return on_ball[static_cast<std::size_t>(t.corner.at(k))];
      };
      const Vector3 area = (at(1) - at(0)).cross(at(2) - at(0));
      least = std::min(least, area.normalized().dot(at(0)));
    }
  }
  for (const Vector3& p : on_ball) solid.vertices.push_back(uniform(random) * p);
  solid.size = 2.0;
  solid.integrals = surface_integrals(solid.vertices, solid.faces);
  return solid;
}

Solid only(const Block& block) {
  BlockModel model;
  model.file = "model.obj";
  model.blocks = {block};
  return solids_of(model).front();
}

// A cut of the solid in the plane of the picture, drawn upward: polygons of the base anticlockwise.
Block prism(const std::vector<std::array<double, 2>>& base) {
  Block block;
  block.name = "prism";
  const auto n = static_cast<std::int32_t>(base.size());
  for (const double z : {0.0, 1.0}) {
    for (const auto& p : base) block.vertices.emplace_back(p[0], p[1], z);
  }
  Face top, bottom;
  for (std::int32_t i = 0; i < n; ++i) {
    top.push_back(n + i);
    bottom.push_back(n - 1 - i);
    block.faces.push_back({i, (i + 1) % n, n + (i + 1) % n, n + i});
  }
  block.faces.push_back(top);
  block.faces.push_back(bottom);
  return block;
}

JointBody joint_body(const Solid& solid) {
  JointBody body;
  for (const Face& face : solid.faces) {
    std::vector<Vector3> corners;
    for (const std::int32_t v : face)
      corners.push_back(solid.vertices[static_cast<std::size_t>(v)]);
    add_face(body, corners);
  }
  return body;
}

}  // namespace

TEST_CASE("All layouts of COMPAS give the same cube, its support and its density", "[blocks]") {
  const std::string block = block_json("compas_assembly.datastructures/Block");
  const std::string old_block = fmt::format(
      "{{\"dtype\": \"compas_assembly.datastructures/Block\", \"value\": {{\"compas\": \"0.18\", "
      "\"datatype\": \"compas_assembly.datastructures/Block\", \"data\": {}}}}}",
      mesh_json(true, "\"dva\": {\"x\": 0.0},"));
  const std::string interface =
      R"({"points": [], "mesh": {"dtype": "compas.datastructures/Mesh", "data": {"vertex": {"0": {"x": 0}}, "face": {"0": [0, 0, 0]}}}})";
  const std::string elements = fmt::format(
      R"({{"ab": {{"dtype": "compas_dem.elements/BlockElement", "data": {{"geometry": {}, "is_support": true, "transformation": null, "material": "st"}}}}}})",
      block_json("compas.datastructures/Mesh"));
  const std::string model = fmt::format(
      R"({{"transformation": null, "elements": {}, "materials": {{"st": {{"dtype": "m/Stone", "data": {{"density": 2400}}}}}},)"
      R"("graph": {{"node": {{"7": {{"element": "ab"}}}}, "edge": {{"7": {{"8": {{"contacts": [{}]}}}}}}}}, "tree": {{"root": {{"children": [{{"element": "ab"}}]}}}}}})",
      elements, interface);
  struct Layout {
    const char* name;
    std::string text;
    bool support;
    double density;
  };
  const std::vector<Layout> layouts = {
      {"A",
       fmt::format(
           R"({{"blocks": {{"7": {}}}, "assembly": {{"vertex": {{"7": {{"x": 0, "is_support": true}}}}, "edge": {{}}}}}})",
           mesh_json(true)),
       true, 0.0},
      {"B",
       fmt::format(
           R"({{"attributes": {{}}, "node": {{"7": {{"block": {}, "is_support": true}}}}}})",
           old_block),
       true, 0.0},
      {"B, stray keys",
       fmt::format(
           R"({{"dtype": "compas.geometry/Frame", "data": {{"point": [0, 0, 0]}}, "is_support": true, "block": {}, "node": {{"7": {{"block": {}}}}}}})",
           old_block, old_block),
       false, 0.0},
      {"C", fmt::format("[{}]", mesh_json(false)), false, 0.0},
      {"C, nested", fmt::format("[[{}]]", block), false, 0.0},
      {"D",
       fmt::format(
           R"({{"dtype": "compas_cra.datastructures/CRA_Assembly", "data": {{"graph": {{"dtype": "g", "data": {{"default_node_attributes": {{"is_support": true}}, "node": {{"7": {{"block": {}}}}}, "edge": {{"7": {{"8": {{"interfaces": [{}]}}}}}}}}}}}}}})",
           block, interface),
       true, 0.0},
      {"E",
       fmt::format(
           R"({{"dtype": "compas_dem.models/BlockModel", "data": {{"elements": [{{"dtype": "b", "guid": "ab", "data": {{"shape": {}, "is_support": true}}}}], "graph": {{"node": {{"7": {{"element": "ab"}}}}}}}}}})",
           block),
       true, 0.0},
      {"F", fmt::format(R"({{"dtype": "compas_dem.models/BlockModel", "data": {}}})", model), true,
       2400.0},
      {"G",
       fmt::format(
           R"({{"dtype": "compas_dem.problem/Problem", "data": {{"model": {{"dtype": "m", "data": {}}}, "contact_properties": {{"dtype": "c", "data": {{"contact_model": {{"dtype": "c", "data": {{"mu": 0.5}}}}}}}}, "boundary_conditions": {{"gravity": false}}}}}})",
           model),
       true, 2400.0}};
  for (const Layout& layout : layouts) {
    INFO(layout.name);
    const BlockModel found = read_blocks(layout.text, "model.json");
    REQUIRE(found.blocks.size() == 1);
    CHECK(found.blocks[0].vertices == cube_corners);
    CHECK(found.blocks[0].faces == cube_faces);
    CHECK(found.blocks[0].support == layout.support);
    CHECK(found.blocks[0].density == layout.density);
    if (layout.name[0] != 'C') CHECK(found.blocks[0].key == "7");
    if (layout.name[0] == 'G') {
      CHECK(found.friction == 0.5);
      REQUIRE(found.notes.size() == 1);  // gravity = false
    }
  }
}

TEST_CASE("Transformations of elements and of their parents move blocks", "[blocks]") {
  const auto matrix = [](double angle, double x) {
    const double c = std::cos(angle), s = std::sin(angle);
    return fmt::format(
        R"({{"dtype": "t", "data": {{"matrix": [[{}, {}, 0, {}], [{}, {}, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}}}})",
        c, -s, x, s, c);
  };
  const double quarter = std::acos(0.0);
  const std::string text = fmt::format(
      R"({{"dtype": "compas_dem.models/BlockModel", "data": {{"transformation": {}, "elements": {{)"
      R"("p": {{"dtype": "b", "data": {{"geometry": {}, "transformation": {}}}}}, "c": {{"dtype": "b", "data": {{"geometry": {}, "transformation": {}}}}}}},)"
      R"("graph": {{"node": {{"0": {{"element": "p"}}, "1": {{"element": "c"}}}}}},)"
      R"("tree": {{"root": {{"children": [{{"element": "p", "children": [{{"element": "c"}}]}}]}}}}}}}})",
      matrix(0.0, 10.0), mesh_json(false), matrix(quarter, 0.0), mesh_json(false),
      matrix(0.0, 2.0));
  const BlockModel model = read_blocks(text, "model.json");
  REQUIRE(model.blocks.size() == 2);
  // x -> y by the parent's quarter turn, then 10 along x.
  CHECK((model.blocks[0].vertices[1] - Vector3(10.0, 1.0, 0.0)).norm() < 1e-14);
  CHECK((model.blocks[1].vertices[1] - Vector3(10.0, 3.0, 0.0)).norm() < 1e-14);
}

TEST_CASE("Published samples give the blocks that their page counts", "[blocks]") {
  struct Sample {
    const char* file;
    std::size_t blocks, supports, not_convex;
  };
  const std::vector<Sample> samples = {{"two-blocks_assembly.json", 2, 1, 0},
                                       {"arch_assembly.json", 30, 2, 0},
                                       {"stack.json", 10, 1, 0},
                                       {"wall_interfaces.json", 38, 5, 0},
                                       {"arch_stray_keys.json", 40, 2, 0},
                                       {"cra_bridge.json", 16, 0, 9},
                                       {"cra_concave-long.json", 2, 0, 2},
                                       {"cra_shelf.json", 11, 0, 1},
                                       {"wall.obj", 38, 0, 0}};
  for (const Sample& sample : samples) {
    INFO(sample.file);
    const std::string path = test::data_folder() + "/masonry/" + sample.file;
    const std::vector<Solid> solids = solids_of(read_blocks(read_input_file(path), path));
    std::size_t supports = 0, not_convex = 0;
    for (const Solid& solid : solids) {
      supports += solid.support ? 1U : 0U;
      not_convex += decompose(solid).corners.size() > 1 ? 1U : 0U;
    }
    CHECK(solids.size() == sample.blocks);
    CHECK(supports == sample.supports);
    CHECK(not_convex == sample.not_convex);
  }
}

TEST_CASE("A cube is the same in all mesh formats", "[blocks]") {
  std::vector<std::pair<std::string, std::string>> files;
  files.emplace_back("cube.obj", obj_of({cube("a")}));
  std::string stl = "solid a\n", binary(80, ' '), ply_body, grid;
  std::uint32_t facets = 0;
  std::string facet_bytes;
  const auto bytes = [](auto value) {
    std::string text(sizeof value, '\0');
    std::memcpy(text.data(), &value, sizeof value);
    return text;
  };
  for (const Face& face : cube_faces) {
    for (std::size_t k = 1; k + 1 < face.size(); ++k) {
      stl += "facet normal 0 0 0\nouter loop\n";
      facet_bytes += std::string(12, '\0');
      for (const std::int32_t v : {face[0], face[k], face[k + 1]}) {
        const Vector3& p = cube_corners[static_cast<std::size_t>(v)];
        stl += fmt::format("vertex {} {} {}\n", p.x(), p.y(), p.z());
        for (int i = 0; i < 3; ++i) facet_bytes += bytes(static_cast<float>(p(i)));
      }
      stl += "endloop\nendfacet\n";
      facet_bytes += std::string(2, '\0');
      ++facets;
    }
  }
  files.emplace_back("text.stl", stl + "endsolid a\n");
  std::memcpy(binary.data(), "solid", 5);
  files.emplace_back("binary.stl", binary + bytes(facets) + facet_bytes);
  const std::string head =
      "element vertex 8\nproperty float x\nproperty float y\nproperty float z\nelement face "
      "6\nproperty list uchar int vertex_indices\nend_header\n";
  std::string ascii = "ply\nformat ascii 1.0\n" + head,
              little = "ply\nformat binary_little_endian 1.0\n" + head,
              big = "ply\nformat binary_big_endian 1.0\n" + head;
  const auto swapped = [](std::string text) {
    std::reverse(text.begin(), text.end());
    return text;
  };
  for (const Vector3& p : cube_corners) {
    ascii += fmt::format("{} {} {}\n", p.x(), p.y(), p.z());
    for (int i = 0; i < 3; ++i) {
      little += bytes(static_cast<float>(p(i)));
      big += swapped(bytes(static_cast<float>(p(i))));
    }
  }
  for (const Face& face : cube_faces) {
    ascii += fmt::format("4 {} {} {} {}\n", face[0], face[1], face[2], face[3]);
    little += '\4', big += '\4';
    for (const std::int32_t v : face) little += bytes(v), big += swapped(bytes(v));
  }
  files.emplace_back("ascii.ply", ascii);
  files.emplace_back("little.ply", little);
  files.emplace_back("big.ply", big);
  std::string command = "block create group \"Blocks\" poly ";
  for (const Face& face : cube_faces) {
    command += "face ";
    for (auto v = face.rbegin(); v != face.rend(); ++v) {
      const Vector3& p = cube_corners[static_cast<std::size_t>(*v)];
      command += fmt::format("{},{},{} ", p.x(), p.y(), p.z());
    }
    command += "&\n";
  }
  files.emplace_back("cube.3ddat", "; by hand\n" + command + "r=17\n");
  for (std::size_t v = 0; v < 8; ++v)
    grid += fmt::format("G {} {} {} {}\n", v + 1, cube_corners[v].x(), cube_corners[v].y(),
                        cube_corners[v].z());
  for (std::size_t f = 0; f < 6; ++f)
    grid += fmt::format("F {} {} {} {} {}\n", f + 1, cube_faces[f][0] + 1, cube_faces[f][1] + 1,
                        cube_faces[f][2] + 1, cube_faces[f][3] + 1);
  files.emplace_back("cube.3dgrid", "* grid\n" + grid + "B 4 1 F 1 2 3 4 5 6\n");
  std::string bodies =
      "$bdyty\n RBDY3  1\n$blmty\n PLAIN  1  behav  STONE  avrd= 0.D0 gyrd= 0.D0\n$nodty\n NO6xx  "
      "1                coo1= 0.1D+01  coo2= 0.D0  coo3= 0.D0\n$tacty\n POLYR  1  color BLEUx  "
      "nb_vertex=      8    nb_faces=     12\n";
  for (const Vector3& p : cube_corners)
    bodies +=
        fmt::format("   coo1={: .7E}  coo2={: .7E}  coo3={: .7E}\r\n", p.x() - 1.0, p.y(), p.z());
  for (const Face& face : cube_faces) {
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      bodies += fmt::format("   ver1= {}  ver2= {}  ver3= {}\n", face[0] + 1, face[k] + 1,
                            face[k + 1] + 1);
  }
  files.emplace_back("BODIES.DAT", bodies + "$$$$$$\n");
  for (const auto& [name, text] : files) {
    INFO(name);
    const std::vector<Solid> solids = solids_of(read_blocks(text, name));
    REQUIRE(solids.size() == 1);
    CHECK(solids[0].vertices.size() == 8);
    CHECK(solids[0].integrals.volume == Approx(1.0).epsilon(1e-15));
    CHECK((solids[0].integrals.centre - Vector3(0.5, 0.5, 0.5)).norm() < 1e-15);
    CHECK(decompose(solids[0]).corners.size() == 1);
  }
}

TEST_CASE("LMGC90 says what stands still, how dense and how rough it is", "[blocks]") {
  const std::string bodies =
      "$bdyty\n RBDY3  1\n$blmty\n PLAIN  1  behav  STONE  avrd= 0.1\n$nodty\n NO6xx 1 coo1= 0. "
      "coo2= 0. coo3= 0.\n"
      "$tacty\n PLANx  1  color VERTx  axe1= 0.5D+01 axe2= 0.5D+01 axe3= 0.1D+00\n$$$$$$\n"
      "$bdyty\n RBDY3  2\n$blmty\n PLAIN  1  behav  STONE  avrd= 0.1\n$nodty\n NO6xx 1 coo1= 0. "
      "coo2= 0. coo3= 1.\n"
      "$tacty\n PLANx  1  color VERTx  axe1= 0.5 axe2= 0.5 axe3= 0.5\n$$$$$$\n";
  std::string driven = "$bdyty\n RBDY3  1\n$model\n";
  for (int k = 1; k <= 6; ++k)
    driven += fmt::format("  vlocy  {}  0.D0  0.D0  0.D0  0.D0  0.D0  0.D0\n", k);
  const std::map<std::string, std::string> beside = {
      {"BULK_BEHAV.DAT",
       "$gravy\n grv1= 0. grv2= 0. grv3= -9.81\n$behav  lawty\n STONE  RIGID  Umas= 0.25D+04\n"},
      {"TACT_BEHAV.DAT", "$behav  lawty\n iqsc0  IQS_CLB  fric= 0.5D0\n"},
      {"DRV_DOF.DAT", driven}};
  const BlockModel model =
      read_blocks(bodies, "BODIES.DAT", [&](const std::string& name) -> std::optional<std::string> {
        const auto found = beside.find(name);
        return found == beside.end() ? std::nullopt : std::optional(found->second);
      });
  REQUIRE(model.blocks.size() == 2);
  CHECK(model.blocks[0].support);
  CHECK(model.blocks[1].density == 2500.0);
  CHECK(model.friction == 0.5);
}

TEST_CASE("Blocks come back from OBJ bit for bit", "[blocks]") {
  Block odd = cube("odd name", Vector3(0.1, 1.0 / 3.0, 1e-7), Vector3(1.0, std::sqrt(2.0), 0.3));
  odd.density = 2345.678;
  Block fixed = cube("base", Vector3(0, 0, -1));
  fixed.support = true;
  const BlockModel back = read_blocks(obj_of({odd, fixed}), "model.obj");
  REQUIRE(back.blocks.size() == 2);
  CHECK(back.blocks[0].name == "odd name");
  CHECK(back.blocks[0].vertices.size() == 8);
  std::map<std::tuple<double, double, double>, int> places;
  for (const Vector3& v : odd.vertices) ++places[{v.x(), v.y(), v.z()}];
  for (const Vector3& v : back.blocks[0].vertices) CHECK(places.count({v.x(), v.y(), v.z()}) == 1);
  CHECK(back.blocks[0].density == odd.density);
  CHECK(back.blocks[1].support);
}

TEST_CASE("What is no block is refused in one line that names file, block, face and edge",
          "[blocks]") {
  const auto changed = [](auto change) {
    Block block = cube("b7");
    change(block);
    return obj_of({cube("first", Vector3(5, 0, 0)), block});
  };
  struct Bad {
    const char* what;
    std::string name, text, message;
  };
  const std::string quad =
      R"([{"vertex": {"0": {"x": 0, "y": 0, "z": 0}, "1": {"x": 1, "y": 0, "z": 0}, "2": {"x": 1, "y": 1, "z": 0}, "3": {"x": 0, "y": 1, "z": 0}}, "face": {"0": [0, 1, 2, 3]}}])";
  const std::vector<Bad> bad = {
      {"open mesh", "m.obj", changed([](Block& b) { b.faces.pop_back(); }),
       "m.obj: block 'b7': is open: 4 edges belong to one face only (first: (0, 1, 0) - (0, 0, 0) "
       "of face 0); --repair closes small holes"},
      {"every face twice", "m.obj", changed([](Block& b) {
         const auto f = b.faces;
         b.faces.insert(b.faces.end(), f.begin(), f.end());
       }),
       "m.obj: block 'b7': 6 of its 12 faces are there twice (first: face 6); --repair drops them"},
      {"a single quad", "m.json", quad,
       "m.json: block 'block-0': has 1 face: an open sheet, no solid; a block needs at least 4"},
      {"no volume", "m.obj", changed([](Block& b) {
         for (Vector3& v : b.vertices) v.z() = 0.0;
       }),
       "m.obj: block 'b7': ..."},
      {"one point", "m.obj", changed([](Block& b) {
         for (Vector3& v : b.vertices) v.setZero();
       }),
       "m.obj: block 'b7': all its vertices lie at one point"},
      {"millimetres", "m.obj", obj_of({cube("a", Vector3::Zero(), Vector3(500, 250, 200))}),
       "m.obj: half of its blocks are larger than 594 m, as if drawn in another unit: say --scale "
       "0.001 for millimetres, 0.01 for centimetres, 1 for metres"},
      {"NaN in OBJ", "m.obj", "o a\nv nan 0 0\n", "m.obj:2: 'nan' is not a finite number"},
      {"word in OBJ", "m.obj", "o a\nv 0 zero 0\n", "m.obj:2: 'zero' is not a number"},
      {"no vertex", "m.obj", "v 0 0 0\nf 1 2 3\n",
       "m.obj:2: there is no vertex 2; must be within 1 and 1, or -1 and -1"},
      {"NaN in JSON", "m.json", R"([{"vertex": {"0": {"x": NaN}}, "face": {}}])",
       "m.json:1:25: is no sound JSON: 'NaN' is no value; ..."},
      {"null in JSON", "m.json",
       R"({"node": {"4": {"block": {"vertex": {"0": {"x": null, "y": 0, "z": 0}}, "face": {}}}}})",
       "m.json: block '4': vertex 0: x is no finite number"},
      {"face without vertex", "m.json",
       R"([{"vertex": {"0": {"x": 0, "y": 0, "z": 0}}, "face": {"3": [0, 1, 2]}}])",
       "m.json: block '0': face 3: there is no vertex 1"},
      {"no blocks", "m.json", R"({"a": 1})",
       "m.json: has no meshes of at least 4 faces; must be JSON of COMPAS with blocks"},
      {"empty", "m.obj", "", "m.obj: is empty"},
      {"no faces", "m.obj", "v 0 0 0\n", "m.obj: has no faces (lines that begin with f)"},
      {"cut STL", "m.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n",
       "m.stl:4: the file ends within a solid; it is cut short"},
      {"cut PLY", "m.ply",
       "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nend_header\n0\n",
       "m.ply:6: the file ends before its last element; it is cut short"},
      {"huge count in PLY", "m.ply",
       "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float "
       "x\nend_header\n0\n",
       "m.ply: the file ends before its last element; it is cut short"},
      {"3DEC brick", "m.3ddat", "block create brick 0 1 0 1 0 1\n",
       "m.3ddat:1: block create brick is not read; only 'poly face ...' is"},
      {"sphere in LMGC90", "BODIES.DAT", "$bdyty\n RBDY3 1\n$tacty\n SPHER 1 color X byrd= 1.\n",
       "BODIES.DAT:4: body 1: contactors of kind SPHER are not blocks; POLYR and PLANx are"},
      {"what is it", "m.xyz", "hello\n", "m.xyz: what it is can't be told; ..."}};
  for (const Bad& input : bad) {
    INFO(input.what);
    std::string message = message_of(input.text, input.name), expected = input.message;
    CHECK(message.find('\n') == std::string::npos);
    if (expected.ends_with("...")) {
      expected.resize(expected.size() - 3);
      message.resize(std::min(message.size(), expected.size()));
    }
    CHECK(message == expected);
  }
}

TEST_CASE("A surface that crosses itself is refused", "[blocks]") {
  // A cube whose top face is turned by half a turn: its sides cross in the middle.
  Block block = cube("twisted");
  std::swap(block.vertices[4], block.vertices[6]);
  std::swap(block.vertices[5], block.vertices[7]);
  const std::string message = message_of(obj_of({block}), "m.obj");
  CHECK(message != "accepted");
  CHECK(message.find("block 'twisted'") != std::string::npos);
}

TEST_CASE("Repair drops doubled faces, closes holes, and joins what only nearly meets",
          "[blocks]") {
  SolidOptions repair;
  repair.repair = true;
  Block doubled = cube("a"), open = cube("b"), cracked = cube("c");
  const auto faces = doubled.faces;
  doubled.faces.insert(doubled.faces.end(), faces.begin(), faces.end());
  open.faces.pop_back();
  // Its top has corners of its own, 1e-5 off.
  for (std::size_t v = 4; v < 8; ++v)
    cracked.vertices.push_back(cracked.vertices[v] + Vector3(0, 0, 1e-5));
  cracked.faces[1] = {8, 9, 10, 11};
  for (const Block& block : {doubled, open, cracked}) {
    INFO(block.name);
    BlockModel model;
    model.blocks = {block};
    CHECK(message_of(obj_of({block}), "m.obj") != "accepted");
    CHECK(solids_of(model, repair).front().integrals.volume == Approx(1.0).epsilon(2e-5));
  }
}

TEST_CASE("Faces that look inward, or each in its own way, are turned", "[blocks]") {
  Block inward = cube("a"), mixed = cube("b");
  for (Face& face : inward.faces) std::reverse(face.begin(), face.end());
  std::reverse(mixed.faces[2].begin(), mixed.faces[2].end());
  for (const Block& block : {inward, mixed}) CHECK(only(block).integrals.volume == Approx(1.0));
}

TEST_CASE("One mesh of several pieces is one block a piece", "[blocks]") {
  Block both = cube("pair");
  const Block other = cube("x", Vector3(3, 0, 0));
  for (const Vector3& v : other.vertices) both.vertices.push_back(v);
  for (Face face : other.faces) {
    for (std::int32_t& v : face) v += 8;
    both.faces.push_back(face);
  }
  BlockModel model;
  model.blocks = {both};
  const std::vector<Solid> solids = solids_of(model);
  REQUIRE(solids.size() == 2);
  CHECK(solids[0].name == "pair.1");
}

TEST_CASE("Blocks that touch in one mesh are told apart", "[blocks]") {
  // By the vertices that they do not share, and where nothing is shared (STL) by their order.
  for (const bool shared : {true, false}) {
    Block wall = cube("wall");
    wall.faces.clear(), wall.vertices.clear();
    for (int i = 0; i < 5; ++i) {
      const Block one = cube("x", Vector3(i, 0, 0));
      const auto first = static_cast<std::int32_t>(wall.vertices.size());
      if (shared)
        wall.vertices.insert(wall.vertices.end(), one.vertices.begin(), one.vertices.end());
      for (Face face : one.faces) {
        for (std::int32_t& v : face) {
          if (shared) {
            v += first;
          } else {
            wall.vertices.push_back(one.vertices[static_cast<std::size_t>(v)]);
            v = static_cast<std::int32_t>(wall.vertices.size()) - 1;
          }
        }
        wall.faces.push_back(face);
      }
    }
    BlockModel model;
    model.blocks = {wall};
    const std::vector<Solid> solids = solids_of(model);
    REQUIRE(solids.size() == 5);
    for (const Solid& solid : solids) CHECK(solid.integrals.volume == Approx(1.0));
  }
}

TEST_CASE("Convex parts fill a solid exactly, without overlap and without new surface",
          "[blocks]") {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::size_t> points(8, 24);
  std::uniform_real_distribution<double> rough(0.1, 0.6);
  double worst = 0.0;
  std::size_t most = 0;
  for (int i = 0; i < 300; ++i) {
    const Solid solid = random_star(random, points(random), rough(random));
    const ConvexParts parts = decompose(solid, 1e-9);
    worst = std::max(worst, parts.volume_error);
    most = std::max(most, parts.corners.size());
    // Volumes that add up leave no room for parts that overlap or stick out, but both at once: a
    // point of a part is in no other.
    for (std::size_t p = 0; p < parts.corners.size(); ++p) {
      Vector3 middle = Vector3::Zero();
      for (const Vector3& v : parts.corners[p])
        middle += v / static_cast<double>(parts.corners[p].size());
      for (std::size_t q = 0; q < parts.corners.size(); ++q) {
        if (p == q) continue;
        bool inside = true;
        for (const HullTriangle& t : hull_triangles(parts.corners[q])) {
          const auto at = [&](std::size_t k) {
            return parts.corners[q][static_cast<std::size_t>(t.corner.at(k))];
          };
          if ((at(1) - at(0)).cross(at(2) - at(0)).dot(middle - at(0)) > 0.0) inside = false;
        }
        CHECK_FALSE(inside);
      }
    }
  }
  INFO("largest number of parts " << most);
  CHECK(worst < 1e-12);
}

TEST_CASE("Convex solids stay one part", "[blocks]") {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 300; ++i) {
    std::vector<Vector3> points;
    for (int k = 0; k < 20; ++k)
      points.emplace_back(normal(random), normal(random), normal(random));
    const ConvexPolyhedron hull = make_convex_polyhedron(points);
    Solid solid;
    solid.vertices = hull.vertices;
    for (std::int32_t f = 0; f < hull.n_faces(); ++f) {
      const auto loop = hull.face(f);
      solid.faces.emplace_back(loop.begin(), loop.end());
    }
    solid.size = hull.size;
    solid.integrals = surface_integrals(solid.vertices, solid.faces);
    const ConvexParts parts = decompose(solid, 1e-12);
    CHECK(parts.corners.size() == 1);
    CHECK(parts.volume_error < 1e-12);
  }
}

TEST_CASE("10,000 solids that are not convex", "[blocks][slow]") {
  std::mt19937_64 random(11);
  std::uniform_int_distribution<std::size_t> points(6, 30);
  std::uniform_real_distribution<double> rough(0.02, 0.8);
  double worst = 0.0;
  for (int i = 0; i < 10000; ++i)
    worst = std::max(
        worst, decompose(random_star(random, points(random), rough(random)), 1e-6).volume_error);
  CHECK(worst < 1e-12);
}

TEST_CASE("Brackets, crosses, stairs and combs need as few parts as they have arms", "[blocks]") {
  struct Drawing {
    const char* name;
    std::vector<std::array<double, 2>> base;
    double area;
    std::size_t parts;
  };
  const std::vector<Drawing> drawings = {
      {"L", {{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}}, 3.0, 2},
      {"T", {{{0, 0}, {3, 0}, {3, 1}, {2, 1}, {2, 2}, {1, 2}, {1, 1}, {0, 1}}}, 4.0, 2},
      {"U", {{{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}}, 5.0, 3},
      {"cross",
       {{{1, 0},
         {2, 0},
         {2, 1},
         {3, 1},
         {3, 2},
         {2, 2},
         {2, 3},
         {1, 3},
         {1, 2},
         {0, 2},
         {0, 1},
         {1, 1}}},
       5.0,
       3}};
  for (const Drawing& drawing : drawings) {
    INFO(drawing.name);
    const Solid solid = only(prism(drawing.base));
    CHECK(solid.integrals.volume == Approx(drawing.area).epsilon(1e-14));
    const ConvexParts parts = decompose(solid, 1e-12);
    CHECK(parts.corners.size() == drawing.parts);
    CHECK(parts_volume(parts) == Approx(drawing.area).epsilon(1e-13));
  }
}

TEST_CASE("A ring is filled round its hole", "[blocks]") {
  // A square frame: outer 3 x 3, hole 1 x 1, drawn as top and bottom of four trapezoids.
  Block block;
  block.name = "ring";
  for (const double z : {0.0, 1.0}) {
    for (const double r : {1.5, 0.5}) {
      for (const auto& [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
        block.vertices.emplace_back(r * x, r * y, z);
    }
  }
  for (std::int32_t i = 0; i < 4; ++i) {
    const std::int32_t j = (i + 1) % 4;
    block.faces.push_back({8 + i, 8 + j, 12 + j, 12 + i});  // top
    block.faces.push_back({4 + i, 4 + j, j, i});            // bottom
    block.faces.push_back({i, j, 8 + j, 8 + i});            // outside
    block.faces.push_back({4 + j, 4 + i, 12 + i, 12 + j});  // the hole
  }
  const Solid solid = only(block);
  CHECK(solid.integrals.volume == Approx(8.0).epsilon(1e-14));
  const ConvexParts parts = decompose(solid, 1e-12);
  CHECK(parts.corners.size() >= 4);
  CHECK(parts_volume(parts) == Approx(8.0).epsilon(1e-13));
}

TEST_CASE("A warped face is split alike on both sides", "[blocks]") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> warp(-0.04, 0.04);
  for (int i = 0; i < 100; ++i) {
    Block low = cube("low"), high = cube("high", Vector3(0, 0, 1));
    for (std::size_t v = 0; v < 4; ++v) {
      const double by = warp(random);
      low.vertices[v + 4].z() += by;
      high.vertices[v].z() += by;
    }
    std::rotate(high.faces[0].begin(), high.faces[0].begin() + i % 4, high.faces[0].end());
    BlockModel model;
    model.blocks = {low, high};
    const std::vector<Solid> solids = solids_of(model);
    const std::vector<JointBody> bodies = {joint_body(solids[0]), joint_body(solids[1])};
    const std::vector<Joint> joints = find_joints(bodies, {});
    REQUIRE(joints.size() == 1);
    CHECK(joints[0].polygons.size() == 2);
    CHECK(joints[0].gap < 1e-14);
    CHECK(joints[0].overlap < 1e-14);
    CHECK(solids[0].integrals.volume + solids[1].integrals.volume == Approx(2.0).epsilon(1e-13));
  }
}

TEST_CASE("Joints are found within the tolerance, all polygons of a pair are kept", "[blocks]") {
  SECTION("offset, gap and overlap") {
    for (const double gap : {0.0, 5e-4, -5e-4, 5e-3}) {
      BlockModel model;
      model.blocks = {cube("a"), cube("b", Vector3(0.25, 0.5, 1.0 + gap))};
      const std::vector<Solid> solids = solids_of(model);
      const std::vector<Joint> joints =
          find_joints({joint_body(solids[0]), joint_body(solids[1])}, {});
      if (gap > 2e-3) {
        CHECK(joints.empty());
        continue;
      }
      REQUIRE(joints.size() == 1);
      CHECK(joints[0].area == Approx(0.375).epsilon(1e-14));
      CHECK((joints[0].normal - Vector3::UnitZ()).norm() < 1e-15);
      CHECK((joints[0].centre - Vector3(0.625, 0.75, 1.0 + 0.5 * gap)).norm() < 1e-14);
      CHECK(joints[0].gap == Approx(std::max(gap, 0.0)).margin(1e-15));
      CHECK(joints[0].overlap == Approx(std::max(-gap, 0.0)).margin(1e-15));
    }
  }
  SECTION("a bridge on both arms of a U") {
    Solid arms = only(prism({{{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}}));
    JointBody body;
    for (const auto& part : decompose(arms).corners) {
      const ConvexPolyhedron solid = make_convex_polyhedron(part);
      for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
        std::vector<Vector3> corners;
        for (const std::int32_t v : solid.face(f))
          corners.push_back(solid.vertices[static_cast<std::size_t>(v)]);
        add_face(body, corners);
      }
    }
    const JointBody beam = joint_body(only(cube("beam", Vector3(0, 2, 0), Vector3(3, 1, 1))));
    const std::vector<Joint> joints = find_joints({body, beam}, {});
    REQUIRE(joints.size() == 1);
    CHECK(joints[0].polygons.size() == 2);
    CHECK(joints[0].area == Approx(2.0).epsilon(1e-14));
    CHECK((joints[0].centre - Vector3(1.5, 2.0, 0.5)).norm() < 1e-14);
  }
  SECTION("islands") {
    BlockModel model;
    model.blocks = {cube("a"), cube("b", Vector3(0, 0, 1)), cube("c", Vector3(5, 0, 0)),
                    cube("d", Vector3(5, 0, 1))};
    const std::vector<Solid> solids = solids_of(model);
    std::vector<JointBody> bodies;
    for (const Solid& solid : solids) bodies.push_back(joint_body(solid));
    bodies[0].fixed = true;
    const std::vector<std::vector<std::int32_t>> islands =
        islands_without_support(bodies, find_joints(bodies, {}));
    REQUIRE(islands.size() == 1);
    CHECK(islands[0] == std::vector<std::int32_t>{2, 3});
  }
}

TEST_CASE("Gaps and overlaps close by half from both sides", "[blocks]") {
  for (const double gap : {4e-4, -4e-4}) {
    BlockModel model;
    model.blocks = {cube("a"), cube("b", Vector3(0, 0, 1.0 + gap))};
    std::vector<Solid> solids = solids_of(model);
    CHECK(shift_faces(solids, 1e-3) == Approx(2e-4).epsilon(1e-9));
    const std::vector<Joint> joints =
        find_joints({joint_body(solids[0]), joint_body(solids[1])}, {});
    REQUIRE(joints.size() == 1);
    CHECK(joints[0].gap < 1e-15);
    CHECK(joints[0].overlap < 1e-15);
    CHECK(solids[0].integrals.volume == Approx(1.0 + 0.5 * gap).epsilon(1e-14));
    CHECK(solids[1].integrals.volume == Approx(1.0 + 0.5 * gap).epsilon(1e-14));
  }
}

TEST_CASE("Supports are chosen by mark, height, place and name", "[blocks]") {
  BlockModel model;
  model.blocks = {cube("a"), cube("b", Vector3(0, 0, 1)), cube("c1", Vector3(0, 0, 2))};
  const auto chosen = [&](const std::vector<std::string>& words) {
    std::vector<Solid> solids = solids_of(model);
    choose_supports(solids, words);
    std::string text;
    for (const Solid& solid : solids) text += solid.support ? '1' : '0';
    return text;
  };
  CHECK(chosen({}) == "100");
  CHECK(chosen({"c*"}) == "001");
  CHECK(chosen({"c?", "lowest"}) == "101");
  CHECK(chosen({"ends"}) == "101");
  CHECK(chosen({"z<1.6"}) == "110");
  CHECK(chosen({"none"}) == "000");
  model.blocks[1].support = true;
  CHECK(chosen({}) == "010");
  CHECK_THROWS_WITH(chosen({"nobody"}),
                    "supports: no block has the name \"nobody\"; the first are \"a\" and \"b\"");
}

}  // namespace blocks_test
