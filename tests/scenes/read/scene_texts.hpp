// Scene texts that the tests of this folder start from.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace scree::test {

// A block on the ground: the shortest scene with a contact. Line numbers matter to the tests of
// messages.
inline const std::string block_on_ground = R"([time]
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
)";

// `text` with the first `from` replaced; throws when there is none.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no \"" + from + "\" in the scene text");
  return text.replace(at, from.size(), to);
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace scree::test
