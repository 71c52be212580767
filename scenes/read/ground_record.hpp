// Records of ground motion as the PEER databases give them: AT2 files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scree::scenes {

inline constexpr double standard_gravity = 9.80665;  // [m/s2]

struct At2Record {
  double time_step = 0.0;            // [s]
  double unit = 0.0;                 // [m/s2] what the values are multiples of
  std::vector<double> acceleration;  // of `unit`, the first at t = 0
};

// Whether a file is one by its name, X.AT2.
bool is_at2(const std::string& name);

// Four lines of head, of which the third names the unit (G) and the fourth the number of points and
// the time step ("NPTS= 4000, DT= .0050 SEC", or "4000 0.0050 NPTS, DT"), then as many numbers.
// Throws InputError, one line "file:line:column: field: what is wrong and what is allowed".
At2Record read_at2(std::string_view text, const std::string& file_name);

}  // namespace scree::scenes
