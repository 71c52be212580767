// A checkpoint gives back every bit of what was written.
#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <limits>

#include "engine/base/check.hpp"
#include "engine/files/checkpoint.hpp"
#include "tests/support/temporary_folder.hpp"

namespace scree::checkpoint_test {
namespace {

// Numbers that only an exact copy keeps: negative zero, the smallest and the largest, one with all
// digits.
State awkward_state() {
  constexpr double tiny = std::numeric_limits<double>::denorm_min(),
                   huge = std::numeric_limits<double>::max();
  State state;
  state.step = std::int64_t{1} << 40;
  state.time = 0.1 + 0.2;
  state.x = {Vector3(-0.0, tiny, huge), Vector3(1.0 / 3.0, 2.0, -3.0)};
  state.q = {Quaternion(0.1, 0.2, 0.3, 0.4).normalized(), Quaternion(-0.0, 0.6, 0.0, -0.8)};
  state.v = {Vector3(1.0, 2.0, 3.0), Vector3(std::nextafter(1.0, 2.0), -tiny, -huge)};
  state.w = {Vector3(4.0, 5.0, 6.0), Vector3(7.0, 8.0, 9.0)};
  state.active = {1, 0};
  state.kept.key = {{0, 1, 2, 3, image_code(1, 0, -1), 4, make_feature(FeatureKind::face, 5)},
                    {0, 1, 2, 3, image_code(-2, 3, 0), make_feature(FeatureKind::edge, 9), 6}};
  state.image = {{1, -2, 3}, {0, 70000, -5}};
  state.image_shift = 1.0 / 3.0;
  state.kept.impulse_W = {Vector3(0.1, 0.2, 0.3), Vector3(-1e-300, 1e300, 0.0)};
  state.kept.before_W = {Vector3(0.4, 0.5, 0.6), Vector3(0.7, -0.0, 0.9)};
  state.kept.moment_W = {Vector3(-0.1, 0.0, 1e-310), Vector3(1.0 / 3.0, 1.0, 2.0)};
  state.kept.before_moment_W = {Vector3(1.1, -0.0, 2.0), Vector3(3.0, 4.0, 1.0 / 9.0)};
  state.motion_start = {
      {1.0 / 3.0, Vector3(-0.0, tiny, huge), Quaternion(0.1, 0.2, 0.3, 0.4).normalized()}, {}};
  state.window_start = 0.1;
  state.window_x = {Vector3(0.1, -0.0, 0.2), Vector3(-tiny, 0.3, huge)};
  state.window_q = state.q;
  state.touched = {1, 0};
  state.warnings.raise(Warning::deep_overlap, 1.0 / 3.0, {0, 1}, 0.2);
  state.warnings.raise(Warning::low_density, 1.0 / 7.0, {1});
  state.potential_change = -1.0 / 7.0;
  state.energy_scale = 1e7 / 3.0;
  return state;
}

const std::string a_hash(64, 'a');

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

template <class Vectors>
bool same_bits(const Vectors& a, const Vectors& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      if (!same_bits(a[i][k], b[i][k])) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("Checkpoint gives back every bit of state and origin", "[engine][unit]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.checkpoint");
  const CheckpointOrigin origin{
      "scree 1",
      "scene.toml",
      "title = \"é\"\n",
      "--dt 0.1",
      "run.h5",
      a_hash,
      {{"a.csv", "time\n0\n"}, {"data/b.csv", "time,linear_x\n0,1\n1,2\n"}},
      true,
      "abc"};
  const State state = awkward_state();
  for (int time = 0; time < 2; ++time)
    write_checkpoint(path, origin, {12, 34, 56, {{0, 1, Vector3(0.1, -0.0, 1e-310)}}},
                     state);  // the second replaces the first
  const Checkpoint read = read_checkpoint(path);
  CHECK(read.origin.program == origin.program);
  CHECK(read.origin.scene_name == origin.scene_name);
  CHECK(read.origin.scene_source == origin.scene_source);
  CHECK(read.origin.overrides == origin.overrides);
  CHECK(read.origin.result == origin.result);
  CHECK(read.origin.start_hash == origin.start_hash);
  CHECK(read.origin.arithmetic == origin.arithmetic);
  REQUIRE(read.origin.scene_files.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(read.origin.scene_files[i].name == origin.scene_files[i].name);
    CHECK(read.origin.scene_files[i].text == origin.scene_files[i].text);
  }
  CHECK(read.rows.frames == 12);
  CHECK(read.rows.contacts == 34);
  CHECK(read.rows.pairs == 56);
  REQUIRE(read.rows.open_sums.size() == 1);
  CHECK(read.rows.open_sums[0].body_a == 0);
  CHECK(read.rows.open_sums[0].body_b == 1);
  CHECK(same_bits(read.rows.open_sums[0].sum.z(), 1e-310));
  CHECK(read.state.step == state.step);
  CHECK(same_bits(read.state.time, state.time));
  CHECK(same_bits(read.state.potential_change, state.potential_change));
  CHECK(same_bits(read.state.energy_scale, state.energy_scale));
  CHECK(same_bits(read.state.x, state.x));
  CHECK(same_bits(read.state.v, state.v));
  CHECK(same_bits(read.state.w, state.w));
  REQUIRE(read.state.q.size() == state.q.size());
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    for (int k = 0; k < 4; ++k)
      CHECK(same_bits(read.state.q[i].coeffs()[k], state.q[i].coeffs()[k]));
  }
  CHECK(read.state.active == state.active);
  CHECK(read.state.kept.key == state.kept.key);
  CHECK(read.state.image == state.image);
  CHECK(same_bits(read.state.image_shift, state.image_shift));
  CHECK(same_bits(read.state.kept.impulse_W, state.kept.impulse_W));
  CHECK(same_bits(read.state.kept.before_W, state.kept.before_W));
  CHECK(same_bits(read.state.kept.moment_W, state.kept.moment_W));
  CHECK(same_bits(read.state.kept.before_moment_W, state.kept.before_moment_W));
  REQUIRE(read.state.motion_start.size() == state.motion_start.size());
  for (std::size_t i = 0; i < state.motion_start.size(); ++i) {
    CHECK(same_bits(read.state.motion_start[i].time, state.motion_start[i].time));
    CHECK(read.state.motion_start[i].x == state.motion_start[i].x);
    CHECK(read.state.motion_start[i].q.coeffs() == state.motion_start[i].q.coeffs());
  }
  CHECK(same_bits(read.state.window_start, state.window_start));
  CHECK(same_bits(read.state.window_x, state.window_x));
  CHECK(read.state.window_q.size() == state.window_q.size());
  CHECK(read.state.touched == state.touched);
  for (const WarningInfo& info : warning_catalogue) {
    const WarningEntry &one = read.state.warnings[info.warning],
                       &other = state.warnings[info.warning];
    CHECK(one.count == other.count);
    CHECK(same_bits(one.worst, other.worst));
    CHECK(same_bits(one.time, other.time));
    CHECK(one.bodies == other.bodies);
  }
}

TEST_CASE("Checkpoint of a run without contacts, driven bodies and a stop rule is empty there",
          "[engine][unit]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.checkpoint");
  State state = awkward_state();
  state.kept = {};
  state.motion_start = {}, state.window_start = 0.0, state.window_x = {}, state.window_q = {};
  CheckpointOrigin origin;
  origin.result = "run.h5", origin.start_hash = a_hash;
  write_checkpoint(path, origin, {}, state);
  const Checkpoint read = read_checkpoint(path);
  CHECK(read.state.kept.key.empty());
  CHECK(read.state.kept.impulse_W.empty());
  CHECK(read.state.motion_start.empty());
  CHECK(read.state.window_x.empty());
  CHECK(read.origin.overrides.empty());
}

TEST_CASE("Checkpoint in a folder that does not exist is an error with the reason",
          "[engine][unit]") {
  try {
    write_checkpoint("/nonexistent/run.h5.checkpoint", {}, {}, awkward_state());
    FAIL("was written");
  } catch (const CheckpointFailure& failure) {
    CHECK(std::string(failure.what()) ==
          "/nonexistent/run.h5.checkpoint: cannot be written: No such file or directory");
  }
}

}  // namespace scree::checkpoint_test
