#include "tools/cli/export.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include <CLI/CLI.hpp>

#include "engine/base/check.hpp"
#include "engine/files/result_writer.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/world.hpp"
#include "tools/export/picture_scenes.hpp"

namespace export_test {

using namespace scree;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

// A run in a folder of its own: a box that rises 1 m a frame, a ball that appears at the second
// frame, a slope. Five frames of 0.1 s. No mechanics: numbers that can be told apart.
class RecordedRun : public test::World {
 public:
  RecordedRun() {
    model.origin = Vector3(1000.0, 0.0, 0.0);
    add_plane(Vector3(-1.0, 0.0, 1.0), Vector3(4.0, 0.0, 0.0));
    add_box(Vector3(1.0, 2.0, 3.0), Pose{Vector3(0.0, 0.0, 1.5), Quaternion::Identity()});
    add_sphere(0.5, Vector3(0.0, 3.0, 0.5), 7.0, Vector3(0.0, 0.0, -8.0));
    state.active[2] = 0;
    settings.output.frames_per_second = 10.0;
    settings.time.dt = 0.1;
    record();
  }

  std::string file(const std::string& name) const { return folder_.file(name); }
  ResultReader results() const { return ResultReader(file("run.h5")); }

 private:
  void record() {
    ResultWriter writer(file("run.h5"), false, {}, model, settings);
    StepRecord step;
    const ContactSet contacts;
    const contact::BodyProblem problem;
    for (int k = 0; k < 5; ++k) {
      state.step = step.step = k;
      state.time = step.time = 0.1 * k;
      state.x[1].z() = 1.5 + k;
      state.v[1] = Vector3(0.0, 0.0, k);
      state.active[2] = k >= 1 ? 1 : 0;
      writer.record({model, settings, state, step, contacts, {}, {}, {}, {}, {}, {}, problem},
                    k == 4);
    }
    writer.finish({});
  }

  test::TemporaryFolder folder_;
};

int export_with(std::vector<std::string> arguments) {
  CLI::App app;
  int exit_code = -1;
  add_export_command(app, exit_code);
  arguments.insert(arguments.begin(), "export");
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(arguments);
  } catch (const InputError&) {
    return 2;  // what the program makes of it
  }
  return exit_code;
}

}  // namespace

TEST_CASE("Frame choice takes the nearest moments and spreads panels evenly", "[tools][unit]") {
  const std::vector<double> times = {0.0, 0.1, 0.2, 0.3, 0.4};
  using Frames = std::vector<std::int64_t>;
  CHECK(choose_frames({}, times) == Frames{4});
  CHECK(choose_frames({.times = {0.0, 0.14, 0.4}, .frame = {}, .panels = {}}, times) ==
        Frames{0, 1, 4});
  CHECK(choose_frames({.times = {}, .frame = 2, .panels = {}}, times) == Frames{2});
  CHECK(choose_frames({.times = {}, .frame = -2, .panels = {}}, times) == Frames{3});
  CHECK(choose_frames({.times = {}, .frame = {}, .panels = 3}, times) == Frames{0, 2, 4});
  CHECK(choose_frames({.times = {}, .frame = {}, .panels = 1}, times) == Frames{4});
  CHECK(choose_frames({.times = {}, .frame = {}, .panels = 9}, times) == Frames{0, 1, 2, 3, 4});
}

TEST_CASE("Frame choice refuses what the file does not have and states the range",
          "[tools][unit]") {
  const std::vector<double> times = {0.0, 0.1, 0.2};
  CHECK_THROWS_WITH(choose_frames({.times = {0.3}, .frame = {}, .panels = {}}, times),
                    Contains("from 0 to 0.2 s"));
  CHECK_THROWS_WITH(choose_frames({.times = {}, .frame = 3, .panels = {}}, times),
                    Contains("0 to 2"));
  CHECK_THROWS_WITH(choose_frames({.times = {}, .frame = {}, .panels = 0}, times),
                    Contains("[1, 100]"));
  CHECK_THROWS_AS(choose_frames({}, {}), InputError);
}

TEST_CASE("Picture scenes hold the bodies where the run had them", "[tools][unit]") {
  const RecordedRun run;
  const std::vector<std::int64_t> frames = {0, 3};
  const auto scenes = picture_scenes(run.results(), frames, ColourBy::body);
  REQUIRE(scenes.size() == 2);
  CHECK(scenes[0].caption == "t = 0 s");
  CHECK(scenes[1].caption == "t = 0.3 s");
  REQUIRE(scenes[0].solids.size() == 1);  // the ball is not there yet
  REQUIRE(scenes[1].solids.size() == 2);

  Eigen::AlignedBox3d extent;
  for (const Vector3& vertex : scenes[1].solids[0].vertices) extent.extend(vertex);
  // map coordinates of the box, to the round-off of 1000 m
  CHECK((extent.min() - Vector3(999.5, -1.0, 3.0)).norm() < 1e-12);
  CHECK((extent.max() - Vector3(1000.5, 1.0, 6.0)).norm() < 1e-12);
  CHECK(scenes[1].solids[0].faces.size() == 6);
  CHECK(scenes[1].solids[1].radius == 0.5);
  CHECK((scenes[1].solids[1].centre - Vector3(1000.0, 3.0, 0.5)).norm() < 1e-12);

  REQUIRE(scenes[0].planes.size() == 1);
  const picture::Plane& slope = scenes[0].planes[0];
  CHECK(std::abs(slope.normal.dot(Vector3(1004.0, 5.0, 0.0)) - slope.offset) < 1e-10);
  CHECK(std::abs(slope.normal.dot(Vector3(1006.0, 0.0, 2.0)) - slope.offset) < 1e-10);
}

TEST_CASE("Picture scenes colour by speed and displacement on one scale for all frames",
          "[tools][unit]") {
  const RecordedRun run;
  const std::vector<std::int64_t> frames = {2, 4};
  const auto speed = picture_scenes(run.results(), frames, ColourBy::speed);
  CHECK(speed[0].caption == "t = 0.2 s   speed 0 - 8 m/s");
  CHECK(speed[0].solids[1].colour == speed[1].solids[1].colour);  // the ball, always 8 m/s
  CHECK(speed[0].solids[0].colour.sum() > speed[1].solids[0].colour.sum());  // the box, 2 and 4 m/s
  const auto displacement = picture_scenes(run.results(), frames, ColourBy::displacement);
  CHECK(displacement[1].caption == "t = 0.4 s   displacement 0 - 4 m");
  CHECK(displacement[1].solids[0].colour.sum() < displacement[1].solids[1].colour.sum());
}

TEST_CASE("Picture scenes have a colour bar in the first panel", "[tools][unit]") {
  const RecordedRun run;
  const std::vector<std::int64_t> frames = {2, 4};
  const auto scenes = picture_scenes(run.results(), frames, ColourBy::displacement);
  REQUIRE(scenes[0].bar);
  CHECK(scenes[0].bar->quantity == "displacement");
  CHECK(scenes[0].bar->unit == "m");
  CHECK(scenes[0].bar->largest == 4.0);
  CHECK_FALSE(scenes[1].bar);
  CHECK_FALSE(picture_scenes(run.results(), frames, ColourBy::body)[0].bar);
}

namespace {

// Twenty boxes in a row, of which the first `away` are thrown 500 m off in the second frame.
std::vector<picture::PictureScene> thrown(int away) {
  test::World world;
  for (int i = 0; i < 20; ++i)
    world.add_box(Vector3(1.0, 1.0, 1.0), Pose{Vector3(2.0 * i, 0.0, 0.5), Quaternion::Identity()});
  world.settings.time.dt = 0.1;
  const test::TemporaryFolder folder;
  ResultWriter writer(folder.file("run.h5"), false, {}, world.model, world.settings);
  StepRecord step;
  const ContactSet contacts;
  const contact::BodyProblem problem;
  for (int k = 0; k < 2; ++k) {
    world.state.step = step.step = k;
    world.state.time = step.time = 0.1 * k;
    for (int i = 0; k == 1 && i < away; ++i) world.state.x[static_cast<std::size_t>(i)].y() = 500.0;
    writer.record(
        {world.model, world.settings, world.state, step, contacts, {}, {}, {}, {}, {}, {}, problem},
        k == 1);
  }
  writer.finish({});
  const std::vector<std::int64_t> last = {1};
  return picture_scenes(ResultReader(folder.file("run.h5")), last, ColourBy::body);
}

}  // namespace

TEST_CASE("Picture scenes frame what moves but for a few strays", "[tools][unit]") {
  const auto two = thrown(2), three = thrown(3);
  CHECK(two[0].left_out == 2);
  CHECK(two[0].solids.size() == 20);  // drawn where they are
  for (std::size_t i = 0; i < 20; ++i) CHECK(two[0].solids[i].framed == (i >= 2));
  CHECK(three[0].left_out == 0);  // more than a tenth: that is where things go
  for (const picture::Solid& solid : three[0].solids) CHECK(solid.framed);
}

TEST_CASE("Export writes a picture and asks before it replaces one", "[tools][unit]") {
  const RecordedRun run;
  const std::string out = run.file("out.png");
  CHECK(export_with({run.file("run.h5"), "-o", out, "--size", "160x100"}) == 0);
  CHECK(fs::file_size(out) > 1000);
  CHECK(export_with({run.file("run.h5"), "-o", out}) == 2);
  CHECK(export_with({run.file("run.h5"), "-o", out, "--force", "--times", "0,0.1,0.4", "--size",
                     "640x200", "--view", "-30,10", "--look", "1000,-1,2", "--width", "12.5",
                     "--colour", "speed"}) == 0);
  CHECK(export_with(
            {run.file("run.h5"), "-o", out, "--force", "--frame", "-1", "--size", "160x100"}) == 0);
}

TEST_CASE("Export refuses bad input with code 2 and writes nothing", "[tools][unit]") {
  const RecordedRun run;
  const std::string in = run.file("run.h5"), out = run.file("out.png");
  CHECK(export_with({in, "-o", run.file("out.xyz")}) == 2);
  CHECK(export_with({in, "-o", run.file("nowhere/out.png")}) == 2);
  CHECK(export_with({run.file("absent.h5"), "-o", out}) == 2);
  CHECK(export_with({in, "-o", out, "--size", "16x9"}) == 2);
  CHECK(export_with({in, "-o", out, "--size", "160x100x3"}) == 2);
  CHECK(export_with({in, "-o", out, "--time", "0.5"}) == 2);
  CHECK(export_with({in, "-o", out, "--frame", "5"}) == 2);
  CHECK(export_with({in, "-o", out, "--view", "0,95"}) == 2);
  CHECK_THROWS_AS(export_with({in, "-o", out, "--time", "0.1", "--frame", "2"}), CLI::ParseError);
  CHECK_THROWS_AS(export_with({in, "-o", out, "--colour", "beauty"}), CLI::ParseError);
  CHECK_THROWS_AS(export_with({in, "-o", out, "--width", "-1"}), CLI::ParseError);
  for (const char* view : {"1", "1,2,3", "a,b", "0,nan", "30,,10"})
    CHECK(export_with({in, "-o", out, "--view", view}) == 2);
  for (const char* look : {"1", "1,2", "1,2,x"})
    CHECK(export_with({in, "-o", out, "--look", look}) == 2);
  std::ofstream(run.file("text.h5")) << "no such format";
  CHECK(export_with({run.file("text.h5"), "-o", out}) == 2);
  CHECK_FALSE(fs::exists(out));
}

}  // namespace export_test
