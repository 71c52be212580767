// A figure as SVG: panels under each other, each with curves over one axis or with bars.
#pragma once

#include <string>
#include <vector>

namespace scree::plot {

inline constexpr const char* time_label = "time [s]";

struct Curve {
  std::string label;
  std::vector<double> x, y;  // same length; values that are not finite break the line
  std::vector<double> deviation =
      {};  // of the same length: dots with bars of y +- deviation (0: no bar); empty: a line
};

struct Panel {
  std::string x_label, y_label;  // with units
  std::vector<Curve> curves;
  bool bars = false;   // the only curve is a histogram: x has the edges, one more than y
  bool log_y = false;  // of lines: logarithmic where positive, broken elsewhere
};

// Round numbers that cover [low, high]: steps of 1, 2 or 5 times a power of ten, about `count` of
// them.
std::vector<double> ticks(double low, double high, int count);

// Every point of every curve, as a table with the columns panel, curve, x, y; labels have the
// units. Of a histogram, x is the lower edge of each bar.
std::string curves_as_csv(const std::vector<Panel>& panels);

// A standalone SVG document.
std::string draw_svg(const std::vector<Panel>& panels, const std::string& title);

}  // namespace scree::plot
