// What a report says in words and numbers: warnings and key figures, from every step of the run.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/files/result_reader.hpp"

namespace scree::report {

// Limits for files of earlier programs, and above which a study says so.
inline constexpr double penetration_limit =
    1e-3;  // [-] of the size of the smallest body, in files without warnings of their own
inline constexpr double deep_penetration = 0.1;  // [-] as above

// Sentences: run not finished, steps not converged, penetration, balance. Empty: nothing to warn
// about.
std::vector<std::string> find_warnings(const ResultReader& results);

// Settings, hashes and key figures of the run: {"title", "program", ..., "settings": {...},
// "figures": {...}}.
nlohmann::json describe_run(const ResultReader& results);

}  // namespace scree::report
