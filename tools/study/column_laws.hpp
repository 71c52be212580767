// Published laws of the granular column collapse: run-out (r_end - r_0) / r_0 and height h_end / r_0 over the aspect ratio a = H_0 / r_0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::study {

struct ColumnLaw {
  const char* name;
  bool round;                  // axisymmetric; else a channel or slice
  double (*run_out)(double a);
  double (*height)(double a);  // null: not given
};

constexpr std::array column_laws = {
    // Lube, Huppert, Sparks, Hallworth 2004, J. Fluid Mech. 508, 175
    ColumnLaw{"Lube et al. 2004", true, [](double a) { return a < 1.7 ? 1.24 * a : 1.6 * std::sqrt(a); },
              [](double a) { return a < 1.7 ? std::min(a, 0.88 * std::pow(a, 1.0 / 6.0)) : 0.88 * std::pow(a, 1.0 / 6.0); }},
    // Lajeunesse, Mangeney, Vilotte 2004, Phys. Fluids 16, 2371
    ColumnLaw{"Lajeunesse et al. 2004", true, [](double a) { return std::min(1.35 * a, 2.0 * std::sqrt(a)); },
              [](double a) { return std::min(a, 0.74); }},
    // Lube et al. 2005, Phys. Rev. E 72, 041301; run-out also Lajeunesse, Monnier, Homsy 2005, Phys. Fluids 17, 103302
    ColumnLaw{"Lube et al. 2005, channel", false, [](double a) { return a < 2.3 ? 1.2 * a : 1.9 * std::pow(a, 2.0 / 3.0); },
              [](double a) { return a < 1.15 ? a : 1.1 * std::pow(a, 0.4); }},
    // Kumar 2015, thesis, plane discs by the discrete element method
    ColumnLaw{"Kumar 2015, plane DEM", false, [](double a) { return a < 2.7 ? 1.67 * a : 2.7 * std::pow(a, 2.0 / 3.0); },
              [](double a) { return a < 0.7 ? a : std::pow(a, 2.0 / 3.0); }},
    // Staron, Hinch 2005, J. Fluid Mech. 545, 1, plane discs by contact dynamics
    ColumnLaw{"Staron & Hinch 2005, plane discs", false, [](double a) { return a < 2.0 ? 2.5 * a : 3.25 * std::pow(a, 0.7); }, nullptr}};

}  // namespace scree::study
