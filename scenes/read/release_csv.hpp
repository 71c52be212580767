// Points that rocks start from, as a CSV file has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/site/site.hpp"

namespace scree::scenes {

struct ReleaseCsv {
  std::vector<site::StartPoint> points;  // map coordinates
  std::vector<std::string> rock;         // [n_points] its name; empty: not said
  std::vector<std::string> unread;       // columns that nothing is made of
};

// The first line names the columns: x, y, and if wanted z, vx, vy, vz, wx, wy, wz, qw, qx, qy, qz,
// rock and id, in any order, with the unit behind (`x [m]`, `x_m`, `vx_mps`) or without. Columns of
// other names are left alone. Throws InputError, one line "file:line:column: ...".
ReleaseCsv read_release_csv(std::string_view text, const std::string& file_name);

}  // namespace scree::scenes
