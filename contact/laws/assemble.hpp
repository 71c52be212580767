// Candidates, free motion and laws in; contact problem out.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "contact/problem/contact_problem.hpp"
#include "engine/base/executor.hpp"
#include "engine/model/contact_set.hpp"
#include "engine/model/free_motion.hpp"
#include "engine/model/materials.hpp"

namespace scree::contact {

// What is large and small in a step.
struct StepScale {
  double h = 0.0;                     // [s]
  double gravity = 0.0;               // [m/s2] |g|
  std::span<const double> body_size;  // [m, n_bodies] infinite for half-spaces
  bool two_step = false;  // pairs without restitution close in one step and stop in the next
};

// What assembly needs to know of the bodies, [n_bodies] each.
struct BodyTable {
  std::span<const Vector3> x;           // [m] centres of mass at t_k
  std::span<const Vector3> v_0, w_0_W;  // [m/s], [rad/s] velocities at t_k, world axes
  std::span<const MaterialIndex> material;
  std::span<const double> theta;  // [-] weight of the scheme; the same for moving bodies that touch
  std::span<const double> rolling_radius;  // [m] infinite for what counts as flat

  // [m/s, n_candidates] or empty: what the bend of a driven body's path adds to the velocity of b
  // relative to a in the step, world axes. u_k has -theta of it beyond that of the lever arms, u_k1
  // 1 - theta; their theta mean has none.
  std::span<const Vector3> ride_change = {};

  Cell cell = {};  // how images of b move, in the velocity of b relative to a

  std::span<const double> slip = {};  // [m, n_bodies] on fixed ground, or empty
};

// Weight of the scheme where bodies a and b touch: theirs, which agree unless one is held and keeps
// the scene's.
inline double pair_theta(std::span<const double> theta, BodyIndex a, BodyIndex b) {
  return std::max(theta[static_cast<std::size_t>(a)], theta[static_cast<std::size_t>(b)]);
}

// What laws remember of contacts; both empty unless some law does.
struct ContactMemories {
  std::span<const ContactMemory> kept = {};     // [n_candidates] from the last step; zero: nothing
  std::vector<ContactMemory>* start = nullptr;  // [n] as the step begins with them, filled
};

// Inverse inertia of the bodies. `problem` is overwritten; it does not allocate once large enough.
void assemble_bodies(const FreeMotion& free, BodyProblem& problem);

// Geometry, laws and local velocities of the candidates listed in `in_problem` (ascending).
// `damped` [n_candidates]: 1 takes the damped variant of the law. `u_0` [n] receives the local
// velocity at t_k in (n,t,s), from the same lever arms that the problem uses; `spin_0` the relative
// spin there, empty unless a law of the table has moments.
void assemble_contacts(const ContactSet& candidates, std::span<const ContactIndex> in_problem,
                       std::span<const std::uint8_t> damped, const BodyTable& bodies,
                       const MaterialTable& materials, const StepScale& scale,
                       const Executor& executor, BodyProblem& problem, std::vector<Vector3>& u_0,
                       std::vector<Vector3>& spin_0, const ContactMemories& memories = {});

// Local velocity (n,t,s) of contact `c` at body velocities v, w_W.
Vector3 local_velocity(const BodyProblem& problem, std::size_t c, std::span<const Vector3> v,
                       std::span<const Vector3> w_W);

// Spin of b relative to a, (n,t,s) [rad/s].
Vector3 local_spin(const BodyProblem& problem, std::size_t c, std::span<const Vector3> w_W);

// v = v_free + M^-1 H^T p for all bodies, world axes. `moment` [n_contacts] on b, (n,t,s) [N m s];
// empty if there is none.
void velocities_with(const BodyProblem& problem, std::span<const Vector3> p, std::span<Vector3> v,
                     std::span<Vector3> w_W, std::span<const Vector3> moment = {},
                     const Executor& executor = {});

// Adds what laws press beside the cone (`problem.beside`) to the free velocities, which are those
// of `free` and the spins as `problem` has them. The sums per body [n_bodies] are scratch.
void add_beside(const FreeMotion& free, std::span<Vector3> impulse,
                std::span<Vector3> angular_impulse_W, const Executor& executor,
                BodyProblem& problem);

// Adds H^T p: impulse [N s] and angular impulse about the centre of mass [N m s] per body, world
// axes.
void contact_impulses(const BodyProblem& problem, std::span<const Vector3> p,
                      std::span<Vector3> impulse, std::span<Vector3> angular_impulse_W,
                      std::span<const Vector3> moment = {});

}  // namespace scree::contact
