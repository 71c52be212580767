// The theta scheme for rigid bodies ([Jean99], [Fremond24] eq. 55-58, spin after [Simo91]), one
// step of length h:
//
//   m (v_1 - v_0) = h F + P,   J (w_1 - w_0) + h w_theta x (J w_theta) = Q,   x_1 = x_0 + h
//   v_theta,   q_1 = q_0 * f(h w_theta)
//
// P, Q are contact impulses, given. The functions know no contact and no shape.
#pragma once

#include <span>

#include "engine/base/executor.hpp"
#include "engine/model/bodies.hpp"
#include "engine/model/free_motion.hpp"
#include "engine/model/state.hpp"

namespace scree::integrators {

enum class RotationUpdate { cayley, exponential };

struct StepLength {
  double h = 0.0;  // [s]
  std::span<const double>
      theta;                  // [-, n_bodies] weight of each body; the same for bodies that touch
  bool turned_apart = false;  // bodies turn freely before and after the impulses (turn_freely), and
                              // spins of this step are those of the middle
};

// What driven bodies do in this step, into `driven`; their velocities in `state` become those that
// contacts see at t_k. `theta` and `update` are the scene's; `apart`: bodies turn in two parts of
// the step, (1 - theta) h and theta h.
void drive(const Model& model, double h, double theta, RotationUpdate update, bool apart,
           State& state, std::vector<DrivenStep>& driven);

// Free turn of the moving bodies by the Lie midpoint rule over a time of each [s, n_bodies], which
// may be negative: q and w, which with the Cayley map keep energy and spatial angular momentum to
// round-off. `unsolved` [n_bodies]: 1 where the equation has an error beyond round-off; else it
// stays.
void turn_freely(const Model& model, std::span<const double> time, RotationUpdate update,
                 State& state, std::vector<std::uint8_t>& unsolved, const Executor& executor = {});

// Velocities without contact impulses and the inertia at the poses of t_k. Fixed, driven and
// inactive bodies get zero inverse inertia; driven ones end the step as `drive` found, and on
// steered ones acts what `apply_loads` (steered_motion.hpp) found.
void free_motion(const Model& model, const State& state, const StepLength& step, FreeMotion& free,
                 const Executor& executor = {});

// End velocities for given contact impulses: `impulse` [N s] and `angular_impulse_W` [N m s] per
// body, world axes, about the centres of mass. The spin equation is solved to round-off; `end`
// holds its starting guess.
void end_velocities(const Model& model, const State& state, const StepLength& step,
                    const FreeMotion& free, std::span<const Vector3> impulse,
                    std::span<const Vector3> angular_impulse_W, Velocities& end,
                    const Executor& executor = {});

// Re-freezes the gyroscopic impulse at the given end velocities.
void freeze_gyroscopic(const Model& model, const State& state, const StepLength& step,
                       const Velocities& end, FreeMotion& free);

// Spin after the frozen gyroscopic impulse alone, world axes [rad/s]: what the contact problem
// calls free. Of steered bodies frozen_steered_spin_W says it.
Vector3 frozen_free_spin_W(const State& state, const FreeMotion& free, std::size_t body);

// Poses and velocities of t_{k+1}. Driven bodies get those of their history.
void advance(const Model& model, const StepLength& step, RotationUpdate update,
             const FreeMotion& free, const Velocities& end, State& state,
             const Executor& executor = {});

}  // namespace scree::integrators
