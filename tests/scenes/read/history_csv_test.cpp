// Histories of driven bodies from CSV files.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "engine/base/check.hpp"
#include "scenes/read/history_csv.hpp"
#include "scenes/read/scene.hpp"
#include "tests/scenes/read/scene_texts.hpp"

namespace history_csv_test {

using namespace scree;
using namespace scree::test;

namespace {

MotionHistory history_from(const std::string& text, HistoryKind kind = HistoryKind::velocity) {
  MotionHistory history;
  history.kind = kind;
  scenes::read_history_csv(text, "shake.csv", history);
  return history;
}

std::string message_of_csv(const std::string& text, HistoryKind kind = HistoryKind::velocity) {
  try {
    history_from(text, kind);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void check_table(const MotionHistory& history) {
  REQUIRE(history.time == std::vector<double>{0.0, 0.5, 2.0});
  CHECK(history.linear ==
        std::vector<Vector3>{{0.25, 0.0, -1.0}, {0.0, 0.0, 1e-3}, {3.0, 0.0, 0.0}});
  CHECK(history.angular ==
        std::vector<Vector3>{{0.0, 7.0, 0.0}, {0.0, 8.0, 0.0}, {0.0, -9.0, 0.0}});
}

const std::string driven_block =
    replaced(block_on_ground, "name = \"block\"",
             "name = \"block\"\nmotion = { kind = \"velocity\", file = \"data/shake.csv\" }");

}  // namespace

TEST_CASE("History file gives the table whatever its order, spaces and line ends",
          "[scenes][unit]") {
  check_table(
      history_from("time,linear_x,linear_z,angular_y\n0,0.25,-1,7\n0.5,0,1e-3,8\n2,3,0,-9\n"));
  check_table(history_from(
      "\xEF\xBB\xBF# recorded\r\n\r\n angular_y [rad/s] , linear_z[m/s],time [s],linear_x [m/s]\r\n"
      "7, -1, 0, +0.25\r\n# a remark\r\n8,1e-3,.5,0\r\n\t\r\n-9,0,2,3"));
  CHECK(history_from("time [s],linear_x [m/s2]\n0,1\n", HistoryKind::acceleration).linear.front() ==
        Vector3(1.0, 0.0, 0.0));
}

TEST_CASE("History file with a fault is refused with line and column", "[scenes][unit]") {
  const std::string names = "time, linear_x, linear_y, linear_z, angular_x, angular_y, angular_z";
  const std::string format = ", with one comma between two columns and a point in numbers";
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"", "1:1: header: missing; must name the columns: " + names},
      {"# nothing\n\n", "3:1: header: missing; must name the columns: " + names},
      {"time,linear_x\n", "2:1: time: missing; at least one line of numbers must follow the names"},
      {"time,lineer_x\n",
       "1:6: header: unknown column \"lineer_x\"; did you mean \"linear_x\"? Names must be among " +
           names + format},
      {"0,1\n", "1:1: header: unknown column \"0\"; must be among " + names + format},
      {"time;linear_x\n0;1\n",
       "1:1: header: unknown column \"time;linear_x\"; did you mean \"time\"? Names must be "
       "among " +
           names + format},
      {"time,linear_x,linear_x\n", "1:15: linear_x: is there twice"},
      {"linear_x\n1\n", "1:1: time: missing; one column must be called time"},
      {"time,linear_x [g]\n",
       "1:6: linear_x: the unit [g] is not allowed; must be [m/s] for kind = \"velocity\""},
      {"time [ms]\n",
       "1:1: time: the unit [ms] is not allowed; must be [s] for kind = \"velocity\""},
      {"time,linear_x\n0,1\n1\n",
       "3:1: row: 1 columns are not allowed; must be 2 as in the first line" + format},
      {"time,linear_x\n0,1,5\n",
       "2:5: row: 3 columns are not allowed; must be 2 as in the first line" + format},
      {"time,linear_x\n0,\n", "2:3: linear_x: \"\" is not allowed; must be a finite number"},
      {"time,linear_x\n0, 1.5m\n",
       "2:4: linear_x: \"1.5m\" is not allowed; must be a finite number"},
      {"time,linear_x\n0,nan\n", "2:3: linear_x: \"nan\" is not allowed; must be a finite number"},
      {"time,linear_x\n0,1e999\n",
       "2:3: linear_x: \"1e999\" is not allowed; must be a finite number"},
      {std::string("time,linear_x\n0,a\0b\x01\n", 20),
       "2:3: linear_x: \"a\\u0000b\\u0001\" is not allowed; must be a finite number"},
      {"time\n-1\n", "2:1: time: -1 is not allowed; must be >= 0 [s]"},
      {"linear_x,time\n0,1\n0,1.0\n",
       "3:3: time: 1.0 after 1 is not allowed; must be times [s], each later than the one before"}};
  for (const auto& [text, message] : faults) {
    CAPTURE(text);
    CHECK(message_of_csv(text) == "shake.csv:" + message);
  }
  CHECK(message_of_csv("time,angular_z [rad/s]\n", HistoryKind::acceleration) ==
        "shake.csv:1:6: angular_z: the unit [rad/s] is not allowed; must be [rad/s2] for kind = "
        "\"acceleration\"");
}

TEST_CASE("Scene drives a body as its history file says and keeps the file's text",
          "[scenes][unit]") {
  const std::string text = "time,linear_x\n0,1\n2,3\n";
  std::vector<std::string> asked;
  const Scene scene = parse_scene(driven_block, "folder/scene.toml", [&](const std::string& name) {
    asked.push_back(name);
    return text;
  });
  CHECK(asked == std::vector<std::string>{"data/shake.csv"});
  CHECK(scene.model.kind[1] == BodyKind::driven);
  CHECK(scene.state.v[1] == Vector3(1.0, 0.0, 0.0));
  CHECK(velocity_at(scene.model.histories.at(0), 1.0).v == Vector3(2.0, 0.0, 0.0));
  REQUIRE(scene.files.size() == 1);
  CHECK(scene.files[0].name == "data/shake.csv");
  CHECK(scene.files[0].text == text);
  CHECK(scene_hash(scene.source, scene.files) != scene_hash(scene.source, {}));
  CHECK(scene_hash(scene.source, scene.files) !=
        scene_hash(scene.source, {{"data/shake.csv", text + "\n"}}));
}

TEST_CASE("Scene that names a history file it cannot have says where and why", "[scenes][unit]") {
  const auto message = [](const std::string& scene, const FileReader& reader) -> std::string {
    try {
      parse_scene(scene, "folder/scene.toml", reader);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const FileReader none = [](const std::string&) -> std::string {
    throw InputError("folder/data/shake.csv: cannot be read: it is gone");
  };
  const FileReader bad = [](const std::string&) { return std::string("time,linear_x\n0,x\n"); };
  CHECK(message(driven_block, {}) ==
        "folder/scene.toml:23:38: body.motion.file: \"data/shake.csv\": this scene is not read "
        "from a file, so "
        "it cannot name one");
  CHECK(message(driven_block, none) ==
        "folder/scene.toml:23:38: body.motion.file: folder/data/shake.csv: cannot be read: it is "
        "gone");
  CHECK(message(driven_block, bad) ==
        "folder/data/shake.csv:2:3: linear_x: \"x\" is not allowed; must be a finite number");
  CHECK(message(replaced(driven_block, "file =", "time = [0], file ="), bad) ==
        "folder/scene.toml:23:50: body.motion.file: give either file or time, not both");
  CHECK(message(replaced(driven_block, "data/shake.csv", ""), bad) ==
        "folder/scene.toml:23:38: body.motion.file: is empty; must be the name of a CSV file");
}

}  // namespace history_csv_test
