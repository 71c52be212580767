// Results of the studies of packings under walls: figures, and a page with what was expected.
#pragma once

#include <string>
#include <vector>

#include "tools/study/press_measures.hpp"
#include "tools/study/study_page.hpp"

namespace scree::study {

struct PressResults {
  PressKind kind = PressKind::oedometer;
  std::string shape;
  std::vector<PageRow> rows;
  std::vector<PressCurve> curves;  // [rows] empty: not done
  double angle = 20.9;             // [degrees] critical angle of friction, for Jaky's K0
};

std::string press_figures(const PressResults& results);  // SVG
std::string press_text(const PressResults& results);     // lines for the terminal
std::string press_page(const PressResults& results, const std::string& command);  // HTML

}  // namespace scree::study
