// The sizes, masses and inertias that are admitted. Products, squares and inverses of them as the
// mechanics forms them stay far from the ends of the floating-point range (1e-308 to 1e308), where
// results would lose digits or turn into infinity unnoticed.
#pragma once

#include <cmath>
#include <string>

#include "engine/base/check.hpp"

namespace scree {

struct AdmittedRange {
  double low = 0.0, high = 0.0;
  const char* text = "";  // as it is stated

  bool contains(double value) const { return value >= low && value <= high; }  // false for NaN
};

inline constexpr AdmittedRange admitted_length{1e-12, 1e12, "from 1e-12 to 1e12 [m]"};
inline constexpr AdmittedRange admitted_mass{1e-40, 1e40, "from 1e-40 to 1e40 [kg]"};
inline constexpr AdmittedRange admitted_inertia{1e-70, 1e70, "from 1e-70 to 1e70 [kg m2]"};

inline constexpr AdmittedRange admitted_density{1e-20, 1e20, "from 1e-20 to 1e20 [kg/m3]"};

// A coordinate or an offset [m]: any that is not too far away.
inline bool is_admitted_coordinate(double value) { return std::abs(value) <= admitted_length.high; }
inline constexpr const char* admitted_coordinate = "from -1e12 to 1e12 [m]";

// Throws InputError("field: VALUE is not allowed; what must be a number from ... to ...").
void require_within(const AdmittedRange& range, double value, const std::string& field,
                    const std::string& what);

}  // namespace scree
