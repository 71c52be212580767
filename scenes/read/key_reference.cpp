#include "scenes/read/key_reference.hpp"

#include <algorithm>
#include <utility>

namespace scree::scenes {
namespace {

constexpr const char* every_key = R"([time]
dt = 0.001
end = 1.0
theta = 0.5

[[material]]
name = "stone"
density = 2300

[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = 0.2
device = {}

[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "stone"

[[body]]
name = "block"
kind = "box"
sides = [1, 2, 1]
material = "stone"
position = [0, 0, 0.5]

[[load]]
body = "block"
force = [0, 0, 1]

[world]
acceleration = { kind = "field", acceleration = [0, 0, 0] }
[preset]
use = "flow"
[law]
device = {}
[solver]
[output]
[checkpoint]
[start]
[record]
impacts = { speed = 0.1, impulse = 5 }
[[screen]]
name = "net"
normal = [1, 0, 0]
[[group]]
name = "all blocks"
bodies = ["block"]
[[gauge]]
name = "stones"
kind = "bodies"
bodies = ["block"]
[[gauge]]
name = "layers"
kind = "grid"
low = [0, 0, 0]
high = [1, 1, 1]
cells = [1, 1, 10]
[stop]
displacement = 1e-4
window = 0.1
wedged_steps = 50
[initial]
from = "earlier.h5"

[column]
kind = "slice"
aspect = 1
grains = 300
material = "stone"
side_material = "stone"
shape = "hull"
grading = { size = [0.1, 0.10001], mass = [1] }

[[grains]]
name = "g"
material = "stone"
count = 1
shape = "sphere"
size = 0.1
region = { kind = "cylinder", radius = 1 }

[[grains]]
name = "g2"
material = "stone"
count = 3
shape = "cube"
grading = { size = [0.1, 0.10001], mass = [1] }
region = { kind = "box", length = 1, width = 1 }

[[fragments]]
name = "f"
material = "stone"
sides = [1, 1, 1]
count = 2
rotation = { axis = [0, 0, 1], angle_deg = 10 }

[[shape]]
name = "v"
kind = "cylinder_wall"
radius = 1
[[shape]]
name = "k"
kind = "compound"
parts = [
  { kind = "box", sides = [1, 1, 1] },
  { kind = "convex", vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], position = [3, 0, 0], rotation = { axis = [0, 0, 1], angle_deg = 10 } }
]

[[shape]]
name = "s"
kind = "sphere"
radius = 1
[[shape]]
name = "d"
kind = "disc"
radius = 1
[[shape]]
name = "c"
kind = "convex"
vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
[[shape]]
name = "l"
kind = "capsule"
radius = 1
length = 1
[[shape]]
name = "h"
kind = "half_space"
normal = [0, 0, 1]
[[shape]]
name = "g"
kind = "terrain"
file = "ground.asc"
[[shape]]
name = "p"
kind = "points"
points = [[0, 0, 0]]
[[shape]]
name = "b"
kind = "box"
sides = [1, 1, 1]

[[body]]
name = "named shape"
shape = "b"
material = "stone"
rotation = { axis = [0, 0, 1], angle_deg = 10 }

motion = { kind = "velocity", time = [0] }

[[body]]
name = "site"
shape = "g"
material = "stone"
zones = { file = "zones.asc", classes = [{ code = 1, material = "stone" }] }

[[body]]
name = "loaded"
shape = "b"
material = "stone"
position = [9, 9, 9]
load = [ { force = [0, 0, 1], torque = [0, 0, 1] }, { pressure = 1, direction = [1, 0, 0], span = { between = ["ground", "block"], axis = [0, 0, 1], length = 1, depth = 1 } } ]
free = ["x"]
drag = { linear = 1 }

[[wall]]
name = "w"
material = "stone"
block = [1, 2, 1]
courses = 1
first_course = 1
rotation = { axis = [0, 0, 1], angle_deg = 10 }
buttresses = { positions = [0], blocks = 1, courses = 1 }

[[rock]]
name = "r"
material = "stone"
size = 1
rotation = { axis = [0, 0, 1], angle_deg = 10 }

[[rough_plate]]
name = "p"
material = "stone"
length = 2
width = 2
grain = 1
rotation = { axis = [0, 0, 1], angle_deg = 10 }

[[stack]]
name = "t"
material = "stone"
count = 1
sides = [1, 1, 1]

[[arch]]
name = "a"
material = "stone"
voussoirs = 7
radius = 1
thickness = 0.1
depth = 0.5
rotation = { axis = [0, 0, 1], angle_deg = 10 }

[[blocks]]
file = "cube.obj"
material = "stone"
rotation = { axis = [0, 0, 1], angle_deg = 10 }
motion = { kind = "velocity", time = [0] }

[ensemble]
map = { cell = 1, low = [0, 0], high = [9, 9] }
until = { barrier = "road" }
[[ensemble.rock]]
name = "by number"
shape = "eota"
material = "stone"
mass = { kind = "lognormal", median = 1, sigma = 1 }
[[ensemble.rock]]
name = "by size"
shape = "irregular"
material = "stone"
mass = { kind = "power", low = 1, high = 2, exponent = 1 }
[[ensemble.rock]]
name = "by volume"
shape = "cloud"
file = "cube.obj"
material = "stone"
volume = { kind = "table", values = [1] }
[[ensemble.rock]]
name = "by mass"
shape = "ball"
material = "stone"
mass = { kind = "table", values = [1] }
[[ensemble.release]]
name = "cliff"
points = [[0, 0]]
rotation = { axis = [0, 0, 1], angle_deg = 10 }
[[ensemble.barrier]]
name = "road"
line = [[0, 0], [1, 1]]

[[pyramid]]
name = "y"
material = "stone"
block = [1, 1, 1]
first_course = 2
rotation = { axis = [0, 0, 1], angle_deg = 10 }
)";

}  // namespace

std::string scene_with_every_key() { return every_key; }

// The blocks of [[blocks]].
std::string file_of_every_key(const std::string&) {
  return "o cube\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
         "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
}

const std::map<std::string, Document::Expectation>& reader_expectations() {
  static const std::map<std::string, Document::Expectation> found = [] {
    Document document("scene", file_of_every_key);
    document.record_expectations();
    parse_scene(every_key, "scene", document);
    return document.expectations();
  }();
  return found;
}

const KeyText* text_of_field(const std::string& field) {
  static const std::pair<std::string, std::string> told_there[] = {
      {"ensemble.rock.volume.", "ensemble.rock.mass."},
      {"load.", "body.load."},
      {"rock.", "body."},
      {"rough_plate.", "body."},
      {"blocks.motion.", "body.motion."},
      {"body.", "shape."},
      {"column.", "grains."}};
  for (const KeySection& section : key_sections()) {
    const std::string begin = section.name.empty() ? "" : section.name + ".";
    for (const KeyText& text : section.keys) {
      if (begin + text.key == field) return &text;
    }
  }
  for (const auto& [from, to] : told_there) {
    if (field.starts_with(from)) return text_of_field(to + field.substr(from.size()));
  }
  return nullptr;
}

}  // namespace scree::scenes
