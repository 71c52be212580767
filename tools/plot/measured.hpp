// What can be plotted of what a run measured: impacts, screens, groups; and running sums of the
// ledger.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/files/result_reader.hpp"
#include "tools/plot/figure.hpp"

namespace scree::plot {

struct Plotted {
  std::string y_label;  // with unit
  Curve curve;
};

// contact_work, total_work, or sum(TERM) of the ledger, added up over the run.
std::optional<Plotted> running_sum_of(const ResultReader& results, const std::string& quantity);

// impacts.WHAT, SCREEN.WHAT, GROUP.moved, GROUP:GROUP.WHAT; nothing if the run measured nothing of
// that name.
std::optional<Plotted> measured_quantity(const ResultReader& results, const std::string& quantity);

// The names, for help and messages.
std::string measured_quantities();

}  // namespace scree::plot
