#include "tools/common/coarse_terrain.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "engine/base/printable.hpp"
#include "engine/model/shapes/terrain.hpp"

namespace scree {
namespace {

// The integer that a text begins with; 0: none. It is taken off.
std::int64_t take_integer(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

std::vector<std::string> coarse_terrains(const std::vector<SceneFile>& files) {
  constexpr std::string_view begin = "raster of ", between = " x ";  // as digest_of writes it
  std::vector<std::string> notes;
  for (const SceneFile& file : files) {
    std::string_view text = file.text;
    if (!text.starts_with(begin)) continue;
    text.remove_prefix(begin.size());
    const std::int64_t columns = take_integer(text);
    if (!text.starts_with(between)) continue;
    text.remove_prefix(between.size());
    const std::int64_t rows = take_integer(text);
    if (columns <= most_drawn_lines && rows <= most_drawn_lines) continue;
    notes.push_back(
        fmt::format("{} has {} x {} nodes, of which pictures draw every n-th, at most {} along an "
                    "axis; bodies may seem to float above the ground or to lie in it, and touched "
                    "all of it",
                    printable(file.name), columns, rows, most_drawn_lines));
  }
  return notes;
}

}  // namespace scree
