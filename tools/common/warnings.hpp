// Warnings of a scene or a run, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "engine/model/warnings.hpp"

namespace scree {

// [{"id", "message", "advice", "count", "worst", "time", "bodies"}, ...]; `time` is null before the
// first step.
nlohmann::ordered_json warnings_json(const std::vector<RecordedWarning>& warnings,
                                     const std::vector<std::string>& body_names);

// Two lines each, "warning id: message." and the advice; empty without warnings.
std::string warnings_text(const std::vector<RecordedWarning>& warnings);

}  // namespace scree
