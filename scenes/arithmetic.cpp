#include "scenes/arithmetic.hpp"

#include <string_view>

#include "engine/run.hpp"
#include "engine/state_hash.hpp"
#include "scenes/read/scene.hpp"

namespace scree {
namespace {

// Never to be changed: then no build would be the same as one before.
constexpr std::string_view scene_text = R"(
start.allow_initial_overlap = true

[time]
dt = 0.004
end = 0.2

[solver]
tolerance = 1e-8
max_iterations = 300

[[material]]
name = "stone"
density = 2300

[[material]]
name = "rubber"
density = 1100

[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = 0.3
rolling = 0.05
spinning = 0.02

[[contact]]
between = ["stone", "rubber"]
mu = 0.4
e = 0.5
law = "newton"

[[body]]
name = "ground"
kind = "half_space"
normal = [0.1, 0.05, 1]
material = "stone"

[[body]]
name = "lower"
kind = "box"
sides = [1, 0.8, 0.5]
material = "stone"
position = [0, 0, 0.33]
angular_velocity = [0.3, 0.2, 1]

[[body]]
name = "upper"
kind = "box"
sides = [0.7, 0.5, 0.3]
material = "stone"
position = [0.1, 0.05, 0.75]
velocity = [0.5, 0, -1]
angular_velocity = [0, 1, 2]

[[body]]
name = "ball"
kind = "sphere"
radius = 0.2
material = "rubber"
position = [-0.85, 0.1, 0.5]
velocity = [4, 0, -1]
angular_velocity = [1, 5, 2]

[[body]]
name = "wedge"
kind = "convex"
vertices = [[0, 0, 0], [0.5, 0, 0], [0, 0.4, 0.1], [0.1, 0.1, 0.4], [0.4, 0.4, 0.3]]
material = "stone"
position = [2, 0, 0.3]
velocity = [-3, 0, -1]
angular_velocity = [2, 3, 4]

[[body]]
name = "ell"
kind = "compound"
material = "stone"
position = [1.3, 0.1, 0.6]
velocity = [0, 0, -2]
angular_velocity = [1, 2, 0]
parts = [{ kind = "box", sides = [0.6, 0.2, 0.2] }, { kind = "box", sides = [0.2, 0.2, 0.4], position = [0.2, 0, 0.3] }]
)";

}  // namespace

std::string arithmetic_fingerprint() {
  Scene scene = parse_scene(std::string(scene_text), "arithmetic.toml");
  run(scene.model, scene.settings, scene.state, {});
  return state_hash(scene.state);
}

}  // namespace scree
