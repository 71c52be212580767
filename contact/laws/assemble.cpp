#include "contact/laws/assemble.hpp"

#include <algorithm>
#include <cmath>

#include "contact/laws/activation.hpp"
#include "contact/laws/laws.hpp"
#include "contact/problem/local_frame.hpp"
#include "engine/base/block_loop.hpp"
#include "engine/base/check.hpp"
#include "engine/model/contact_law.hpp"

namespace scree::contact {

namespace {

void resize_contacts(std::size_t n, BodyProblem& problem) {
  problem.body_a.resize(n), problem.body_b.resize(n), problem.R_WC.resize(n);
  problem.r_a_W.resize(n), problem.r_b_W.resize(n);
  problem.mu.resize(n), problem.bias.resize(n), problem.scale.resize(n);
  problem.speed.resize(n);
}

void resize_moments(std::size_t n, BodyProblem& problem, std::vector<Vector3>& spin_0) {
  problem.length.resize(n), problem.mu_spin.resize(n), problem.mu_roll.resize(n);
  problem.spin_bias.resize(n), spin_0.resize(n);
}

// What the moment of one contact is measured with, and the spin that it acts against.
void prepare_moment(std::size_t c, const BodyTable& bodies, BodyProblem& problem,
                    ContactInput& in) {
  const auto a = static_cast<std::size_t>(problem.body_a[c]),
             b = static_cast<std::size_t>(problem.body_b[c]);
  const double curvature = 1.0 / bodies.rolling_radius[a] + 1.0 / bodies.rolling_radius[b];
  in.round = curvature > 0.0;
  in.spin_0 = local_spin(problem, c, bodies.w_0_W);
  problem.length[c] = in.round ? 1.0 / curvature : 1.0;
}

// How far the one of two bodies that moves has scarred the other, which does not [m].
double slip_of(const BodyProblem& problem, std::span<const double> slip, std::size_t a,
               std::size_t b) {
  if (problem.inverse_mass[a] == 0.0) return slip[b];
  return problem.inverse_mass[b] == 0.0 ? slip[a] : 0.0;
}

// The normal's entry of the contact's block of W [1/kg].
double normal_mobility(const BodyProblem& problem, std::size_t c) {
  const Vector3 n = problem.R_WC[c].col(0);
  const auto of = [&](BodyIndex body, const Vector3& r) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3 turn = r.cross(n);
    return n.dot(problem.gain(i, n)) + turn.dot(problem.inverse_inertia_W[i] * turn);
  };
  return of(problem.body_a[c], problem.r_a_W[c]) + of(problem.body_b[c], problem.r_b_W[c]);
}

// How far both bodies turn about the normal of contact c in a step: the slower one's, where they
// turn the same way.
double common_turn(const BodyProblem& problem, std::size_t c, std::span<const Vector3> w_W,
                   double h) {
  const Vector3 n = problem.R_WC[c].col(0);
  const double a = n.dot(w_W[static_cast<std::size_t>(problem.body_a[c])]),
               b = n.dot(w_W[static_cast<std::size_t>(problem.body_b[c])]);
  if (!(a * b > 0.0)) return 0.0;
  return h * (std::abs(a) < std::abs(b) ? a : b);
}

// 1 / number of contacts of the problem that touch between the two bodies of contact c. Contacts of
// a pair are neighbours.
double share_of_touch(const ContactSet& candidates, std::span<const ContactIndex> in_problem,
                      std::size_t c, double touch) {
  const auto candidate = [&](std::size_t i) { return static_cast<std::size_t>(in_problem[i]); };
  const ContactKey& key = candidates.key[candidate(c)];
  const auto same_pair = [&](std::size_t i) {
    const ContactKey& other = candidates.key[candidate(i)];
    return other.body_a == key.body_a && other.body_b == key.body_b;
  };
  std::size_t first = c;
  while (first > 0 && same_pair(first - 1)) --first;
  double count = 0.0;
  for (std::size_t i = first; i < in_problem.size() && same_pair(i); ++i)
    count += candidates.gap[candidate(i)] <= touch ? 1.0 : 0.0;
  return count > 0.0 ? 1.0 / count : 0.0;
}

// What counts as much at each contact: what gravity changes in three steps (a contact that bears
// others is as wrong as one step's fall long before they move), the velocity there at t_k (of
// driven bodies too), the last digits of positions, and a thousandth of the fastest contact of the
// island: what strikes elsewhere is passed on to contacts that are still.
void set_reference_speeds(const StepScale& scale, std::span<const Vector3> u_0,
                          const Executor& executor, BodyProblem& problem) {
  constexpr double steps_of_fall = 3.0, last_digits = 1e-12, share_of_fastest = 1e-3;
  ContactIslands& islands = problem.islands;
  std::vector<double>& fastest = islands.of_island;  // squared, then what it adds
  fastest.assign(islands.size(), 0.0);
  const auto island = [&](std::size_t c) {
    return islands.of.empty() ? std::size_t{0} : static_cast<std::size_t>(islands.of[c]);
  };
  for (std::size_t c = 0; c < u_0.size(); ++c)
    fastest[island(c)] = std::max(fastest[island(c)], u_0[c].squaredNorm());
  for (double& of_island : fastest)
    of_island = steps_of_fall * scale.gravity * scale.h + share_of_fastest * std::sqrt(of_island);
  for_each_item(u_0.size(), executor, [&](std::size_t c) {
    const double size = std::min(scale.body_size[static_cast<std::size_t>(problem.body_a[c])],
                                 scale.body_size[static_cast<std::size_t>(problem.body_b[c])]);
    problem.speed[c] = fastest[island(c)] + u_0[c].norm() + last_digits * size / scale.h;
  });
}

}  // namespace

void assemble_bodies(const FreeMotion& free, BodyProblem& problem) {
  problem.inverse_mass.assign(free.inverse_mass.begin(), free.inverse_mass.end());
  problem.inverse_inertia_W.assign(free.inverse_inertia_W.begin(), free.inverse_inertia_W.end());
  problem.directions.assign(free.directions.begin(), free.directions.end());
  problem.v_free.assign(free.v.begin(), free.v.end());
  problem.w_free_W.resize(free.v.size());
}

void assemble_contacts(const ContactSet& candidates, std::span<const ContactIndex> in_problem,
                       std::span<const std::uint8_t> damped, const BodyTable& bodies,
                       const MaterialTable& materials, const StepScale& scale,
                       const Executor& executor, BodyProblem& problem, std::vector<Vector3>& u_0,
                       std::vector<Vector3>& spin_0, const ContactMemories& memories) {
  const std::size_t n = in_problem.size();
  const bool remembers = memories.start != nullptr;
  problem.compliance.resize(remembers ? n : 0);
  if (remembers) memories.start->resize(n);
  const bool moments = Laws::any_moments(materials), shifts = Laws::any_shifts(materials);
  resize_contacts(n, problem);
  problem.beside.resize(shifts ? n : 0);
  resize_moments(moments ? n : 0, problem, spin_0);
  u_0.resize(n);
  for_each_item(n, executor, [&](std::size_t c) {
    const auto candidate = static_cast<std::size_t>(in_problem[c]);
    const ContactKey& key = candidates.key[candidate];
    const auto a = static_cast<std::size_t>(key.body_a), b = static_cast<std::size_t>(key.body_b);
    problem.body_a[c] = key.body_a;
    problem.body_b[c] = key.body_b;
    problem.R_WC[c] = local_frame(candidates.normal[candidate]);
    problem.r_a_W[c] = candidates.point_a[candidate] - bodies.x[a];
    problem.r_b_W[c] = candidates.point_b[candidate] - bodies.x[b];
    const auto& pair = law_of(candidates, candidate, materials, bodies.material);
    SCREE_ASSERT(pair.has_value());
    u_0[c] = local_velocity(problem, c, bodies.v_0, bodies.w_0_W);
    const bool sheared = bodies.cell.is_sheared() && key.image != 0;
    Vector3 drift = Vector3::Zero();
    if (sheared) drift = problem.R_WC[c].transpose() * bodies.cell.velocity(key.image);
    if (sheared) u_0[c] += drift;
    const double weight = pair_theta(bodies.theta, key.body_a, key.body_b);
    const bool bends = !bodies.ride_change.empty();
    Vector3 bend = Vector3::Zero();
    if (bends) bend = problem.R_WC[c].transpose() * bodies.ride_change[candidate];
    if (bends) u_0[c] -= weight * bend;
    ContactInput in = {.mu = pair->mu, .e = pair->e, .h = scale.h, .theta = weight, .u_0 = u_0[c]};
    in.damped = damped[candidate] != 0;
    in.gap = candidates.gap[candidate], in.touch = touch_length(key, scale);
    in.gravity = scale.gravity;
    if (moments) prepare_moment(c, bodies, problem, in);
    if (!bodies.slip.empty()) in.slip = slip_of(problem, bodies.slip, a, b);
    if (shifts) in.share = share_of_touch(candidates, in_problem, c, in.touch);
    if (remembers) {
      in.W_NN = normal_mobility(problem, c);
      in.digits = gap_digits(candidates, candidate, scale);
      in.turn = common_turn(problem, c, bodies.w_0_W, scale.h);
      in.R_WC = problem.R_WC[c];
      in.memory = memories.kept[candidate];
    }
    const ContactRow row = Laws::row(*pair, in);
    problem.mu[c] = row.mu;
    problem.bias[c] = row.bias;
    // w_N = u_N,1 + gap/h: what closes within the step arrives instead of being stopped on its way.
    if (scale.two_step && pair->e == 0.0 && in.gap > in.touch && row.compliance.x() == 0.0)
      problem.bias[c].x() = in.gap / scale.h;
    if (bends) problem.bias[c] += (1.0 - weight) * bend;
    if (sheared) problem.bias[c] += drift;
    problem.scale[c] = row.scale;
    if (shifts) problem.beside[c] = -row.shift;
    if (remembers) {
      problem.compliance[c] = row.compliance;
      (*memories.start)[c] = row.memory;
    }
    if (!moments) return;
    spin_0[c] = in.spin_0;
    problem.mu_spin[c] = row.mu_spin, problem.mu_roll[c] = row.mu_roll;
    problem.spin_bias[c] = row.spin_bias;
  });
  find_islands(problem, problem.islands);
  set_reference_speeds(scale, u_0, executor, problem);
}

Vector3 local_velocity(const BodyProblem& problem, std::size_t c, std::span<const Vector3> v,
                       std::span<const Vector3> w_W) {
  const auto a = static_cast<std::size_t>(problem.body_a[c]),
             b = static_cast<std::size_t>(problem.body_b[c]);
  const Vector3 relative = point_velocity(v[b], w_W[b], problem.r_b_W[c]) -
                           point_velocity(v[a], w_W[a], problem.r_a_W[c]);
  return problem.R_WC[c].transpose() * relative;
}

Vector3 local_spin(const BodyProblem& problem, std::size_t c, std::span<const Vector3> w_W) {
  const auto a = static_cast<std::size_t>(problem.body_a[c]),
             b = static_cast<std::size_t>(problem.body_b[c]);
  return problem.R_WC[c].transpose() * (w_W[b] - w_W[a]);
}

void velocities_with(const BodyProblem& problem, std::span<const Vector3> p, std::span<Vector3> v,
                     std::span<Vector3> w_W, std::span<const Vector3> moment,
                     const Executor& executor) {
  std::fill(v.begin(), v.end(), Vector3::Zero());
  std::fill(w_W.begin(), w_W.end(), Vector3::Zero());
  contact_impulses(problem, p, v, w_W, moment);
  for_each_item(problem.n_bodies(), executor, [&](std::size_t i) {
    if (problem.inverse_mass[i] == 0.0) {
      v[i] = problem.v_free[i];
      w_W[i] = problem.w_free_W[i];
      return;
    }
    v[i] = problem.v_free[i] + problem.gain(i, v[i]);
    w_W[i] = problem.w_free_W[i] + problem.inverse_inertia_W[i] * w_W[i];
  });
}

void add_beside(const FreeMotion& free, std::span<Vector3> impulse,
                std::span<Vector3> angular_impulse_W, const Executor& executor,
                BodyProblem& problem) {
  if (problem.beside.empty()) return;
  std::fill(impulse.begin(), impulse.end(), Vector3::Zero());
  std::fill(angular_impulse_W.begin(), angular_impulse_W.end(), Vector3::Zero());
  contact_impulses(problem, problem.beside, impulse, angular_impulse_W);
  for_each_item(problem.n_bodies(), executor, [&](std::size_t i) {
    problem.v_free[i] = free.v[i] + problem.gain(i, impulse[i]);
    problem.w_free_W[i] += problem.inverse_inertia_W[i] * angular_impulse_W[i];
  });
}

void contact_impulses(const BodyProblem& problem, std::span<const Vector3> p,
                      std::span<Vector3> impulse, std::span<Vector3> angular_impulse_W,
                      std::span<const Vector3> moment) {
  for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
    const auto a = static_cast<std::size_t>(problem.body_a[c]),
               b = static_cast<std::size_t>(problem.body_b[c]);
    const Vector3 p_W = problem.R_WC[c] * p[c];
    impulse[a] -= p_W;
    impulse[b] += p_W;
    angular_impulse_W[a] -= problem.r_a_W[c].cross(p_W);
    angular_impulse_W[b] += problem.r_b_W[c].cross(p_W);
    if (moment.empty()) continue;
    const Vector3 moment_W = problem.R_WC[c] * moment[c];
    angular_impulse_W[a] -= moment_W;
    angular_impulse_W[b] += moment_W;
  }
}

}  // namespace scree::contact
