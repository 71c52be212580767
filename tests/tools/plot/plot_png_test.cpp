#include "tools/plot/raster.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "tools/plot/figure.hpp"

namespace plot_png_test {

using namespace scree::plot;

namespace {

struct Pixels {
  int width = 0, height = 0;
  std::vector<png_byte> rgb;

  const png_byte* at(double x, double y) const {
    return rgb.data() + 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                             static_cast<std::size_t>(x));
  }
  // Largest difference of a channel from a colour.
  int differs(double x, double y, const std::array<int, 3>& colour) const {
    int worst = 0;
    for (std::size_t c = 0; c < 3; ++c) worst = std::max(worst, std::abs(at(x, y)[c] - colour[c]));
    return worst;
  }
  int count_dark(int x_begin, int x_end, int y_begin, int y_end) const {
    int count = 0;
    for (int y = y_begin; y < y_end; ++y)
      for (int x = x_begin; x < x_end; ++x)
        count += *std::max_element(at(x, y), at(x, y) + 3) < 110;
    return count;
  }
};

Pixels decode(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) != 0);
  REQUIRE(image.format == PNG_FORMAT_RGB);  // opaque
  Pixels pixels{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  pixels.rgb.resize(PNG_IMAGE_SIZE(image));
  REQUIRE(png_image_finish_read(&image, nullptr, pixels.rgb.data(), 0, nullptr) != 0);
  return pixels;
}

// The sizes of the panel in figure.cpp, in units of the SVG.
constexpr double left = 92.0, right_edge = 740.0, top_edge = 61.0, bottom_edge = 282.0;

Panel slope() {
  Panel panel{"time [s]", "height [m]", {{"ball.z", {}, {}}}, false};
  for (int i = 0; i <= 10; ++i)
    panel.curves[0].x.push_back(i), panel.curves[0].y.push_back(2.0 * i);
  return panel;
}

}  // namespace

TEST_CASE("Plots as PNG show the curve where its numbers are, with smooth edges",
          "[tools][plot][unit]") {
  const Pixels pixels = decode(draw_png(draw_svg({slope()}, "A title")));
  REQUIRE(pixels.width == 2280);
  REQUIRE(pixels.height == 990);
  int between = 0;
  for (double time = 0.5; time < 9.6; time += 0.25) {
    // 4 % of the range is left free below and above.
    const double x = 3.0 * (left + (right_edge - left) * time / 10.0);
    const double y = 3.0 * (bottom_edge - (bottom_edge - top_edge) * (2.0 * time + 0.8) / 21.6);
    CAPTURE(time);
    CHECK(pixels.differs(x, y, {0x00, 0x72, 0xB2}) <
          40);  // the line is 4.5 pixels wide: its middle is all ink
    if (std::fmod(time, 1.0) == 0.5)
      CHECK(pixels.differs(x, y - 20.0, {255, 255, 255}) ==
            0);  // paper beside it, away from the grid
    for (double dy = -5.0; dy <= 5.0; dy += 1.0) {
      const int red = *pixels.at(x, y + dy);
      between += red > 50 && red < 200;
    }
  }
  CHECK(between > 30);  // one pixel at least on each of 37 crossings is neither ink nor paper
}

TEST_CASE("Plots as PNG have letters for title, axes and units", "[tools][plot][unit]") {
  const Pixels pixels = decode(draw_png(draw_svg({slope()}, "A title")));
  CHECK(pixels.count_dark(1100, 1400, 15, 72) > 200);    // title
  CHECK(pixels.count_dark(24, 66, 300, 690) > 500);      // label of the vertical axis, turned
  CHECK(pixels.count_dark(150, 264, 120, 850) > 300);    // its ticks
  CHECK(pixels.count_dark(1100, 1400, 910, 970) > 300);  // label of the horizontal axis
  CHECK(pixels.count_dark(0, 20, 0, 990) == 0);          // nothing is cut off at the edges
  CHECK(pixels.count_dark(2270, 2280, 0, 990) == 0);
}

TEST_CASE("Plots as PNG take the scale that is asked for and refuse what is no SVG",
          "[tools][plot][unit]") {
  CHECK(decode(draw_png(draw_svg({slope(), slope()}, ""), 1.0)).height == 630);
  CHECK_THROWS_WITH(draw_png("<svg"), Catch::Contains("the figure cannot be drawn: "));
}

}  // namespace plot_png_test
