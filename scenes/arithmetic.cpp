#include "scenes/arithmetic.hpp"

#include <string_view>

#include "engine/run.hpp"
#include "engine/state_hash.hpp"
#include "scenes/read/preset.hpp"
#include "scenes/read/scene.hpp"

namespace scree {
namespace {

// Not to be changed without need: then no build is the same as one before.
constexpr std::string_view mixed_bodies = R"(
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

// Flush floors, a table that turns, what is fast, and the solver as it is by default.
constexpr std::string_view seams_and_drives = R"(
start.allow_initial_overlap = true

[time]
dt = 0.002
end = 0.08

[[material]]
name = "stone"
density = 2300

[[contact]]
between = ["stone", "stone"]
mu = 0.5
e = 0.2

[[body]]
name = "floor-1"
kind = "box"
fixed = true
sides = [0.5, 2, 0.2]
material = "stone"
position = [-0.25, 0, -0.1]

[[body]]
name = "floor-2"
kind = "box"
fixed = true
sides = [0.5, 2, 0.2]
material = "stone"
position = [0.25, 0, -0.1]

[[body]]
name = "slider"
kind = "box"
sides = [0.3, 0.2, 0.1]
material = "stone"
position = [-0.1, -0.6, 0.05]
velocity = [1, 0.1, 0]
angular_velocity = [0, 0, 3]

[[body]]
name = "lower"
kind = "box"
sides = [0.2, 0.2, 0.2]
material = "stone"
position = [0.02, 0, 0.1]

[[body]]
name = "upper"
kind = "box"
sides = [0.1, 0.3, 0.1]
material = "stone"
position = [0.03, 0.01, 0.25]

[[body]]
name = "shot"
kind = "sphere"
radius = 0.05
material = "stone"
position = [-1, 0, 0.12]
velocity = [60, 0, 0]

[[body]]
name = "rock"
kind = "convex"
vertices = [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0.05, 0.05, 0.3], [0.25, 0.25, 0.1]]
material = "stone"
position = [-0.05, 0.5, 0.15]
velocity = [0.5, 0, -2]
angular_velocity = [3, 1, 0]

[[body]]
name = "table"
kind = "box"
sides = [0.5, 0.5, 0.1]
material = "stone"
position = [2, 0, 0]
[body.motion]
kind = "velocity"
time = [0]
linear = [[0, 0, 0]]
angular = [[0, 0, 4]]

[[body]]
name = "rider"
kind = "box"
sides = [0.1, 0.1, 0.1]
material = "stone"
position = [2.15, 0, 0.1]
)";

// Contact frames in the middle of the step: a hull that strikes something fixed, a pair in flight,
// a ball that rolls.
constexpr std::string_view middle_frames = R"(
[time]
dt = 0.004
end = 0.08

[law]
frames = "middle"

[[material]]
name = "stone"
density = 2300

[[contact]]
between = ["stone", "stone"]
mu = 0.5
e = 0.3

[[body]]
name = "ground"
kind = "half_space"
normal = [0.1, 0.05, 1]
material = "stone"

[[body]]
name = "wedge"
kind = "convex"
vertices = [[0, 0, 0], [0.5, 0, 0], [0, 0.4, 0.1], [0.1, 0.1, 0.4], [0.4, 0.4, 0.3]]
material = "stone"
position = [2, 0, 0.1]
velocity = [-3, 0, -4]
angular_velocity = [2, 3, 4]

[[body]]
name = "one"
kind = "box"
sides = [0.3, 0.2, 0.1]
material = "stone"
position = [0, 0, 1]
velocity = [2, 0, 0]
angular_velocity = [3, 5, 1]

[[body]]
name = "other"
kind = "box"
sides = [0.2, 0.2, 0.2]
material = "stone"
position = [0.4, 0.05, 1.02]
velocity = [-2, 0, 0]
angular_velocity = [1, -2, 4]

[[body]]
name = "ball"
kind = "sphere"
radius = 0.1
material = "stone"
position = [-1, 0, 0.3]
velocity = [2, 0, -2]
angular_velocity = [0, 4, 9]

[[body]]
name = "vessel"
kind = "cylinder_wall"
radius = 0.8
bottom = -1
top = 1
material = "stone"
position = [7, 0, 1]

[[body]]
name = "pebble"
kind = "sphere"
radius = 0.15
material = "stone"
position = [7.5, 0, 1]
velocity = [5, 2, 0]
angular_velocity = [0, 3, 8]
)";

std::string end_of(std::string_view text) {
  Scene scene = parse_scene(std::string(text), "arithmetic.toml");
  run(scene.model, scene.settings, scene.state, {});
  return state_hash(scene.state);
}

std::string find_fingerprint() {
  // A scene with a preset is another one where the preset is.
  std::string ends = end_of(mixed_bodies) + end_of(seams_and_drives) + end_of(middle_frames);
  // What has changed without these runs seeing it.
  ends += "beyond the rim of a terrain bodies stay above other ground";
  for (const scenes::Preset& preset : scenes::presets()) {
    ends += preset.use;
    for (const auto& [section, key, value] : preset.keys) {
      for (const char* word : {section, key, value}) ends.append(word).append(" ");
    }
  }
  return sha256(ends.data(), ends.size());
}

}  // namespace

const std::string& arithmetic_fingerprint() {
  static const std::string fingerprint = find_fingerprint();  // the runs take some 30 ms
  return fingerprint;
}

}  // namespace scree
