// Loads a shipped scene, or any text.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "scenes/read/scene.hpp"

#include "tests/support/places.hpp"

namespace scree::test {

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("no file " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Scene shipped_scene(const std::string& name) {
  const std::string path = test::shipped_scene_path(name);
  return parse_scene(text_of(path), path);
}

inline BodyIndex body_named(const Model& model, const std::string& name) {
  for (BodyIndex i = 0; i < model.n_bodies(); ++i) {
    if (model.name[static_cast<std::size_t>(i)] == name) return i;
  }
  throw std::runtime_error("no body " + name);
}

}  // namespace scree::test
