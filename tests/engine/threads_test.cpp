// A run has the same bits for every backend and number of threads.
#include <catch2/catch.hpp>

#include <string>

#include <fmt/format.h>

#include "engine/state_hash.hpp"
#include "engine/step.hpp"
#include "scenes/read/scene.hpp"

namespace scree::threads_test {
namespace {

// A wall of ten courses in running bond, and a ball of 4 t that hits it from the side within the
// first steps. A loose tolerance: what is compared is the work of all loops, not its accuracy.
Scene struck_wall(int first_course) {
  return parse_scene(fmt::format(R"(
[time]
dt = 0.002
end = 1.0
[solver]
measure = "scaled"
tolerance = 3e-2
[[material]]
name = "stone"
density = 2300
[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = 0.2
[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "stone"
[[wall]]
name = "wall"
material = "stone"
block = [1, 1, 1]
courses = 10
first_course = {}
rake = 2
joint_along = 0.01
[[body]]
name = "ball"
kind = "sphere"
radius = 0.75
material = "stone"
position = [0.3, -1.27, 6.2]
velocity = [1.0, 12.0, 0.0]
)",
                                 first_course),
                     "struck wall");
}

struct Outcome {
  std::string hash;
  std::int64_t contacts = 0;  // of the last step
  bool operator==(const Outcome&) const = default;
};

Outcome run_steps(const Scene& scene, Backend backend, int threads, int steps) {
  Settings settings = scene.settings;
  settings.backend = backend;
  settings.threads = threads;
  State state = scene.state;
  Workspace work(scene.model, settings);
  Outcome outcome;
  for (int k = 0; k < steps; ++k)
    outcome.contacts = step(scene.model, settings, state, work).contacts;
  outcome.hash = state_hash(state);
  return outcome;
}

}  // namespace

TEST_CASE("Struck wall has the same bits with two and three threads", "[engine][determinism]") {
  const Scene scene = struck_wall(45);
  const Outcome serial = run_steps(scene, Backend::serial, 1, 12);
  CHECK(serial.contacts > 2000);
  CHECK(run_steps(scene, Backend::openmp, 2, 12) == serial);
  CHECK(run_steps(scene, Backend::tbb, 3, 12) == serial);
  CHECK(run_steps(scene, Backend::serial, 1, 11) != serial);
}

TEST_CASE(
    "Struck wall of 3000 cubes has the same bits after 200 steps for every backend and number of "
    "threads",
    "[engine][determinism][slow]") {
  const Scene scene = struck_wall(309);
  const Outcome serial = run_steps(scene, Backend::serial, 1, 200);
  CHECK(serial.contacts > 20000);
  for (const Backend backend : {Backend::openmp, Backend::tbb}) {
    for (const int threads : {1, 2, 3, 4, 8}) {
      INFO(backend_name(backend) << " with " << threads << " threads");
      CHECK(run_steps(scene, backend, threads, 200) == serial);
    }
  }
}

}  // namespace scree::threads_test
