#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "engine/base/check.hpp"
#include "scenes/read/scene.hpp"
#include "tests/scenes/read/scene_texts.hpp"

namespace scene_edits_test {

using namespace scree;
using namespace scree::test;

namespace {

Scene with(const std::vector<std::string>& edits) {
  return parse_scene(block_on_ground, "scene.toml", {}, {{}, {}, edits});
}

std::string message_of(const std::vector<std::string>& edits) {
  try {
    with(edits);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("Edits give keys of every kind another value, with the bits of the file") {
  const Scene scene = with({"time.dt=1e-4", "contact[0].mu = 0.25", "body[1].position=[1, 2, 0.5]",
                            "body[block].velocity=[3,0,0]", "body[\"block\"].position[0]=7",
                            "time.theta=0.6", "law.activation=paper", "solver.tolerance=1e-9",
                            "stop={displacement=1e-4,window=0.5}"});
  CHECK(scene.settings.time.dt == 1e-4);
  CHECK(scene.settings.time.theta == 0.6);
  CHECK(scene.settings.step.solver.tolerance == 1e-9);
  CHECK(scene.settings.step.activation == Activation::paper);
  CHECK(scene.settings.stop.window == 0.5);
  CHECK(scene.model.materials.at(0, 0)->mu == 0.25);
  CHECK(scene.state.x[1] == Vector3(7.0, 2.0, 0.5));
  CHECK(scene.state.v[1] == Vector3(3.0, 0.0, 0.0));
  CHECK(scene.source == block_on_ground);
  CHECK(scene.edit_unit ==
        std::vector<std::string>{"[s]", "", "[m]", "[m/s]", "[m]", "", "", "", "[s]"});
  // A scene that is written so from the start.
  const Scene same = parse_scene(
      replaced(replaced(block_on_ground, "[0, 0, 0.5]", "[1, 2, 0.5]"), "mu = 0.6", "mu = 0.25"),
      "scene.toml");
  CHECK(same.state.x == with({"body[1].position=[1,2,0.5]", "contact[0].mu=0.25"}).state.x);
}

TEST_CASE("The order of bodies is that of the file, whatever is edited") {
  const Scene scene = with({"body[0].normal=[0,0,2]", "body[ground].name=floor"});
  CHECK(scene.model.name == std::vector<std::string>{"floor", "block"});
}

TEST_CASE("What is wrong with an edit is told of it as it was typed") {
  const std::pair<const char*, const char*> faults[] = {
      {"time.dt=0", "time.dt: 0 is not allowed; must be a finite number > 0 [s]"},
      {"contact[0].mu=-1", "contact.mu: -1 is not allowed; must be a number in [0, 100]"},
      {"contact[0].mu=\"x\"",
       "contact.mu: the string \"x\" is not allowed; must be a number in [0, 100]"},
      {"time.dtt=1", "time.dtt: unknown key; did you mean \"dt\"? Allowed here: dt, end, theta"},
      {"tiem.dt=1", "tiem: unknown key; did you mean \"time\"?"},
      {"contac[0].mu=1", "there is no contac in the scene; did you mean contact?"},
      {"contact.mu=1",
       "contact is an array of 1; name one by its number, from 0, or its name, as contact[0]"},
      {"contact[1].mu=1", "contact has 1 entries; they are numbered from 0"},
      {"contact[stone].mu=1", "contact has no names; give a number from 0"},
      {"body[blok].velocity=[0,0,1]", "body has no 'blok'; did you mean block?"},
      {"body[1].position[3]=1", "body[1].position has 3 entries; they are numbered from 0"},
      {"body[1].position[0]=\"up\"",
       "body.position: the string \"up\" is not allowed; must be a finite number [m]"},
      {"time.dt.x=1", "time.dt is no table, so it has no key 'x'"},
      {"time.dt[0]=1", "time.dt is no array, so it has no [0]"},
      {"time={dt=1}", "time holds keys of its own; set them one at a time"},
      {"body[0]={}", "body[0] holds keys of its own; set them one at a time"},
      {"body=[{}]", "body holds keys of its own; set them one at a time"},
      {"stop.window=1", "stop.displacement: missing; must be a finite number > 0 [m]"},
      {"time.dt=1,2", "'1,2' is no value of TOML; "},
      {"time.dt=1 # s", "'1 # s' is no value of TOML; "},
      {"time.dt=1e", "'1e' is no value of TOML; "},
      {"time.dt=]+[", "']+[' is no value of TOML; "},
      {"time..dt=1", "'time..dt' is no key; "},
      {"[0]=1", "'[0]' is no key; "},
      {"body[=1", "must be KEY=VALUE, as time.dt=1e-4"},
      {"time.dt=", "must be KEY=VALUE, as time.dt=1e-4"},
      {"time.dt", "must be KEY=VALUE, as time.dt=1e-4"},
      {"=1", "must be KEY=VALUE, as time.dt=1e-4"}};
  for (const auto& [edit, message] : faults) {
    INFO(edit);
    const std::string told = message_of({edit});
    std::string expected = "--set ";
    expected += edit;
    expected += ": ";
    expected += message;
    CHECK(told.substr(0, expected.size()) == expected);
    CHECK(told.find('\n') == std::string::npos);
  }
  CHECK(message_of({"time.dt=0.01", "time.dt=0.02"}) ==
        "--set time.dt=0.02: time.dt is set twice; give it once");
  // In other words, too.
  CHECK(message_of({"contact[0].mu=0.3", "contact[00].mu=0.4"}) ==
        "--set contact[00].mu=0.4: contact[00].mu is set twice; give it once");
  CHECK(message_of({"body[1].position[2]=0.5", "body[block].position[2]=0.6"}) ==
        "--set body[block].position[2]=0.6: body[block].position[2] is set twice; give it once");
  CHECK(
      message_of({"time.end=1e-9", "time.dt=0.5"}).starts_with("--set time.end=1e-9: time.end: "));
  CHECK(message_of({"time.dt=1\n"}) ==
        "--set time.dt=1\\n: must be one line, without control characters");
}

TEST_CASE("A fault of the file stays one of the file beside edits") {
  const std::string text = replaced(block_on_ground, "mu = 0.6", "mu = -2");
  try {
    parse_scene(text, "scene.toml", {}, {{}, {}, {"time.dt=0.01"}});
    FAIL("accepted");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).starts_with("scene.toml:12:6: contact.mu: -2"));
  }
}

}  // namespace scene_edits_test
