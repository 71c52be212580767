// Bodies that left the terrain, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

#include "engine/departures.hpp"

namespace scree {

// [{"body", "step", "time", "position", "velocity", "kinetic_energy", "rotation_energy"}, ...]
nlohmann::ordered_json departures_json(std::span<const Departure> departures,
                                       const std::vector<std::string>& body_names);

// One line each, of the first ten; empty when none has left.
std::string departures_text(std::span<const Departure> departures,
                            const std::vector<std::string>& body_names);

}  // namespace scree
