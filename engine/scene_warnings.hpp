// Warnings that a scene gives before its first step.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/model/warnings.hpp"
#include "engine/settings.hpp"

namespace scree {

// Limits beyond which a scene is warned of.
inline constexpr double step_limit = 30.0;           // [-] dt over the suggested one
inline constexpr double largest_usual_size = 100.0;  // [m] of a moving body
inline constexpr double smallest_usual_size = 1e-5;  // [m]
inline constexpr double largest_usual_mass = 1e8;    // [kg]
inline constexpr double mass_ratio_limit = 1e7;      // [-] heaviest over lightest moving body
inline constexpr double gravity_limit =
    3000.0;  // [m/s2] 300 g: above the centrifuges of soil mechanics
inline constexpr double ground_limit = 50.0;        // [m/s2] the ground has shaken with 4 g at most
inline constexpr double ground_over_gravity = 5.0;  // [-] or with so much more in a centrifuge
inline constexpr double cohesion_limit = 1e9;       // [Pa] above the strength of any joint
inline constexpr double tolerance_limit =
    0.01;  // [-] of impulses, or of the velocities that contacts ask for
inline constexpr double velocity_tolerance_limit = 0.1;  // [-] of the velocity that P_c gives
inline constexpr double loose_overlap = 1e-3;  // [-] of a size: overlaps that a tolerance may hide
inline constexpr double spacing_limit = 1e-6;  // [-] of the thinnest extent: of coordinates
inline constexpr double most_inertia = 10.0;   // [-] of a filled body's: more than a hollow one has
inline constexpr double least_inertia = 0.01;  // [-] all mass within a tenth of the size
inline constexpr double least_density = 30.0;  // [kg/m3] above the unit weights of rock in kN/m3
inline constexpr double largest_density =
    20000.0;  // [kg/m3] above gold and tungsten; unit weights in N/m3 are larger
inline constexpr double most_arm = 2.0;      // [-] of a load's point, in radii of its body
inline constexpr double most_cliff = 100.0;  // [-] rise of a terrain between two nodes, in cells

// What can be known of a run that starts from `state`.
WarningLog warnings_of_scene(const Model& model, const Settings& settings, const State& state);

// Says anew what depends on the end of the run: one that goes on may have a later end than it had
// before.
void renew_late_warnings(const Model& model, const Settings& settings, WarningLog& log);

// Adds that a body is made of a density outside the limits, its own or that of its mass.
void warn_of_density(double density, BodyIndex body, WarningLog& log);

// Adds that the inertia given for a body is far from that of a filled one of its shape and mass.
void warn_of_inertia(const Matrix3& given, const Matrix3& filled, BodyIndex body, WarningLog& log);

}  // namespace scree
