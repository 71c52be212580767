#include "tools/picture/image.hpp"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace scree::picture {

Image::Image(int image_width, int image_height)
    : width(image_width),
      height(image_height),
      rgb(static_cast<std::size_t>(image_width) * static_cast<std::size_t>(image_height) * 3, 255) {
}

std::uint8_t to_srgb(float linear) {
  const float value = std::clamp(linear, 0.0F, 1.0F);
  const float encoded =
      value <= 0.0031308F ? 12.92F * value : 1.055F * std::pow(value, 1.0F / 2.4F) - 0.055F;
  return static_cast<std::uint8_t>(std::lround(255.0F * encoded));
}

void paste(const Image& source, int x, int y, Image& target) {
  for (int row = std::max(0, -y); row < std::min(source.height, target.height - y); ++row)
    for (int column = std::max(0, -x); column < std::min(source.width, target.width - x); ++column)
      std::copy_n(source.pixel(column, row), 3, target.pixel(x + column, y + row));
}

std::string encode_png(const Image& image) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(header), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&header, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) ==
      0) {
    throw std::runtime_error(fmt::format("the picture cannot be encoded: {}", header.message));
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace scree::picture
