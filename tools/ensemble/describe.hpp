// An ensemble in words, for `scree check`.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "scenes/ensemble/ensemble.hpp"

namespace scree::ensemble {

std::string ensemble_lines(const Ensemble& ensemble);
nlohmann::ordered_json ensemble_json(const Ensemble& ensemble);

}  // namespace scree::ensemble
