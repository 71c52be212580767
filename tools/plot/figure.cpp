#include "tools/plot/figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "engine/base/printable.hpp"
#include "tools/report/curves.hpp"

namespace scree::plot {
namespace {

// Sizes in pixels.
constexpr double width = 760.0, panel_height = 300.0, top = 14.0, bottom = 48.0,
                 title_height = 30.0;
constexpr double legend_line = 17.0, legend_mark = 24.0, legend_gap = 18.0, letter_width = 7.0;
constexpr double dot_radius = 3.5, cap = 5.0;  // of a dot; half the width of the caps of its bar
constexpr std::size_t most_points = 3000;  // of one curve, lowest and highest of every stretch kept

// Left and right of the axes: at least so much, more where numbers need it.
struct Margins {
  double left = 92.0, right = 20.0;

  double inside() const { return width - left - right; }
};
constexpr double number_gap = 6.0;   // between a number and its axis
constexpr double digit_width = 6.7;  // of Helvetica and Arial
constexpr double label_room = 24.0;  // of the label that stands upright at the left edge

// Distinguishable also without red and green (Okabe and Ito).
constexpr std::array colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                "#E69F00", "#56B4E9", "#000000"};

struct Range {
  double low = INFINITY, high = -INFINITY;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value), high = std::max(high, value);
  }
  // A little room, also for a constant or for nothing at all.
  Range widened(double share) const {
    if (!(low <= high)) return {0.0, 1.0};
    double room = share * (high - low);
    if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high)) || high == low)
      room = low == 0.0 ? 1.0 : 0.05 * std::abs(low);
    return {low - room, high + room};
  }
};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      result += c;
  }
  return result;
}

// Ticks differ by `step`: as many digits as that needs.
std::string number(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  const double size = std::max(std::abs(value), step);
  if (size >= 1e5 || size < 1e-3) {
    const int digits = std::max(0, static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9) -
                                                    std::floor(std::log10(step) + 1e-9)));
    return fmt::format("{:.{}e}", value, digits);
  }
  return fmt::format("{:.{}f}", value,
                     std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9))));
}

// The legend stands above the axes, in as many rows as it takes: inside it would cover curves
// sooner or later.
struct LegendPlace {
  double x = 0.0;  // from the left edge of the axes
  int row = 0;
};

std::vector<LegendPlace> legend_places(const Panel& panel, const Margins& margins) {
  std::vector<LegendPlace> places;
  if (panel.bars) return places;
  LegendPlace next;
  for (const Curve& curve : panel.curves) {
    const double wide = legend_mark + letter_width * static_cast<double>(curve.label.size());
    if (next.x > 0.0 && next.x + wide > margins.inside()) next = {0.0, next.row + 1};
    places.push_back(next);
    next.x += wide + legend_gap;
  }
  return places;
}

int legend_rows(const std::vector<LegendPlace>& places) {
  return places.empty() ? 0 : places.back().row + 1;
}

// The first row has room in every panel, further ones make it higher.
double height_of(const Panel& panel, const Margins& margins) {
  return panel_height + legend_line * std::max(0, legend_rows(legend_places(panel, margins)) - 1);
}

double step_of(const std::vector<double>& ticks) {
  return ticks.size() > 1 ? ticks[1] - ticks[0] : 1.0;
}

double width_of(const std::string& number) {
  return digit_width * static_cast<double>(number.size());
}

class PanelDrawing {
 public:
  PanelDrawing(const Panel& panel, const Margins& margins, double y)
      : panel_(panel),
        margins_(margins),
        y_(y),
        legend_(legend_places(panel, margins)),
        axes_top_(y + top + legend_line * legend_rows(legend_)) {
    for (const Curve& curve : panel.curves) {
      for (const double value : curve.x) x_range_.add(value);
      for (const double value : curve.y) y_range_.add(on_axis(value));
      for (std::size_t i = 0; i < curve.deviation.size(); ++i)
        y_range_.add(curve.y[i] - curve.deviation[i]),
            y_range_.add(curve.y[i] + curve.deviation[i]);
    }
    if (panel.bars) y_range_.add(0.0);
    const bool dotted = std::any_of(panel.curves.begin(), panel.curves.end(),
                                    [](const Curve& curve) { return !curve.deviation.empty(); });
    x_range_ = x_range_.widened(dotted ? 0.02 : 0.0),
    y_range_ = y_range_.widened(panel.bars ? 0.0 : 0.04);
  }

  // So much that no number of the axes is cut off.
  Margins needed() const {
    Margins needed = margins_;
    for (const std::string& text : y_numbers())
      needed.left = std::max(needed.left, label_room + number_gap + width_of(text));
    const std::vector<double> xs = x_ticks();
    for (const double x : xs) {
      const double beyond =
          0.5 * width_of(number(x, step_of(xs))) - (width - margins_.right - px(x));
      needed.right = std::max(needed.right, beyond);
    }
    return needed;
  }

  std::string draw() const {
    std::string text = axes(), dotted;
    for (std::size_t i = 0; i < panel_.curves.size(); ++i) {
      const Curve& curve = panel_.curves[i];
      if (curve.deviation.empty())
        text += panel_.bars ? bars(curve) : line(curve, i);
      else
        dotted += dots(curve, i);
    }
    text += dotted;  // on top of the lines
    return text + frame() + (panel_.bars ? "" : legend());
  }

 private:
  double bottom_edge() const { return y_ + height_of(panel_, margins_) - bottom; }
  double px(double x) const {
    return margins_.left + margins_.inside() * (x - x_range_.low) / (x_range_.high - x_range_.low);
  }
  // What the axis is linear in; NaN where it has no place.
  double on_axis(double y) const {
    if (!panel_.log_y) return y;
    return y > 0.0 ? std::log10(y) : NAN;
  }
  double height_at(double on_axis) const {
    return bottom_edge() -
           (bottom_edge() - axes_top_) * (on_axis - y_range_.low) / (y_range_.high - y_range_.low);
  }
  double py(double y) const { return height_at(on_axis(y)); }

  std::string axes() const {
    std::string text;
    const auto out = std::back_inserter(text);
    const double left = margins_.left, right_edge = width - margins_.right;
    const std::vector<double> xs = x_ticks(), ys = y_ticks();
    const std::vector<std::string> numbers = y_numbers();
    for (const double x : xs) {
      fmt::format_to(
          out,
          "<path class=\"grid\" d=\"M{0:.2f} {1:.2f}V{2:.2f}\"/><text x=\"{0:.2f}\" y=\"{3:.2f}\" "
          "class=\"mid\">{4}</text>\n",
          px(x), axes_top_, bottom_edge(), bottom_edge() + 16.0, number(x, step_of(xs)));
    }
    for (std::size_t i = 0; i < ys.size(); ++i) {
      fmt::format_to(
          out,
          "<path class=\"grid\" d=\"M{0:.2f} {1:.2f}H{2:.2f}\"/><text x=\"{3:.2f}\" y=\"{4:.2f}\" "
          "class=\"end\">{5}</text>\n",
          left, height_at(ys[i]), right_edge, left - number_gap, height_at(ys[i]) + 4.0,
          numbers[i]);
    }
    const double middle = 0.5 * (axes_top_ + bottom_edge());
    fmt::format_to(out, "<text x=\"{:.2f}\" y=\"{:.2f}\" class=\"mid label\">{}</text>\n",
                   0.5 * (left + right_edge), bottom_edge() + 36.0, escaped(panel_.x_label));
    fmt::format_to(
        out, "<text transform=\"translate(18 {:.2f}) rotate(-90)\" class=\"mid label\">{}</text>\n",
        middle, escaped(panel_.y_label));
    return text;
  }

  std::vector<double> x_ticks() const { return ticks(x_range_.low, x_range_.high, 8); }

  std::vector<std::string> y_numbers() const {
    const std::vector<double> ys = y_ticks();
    std::vector<std::string> texts;
    for (const double y : ys)
      texts.push_back(panel_.log_y ? fmt::format("1e{:.0f}", y) : number(y, step_of(ys)));
    return texts;
  }

  // Whole decades on a logarithmic axis.
  std::vector<double> y_ticks() const {
    std::vector<double> ys = ticks(y_range_.low, y_range_.high, 6);
    if (panel_.log_y) std::erase_if(ys, [](double y) { return y != std::round(y); });
    return ys;
  }

  std::string frame() const {
    return fmt::format(
        "<rect class=\"frame\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n",
        margins_.left, axes_top_, margins_.inside(), bottom_edge() - axes_top_);
  }

  std::string line(const Curve& curve, std::size_t index) const {
    std::string path;
    bool pen_down = false;
    for (const std::size_t i : report::thin(curve.y, most_points)) {
      const bool finite = std::isfinite(curve.x[i]) && std::isfinite(on_axis(curve.y[i]));
      if (finite)
        fmt::format_to(std::back_inserter(path), "{}{:.2f} {:.2f}", pen_down ? "L" : "M",
                       px(curve.x[i]), py(curve.y[i]));
      pen_down = finite;
    }
    return fmt::format("<path class=\"curve\" stroke=\"{}\" d=\"{}\"><title>{}</title></path>\n",
                       colours[index % colours.size()], path, escaped(curve.label));
  }

  // Dots, and bars with caps over the deviations.
  std::string dots(const Curve& curve, std::size_t index) const {
    const char* colour = colours[index % colours.size()];
    std::string text = fmt::format("<g fill=\"{0}\" stroke=\"{0}\"><title>{1}</title>\n", colour,
                                   escaped(curve.label));
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) continue;
      const double x = px(curve.x[i]);
      fmt::format_to(std::back_inserter(text),
                     "<circle class=\"dot\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\"/>\n", x,
                     py(curve.y[i]), dot_radius);
      if (!(curve.deviation[i] > 0.0)) continue;
      const double low = py(curve.y[i] - curve.deviation[i]),
                   high = py(curve.y[i] + curve.deviation[i]);
      fmt::format_to(std::back_inserter(text),
                     "<path class=\"deviation\" d=\"M{0:.2f} {2:.2f}H{1:.2f}M{0:.2f} "
                     "{3:.2f}H{1:.2f}M{4:.2f} {2:.2f}V{3:.2f}\"/>\n",
                     x - cap, x + cap, low, high, x);
    }
    return text + "</g>\n";
  }

  std::string bars(const Curve& curve) const {
    std::string text;
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
      fmt::format_to(
          std::back_inserter(text),
          "<rect class=\"bar\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n",
          px(curve.x[i]), py(curve.y[i]), px(curve.x[i + 1]) - px(curve.x[i]),
          py(0.0) - py(curve.y[i]));
    }
    return text;
  }

  std::string legend() const {
    std::string text;
    for (std::size_t i = 0; i < panel_.curves.size(); ++i) {
      const double x = margins_.left + legend_[i].x, y = y_ + 12.0 + legend_line * legend_[i].row;
      const auto out = std::back_inserter(text);
      const char* colour = colours[i % colours.size()];
      if (panel_.curves[i].deviation.empty())
        fmt::format_to(out, "<path class=\"curve\" stroke=\"{}\" d=\"M{:.2f} {:.2f}h18\"/>", colour,
                       x, y);
      else
        fmt::format_to(out,
                       "<circle class=\"dot\" fill=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\"/>",
                       colour, x + 9.0, y, dot_radius);
      fmt::format_to(out, "<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", x + legend_mark, y + 4.0,
                     escaped(panel_.curves[i].label));
    }
    return text;
  }

  const Panel& panel_;
  Margins margins_;
  double y_;
  std::vector<LegendPlace> legend_;
  double axes_top_;
  Range x_range_, y_range_;
};

}  // namespace

std::vector<double> ticks(double low, double high, int count) {
  const double rough = (high - low) / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double share = rough / power;
  const double step = power * (share < 1.5 ? 1.0 : share < 3.5 ? 2.0 : share < 7.5 ? 5.0 : 10.0);
  std::vector<double> values;
  const double slack = 1e-9 * (high - low);
  for (double k = std::ceil((low - slack) / step); k * step <= high + slack; k += 1.0)
    values.push_back(k * step);
  return values;
}

std::string curves_as_csv(const std::vector<Panel>& panels) {
  std::string text = "panel,curve,x,y\r\n";
  for (const Panel& panel : panels) {
    for (const Curve& curve : panel.curves) {
      const std::string names =
          fmt::format("{},{}", csv_field(panel.y_label), csv_field(curve.label));
      for (std::size_t i = 0; i < curve.y.size(); ++i)
        fmt::format_to(std::back_inserter(text), "{},{},{}\r\n", names, curve.x[i], curve.y[i]);
    }
  }
  return text;
}

std::string draw_svg(const std::vector<Panel>& panels, const std::string& title) {
  Margins margins;
  for (const Panel& panel : panels) margins = PanelDrawing(panel, margins, 0.0).needed();
  double height = title_height;
  for (const Panel& panel : panels) height += height_of(panel, margins);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 "
      "0 {0:.0f} "
      "{1:.0f}\">\n",
      width, height);
  text +=
      "<style>text{font:12px "
      "Helvetica,Arial,sans-serif;fill:#222}.label{font-size:13px}.mid{text-anchor:middle}.end{"
      "text-anchor:end}"
      ".grid{stroke:#ddd;fill:none}.frame{stroke:#222;fill:none}"
      ".curve{fill:none;stroke-width:1.5;stroke-linejoin:round}.dot{stroke:none}.deviation{fill:"
      "none;stroke-width:1.5}.bar{fill:#0072B2;stroke:#fff;stroke-width:.5}</"
      "style>\n";
  text += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  text += fmt::format("<text x=\"{:.2f}\" y=\"20\" class=\"mid label\">{}</text>\n",
                      0.5 * (margins.left + width - margins.right), escaped(title));
  double y = title_height;
  for (const Panel& panel : panels) {
    text += "<g>\n" + PanelDrawing(panel, margins, y).draw() + "</g>\n";
    y += height_of(panel, margins);
  }
  return text + "</svg>\n";
}

}  // namespace scree::plot
