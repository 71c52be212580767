#include "tools/picture/colouring.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::picture {

Colour from_srgb(std::uint32_t rgb) {
  Colour colour;
  for (int i = 0; i < 3; ++i) {
    const float value = static_cast<float>((rgb >> (16 - 8 * i)) & 0xFFU) / 255.0F;
    colour[i] = value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
  }
  return colour;
}

Colour group_colour(std::int32_t group, std::int32_t body) {
  constexpr std::array<std::uint32_t, 7> palette = {0xD9B382, 0x6E8CA0, 0xB5563C, 0x8FA66B,
                                                    0x8B7BA8, 0xC79A3B, 0x5FA39B};
  const Colour base = from_srgb(palette[static_cast<std::size_t>(group) % palette.size()]);
  std::uint32_t mixed =
      static_cast<std::uint32_t>(body) * 2654435769U;  // spreads neighbouring numbers
  mixed ^= mixed >> 15U;
  const float shade = static_cast<float>(mixed & 0xFFFFU) / 65535.0F;
  return base * (0.84F + 0.30F * shade);
}

Colour scale_colour(double value) {
  constexpr std::array<std::uint32_t, 7> stops = {0xE9E4D8, 0xF6CE8B, 0xF3A15A, 0xE2703F,
                                                  0xBF3F45, 0x8A2659, 0x4F1A57};
  const double scaled = std::clamp(value, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto index = std::min(static_cast<std::size_t>(scaled), stops.size() - 2);
  const auto t = static_cast<float>(scaled - static_cast<double>(index));
  return from_srgb(stops[index]) * (1.0F - t) + from_srgb(stops[index + 1]) * t;
}

}  // namespace scree::picture
