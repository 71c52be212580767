// The scenes of scenes/, in the program: they are there in any folder.
#pragma once

#include <span>
#include <string_view>

namespace scree {

struct ShippedFile {
  const char* name;  // "tschamut.asc"
  const char* text;
};

struct ShippedScene {
  const char* use;                     // the folder: "masonry"
  const char* name;                    // "arch"
  const char* text;                    // of the file
  std::span<const ShippedFile> files;  // beside it, which the scene names
};

// By use, then by name.
extern const std::span<const ShippedScene> shipped_scenes;

// Null where none has that name; "arch.toml" and "masonry/arch.toml" mean arch as well.
const ShippedScene* find_shipped_scene(std::string_view name);

}  // namespace scree
