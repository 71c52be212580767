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

// The names, for the help of the command.
std::string known_quantities();

}  // namespace scree::plot
