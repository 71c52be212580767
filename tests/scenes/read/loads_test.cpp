// Loads, drag and the field besides gravity in scene files.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <string>

#include "engine/base/check.hpp"
#include "scenes/read/scene.hpp"
#include "tests/scenes/read/bad_input.hpp"
#include "tests/scenes/read/scene_texts.hpp"

namespace loads_test {

using namespace scree;
using namespace scree::test;

namespace {

const std::map<std::string, std::string> files = {
    {"push.csv", "time [s],force_x [kN],torque_z\n0,1,0\n2,3,-4\n"},
    {"shake.csv", "x [g],z [cm/s2]\n0,0\n1,100\n0,0\n"},
    {"line.csv", "time,acceleration\n0,1\n0.5,2\n"},
    {"jump.csv", "time,acceleration\n0,1\n0.02,2\n0.05,1\n"},
    {"back.csv", "time,acceleration\n0,1\n0.02,2\n0.01,1\n"},
    {"NEW.AT2",
     "PEER NGA STRONG MOTION DATABASE RECORD\nSomewhere, 1/1/2000, 230\nACCELERATION TIME SERIES "
     "IN "
     "UNITS OF G\nNPTS=   5, DT=   .0100 SEC,\n  .1000E+00  .2000E+00 -.3000E+00\n  0.0  .05\n"},
    {"OLD.at2",
     "PEER\nSomewhere\nACCELERATION TIME HISTORY IN UNITS OF G. FILTER POINTS: HP=0.1\n   2   "
     "0.0050  "
     "  NPTS, DT\n .1 .2\n"},
    {"SHORT.AT2", "PEER\nSomewhere\nACCELERATION IN UNITS OF G\nNPTS= 3, DT= .01 SEC\n.1 .2\n"},
    {"VEL.AT2",
     "PEER\nSomewhere\nVELOCITY TIME SERIES IN UNITS OF CM/S\nNPTS= 1, DT= .01 SEC\n.1\n"}};

Scene scene_from(const std::string& text) {
  return parse_scene(text, "scene.toml", [](const std::string& name) {
    const auto found = files.find(name);
    if (found == files.end()) throw InputError(name + ": there is no such file");
    return found->second;
  });
}

std::string message_from(const std::string& text) {
  try {
    scene_from(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string loaded(const std::string& keys) {
  return replaced(block_on_ground, "name = \"block\"", "name = \"block\"\n" + keys);
}

std::string shaken(const std::string& acceleration) {
  return "[world]\nacceleration = " + acceleration + "\n" + block_on_ground;
}

}  // namespace

TEST_CASE("Loads of a body are read: one or several, inline or from a file", "[scenes][unit]") {
  const Scene one = scene_from(loaded(
      "load = { force = [1, 2, 3], at = [0.5, 0, 0.25], axes = \"body\" }\ndrag = { linear = "
      "4 }"));
  REQUIRE(one.model.loads.size() == 1);
  const Load& load = one.model.loads[0];
  CHECK(load.force.value == std::vector<Vector3>{{1.0, 2.0, 3.0}});
  CHECK(load.torque.empty());
  CHECK(load.point == Vector3(0.5, 0.0, 0.25));
  CHECK(!load.central);
  CHECK(load.axes == LoadAxes::body);
  REQUIRE(one.model.steered.size() == 1);
  CHECK(one.model.steered[0].body == 1);
  CHECK(one.model.steered[0].drag.linear == 4.0);

  const Scene several =
      scene_from(block_on_ground +
                 "[[body.load]]\ntime = [0, 1]\nforce = [[0, 0, 0], [5, 0, 0]]\n"
                 "outside = \"zero\"\n[[body.load]]\nfile = \"push.csv\"\n[[load]]\n"
                 "body = \"block\"\ntorque = [0, 0, 7]\n");
  REQUIRE(several.model.loads.size() == 3);
  CHECK(several.model.loads[0].force.time == std::vector<double>{0.0, 1.0});
  CHECK(!several.model.loads[0].force.holds);
  CHECK(several.model.loads[1].force.value ==
        std::vector<Vector3>{{1000.0, 0.0, 0.0}, {3000.0, 0.0, 0.0}});
  CHECK(several.model.loads[1].torque.value ==
        std::vector<Vector3>{{0.0, 0.0, 0.0}, {0.0, 0.0, -4.0}});
  CHECK(several.model.loads[2].torque.value == std::vector<Vector3>{{0.0, 0.0, 7.0}});
  CHECK(several.model.steered[0].load_end == 3);
}

TEST_CASE("Records of the ground are read in their units", "[scenes][unit]") {
  const auto field = [](const std::string& table) {
    return scene_from(shaken(table)).model.field.at(0);
  };
  // The ground goes one way, bodies feel the other.
  const FieldRecord even =
      field("{ kind = \"ground\", file = \"shake.csv\", time_step = 0.02, scale = 2 }");
  CHECK(even.ground);
  CHECK(!even.acceleration.holds);
  CHECK(even.acceleration.time == std::vector<double>{0.0, 0.02, 0.04});
  CHECK((even.acceleration.value[1] - Vector3(-2.0 * 9.80665, 0.0, -2.0)).norm() <= 1e-14);
  const FieldRecord along = field(
      "{ kind = \"field\", file = \"line.csv\", unit = \"g\", direction = [0, 2, 0], start = 3 }");
  CHECK(along.acceleration.holds);
  CHECK(along.acceleration.time == std::vector<double>{3.0, 3.5});
  CHECK((along.acceleration.value[1] - Vector3(0.0, 2.0 * 9.80665, 0.0)).norm() <= 1e-14);
  const FieldRecord fresh =
      field("{ kind = \"ground\", file = \"NEW.AT2\", direction = [1, 0, 0] }");
  REQUIRE(fresh.acceleration.time.size() == 5);
  CHECK(std::abs(fresh.acceleration.time[4] - 0.04) <= 1e-16);
  CHECK(std::abs(fresh.acceleration.value[2].x() - 0.3 * 9.80665) <= 1e-15);
  const FieldRecord old = field("{ kind = \"ground\", file = \"OLD.at2\", direction = [0, 1, 0] }");
  CHECK(old.acceleration.time == std::vector<double>{0.0, 0.005});
  const FieldRecord constant = field("{ kind = \"field\", acceleration = [0, 0, 1] }");
  CHECK(constant.acceleration.value == std::vector<Vector3>{{0.0, 0.0, 1.0}});
  const FieldRecord resting = field(
      "{ kind = \"ground\", time_step = 0.1, acceleration = [[1, 0, 0], [2, 0, 0], [1, 0, 0]], "
      "baseline "
      "= \"constant\" }");
  CHECK(std::abs(integrals_until(resting.acceleration, 1.0).once.x()) <= 1e-15);
  CHECK(scene_from("[[world.acceleration]]\nkind = \"field\"\nacceleration = [1, 0, 0]\n"
                   "[[world.acceleration]]\nkind = \"field\"\nacceleration = [0, 1, 0]\n" +
                   block_on_ground)
            .model.field.size() == 2);
}

TEST_CASE("Loads with a fault are refused in one clear line", "[scenes][unit]") {
  const std::pair<std::string, std::string> faults[] = {
      {replaced(block_on_ground, "name = \"ground\"",
                "name = \"ground\"\nload = { force = [1, 0, 0] }"),
       "scene.toml:17:8: body.load: a fixed body does not move, so no force moves it; leave load "
       "out"},
      {loaded("fixed = true\ndrag = { linear = 1 }"),
       "scene.toml:24:8: body.drag: a fixed body does not move, so no force moves it; leave drag "
       "out"},
      {loaded("motion = { kind = \"velocity\", time = [0] }\nload = { torque = [1, 0, 0] }"),
       "scene.toml:24:8: body.load: motion says how this body moves, so no force moves it; leave "
       "load "
       "out"},
      {loaded("load = { time = [0, 2, 1], force = [[1, 0, 0], [1, 0, 0], [1, 0, 0]] }"),
       "scene.toml:23:17: body.load.time: 1 after 2 is not allowed; must be times [s], each later "
       "than "
       "the one before"},
      {loaded("load = { time = [0, 2], force = [[1, 0, 0]] }"),
       "scene.toml:23:33: body.load.force: an array of 1 is not allowed; must be one value for "
       "each of "
       "the 2 times"},
      {loaded("load = { }"),
       "scene.toml:23:8: body.load.force: missing; must be a force [N] or a torque [N m]: three "
       "numbers, "
       "or one vector for each time"},
      {loaded("load = { force = [1, 0, inf] }"),
       "scene.toml:23:25: body.load.force: inf is not allowed; must be a finite number [N]"},
      {loaded("load = { torque = [1, 0, 0], at = [0, 0, 1] }"),
       "scene.toml:23:35: body.load.at: is where a force acts, and there is none; leave it out"},
      {loaded("drag = { linear = -1 }"),
       "scene.toml:23:19: body.drag.linear: -1 is not allowed; must be a number in [0, 1e+40] [N "
       "s/m]"},
      {block_on_ground + "[[load]]\nbody = \"blok\"\nforce = [1, 0, 0]\n",
       "scene.toml:28:8: load.body: there is no body \"blok\"; did you mean \"block\"?"},
      {block_on_ground + "[[load]]\nbody = \"ground\"\nforce = [1, 0, 0]\n",
       "scene.toml:28:8: load.body: \"ground\" is fixed, so no force moves it; take the load away"},
      {shaken(
           "{ kind = \"ground\", file = \"jump.csv\", direction = [1, 0, 0], time_step = 0.02 }"),
       "jump.csv:4:1: time: 0.05 is not allowed; must be 0.04, as time_step = 0.02 s says: the "
       "record "
       "jumps in time"},
      {shaken("{ kind = \"ground\", file = \"back.csv\", direction = [1, 0, 0] }"),
       "back.csv:4:1: time: 0.01 after 0.02 is not allowed; must be times [s], each later than the "
       "one "
       "before"},
      {shaken("{ kind = \"ground\", file = \"SHORT.AT2\", direction = [1, 0, 0] }"),
       "SHORT.AT2:6:1: acceleration: 2 numbers are not allowed; must be 3, as line 4 says"},
      {shaken("{ kind = \"ground\", file = \"VEL.AT2\", direction = [1, 0, 0] }"),
       "VEL.AT2:3:1: units: must be a line as \"ACCELERATION TIME SERIES IN UNITS OF G\""},
      {shaken("{ kind = \"ground\", file = \"NEW.AT2\" }"),
       "scene.toml:2:16: world.acceleration.direction: missing; must be the direction of the "
       "motion in "
       "the file NEW.AT2"},
      {shaken("{ kind = \"grond\", acceleration = [1, 0, 0] }"),
       "scene.toml:2:25: world.acceleration.kind: unknown value \"grond\"; did you mean "
       "\"ground\"? "
       "Allowed here: ground, field"},
  };
  for (const auto& [text, message] : faults) CHECK(message_from(text) == message);
}

TEST_CASE("Locks and planes with a fault are refused in one clear line", "[scenes][unit]") {
  const std::string plane = "[world]\nplane = \"xz\"\n" + block_on_ground;
  const std::string turned = "rotation = { axis = [1, 0, 0], angle_deg = 30 }\n";
  const std::pair<std::string, std::string> faults[] = {
      {loaded("free = [\"x\", \"u\"]"),
       "scene.toml:22:8: body.free: unknown direction \"u\"; must be among x, y, z, rx, ry, rz"},
      {loaded("free = [\"x\", \"x\"]"), "scene.toml:22:8: body.free: \"x\" is there twice"},
      {loaded("free = []"),
       "scene.toml:22:8: body.free: nothing is free; a body that never moves is fixed = true"},
      {loaded(turned + "free = [\"rx\", \"ry\"]"),
       "scene.toml:22:8: body.free: the rotation rz alone cannot be locked: no principal axis of "
       "the body "
       "lies along it (the nearest is 30 degrees off); free one rotation, none or all three, or "
       "turn the "
       "body"},
      {loaded("free = [\"x\"]\nvelocity = [1, 2, 0]"),
       "scene.toml:22:8: body.velocity: has a part along a locked direction"},
      {loaded("free = [\"x\", \"ry\"]\nangular_velocity = [1, 0, 0]"),
       "scene.toml:22:8: body.angular_velocity: has a part about a locked axis"},
      {loaded("fixed = true\nfree = [\"x\"]"),
       "scene.toml:24:8: body.free: a fixed body does not move; leave free out"},
      {replaced(plane, "name = \"block\"", "name = \"block\"\nfree = [\"x\", \"y\"]"),
       "scene.toml:24:8: body.free: \"y\" is not allowed in [world] plane = \"xz\"; must be among "
       "x, z, ry"},
      {replaced(plane, "name = \"block\"", "name = \"block\"\n" + turned),
       "scene.toml:24:8: body: in [world] plane = \"xz\" the body \"block\" has no mirror plane "
       "across y: of "
       "its corner at y = ..."},
      {replaced(plane, "normal = [0, 0, 1]", "normal = [0, 0.1, 1]"),
       "scene.toml:18:8: body: in [world] plane = \"xz\" the body \"ground\" has no mirror plane "
       "across y: "
       "its axis or normal is oblique to it"},
      {plane + "[[body]]\nname = \"off\"\nkind = \"sphere\"\nradius = 0.1\nmaterial = "
               "\"stone\"\nposition = "
               "[3, 0.1, 2]\n",
       "scene.toml:30:8: body: in [world] plane = \"xz\" the body \"off\" has its mirror plane at "
       "y = 0.1 m, "
       "the bodies before it at 0 m; all must have the same"},
      {plane + "[[body]]\nname = \"paddle\"\nkind = \"sphere\"\nradius = 0.1\nmaterial = "
               "\"stone\"\nposition = [3, 0, 2]\nmotion = { kind = \"velocity\", time = [0, 1], "
               "linear = [[1, "
               "0, 0], [0, 1, 0]] }\n",
       "scene.toml:30:8: body: in [world] plane = \"xz\" the body \"paddle\" is driven out of the "
       "plane at t "
       "= 1 s"},
      {replaced(block_on_ground, "kind = \"box\"\nsides = [1, 2, 1]",
                "kind = \"disc\"\nradius = 0.5"),
       "scene.toml:23:8: body.kind: a disc is for plane problems: give [world] plane = \"xz\", or "
       "take a "
       "sphere"},
      {loaded("load = { pressure = 5, direction = [0, 0, -1] }"),
       "scene.toml:23:8: body.load.area: missing; must be the area on which the pressure acts "
       "[m2], or a "
       "span that it changes with"},
      {loaded("load = { pressure = 5, direction = [0, 0, -1], span = { between = [\"ground\", "
              "\"lid\"], axis "
              "= [1, 0, 0], length = 1, depth = 1 } }"),
       "scene.toml:22:8: load.span.between: there is no body \"lid\""},
  };
  for (const auto& [text, wanted] : faults) {
    std::string message = message_from(text), expected = wanted;
    if (expected.ends_with("...")) {
      expected.resize(expected.size() - 3);
      message.resize(std::min(message.size(), expected.size()));
    }
    CHECK(message == expected);
  }
  const Scene scene =
      scene_from(replaced(plane, "name = \"block\"", "name = \"block\"\nfree = [\"x\"]"));
  REQUIRE(scene.model.steered.size() == 1);
  CHECK(scene.model.steered[0].freedom.directions == Vector3(1.0, 0.0, 0.0));
  CHECK(scene.model.steered[0].freedom.rotations == 0);
}

}  // namespace loads_test
