// One frictional contact problem, in the two forms that solvers accept. Knows no shape, clock or
// restitution.
//
//   w = W p + b,   w~ = w + (mu |w_T|, 0, 0),   K* contains w~,   p in K = {|p_T| <= mu p_N},   w~
//   . p = 0
//
// Components of every contact vector are (n, t, s).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "contact/problem/contact_islands.hpp"
#include "engine/base/indices.hpp"
#include "engine/base/math.hpp"

namespace scree::contact {

// W = H M^-1 H^T kept as body velocities: z = z_free + M^-1 H^T p, w = H z + bias. Contacts may
// give way besides, see compliance.
struct BodyProblem {
  // Bodies [n_bodies]. A fixed or driven body has zero inverse mass and inertia.
  std::vector<double> inverse_mass;        // [1/kg]
  std::vector<Matrix3> inverse_inertia_W;  // [1/(kg m2)] symmetric, world axes
  std::vector<Vector3> directions;  // of the world along which a body can move, 1 or 0 each: its
                                    // inverse mass is inverse_mass times that; empty: all 1
  std::vector<Vector3> v_free,
      w_free_W;  // [m/s], [rad/s] velocity without contact impulses; spin in world axes

  // Contacts [n_contacts]; contacts of one body pair are neighbours.
  std::vector<BodyIndex> body_a, body_b;
  std::vector<Matrix3> R_WC;  // columns n, t, s
  std::vector<Vector3> r_a_W,
      r_b_W;                  // [m] lever arm from each body's centre to its own witness point
  std::vector<double> mu;     // [-]
  std::vector<Vector3> bias;  // [m/s] what the impact law adds: b = H z_free + bias
  std::vector<double>
      scale;  // [-] the rho = 1 measures use scale * (w, b): theta under `fremond`, else 1
  std::vector<double> speed;  // [m/s] what counts as much here, for the `combined` measure; empty:
                              // the largest |b_c|

  // [N s, n_contacts] (n,t,s) what presses on b besides p; v_free and w_free_W have its effect
  // already. Empty: nothing.
  std::vector<Vector3> beside;

  // [1/kg] (n,t,s) of each contact, on the diagonal of W: w = H z + bias + compliance p, so that
  // W = H M^-1 H^T + D; >= 0, that of t and s the same. Empty: none has any.
  std::vector<Vector3> compliance;

  // Rolling and spinning resistance (rolling_cone.hpp) [n_contacts]; all empty when no contact of
  // the problem has any.
  std::vector<double> length;            // [m] > 0: moments over it are impulses
  std::vector<double> mu_spin, mu_roll;  // [-] both 0: none at this contact
  std::vector<Vector3> spin_bias;        // [rad/s] (n,t,s) what the law adds to the relative spin

  // Of the contacts as they are now, where `has_islands`; whoever lists contacts finds them.
  ContactIslands islands;

  bool has_islands() const { return islands.n_contacts == n_contacts(); }
  bool has_moments() const { return !length.empty(); }
  bool has_compliance() const { return !compliance.empty(); }
  bool has_locks() const { return !directions.empty(); }
  std::size_t n_contacts() const { return body_a.size(); }
  std::size_t n_bodies() const { return inverse_mass.size(); }

  // What the compliance of contact i makes of its impulse, (n,t,s) [m/s].
  Vector3 give(std::size_t i, const Vector3& p) const {
    return has_compliance() ? Vector3(compliance[i].cwiseProduct(p)) : Vector3(Vector3::Zero());
  }

  // What an impulse adds to the velocity of a body.
  Vector3 gain(std::size_t body, const Vector3& impulse) const {
    if (has_locks()) return inverse_mass[body] * directions[body].cwiseProduct(impulse);
    return inverse_mass[body] * impulse;
  }
};

// W as a matrix of 3x3 blocks in compressed rows. W may be unsymmetric and rank deficient.
struct MatrixProblem {
  std::vector<std::int64_t> row_begin;  // [n_contacts + 1]
  std::vector<ContactIndex>
      column;                  // block columns, ascending in a row; the diagonal block is present
  std::vector<Matrix3> block;  // [1/kg]
  std::vector<Vector3> b;      // [m/s]
  std::vector<double> mu;      // [-]

  std::size_t n_contacts() const { return b.size(); }
};

// The largest |b_c|, the reference speed of problems that name none.
inline double largest_bias(const MatrixProblem& problem) {
  double largest = 0.0;
  for (const Vector3& b : problem.b) largest = std::max(largest, b.norm());
  return largest;
}

}  // namespace scree::contact
