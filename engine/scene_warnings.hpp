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
inline constexpr double tolerance_limit =
    0.01;                                      // [-] of the measures that are relative to impulses
inline constexpr double least_density = 30.0;  // [kg/m3] above the unit weights of rock in kN/m3
inline constexpr double largest_density = 23000.0;  // [kg/m3] above osmium and platinum

// What can be known of a run that starts from `state`.
WarningLog warnings_of_scene(const Model& model, const Settings& settings, const State& state);

// Says anew what depends on the end of the run: one that goes on may have a later end than it had
// before.
void renew_late_warnings(const Model& model, const Settings& settings, WarningLog& log);

// Adds that so many bodies are made of a density outside the limits.
void warn_of_density(double density, BodyIndex body, WarningLog& log);

}  // namespace scree
