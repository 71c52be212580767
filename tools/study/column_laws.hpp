// Published laws of the granular column collapse: run-out (r_end - r_0) / r_0 and height h_end /
// r_0 over the aspect ratio a = H_0 / r_0.
#pragma once

#include <array>
#include <cmath>
#include <optional>

namespace scree::study {

// A function of the aspect ratio in two branches, as published: they need not meet.
struct Branches {
  double at;  // [-] where the second one begins
  double (*below)(double a);
  double (*above)(double a);
};

struct ColumnLaw {
  const char* name;
  bool round;  // axisymmetric; else a channel or slice
  Branches run_out;
  std::optional<Branches> height;  // none: not given
};

inline double whole_height(double a) { return a; }  // of a column whose top does not move

inline const std::array column_laws = {
    // Lube, Huppert, Sparks, Hallworth 2004, J. Fluid Mech. 508, 175
    ColumnLaw{"Lube et al. 2004",
              true,
              {1.7, [](double a) { return 1.24 * a; }, [](double a) { return 1.6 * std::sqrt(a); }},
              Branches{std::pow(0.88, 1.2), whole_height,
                       [](double a) { return 0.88 * std::pow(a, 1.0 / 6.0); }}},
    // Lajeunesse, Mangeney, Vilotte 2004, Phys. Fluids 16, 2371
    ColumnLaw{"Lajeunesse et al. 2004",
              true,
              {4.0 / (1.35 * 1.35), [](double a) { return 1.35 * a; },
               [](double a) { return 2.0 * std::sqrt(a); }},
              Branches{0.74, whole_height, [](double) { return 0.74; }}},
    // Lube et al. 2005, Phys. Rev. E 72, 041301; run-out also Lajeunesse, Monnier, Homsy 2005,
    // Phys. Fluids 17, 103302
    ColumnLaw{"Lube et al. 2005, channel",
              false,
              {2.3, [](double a) { return 1.2 * a; },
               [](double a) { return 1.9 * std::pow(a, 2.0 / 3.0); }},
              Branches{1.15, whole_height, [](double a) { return 1.1 * std::pow(a, 0.4); }}},
    // Kumar 2015, thesis, plane discs by the discrete element method
    ColumnLaw{"Kumar 2015, plane DEM",
              false,
              {2.7, [](double a) { return 1.67 * a; },
               [](double a) { return 2.7 * std::pow(a, 2.0 / 3.0); }},
              Branches{0.7, whole_height, [](double a) { return std::pow(a, 2.0 / 3.0); }}},
    // Staron, Hinch 2005, J. Fluid Mech. 545, 1, plane discs by contact dynamics
    ColumnLaw{
        "Staron & Hinch 2005, plane discs",
        false,
        {2.0, [](double a) { return 2.5 * a; }, [](double a) { return 3.25 * std::pow(a, 0.7); }},
        {}}};

}  // namespace scree::study
