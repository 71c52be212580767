// What can be plotted of a run, by name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/files/result_reader.hpp"
#include "tools/plot/figure.hpp"

namespace scree::plot {

// One panel a unit, in the order in which the quantities name them. `frame` is that of the
// histogram; default: the last. Throws InputError for an unknown quantity or body, with what is
// known or nearest.
std::vector<Panel> panels_of(const ResultReader& results,
                             const std::vector<std::string>& quantities,
                             std::optional<std::int64_t> frame);

// The same of several runs: a curve a run in each panel, labelled by its title and law. Throws
// InputError for what is of one run only, a histogram or the published panels.
struct PlottedRun {
  const ResultReader* results;
  std::string file;
};
std::vector<Panel> panels_of(const std::vector<PlottedRun>& runs,
                             const std::vector<std::string>& quantities);

// The names, for the help of the command.
std::string known_quantities();

}  // namespace scree::plot
