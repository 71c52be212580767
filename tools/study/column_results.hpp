// The results of a column study: one table, one figure.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace scree::study {

// Comma-separated values, one row a member, columns of the first complete row; failed members say
// why in `status`.
std::string results_csv(const std::vector<nlohmann::ordered_json>& rows);

// Run-out and final height over the aspect ratio: mean and standard deviation over the seeds of
// each shape and friction, with the published laws of that geometry. SVG.
std::string results_svg(const std::vector<nlohmann::ordered_json>& rows, bool round);

// Lines for the terminal: mean run-out and, from three aspect ratios on, the exponent of its
// growth.
std::string results_text(const std::vector<nlohmann::ordered_json>& rows);

}  // namespace scree::study
