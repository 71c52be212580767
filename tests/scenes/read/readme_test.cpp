// The page that describes scene files and the reader must know the same keys.
#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "scenes/read/document.hpp"
#include "tests/scenes/read/scene_texts.hpp"
#include "tests/support/places.hpp"

using namespace scree;
using namespace scree::test;

namespace {

// Everything that can be nested, so that the reader asks for all it knows.
const std::string everything = R"(
[world]
[law]
[solver]
[output]
[checkpoint]
[start]
[stop]
displacement = 1e-4
window = 0.1
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

[[pyramid]]
name = "y"
material = "stone"
block = [1, 1, 1]
first_course = 2
rotation = { axis = [0, 0, 1], angle_deg = 10 }
)";

std::set<std::string> asked_keys() {
  scenes::Document document("everything.toml");
  scenes::parse_scene(block_on_ground + everything, "everything.toml", document);
  return document.asked();
}

// What stands between the first two backquotes of a line, without brackets.
std::string quoted_name(const std::string& line) {
  const std::size_t begin = line.find('`');
  if (begin == std::string::npos) return "";
  std::string name = line.substr(begin + 1, line.find('`', begin + 1) - begin - 1);
  std::erase_if(name, [](char c) { return c == '[' || c == ']'; });
  return name;
}

// Headings name sections, `[solver]` or `[[body]]`; the first cell of a table's row names a key.
std::set<std::string> documented_keys() {
  std::set<std::string> keys;
  std::string section;
  std::istringstream page(read_file(test::source_folder() + "/scenes/README.md"));
  for (std::string line; std::getline(page, line);) {
    if (line == "## Column studies") break;  // columns of tables from here on
    const std::string name = quoted_name(line);
    if (line.rfind("##", 0) == 0 && !name.empty()) {
      section = name + ".";
      keys.insert(name);
    } else if (line.rfind("| `", 0) == 0) {
      keys.insert(section + name);
    }
  }
  return keys;
}

// The same key of another section, for keys that are described once: a rock has those of a body, a
// body those of a shape.
std::string shared_key(const std::string& key) {
  if (key.rfind("rock.", 0) == 0) return "body." + key.substr(5);
  if (key.rfind("body.", 0) == 0) return "shape." + key.substr(5);
  return key;
}

}  // namespace

TEST_CASE("Scene format page describes every key that the reader knows", "[scenes][unit]") {
  const std::set<std::string> documented = documented_keys();
  const std::set<std::string> asked = asked_keys();
  CHECK(asked.size() > 80);
  for (const std::string& key : asked) {
    INFO(key);
    CHECK((documented.contains(key) || documented.contains(shared_key(key))));
  }
}

TEST_CASE("Scene format page describes no key that the reader does not know", "[scenes][unit]") {
  const std::set<std::string> asked = asked_keys();
  for (const std::string& key : documented_keys()) {
    INFO(key);
    CHECK(asked.contains(key));
  }
}

TEST_CASE("Scene format page shows an example that loads", "[scenes][unit]") {
  const std::string page = read_file(test::source_folder() + "/scenes/README.md");
  const std::size_t begin = page.find("```toml\n");
  REQUIRE(begin != std::string::npos);
  const std::size_t start = begin + 8;
  const std::string example = page.substr(start, page.find("```", start) - start);
  CHECK(parse_scene(example, "example.toml").model.n_bodies() >= 2);
}
