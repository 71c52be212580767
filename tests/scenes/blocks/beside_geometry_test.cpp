// What files of blocks say besides geometry: taken over, or told.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "engine/base/check.hpp"
#include "scenes/blocks/block_model.hpp"

namespace beside_geometry_test {

using namespace scree;
using namespace scree::blocks;

namespace {

// A tetrahedron with a corner at x along its axis.
std::string poly(double x, const char* group) {
  return fmt::format(
      "block create group \"{1}\" poly face {0},0,0 {0},0,1 {0},1,0 face {0},0,0 {2},0,0 {0},0,1 "
      "face {0},0,0 {0},1,0 {2},0,0 face {2},0,0 {0},1,0 {0},0,1\n",
      x, group, x + 1.0);
}

// A DATBOX of one body and the files beside it.
BlockModel lmgc90(const std::string& tact, const std::string& bulk) {
  std::string bodies =
      "$bdyty\n RBDY3      1\n$blmty\n PLAIN  1  behav  stone\n$nodty\n NO6xx  1  coo1= 0.0D0  "
      "coo2= 0.0D0  coo3= 0.0D0\n$tacty\n POLYR  1  color  BLEUx  nb_vertex= 4  nb_faces= 4\n";
  for (const char* p : {"0 0 0", "1 0 0", "0 1 0", "0 0 1"}) {
    const std::string text = p;
    bodies += fmt::format(" coo1= {} coo2= {} coo3= {}\n", text[0], text[2], text[4]);
  }
  for (const char* f : {"1 3 2", "1 2 4", "2 3 4", "3 1 4"}) {
    const std::string text = f;
    bodies += fmt::format(" ver1= {} ver2= {} ver3= {}\n", text[0], text[2], text[4]);
  }
  return read_blocks(bodies + "$$$$$$\n", "BODIES.DAT",
                     [&](const std::string& name) -> std::optional<std::string> {
                       if (name == "TACT_BEHAV.DAT") return tact;
                       if (name == "BULK_BEHAV.DAT") return bulk;
                       return std::nullopt;
                     });
}

}  // namespace

TEST_CASE("3DEC's density, friction, gravity and fixed groups are taken over", "[blocks]") {
  const BlockModel model =
      read_blocks("model new\n" + poly(0, "Base") + poly(2, "Wall") +
                      "block fix range group \"Base\"\nblock property density 2400\n"
                      "block contact property friction 35 cohesion 1e5\nmodel gravity 0 0 -9.81\n"
                      "block property density 100 range group \"Wall\"\nblock apply stress 1 2 3\n",
                  "model.3ddat");
  REQUIRE(model.blocks.size() == 2);
  CHECK(model.blocks[0].support);
  CHECK_FALSE(model.blocks[1].support);
  CHECK(model.blocks[0].density == 2400.0);
  CHECK(model.blocks[1].density == 2400.0);
  CHECK(std::abs(model.friction - std::tan(35.0 * std::numbers::pi / 180.0)) < 1e-15);
  REQUIRE(model.gravity);
  CHECK(*model.gravity == Vector3(0, 0, -9.81));
  REQUIRE(model.notes.size() == 2);
  CHECK(model.notes[0] == "joints have a cohesion, which is not taken over");
  CHECK(model.notes[1] == "commands that are not taken over: block apply, block property");
  CHECK(*read_blocks(poly(0, "a") + "model gravity 9.81\n", "m.3ddat").gravity ==
        Vector3(0, 0, -9.81));
  CHECK_THROWS_WITH(read_blocks(poly(0, "a") + "model gravity 1 2\n", "m.3ddat"),
                    "m.3ddat:2: model gravity: must be one number or three");
}

TEST_CASE("LMGC90's gravity is taken over, laws beyond friction are told", "[blocks]") {
  const BlockModel model = lmgc90(
      "$behav  lawty\n iqsc0  IQS_MAC_CZM  dyfr= 0.5D+00  stfr= 0.5D+00\n",
      "$gravy\n grv1= 1.0D0 grv2= 0.0D+00 grv3=-0.9810000D+01\n$behav  lawty\n stone  RIGID  "
      "Umas= 0.24D+04\n");
  REQUIRE(model.gravity);
  CHECK(*model.gravity == Vector3(1.0, 0, -9.81));
  CHECK(model.blocks[0].density == 2400.0);
  REQUIRE(model.notes.size() == 1);
  CHECK(model.notes[0] ==
        "law iqsc0 of TACT_BEHAV.DAT is of kind IQS_MAC_CZM; its friction alone is taken over");
  CHECK(lmgc90("$behav  lawty\n iqsc0  IQS_CLB  fric= 0.5D+00\n", "").notes.empty());
}

TEST_CASE("COMPAS elements may be boxes, and have names of their own", "[blocks]") {
  // Turned by 90 degrees about z: its long side is along y.
  const BlockModel model = read_blocks(
      R"({"dtype": "compas_dem.models/BlockModel", "data": {"elements": [{"dtype": "b", "guid": "ab", "name": "beam", "data":
      {"shape": {"dtype": "compas.geometry/Box", "data": {"frame": {"dtype": "compas.geometry/Frame", "data":
      {"point": [1, 2, 3], "xaxis": [0, 1, 0], "yaxis": [-1, 0, 0]}}, "xsize": 4, "ysize": 1, "zsize": 0.5}}}}],
      "graph": {"node": {"7": {"element": "ab"}}}}})",
      "model.json");
  REQUIRE(model.blocks.size() == 1);
  CHECK(model.blocks[0].name == "beam");
  CHECK(model.blocks[0].faces.size() == 6);
  Vector3 low = model.blocks[0].vertices[0], high = low;
  for (const Vector3& v : model.blocks[0].vertices) low = low.cwiseMin(v), high = high.cwiseMax(v);
  CHECK((low - Vector3(0.5, 0, 2.75)).norm() < 1e-15);
  CHECK((high - Vector3(1.5, 4, 3.25)).norm() < 1e-15);
}

TEST_CASE("Names stay as they are, in any encoding and where several are alike", "[blocks]") {
  const auto piece = [](const char* name, int first) {
    std::string text = fmt::format("o {}\nv {}.0 0 0\nv {}.5 0 0\nv {}.0 1 0\nv {}.0 0 1\n", name,
                                   first, first, first, first);
    const int n = 4 * first;
    for (const auto& [a, b, c] : {std::tuple(1, 3, 2), {1, 2, 4}, {2, 3, 4}, {3, 1, 4}})
      text += fmt::format("f {} {} {}\n", n + a, n + b, n + c);
    return text;
  };
  const BlockModel model = read_blocks(piece("stone", 0) +
                                           piece("Br\xfc"
                                                 "cke",
                                                 1) +
                                           piece("stone", 2) +
                                           piece("Br\xc3\xbc"
                                                 "cken",
                                                 3),
                                       "model.obj");
  REQUIRE(model.blocks.size() == 4);
  CHECK(model.blocks[0].name == "stone.1");
  CHECK(model.blocks[1].name ==
        "Br\xc3\xbc"
        "cke");
  CHECK(model.blocks[2].name == "stone.2");
  CHECK(model.blocks[3].name ==
        "Br\xc3\xbc"
        "cken");
}

TEST_CASE("Text STL may be written in capitals", "[blocks]") {
  std::string text = "SOLID a\n";
  for (const char* f :
       {"0 0 0 0 1 0 1 0 0", "0 0 0 1 0 0 0 0 1", "1 0 0 0 1 0 0 0 1", "0 1 0 0 0 0 0 0 1"}) {
    int v[9];
    std::sscanf(f, "%d %d %d %d %d %d %d %d %d", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7,
                v + 8);
    text += fmt::format(
        "FACET NORMAL 0 0 0\nOUTER LOOP\nVERTEX {} {} {}\nVERTEX {} {} {}\nVERTEX {} {} "
        "{}\nENDLOOP\nENDFACET\n",
        v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
  }
  const BlockModel model = read_blocks(text + "ENDSOLID a\n", "model.stl");
  REQUIRE(model.blocks.size() == 1);
  CHECK(model.blocks[0].faces.size() == 4);
}

}  // namespace beside_geometry_test
