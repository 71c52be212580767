// A scene with one fault, and the message it must give.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "engine/base/check.hpp"
#include "scenes/read/scene.hpp"
#include "tests/scenes/read/scene_texts.hpp"

namespace scree::test {

struct BadInput {
  const char* what;     // is wrong
  const char* from;     // this part of block_on_ground ...
  const char* to;       // ... is replaced by this
  const char* message;  // after "scene.toml:"; when it ends in "..." only the beginning counts
};

inline std::string message_of(const std::string& text) {
  try {
    parse_scene(text, "scene.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

inline void check_message(const BadInput& input) {
  INFO(input.what);
  std::string message = message_of(replaced(block_on_ground, input.from, input.to));
  std::string expected = std::string("scene.toml:") + input.message;
  CHECK(message.find('\n') == std::string::npos);
  if (expected.ends_with("...")) {
    expected.resize(expected.size() - 3);
    message.resize(std::min(message.size(), expected.size()));
  }
  CHECK(message == expected);
}

}  // namespace scree::test
