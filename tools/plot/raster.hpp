// A figure as PNG: the SVG document drawn by librsvg, so that both show the same.
#pragma once

#include <string>

namespace scree::plot {

// Pixels of the PNG a unit of the SVG: at the SVG's 96 a printed inch this is 288 a inch, 2280
// across the figure.
inline constexpr double png_scale = 3.0;

// The bytes of an 8-bit RGB PNG file. `svg` is a document of draw_svg. Throws std::runtime_error
// with the reason.
std::string draw_png(const std::string& svg, double scale = png_scale);

}  // namespace scree::plot
