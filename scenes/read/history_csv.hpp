// Histories of driven bodies from CSV files.
#pragma once

#include <string>
#include <string_view>

#include "engine/model/motion_history.hpp"

namespace scree::scenes {

// Fills time, linear and angular of `history`, whose kind says what the columns hold. The first
// line that is neither empty nor begins with # names the columns: time, and any of linear_x,
// linear_y, linear_z, angular_x, angular_y, angular_z, in any order, each with its unit in square
// brackets or without; those left out are zero. Every further line has one number for each. Throws
// InputError, one line "file:line:column: field: what is wrong and what is allowed".
void read_history_csv(std::string_view text, const std::string& file_name, MotionHistory& history);

}  // namespace scree::scenes
