// Prescribed motion of a driven body.
#pragma once

#include <optional>

#include "engine/model/motion_history.hpp"
#include "scenes/read/table_reader.hpp"

namespace scree::scenes {

// `motion` of a body: a table of velocities or accelerations over time. Nothing when the body has
// none.
std::optional<MotionHistory> read_motion(TableReader& body);

}  // namespace scree::scenes
