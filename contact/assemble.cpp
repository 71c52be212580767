#include "contact/assemble.hpp"

#include <algorithm>

#include "contact/impact_law.hpp"
#include "contact/local_frame.hpp"
#include "engine/model/block_loop.hpp"
#include "engine/model/check.hpp"

namespace scree::contact {

namespace {

void resize_contacts(std::size_t n, BodyProblem& problem) {
  problem.body_a.resize(n), problem.body_b.resize(n), problem.R_WC.resize(n);
  problem.r_a_W.resize(n), problem.r_b_W.resize(n);
  problem.mu.resize(n), problem.bias.resize(n), problem.scale.resize(n);
}

}  // namespace

void assemble_bodies(const FreeMotion& free, BodyProblem& problem) {
  problem.inverse_mass.assign(free.inverse_mass.begin(), free.inverse_mass.end());
  problem.inverse_inertia_W.assign(free.inverse_inertia_W.begin(), free.inverse_inertia_W.end());
  problem.v_free.assign(free.v.begin(), free.v.end());
  problem.w_free_W.resize(free.v.size());
}

void assemble_contacts(const ContactSet& candidates, std::span<const ContactIndex> in_problem,
                       std::span<const std::uint8_t> damped, const BodyTable& bodies, const MaterialTable& materials,
                       double theta, const Executor& executor, BodyProblem& problem, std::vector<Vector3>& u_0) {
  const std::size_t n = in_problem.size();
  resize_contacts(n, problem);
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
    const auto& pair = materials.at(bodies.material[a], bodies.material[b]);
    SCREE_ASSERT(pair.has_value());
    u_0[c] = local_velocity(problem, c, bodies.v_0, bodies.w_0_W);
    problem.mu[c] = pair->mu;
    problem.bias[c] = law_bias(*pair, theta, u_0[c], damped[candidate] != 0);
    problem.scale[c] = law_scale(*pair, theta);
  });
}

Vector3 local_velocity(const BodyProblem& problem, std::size_t c, std::span<const Vector3> v,
                       std::span<const Vector3> w_W) {
  const auto a = static_cast<std::size_t>(problem.body_a[c]), b = static_cast<std::size_t>(problem.body_b[c]);
  const Vector3 relative =
      point_velocity(v[b], w_W[b], problem.r_b_W[c]) - point_velocity(v[a], w_W[a], problem.r_a_W[c]);
  return problem.R_WC[c].transpose() * relative;
}

void velocities_with(const BodyProblem& problem, std::span<const Vector3> p, std::span<Vector3> v,
                     std::span<Vector3> w_W, const Executor& executor) {
  std::fill(v.begin(), v.end(), Vector3::Zero());
  std::fill(w_W.begin(), w_W.end(), Vector3::Zero());
  contact_impulses(problem, p, v, w_W);
  for_each_item(problem.n_bodies(), executor, [&](std::size_t i) {
    v[i] = problem.v_free[i] + problem.inverse_mass[i] * v[i];
    w_W[i] = problem.w_free_W[i] + problem.inverse_inertia_W[i] * w_W[i];
  });
}

void contact_impulses(const BodyProblem& problem, std::span<const Vector3> p, std::span<Vector3> impulse,
                      std::span<Vector3> angular_impulse_W) {
  for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
    const auto a = static_cast<std::size_t>(problem.body_a[c]), b = static_cast<std::size_t>(problem.body_b[c]);
    const Vector3 p_W = problem.R_WC[c] * p[c];
    impulse[a] -= p_W;
    impulse[b] += p_W;
    angular_impulse_W[a] -= problem.r_a_W[c].cross(p_W);
    angular_impulse_W[b] += problem.r_b_W[c].cross(p_W);
  }
}

}  // namespace scree::contact
