// What a report says of the impacts, screens, groups and gauges that a scene measures, and of
// bodies that left the terrain.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/files/result_reader.hpp"

namespace scree::report {

// {"departures": {...}, "impacts": {...}, "screens": [...], "groups": {...}, "gauges": [...],
// "relative_to": index}:
// what the file has.
nlohmann::json describe_measures(const ResultReader& results);

}  // namespace scree::report
