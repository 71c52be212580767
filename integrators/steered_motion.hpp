// Bodies with forces of their own, loads and drag, or with locked directions. With the theta
// scheme,
//
//   m (v_1 - v_0) = h m g + I - h c v_theta + P,   J (w_1 - w_0) + h w_theta x (J w_theta)
//                                                    = T - h c_r w_theta + Q
//
// I, T are the integrals of force and torque over the step, c and c_r the drags; with v_theta = v_0
// + theta (v_1 - v_0) the drag adds h theta c to the mass that P moves, and takes h c v_0. A force
// that does not act at the centre has the arm of t_k, and a load in body axes their directions
// there. Locked directions have neither inverse mass nor inverse inertia
// (engine/model/freedom.hpp): nothing acts there, and nothing works.
#pragma once

#include "integrators/moreau_theta.hpp"

namespace scree::integrators {

// What loads do from t_k to t_k + h, into free.steered, and the gain of the field.
void apply_loads(const Model& model, const State& state, double h, FreeMotion& free);

// Overwrites what free_motion says of steered bodies. After apply_loads.
void steer(const Model& model, const State& state, const StepLength& step, FreeMotion& free,
           const Executor& executor);

// end_velocities of steered bodies.
void end_steered(const Model& model, const State& state, const StepLength& step,
                 const FreeMotion& free, std::span<const Vector3> impulse,
                 std::span<const Vector3> angular_impulse_W, Velocities& end,
                 const Executor& executor);

// Of a body, as contacts see it at orientation R [1/(kg m2), world axes]: for moves without time,
// in which drag takes no part.
Matrix3 inverse_inertia_W(const Model& model, const SteeredBody& steered, const Matrix3& R);

// frozen_free_spin_W of number k of Model::steered.
Vector3 frozen_steered_spin_W(const Model& model, const State& state, const FreeMotion& free,
                              std::size_t k);

// Work that loads and drag do on number k of Model::steered in the step [J], exact: their impulses
// times the velocities averaged over it.
struct SteeredWork {
  double loads = 0.0, drag = 0.0;
};
SteeredWork steered_work(const Model& model, const State& state, const StepLength& step,
                         const FreeMotion& free, const Velocities& end, std::size_t k);

}  // namespace scree::integrators
