// What a run of a scene would measure besides frames and ledger: for people and for programs.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "scenes/read/scene.hpp"

namespace scree {

// A line each; empty without any.
std::string measure_lines(const Scene& scene);

// {"impacts": {...}, "screens": {name: {...}}, "groups": {...}, "gauges": {...}, ...}: what there
// is.
nlohmann::ordered_json measures_json(const Scene& scene);

}  // namespace scree
