// Faults of grains, compounds, columns, stop rules: one line each, with its place.
#include <tuple>

#include "tests/scenes/read/bad_input.hpp"

namespace bad_grains_test {

using namespace scree::test;

namespace {

// `body` after a scene of a block on the ground.
std::string message_with(const std::string& section) {
  const std::string message = message_of(std::string(block_on_ground) + section);
  CHECK(message.find('\n') == std::string::npos);
  const std::size_t column = message.find(": ");  // "scene.toml:LINE:COLUMN: ..."
  return column == std::string::npos ? message : message.substr(column + 2);
}

std::string grains(const std::string& keys) {
  return message_with("\n[[grains]]\nname = \"g\"\nmaterial = \"stone\"\n" + keys);
}

}  // namespace

TEST_CASE("Scene reader explains what is wrong with grains", "[scenes][unit]") {
  const std::string region = "region = { kind = \"cylinder\", radius = 1 }\n";
  CHECK(grains("count = 10\nshape = \"hull\"\nsize = 0.1\nposition = [0, 0, 9]\n" + region) ==
        "accepted");
  CHECK(grains("count = 10\nshape = \"sphere\"\nsize = 3\n" + region) ==
        "grains.region: a vessel with radius 1 m cannot hold the largest grain, which needs 3.351 "
        "m across");
  CHECK(grains("count = 999\nshape = \"sphere\"\nsize = 0.5\nregion = { kind = \"box\", length = "
               "1, width = 2, height = 3 }\n")
            .starts_with("grains.region: a vessel with sides 1 and 2 m and a height of 3 m cannot "
                         "hold 999 grains; it takes "));
  // Before thousands of hulls are made, which takes minutes.
  CHECK(grains("count = 900000\nshape = \"hull\"\nsize = 0.5\nregion = { kind = \"box\", length = "
               "1, width = 2, height = 3 }\n")
            .starts_with("grains.region: a vessel with sides 1 and 2 m and a height of 3 m cannot "
                         "hold 900000 grains, the largest of size "));
  for (const char* shape : {"cube", "sphere"}) {
    for (const char* size : {"1e-300", "1e-13", "1e13"}) {
      const std::string message = grains(std::string("count = 10\nshape = \"") + shape +
                                         "\"\nsize = " + size + "\n" + region);
      CHECK(message.starts_with("grains.size: "));
      CHECK(message.ends_with("must be from 1e-12 to 1e12 [m]"));
    }
  }
  CHECK(grains("count = 9\nshape = \"sphere\"\nsize = 0.1\nregion = { kind = \"cylinder\", radius "
               "= 1e8 }\n")
            .starts_with("grains.region: has room for "));
  CHECK(grains("count = 10\nshape = \"sphere\"\ngrading = { size = [0.1, 0.2, 0.3], mass = [0.4, "
               "0.5] }\n" +
               region) ==
        "grains.grading: the mass fractions sum up to 0.9; must be 1 within 1e-6");
  for (const auto& [size, mass, counts] : {std::tuple{"[]", "[]", "0 sizes and 0"},
                                           {"[]", "[1]", "0 sizes and 1"},
                                           {"[0.1]", "[]", "1 sizes and 0"},
                                           {"[0.1, 0.2]", "[]", "2 sizes and 0"}}) {
    CHECK(grains(std::string("count = 10\nshape = \"sphere\"\ngrading = { size = ") + size +
                 ", mass = " + mass + " }\n" + region) ==
          std::string("grains.grading: ") + counts +
              " mass fractions are not allowed; must be at least two sizes and one fraction fewer");
  }
  CHECK(grains("count = 10\nshape = \"sphere\"\nsize = 0.1\nseed = -1\n" + region)
            .starts_with("grains.seed: -1 is not allowed; must be "));
  CHECK(
      grains("count = 10\nshape = \"hull\"\nsize = 0.1\nsphericity = 0.98\ncorners = 8\n" + region)
          .starts_with("grains.sphericity: 0.98 is not reached with 8 corners and elongation 1; "
                       "must be between about "));
  CHECK(grains("count = 10\nshape = \"hul\"\nsize = 0.1\n" + region)
            .starts_with("grains.shape: unknown value \"hul\"; did you mean \"hull\"?"));
  CHECK(grains("count = 10\nshape = \"cube\"\nsize = 0.1\ncorners = 9\n" + region) ==
        "grains.corners: is for shape = \"hull\" only");
}

TEST_CASE("Scene reader breaks blocks of every admitted size and refuses flat ones",
          "[scenes][unit]") {
  const auto fragments = [](const std::string& sides) {
    return message_with(
        "\n[[fragments]]\nname = \"f\"\nmaterial = \"stone\"\ncount = 20\nposition = [0, 0, "
        "1e6]\nsides = [" +
        sides + "]\n");
  };
  for (const char* size : {"1e-9", "1e-6", "1e-3", "1", "1e3", "1e9"}) {
    INFO(size);
    CHECK(fragments(std::string(size) + ", " + size + ", " + size) == "accepted");
  }
  CHECK(fragments("1e-9, 1, 1e9") ==
        "fragments.sides: 1e-09 beside 1000000000 is not allowed; must be at least 0.0001 of the "
        "largest side [m]");
  CHECK(fragments("1, 0, 1") ==
        "fragments.sides: 0 is not allowed; must be a finite number > 0 [m]");
}

TEST_CASE("Scene reader refuses compounds whose parts overlap", "[scenes][unit]") {
  const std::string box = "{ kind = \"box\", sides = [1, 1, 1] }";
  const auto compound = [&](const std::string& second) {
    return message_with("\n[[shape]]\nname = \"l\"\nkind = \"compound\"\nparts = [" + box + second +
                        "]\n");
  };
  CHECK(compound(", { kind = \"box\", sides = [1, 1, 2], position = [1, 0, 0] }") == "accepted");
  CHECK(compound(", { kind = \"box\", sides = [1, 1, 2], position = [0.75, 0, 0] }") ==
        "shape.parts: parts 1 and 2 overlap by 0.25 m; must not overlap, as mass and inertia are "
        "sums over the parts");
  CHECK(compound("") == "shape.parts: must be at least two tables of kind box or convex");
  CHECK(compound(", { kind = \"sphere\", radius = 1 }") ==
        "shape.parts.kind: is not allowed for a part of a compound; must be box or convex");
}

TEST_CASE("Scene reader explains what is wrong with a column or a stop rule", "[scenes][unit]") {
  const std::string column =
      "\n[column]\nkind = \"slice\"\nmaterial = \"stone\"\nshape = \"sphere\"\nsize = 0.1\n";
  const std::string rest = "aspect = 1\nside_material = \"stone\"\n";
  CHECK(message_with(column + rest + "grains = 3\n").starts_with("column: a vessel with sides "));
  CHECK(message_with(column + rest)
            .starts_with("column.grains: missing; must be an integer in [1, 1000000], or length"));
  CHECK(message_with(column + rest + "length = 5\nlift_speed = 1\n") ==
        "column.lift_speed: needs release, the time at which the gate is lifted [s]");
  CHECK(message_with(column + "aspect = 1\nlength = 5\n")
            .starts_with("column.side_material: missing; "));
  CHECK(message_with("\n[stop]\ndisplacement = 0\nwindow = 1\n")
            .starts_with("stop.displacement: 0 is not allowed; must be "));
  CHECK(message_with("\n[stop]\ndisplacement = 1\n").starts_with("stop.window: missing; "));
  CHECK(message_with("\n[initial]\nfrom = \"\"\n")
            .starts_with("initial.from: an empty text is not allowed"));
}

}  // namespace bad_grains_test
