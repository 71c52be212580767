// The mean Cauchy stress of every body over one step, exact for the scheme
// (engine/method/stress.md):
//
//   V sigma = sum over contacts and loads  r (x) f  -  P (O^2 - A),    P = tr(J)/2 I - J
//
// with r from the mass centre to where f acts, f the mean force of the step, O = skew(w_theta), A =
// skew(dw/dt), all in world axes. Tension is positive. Gravity, fields, drag and loads at the mass
// centre act on the body as a whole, like its weight, and drop out.
//
// What turns a body as a whole must be balanced: the moment of this tensor, e_ijk M_jk, is minus
// the couples that act besides, from rolling resistance, load torques and drag. What is left of
// their sum is the error of the step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/run.hpp"

namespace scree::measure {

class BodyStress {
 public:
  // Before the first step to look at: the state that it starts from.
  void start(const State& state);
  // Of the step of `view`.
  void compute(const StepView& view);

  // [N m, n_bodies] V sigma of the bodies that move freely and take part; zero of others.
  std::span<const Matrix3> moment() const { return moment_; }
  // [N m] its part that is not of contacts: spin and loads.
  std::span<const Matrix3> own() const { return own_; }
  // [N m] torque that nothing balances, of the directions that are not locked.
  std::span<const Vector3> unbalanced() const { return unbalanced_; }
  // [N m2] sum over contacts of r (x) m, m the moments of rolling and spinning resistance.
  std::span<const Matrix3> couple() const { return couple_; }
  // [m, m/s] at the start of the step.
  std::span<const Vector3> start_x() const { return x_; }
  std::span<const Vector3> start_v() const { return v_; }

 private:
  void add_contacts(const StepView& view);
  void add_loads(const StepView& view);
  void add_spins(const StepView& view);
  void lock(const StepView& view);

  std::vector<Matrix3> moment_, own_, couple_;
  std::vector<Vector3> unbalanced_, torque_;
  std::vector<Vector3> x_, v_, next_x_, next_v_;
};

// Whether a body has a stress: it moves freely, takes part, and has a volume.
bool has_stress(const Model& model, const State& state, std::size_t body);

// Sums over steps, for means: of the symmetric part, and of the torque that nothing balances.
struct StressSums {
  static constexpr std::size_t width = 9;

  std::int64_t steps = 0;
  std::vector<double> of_body;    // [N m, n_bodies * 9] six of the tensor, three of the torque
  std::vector<double> of_couple;  // [N m2, n_bodies * 9] row by row; empty without moments

  void add(const BodyStress& step, bool couples);
  void clear();
};

}  // namespace scree::measure
