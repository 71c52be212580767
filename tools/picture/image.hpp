// A picture in memory, and PNG files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/picture/picture_scene.hpp"

namespace scree::picture {

// 8-bit sRGB, row by row from the top.
struct Image {
  Image(int image_width, int image_height);

  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // [height * width * 3]

  std::uint8_t* pixel(int x, int y) {
    return rgb.data() + 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                             static_cast<std::size_t>(x));
  }
  const std::uint8_t* pixel(int x, int y) const { return const_cast<Image*>(this)->pixel(x, y); }
};

// Linear value in [0, 1] (clamped) to an 8-bit sRGB one.
std::uint8_t to_srgb(float linear);

// Puts `source` into `target` with its upper left corner at (x, y); parts outside are dropped.
void paste(const Image& source, int x, int y, Image& target);

// The bytes of a PNG file. Throws std::runtime_error with the reason.
std::string encode_png(const Image& image);

}  // namespace scree::picture
