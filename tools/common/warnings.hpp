// Warnings of a scene or a run, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "engine/model/warnings.hpp"
#include "engine/warning_words.hpp"

namespace scree {

// [{"id", "message", "advice", "count", "worst", "time", "bodies"}, ...]; `time` is null before the
// first step.
nlohmann::ordered_json warnings_json(const std::vector<RecordedWarning>& warnings,
                                     const std::vector<std::string>& body_names);

// Two lines each, "warning id: message." and the advice; empty without warnings.
std::string warnings_text(const std::vector<RecordedWarning>& warnings);

// Of many runs: [{"id", "message", "advice", "runs", "worst", "worst_run"}, ...], and two lines
// each, "warning id: in 3 of 5 runs, worst in run 2: message." and the advice; empty without
// warnings.
nlohmann::ordered_json warned_runs_json(const std::vector<WarnedRuns>& warnings);
std::string warned_runs_text(const std::vector<WarnedRuns>& warnings, std::size_t n_runs);

}  // namespace scree
