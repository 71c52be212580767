// Results of the studies of flow in periodic cells: table, figures, fits, and a page of all of it.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

#include "tools/study/flow_fit.hpp"
#include "tools/study/flow_measures.hpp"

namespace scree::study {

using FlowRow = nlohmann::ordered_json;

// Of the members that are done: friction and packing over the inertial number.
struct FlowFits {
  std::optional<FrictionFit> friction;       // from three inertial numbers on
  std::optional<FrictionFit> mean_pressure;  // of shear: over a third of the trace
  std::optional<StraightLine> packing;       // from two
};
FlowFits fit_flows(FlowKind kind, const std::vector<FlowRow>& rows);

// What a study of shear leaves for others: the fits as JSON; and its fit of friction, read again.
// Throws InputError.
std::string fits_json(const FlowFits& fits);
FrictionLaw read_friction(const std::string& file);

struct FlowResults {
  FlowKind kind = FlowKind::shear;
  std::vector<FlowRow> rows;
  std::vector<FlowProfile> profiles;     // [rows] empty: not done
  std::optional<FrictionLaw> reference;  // of a study of shear, beside a chute's
};

std::string flow_figures(const FlowResults& results);  // SVG
std::string flow_text(const FlowResults& results);     // lines for the terminal
// HTML: what was measured against what is expected, the figures, and the table.
std::string flow_page(const FlowResults& results, const std::string& command);

}  // namespace scree::study
