// STL, text and binary: triangles without connectivity.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "engine/base/check.hpp"
#include "engine/base/lower_case.hpp"
#include "scenes/blocks/block_model.hpp"
#include "scenes/blocks/text_lines.hpp"

namespace scree::blocks {
namespace {

constexpr std::size_t head_bytes = 84, facet_bytes = 50;

std::uint32_t count_in_head(const std::string& text) {
  std::uint32_t count = 0;
  std::memcpy(&count, text.data() + 80, sizeof count);
  return count;
}

void add_triangle(Block& block, const std::vector<Vector3>& corners) {
  Face face;
  for (const Vector3& corner : corners) {
    face.push_back(static_cast<std::int32_t>(block.vertices.size()));
    block.vertices.push_back(corner);
  }
  block.faces.push_back(std::move(face));
}

BlockModel read_binary(const std::string& text, const std::string& file) {
  static_assert(std::endian::native == std::endian::little);
  BlockModel model{file, "STL, binary", {}};
  Block block;
  const std::uint32_t count = count_in_head(text);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<Vector3> corners;
    for (std::size_t k = 1; k < 4; ++k) {
      float xyz[3];
      std::memcpy(xyz, text.data() + head_bytes + facet_bytes * i + 12 * k, sizeof xyz);
      const Vector3 corner(xyz[0], xyz[1], xyz[2]);
      require(corner.allFinite(), file,
              fmt::format("facet {}: a coordinate is not a finite number", i + 1));
      corners.push_back(corner);
    }
    add_triangle(block, corners);
  }
  require(!block.faces.empty(), file, "has no facets");
  model.blocks.push_back(std::move(block));
  return model;
}

BlockModel read_text(const std::string& text, const std::string& file) {
  BlockModel model{file, "STL, text", {}};
  Lines lines(text, file);
  std::string_view line;
  Block block;
  std::vector<Vector3> corners;
  const auto close = [&] {
    if (!block.faces.empty()) model.blocks.push_back(std::move(block));
    block = {};
  };
  bool ended = false;
  while (lines.next(line)) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) continue;
    const std::string word = lower_case(words[0]);
    if (word == "solid") {
      close();
      if (words.size() > 1) block.name = std::string(words[1]);
      ended = false;
    } else if (word == "vertex") {
      corners.push_back(lines.point_in(words, 1));
    } else if (word == "endloop") {
      if (corners.size() != 3)
        lines.fail(fmt::format("a facet has {} corners; must be 3", corners.size()));
      add_triangle(block, corners);
      corners.clear();
    } else if (word == "endsolid") {
      ended = true;
    } else if (word != "facet" && word != "outer" && word != "endfacet") {
      lines.fail(fmt::format("'{}' is not a word of STL", words[0].substr(0, 40)));
    }
  }
  if (!ended || !corners.empty()) lines.fail("the file ends within a solid; it is cut short");
  close();
  require(!model.blocks.empty(), file, "has no facets");
  return model;
}

}  // namespace

BlockModel read_stl(const std::string& text, const std::string& file) {
  const bool has_head = text.size() >= head_bytes;
  if (has_head && head_bytes + facet_bytes * std::size_t{count_in_head(text)} == text.size())
    return read_binary(text, file);
  const bool is_text =
      lower_case(text.substr(0, 5)) == "solid" && text.find('\0') == std::string::npos;
  require(
      is_text, file,
      has_head
          ? fmt::format("is no STL: a binary file of {} facets has {} bytes, not {}",
                        count_in_head(text),
                        head_bytes + facet_bytes * std::size_t{count_in_head(text)}, text.size())
          : "is no STL: it does not begin with 'solid', and is too short for a binary file");
  return read_text(text, file);
}

}  // namespace scree::blocks
