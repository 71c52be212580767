// What a scene asks for and its run is too short for.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/warnings.hpp"
#include "engine/settings.hpp"

namespace scree {

// Warns of events, motions, records and a stop rule whose time comes at or after the end, and of
// records that go on beyond it.
void warn_of_late_things(const Model& model, const Settings& settings, WarningLog& log);

}  // namespace scree
