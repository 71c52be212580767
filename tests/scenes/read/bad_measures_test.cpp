// What is wrong in [record], [[group]] and [[screen]] is said in one line, with the place.
#include <cmath>

#include "tests/scenes/read/bad_input.hpp"

namespace bad_measures_test {

using namespace scree::test;

namespace {

// Each stands before [time], so its first line is line 1.
const BadInput bad_measures[] = {
    {"a log without a threshold", "[time]", "[record]\nimpacts = {}\n[time]",
     "2:11: record.impacts.speed: missing; must be a finite number >= 0 [m/s], unless there is "
     "`impulse`"},
    {"a negative threshold", "[time]", "[record]\nimpacts = { impulse = -1 }\n[time]",
     "2:23: record.impacts.impulse: -1 is not allowed; must be a finite number >= 0 [N s]"},
    {"a threshold misspelt", "[time]", "[record]\nimpacts = { speed = 1, impuls = 1 }\n[time]",
     "2:24: record.impacts.impuls: unknown key; did you mean \"impulse\"? "
     "Allowed here: impulse, speed"},
    {"nothing counts as moved", "[time]", "[record]\nmoved = 0\n[time]",
     "2:9: record.moved: 0 is not..."},
    {"relative to nobody", "[time]", "[record]\nrelative_to = \"grond\"\n[time]",
     "2:15: record.relative_to: there is no body \"grond\"; did you mean \"ground\"?"},
    {"a group of nothing", "[time]", "[[group]]\nname = \"g\"\nbodies = []\n[time]",
     "3:10: group.bodies: an empty array is a group of nothing; must be an array of names of "
     "bodies; "
     "one that ends in * means all that begin so"},
    {"a group of nobody", "[time]", "[[group]]\nname = \"g\"\nbodies = [\"blok\"]\n[time]",
     "3:10: group.bodies: there is no body \"blok\"; did you mean \"block\"?"},
    {"a pattern that means nobody", "[time]",
     "[[group]]\nname = \"g\"\nbodies = [\"wall-*\"]\n[time]",
     "3:10: group.bodies: there is no body \"wall-*\""},
    {"a body in two groups", "[time]",
     "[[group]]\nname = \"g\"\nbodies = [\"block\"]\n[[group]]\nname = \"h\"\nbodies = "
     "[\"b*\"]\n[time]",
     "6:10: group.bodies: \"block\" is in the group \"g\" already; a body is in one group"},
    {"a group that is the name of the rest", "[time]",
     "[[group]]\nname = \"others\"\nbodies = [\"block\"]\n[time]",
     "2:8: group.name: \"others\" is not allowed; it is the name of all bodies that are in no "
     "group"},
    {"a group whose name has a colon", "[time]",
     "[[group]]\nname = \"a:b\"\nbodies = [\"block\"]\n[time]",
     "2:8: group.name: \"a:b\" is not allowed; a colon stands between two groups in names of "
     "curves"},
    {"a body in a group without a name", "name = \"block\"", "name = \"block\"\ngroup = \"\"",
     "23:9: body.group: an empty name is not allowed"},
    {"a screen without a plane", "[time]", "[[screen]]\nname = \"s\"\n[time]",
     "1:1: screen.normal: missing; must be a direction [x, y, z], or give `corners`"},
    {"a screen without area", "[time]",
     "[[screen]]\nname = \"s\"\ncorners = [[0, 0, 0], [1, 0, 0], [3, 0, 0]]\n[time]",
     "3:11: screen.corners: a polygon without area is not allowed; must be at least 3 points [m] "
     "in "
     "one plane, around an area"},
    {"a screen of two corners", "[time]",
     "[[screen]]\nname = \"s\"\ncorners = [[0, 0, 0], [1, 0, 0]]\n[time]",
     "3:11: screen.corners: 2 points are not allowed; must be at least 3 points [m] in one plane, "
     "around an area, and at most 1000"},
    {"a screen whose border crosses itself", "[time]",
     "[[screen]]\nname = \"s\"\ncorners = [[0, 0, 0], [1, 0, 1], [1, 0, 0], [0, 0, 1]]\n[time]",
     "3:11: screen.corners: the edges from corners 1 and 3 meet; the border must not cross or "
     "touch "
     "itself"},
    {"a screen whose border goes through its own corner", "[time]",
     "[[screen]]\nname = \"s\"\ncorners = [[0, 0, 0], [2, 0, 0], [2, 2, 0], [1, 0, 0], [0, 2, 0]]"
     "\n[time]",
     "3:11: screen.corners: the edges from corners 1 and 3 meet; the border must not cross or "
     "touch "
     "itself"},
    {"a screen whose border turns back", "[time]",
     "[[screen]]\nname = \"s\"\ncorners = [[0, 0, 0], [2, 0, 0], [1, 0, 0], [1, 1, 0]]\n[time]",
     "3:11: screen.corners: the edges from corners 1 and 2 meet; the border must not cross or "
     "touch "
     "itself"},
    {"a screen that is not flat", "[time]",
     "[[screen]]\nname = \"s\"\ncorners = [[0, 0, 0], [1, 0, 0], [1, 1, 0.2], [0, 1, 0]]\n[time]",
     "3:11: screen.corners: a corner lies 0.09..."},
    {"a normal of no length", "[time]", "[[screen]]\nname = \"s\"\nnormal = [0, 0, 0]\n[time]",
     "3:10: screen.normal:..."},
    {"a polygon and a plane", "[time]",
     "[[screen]]\nname = \"s\"\nnormal = [0, 0, 1]\ncorners = [[0, 0, 0], [1, 0, 0], [0, 1, "
     "0]]\n[time]",
     "4:11: screen..."},
    {"two screens of a name", "[time]",
     "[[screen]]\nname = \"s\"\nnormal = [0, 0, 1]\n[[screen]]\nname = \"s\"\nnormal = [0, 0, "
     "1]\n[time]",
     "5:8: screen.name: \"s\" is not allowed; it means a screen already in names of curves"},
    {"a screen that watches nobody", "[time]",
     "[[screen]]\nname = \"s\"\nnormal = [0, 0, 1]\nbodies = [\"rock\"]\n[time]",
     "4:10: screen.bodies: there is no group and no body \"rock\"..."},
    {"a gauge without a kind", "[time]", "[[gauge]]\nname = \"g\"\n[time]",
     "1:1: gauge.kind: missing; must be \"bodies\", \"box\" or \"grid\""},
    {"a gauge of bodies that names none", "[time]",
     "[[gauge]]\nname = \"g\"\nkind = \"bodies\"\n[time]",
     "1:1: gauge.bodies: missing; must be an array of names of groups and bodies"},
    {"a gauge of nobody", "[time]",
     "[[gauge]]\nname = \"g\"\nkind = \"bodies\"\nbodies = [\"blok\"]\n[time]",
     "4:10: gauge.bodies: there is no group and no body \"blok\"; did you mean \"block\"?"},
    {"a gauge of what is fixed", "[time]",
     "[[gauge]]\nname = \"g\"\nkind = \"bodies\"\nbodies = [\"ground\"]\n[time]",
     "4:10: gauge.bodies: none of these moves freely; the stress of what is fixed or driven is not "
     "known, as nothing tells what holds it"},
    {"a box without corners", "[time]", "[[gauge]]\nname = \"g\"\nkind = \"box\"\n[time]",
     "1:1: gauge.low: missing; must be a corner of the region, three numbers [m]"},
    {"a gauge without volume", "[time]",
     "[[gauge]]\nname = \"g\"\nkind = \"box\"\nlow = [0, 0, 0]\nhigh = [1, 0, 1]\n[time]",
     "5:8: gauge.high: a gauge without volume is not allowed: along y it goes from 0 to 0 m; must "
     "be above `low` along each axis"},
    {"a grid without cells", "[time]",
     "[[gauge]]\nname = \"g\"\nkind = \"grid\"\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\n[time]",
     "1:1: gauge.cells: missing; must be three integers >= 1..."},
    {"a grid of half a cell", "[time]",
     "[[gauge]]\nname = \"g\"\nkind = \"grid\"\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\ncells = [1, "
     "1.5, 1]\n[time]",
     "6:9: gauge.cells: these numbers are not allowed; must be three integers >= 1..."},
    {"a grid of too many cells", "[time]",
     "[[gauge]]\nname = \"g\"\nkind = \"grid\"\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\ncells = "
     "[100, 100, 100]\n[time]",
     "6:9: gauge.cells: these numbers are not allowed..."},
    {"cells of a box", "[time]",
     "[[gauge]]\nname = \"g\"\nkind = \"box\"\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\ncells = [1, 1, "
     "2]\n[time]",
     "6:1: gauge.cells: unknown key..."},
    {"a gauge that is a path", "[time]",
     "[[gauge]]\nname = \"a/b\"\nkind = \"box\"\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\n[time]",
     "2:8: gauge.name: is part of the names of tables as well; must be at most 100 bytes without a "
     "/"},
    {"two gauges of a name", "[time]",
     "[[gauge]]\nname = \"g\"\nkind = \"box\"\nlow = [0, 0, 0]\nhigh = [1, 1, "
     "1]\n[[gauge]]\nname = \"g\"\nkind = \"box\"\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\n[time]",
     "7:8: gauge.name: \"g\" is not allowed; it means a gauge already in names of curves"},
    {"a mean of stresses that nobody asked for", "[time]",
     "[output]\nstress_mean = \"frame\"\n[time]",
     "2:15: output.stress_mean: goes with stress = true, which is not there; leave it out"},
    {"stresses in frames that are not kept", "[time]",
     "[output]\nstress = true\nkeep_frames = false\n[time]",
     "2:10: output.stress: is written in frames, and keep_frames = false keeps none"},
    {"a screen that watches what never moves freely", "[time]",
     "[[screen]]\nname = \"s\"\nnormal = [0, 0, 1]\nbodies = [\"ground\"]\n[time]",
     "4:10: screen.bodies: all of them are fixed or driven; a screen notes bodies that move "
     "freely"},
    {"a screen that has the name of a body", "[time]",
     "[[screen]]\nname = \"block\"\nnormal = [0, 0, 1]\n[time]",
     "2:8: screen.name: \"block\" is not allowed; it means a body already in names of curves"},
    {"a screen that has the name of the log", "[time]",
     "[[screen]]\nname = \"impacts\"\nnormal = [0, 0, 1]\n[time]",
     "2:8: screen.name: \"impacts\" is not allowed; it means the impact log in names of curves"},
    {"a screen that has the name of a group", "[time]",
     "[[group]]\nname = \"g\"\nbodies = [\"block\"]\n[[screen]]\nname = \"g\"\nnormal = [0, 0, "
     "1]\n[time]",
     "5:8: screen.name: \"g\" is not allowed; it means a group already in names of curves"},
    {"a screen that has the name of the bodies in no group", "[time]",
     "[[screen]]\nname = \"others\"\nnormal = [0, 0, 1]\n[time]",
     "2:8: screen.name: \"others\" is not allowed; it means the bodies that are in no group "
     "already "
     "in names of curves"},
    {"a screen that has the name of a pair of groups", "[time]",
     "[[group]]\nname = \"g\"\nbodies = [\"block\"]\n[[screen]]\nname = \"g:others\"\nnormal = [0, "
     "0, 1]\n[time]",
     "5:8: screen.name: \"g:others\" is not allowed; it means what one group gives another already "
     "in names of curves"},
    {"a gauge that has the name of a body", "[time]",
     "[[gauge]]\nname = \"block\"\nkind = \"bodies\"\nbodies = [\"block\"]\n[time]",
     "2:8: gauge.name: \"block\" is not allowed; it means a body already in names of curves"},
    {"a gauge that has the name of a group", "[time]",
     "[[group]]\nname = \"g\"\nbodies = [\"block\"]\n[[gauge]]\nname = \"g\"\nkind = "
     "\"bodies\"\nbodies = [\"block\"]\n[time]",
     "5:8: gauge.name: \"g\" is not allowed; it means a group already in names of curves"},
    {"a gauge that has the name of a screen", "[time]",
     "[[screen]]\nname = \"s\"\nnormal = [0, 0, 1]\n[[gauge]]\nname = \"s\"\nkind = "
     "\"bodies\"\nbodies = [\"block\"]\n[time]",
     "5:8: gauge.name: \"s\" is not allowed; it means a screen already in names of curves"},
    {"a gauge that has the name of the log", "[time]",
     "[[gauge]]\nname = \"impacts\"\nkind = \"bodies\"\nbodies = [\"block\"]\n[time]",
     "2:8: gauge.name: \"impacts\" is not allowed; it means the impact log in names of curves"},
    {"a group that has the name of the log", "[time]",
     "[[group]]\nname = \"impacts\"\nbodies = [\"block\"]\n[time]",
     "2:8: group.name: \"impacts\" is not allowed; it means the impact log in names of curves"},
    {"a body in a group that has the name of the log", "name = \"block\"",
     "name = \"block\"\ngroup = \"impacts\"",
     "23:9: body.group: \"impacts\" is not allowed; it means the impact log in names of curves"},
    {"a body that has the name of the log", "name = \"block\"", "name = \"impacts\"",
     "22:8: body.name: \"impacts\" is not allowed; it means the impact log in names of curves"},
    {"a screen that watches nothing", "[time]",
     "[[screen]]\nname = \"s\"\nnormal = [0, 0, 1]\nbodies = []\n[time]",
     "4:10: screen.bodies: an empty array is a group of nothing; must name groups or bodies"},
};

}  // namespace

TEST_CASE("Bad devices are refused in one line", "[scenes][unit]") {
  for (const BadInput& input : bad_measures) check_message(input);
}

TEST_CASE("Devices of a scene are read as they are written", "[scenes][unit]") {
  const scree::Scene scene = scree::parse_scene(
      "[record]\nimpacts = { speed = 0.1 }\nmoved = 0.01\nrelative_to = \"ground\"\n" +
          replaced(block_on_ground, "name = \"block\"", "name = \"block\"\ngroup = \"stones\"") +
          "[[group]]\nname = \"base\"\nbodies = [\"gr*\"]\n[[screen]]\nname = \"gate\"\ncorners = "
          "[[0, 0, 0], [0, 2, 0], [0, 2, 2], [0, 0, 2]]\nbodies = [\"stones\"]\n",
      "scene.toml");
  const scree::MeasureSettings& measure = scene.settings.measure;
  CHECK(measure.impacts.speed == 0.1);
  CHECK(std::isinf(measure.impacts.impulse));
  CHECK(measure.groups.moved == 0.01);
  CHECK(measure.relative_to == 0);
  CHECK(measure.groups.name == std::vector<std::string>{"stones", "base"});
  CHECK(measure.groups.of_body == std::vector<std::int32_t>{1, 0});
  REQUIRE(measure.screens.size() == 1);
  CHECK((measure.screens[0].normal - scree::Vector3::UnitX()).norm() < 1e-15);
  CHECK((measure.screens[0].point - scree::Vector3(0.0, 1.0, 1.0)).norm() < 1e-15);
  CHECK(measure.screens[0].watched == std::vector<std::uint8_t>{0, 1});
}

}  // namespace bad_measures_test
