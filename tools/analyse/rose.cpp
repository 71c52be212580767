#include "tools/analyse/rose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace scree::analyse {
namespace {

// Pixels.
constexpr double side = 380.0, radius = 140.0, title_height = 34.0, caption_height = 44.0;
using std::numbers::pi;

constexpr double even = 0.5 / pi;

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '&')
      safe += "&amp;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      safe += c;
  }
  return safe;
}

std::string draw(const Distributions::Rose& rose, double left, double scale) {
  const double x = left + 0.5 * side, y = title_height + 0.5 * side;
  std::string text;
  const auto out = std::back_inserter(text);
  const auto at = [&](double r, double angle) {
    return fmt::format("{:.2f} {:.2f}", x + scale * r * std::cos(angle),
                       y - scale * r * std::sin(angle));
  };
  const auto bins = static_cast<double>(rose.density.size());
  for (std::size_t k = 0; k < rose.density.size(); ++k) {
    const double r = rose.density[k], middle = -pi + 2.0 * pi * static_cast<double>(k) / bins,
                 half = pi / bins;
    if (!(r > 0.0)) continue;
    fmt::format_to(out,
                   "<path class=\"sector\" d=\"M{:.2f} {:.2f}L{}A{:.2f} {:.2f} 0 0 0 {}Z\"/>\n", x,
                   y, at(r, middle - half), scale * r, scale * r, at(r, middle + half));
  }
  fmt::format_to(out, "<circle class=\"even\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"/>\n", x, y,
                 scale * even);
  std::string curve;
  for (int k = 0; k <= 180; ++k) {
    const double angle = 2.0 * pi * k / 180.0,
                 r = even * (1.0 + rose.a_c * std::cos(2.0 * (angle - rose.theta_c)));
    curve += fmt::format("{}{}", k == 0 ? "M" : "L", at(std::max(r, 0.0), angle));
  }
  fmt::format_to(out, "<path class=\"fit\" d=\"{}\"/>\n", curve);
  fmt::format_to(out, "<path class=\"axis\" d=\"M{:.2f} {:.2f}h{:.2f}M{:.2f} {:.2f}v-{:.2f}\"/>\n",
                 x, y, radius + 12.0, x, y, radius + 12.0);
  fmt::format_to(out,
                 "<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text><text x=\"{:.2f}\" y=\"{:.2f}\" "
                 "class=\"mid\">{}</text>\n",
                 x + radius + 18.0, y + 4.0, "xyz"[rose.first], x, y - radius - 18.0,
                 "xyz"[rose.second]);
  fmt::format_to(out,
                 "<text x=\"{:.2f}\" y=\"{:.2f}\" class=\"mid\">a_c = {:.3f}, theta_c = {:.1f} "
                 "deg</text>\n",
                 x, title_height + side + 16.0, rose.a_c, rose.theta_c * 180.0 / pi);
  return text;
}

}  // namespace

std::string draw_roses(const std::vector<Distributions::Rose>& roses, const std::string& title) {
  double largest = 1.5 * even;
  for (const Distributions::Rose& rose : roses) {
    for (const double value : rose.density) largest = std::max(largest, value);
  }
  const double width = side * static_cast<double>(std::max<std::size_t>(roses.size(), 1)),
               height = title_height + side + caption_height;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 "
      "0 {0:.0f} {1:.0f}\">\n<style>text{{font:13px Helvetica,Arial,sans-serif;fill:#222}}"
      ".mid{{text-anchor:middle}}.sector{{fill:#56B4E9;stroke:#fff;stroke-width:.5}}"
      ".even{{fill:none;stroke:#222;stroke-dasharray:3 3}}.fit{{fill:none;stroke:#D55E00;"
      "stroke-width:2}}.axis{{fill:none;stroke:#888}}</style>\n<rect width=\"100%\" "
      "height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
  text += fmt::format("<text x=\"{:.2f}\" y=\"21\" class=\"mid\">{}</text>\n", 0.5 * width,
                      escaped(title));
  for (std::size_t i = 0; i < roses.size(); ++i)
    text += draw(roses[i], side * static_cast<double>(i), radius / largest);
  text += fmt::format(
      "<text x=\"{:.2f}\" y=\"{:.2f}\" class=\"mid\">dashed: even distribution, line: first "
      "harmonic</text>\n",
      0.5 * width, height - 8.0);
  return text + "</svg>\n";
}

}  // namespace scree::analyse
