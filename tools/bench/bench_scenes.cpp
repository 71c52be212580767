#include "tools/bench/bench_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tools/common/shipped_scenes.hpp"

namespace scree::bench {
namespace {

// Step and accuracy. Walls: as they are compared with other programs, whose solver ends there.
// Loose grains: what can be asked of problems in which much slides (contact/README.md).
constexpr const char* at_rest = R"([time]
dt = 0.005
end = 1.0

[solver]
measure = "siconos"
tolerance = 1.5e-7
)";
constexpr const char* in_motion = R"([time]
dt = 0.002
end = 1.0

[solver]
measure = "scaled"
tolerance = 1e-4
)";

// What all but the rockfall share: the laws of the walls that are compared with other programs.
std::string on_ground(const std::string& title, const char* run, const std::string& bodies) {
  return fmt::format(R"(title = "{}"

{}

[[material]]
name = "stone"
density = 2300

[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = 0.0

[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "stone"
{})",
                     title, run, bodies);
}

// A trapezium of cubes, ten courses where there are enough, each two cubes shorter than the one
// below: size = courses (first - courses + 1). Neighbours of a course are 1 cm apart, so that all
// load goes through the bed joints.
std::string wall(int size) {
  const int courses = std::clamp(static_cast<int>(std::sqrt(static_cast<double>(size))), 1, 10);
  const int first =
      std::max(2 * courses - 1,
               courses - 1 + static_cast<int>(std::lround(static_cast<double>(size) / courses)));
  return on_ground("Wall of cubes in running bond", at_rest,
                   fmt::format(R"(
[[wall]]
name = "wall"
material = "stone"
block = [1, 1, 1]
courses = {}
first_course = {}
rake = 2
joint_along = 0.01
)",
                               courses, first));
}

std::string pyramid(int size) {
  const auto count = [](int n) { return n * (n + 1) * (2 * n + 1) / 6; };
  int side = 1;
  while (side < 200 && count(side + 1) - size <= size - count(side)) ++side;
  return on_ground("Pyramid of cubes", at_rest,
                   fmt::format(R"(
[[pyramid]]
name = "pyramid"
material = "stone"
block = [1, 1, 1]
first_course = {}
joint_along = 0.01
)",
                               side));
}

// Equivalent diameters of the grains, and the largest ball in which one lies, whatever its shape
// [m].
constexpr double smallest = 0.05, largest = 0.0665, ball = 0.1;

// Grains above a square of side `side` [m].
std::string grains(const char* shape, int size, double side) {
  return fmt::format(R"(
[[grains]]
name = "grain"
material = "stone"
shape = "{}"
size_range = [{}, {}]
count = {}
seed = 1
region = {{ kind = "box", length = {}, width = {} }}
)",
                     shape, smallest, largest, size, side, side);
}

// Side [m] of the square above which a dense lattice of so many balls stands twice as high as it is
// wide.
double half_as_wide_as_high(int size) {
  return ball * std::max(1.0, std::cbrt(size / (2.0 * std::numbers::sqrt2)));
}

std::string side_of_bin(const char* name, const char* normal, double offset) {
  return fmt::format(R"(
[[body]]
name = "{}"
kind = "half_space"
normal = {}
offset = {}
material = "stone"
)",
                     name, normal, offset);
}

// Rocks that fall into a bin, at first twice as high as it is wide and never more than 40 layers.
std::string pile(int size) {
  const double layer = 0.5 * std::numbers::sqrt3 * size / 40.0;  // area in squares of the balls
  const double side = std::max(half_as_wide_as_high(size), ball * std::sqrt(layer)),
               half = 0.5 * side;
  return on_ground("Rocks fall into a bin", in_motion,
                   side_of_bin("left", "[1, 0, 0]", -half) +
                       side_of_bin("right", "[-1, 0, 0]", -half) +
                       side_of_bin("front", "[0, 1, 0]", -half) +
                       side_of_bin("back", "[0, -1, 0]", -half) + grains("hull", size, side));
}

// Cubes in a free-standing column twice as high as it is wide.
std::string column(int size) {
  return on_ground("A column of cubes collapses", in_motion,
                   grains("cube", size, half_as_wide_as_high(size)));
}

std::string rockfall(int) { return find_shipped_scene("wall_impact")->text; }

}  // namespace

const std::vector<BenchScene>& bench_scenes() {
  static const std::vector<BenchScene> scenes = {
      {"wall", "running-bond wall of cubes at rest", 50, true, 0, wall},
      {"pyramid", "square pyramid of cubes at rest", 50, true, 0, pyramid},
      {"pile", "rocks that fall into a bin", 180, true, 0, pile},
      {"column", "column of cubes that collapses", 150, true, 0, column},
      {"rockfall",
       "rock of 72 tonnes hits a wall of 275 blocks (scenes/benchmarks/wall_impact.toml)", 2, false,
       276, rockfall}};
  return scenes;
}

const BenchScene& bench_scene(const std::string& name) {
  const auto& scenes = bench_scenes();
  return *std::find_if(scenes.begin(), scenes.end(),
                       [&](const BenchScene& scene) { return scene.name == name; });
}

}  // namespace scree::bench
