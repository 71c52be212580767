#include "contact/warm_start.hpp"

#include <algorithm>
#include <cmath>

#include "contact/friction_cone.hpp"
#include "engine/model/block_loop.hpp"

namespace scree::contact {

void match_kept(const ContactSet& candidates, const KeptImpulses& kept, std::vector<ContactIndex>& match) {
  match.assign(candidates.size(), -1);
  std::size_t k = 0;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    while (k < kept.key.size() && kept.key[k] < candidates.key[c]) ++k;
    if (k < kept.key.size() && kept.key[k] == candidates.key[c]) match[c] = static_cast<ContactIndex>(k);
  }
}

void start_impulses(const BodyProblem& problem, std::span<const ContactIndex> in_problem,
                    std::span<const ContactIndex> match, std::span<const Vector3> kept_W, const Executor& executor,
                    std::vector<Vector3>& p) {
  p.resize(in_problem.size());
  for_each_item(in_problem.size(), executor, [&](std::size_t c) {
    const ContactIndex k = match[static_cast<std::size_t>(in_problem[c])];
    p[c].setZero();
    if (k >= 0) {
      p[c] = project_on_cone(problem.R_WC[c].transpose() * kept_W[static_cast<std::size_t>(k)], problem.mu[c]);
    }
  });
}

void start_moments(const BodyProblem& problem, std::span<const ContactIndex> in_problem,
                   std::span<const ContactIndex> match, std::span<const Vector3> kept_W, std::span<const Vector3> p,
                   const Executor& executor, std::vector<Vector3>& moment) {
  moment.resize(problem.has_moments() ? in_problem.size() : 0);
  for_each_item(moment.size(), executor, [&](std::size_t c) {
    const ContactIndex k = match[static_cast<std::size_t>(in_problem[c])];
    moment[c].setZero();
    if (k < 0 || static_cast<std::size_t>(k) >= kept_W.size()) return;
    moment[c] = problem.R_WC[c].transpose() * kept_W[static_cast<std::size_t>(k)];
    const double limit = problem.length[c] * p[c][0], roll = std::hypot(moment[c][1], moment[c][2]);
    moment[c][0] = std::clamp(moment[c][0], -problem.mu_spin[c] * limit, problem.mu_spin[c] * limit);
    if (roll > problem.mu_roll[c] * limit) moment[c].tail<2>() *= problem.mu_roll[c] * limit / roll;
  });
}

namespace {

// Into `before`: of each contact in the last step, or where it is new now, in world axes.
void of_last_step(const BodyProblem& problem, std::span<const ContactIndex> in_problem,
                  std::span<const ContactIndex> match, std::span<const Vector3> now, std::span<const Vector3> last_W,
                  const Executor& executor, std::vector<Vector3>& before) {
  before.resize(now.size());
  for_each_item(now.size(), executor, [&](std::size_t c) {
    const ContactIndex k = match[static_cast<std::size_t>(in_problem[c])];
    const bool known = k >= 0 && static_cast<std::size_t>(k) < last_W.size();
    before[c] = known ? last_W[static_cast<std::size_t>(k)] : Vector3(problem.R_WC[c] * now[c]);
  });
}

void to_world(const BodyProblem& problem, std::span<const Vector3> local, const Executor& executor,
              std::vector<Vector3>& world) {
  world.resize(local.size());
  for_each_item(local.size(), executor, [&](std::size_t c) { world[c] = problem.R_WC[c] * local[c]; });
}

}  // namespace

void keep_impulses(const BodyProblem& problem, const ContactSet& candidates, std::span<const ContactIndex> in_problem,
                   std::span<const ContactIndex> match, std::span<const Vector3> p, const Executor& executor,
                   KeptImpulses& kept) {
  of_last_step(problem, in_problem, match, p, kept.impulse_W, executor, kept.before_W);
  to_world(problem, p, executor, kept.impulse_W);
  kept.key.resize(in_problem.size());
  for_each_item(in_problem.size(), executor, [&](std::size_t c) {
    kept.key[c] = candidates.key[static_cast<std::size_t>(in_problem[c])];
  });
}

void keep_moments(const BodyProblem& problem, std::span<const ContactIndex> in_problem, std::span<const ContactIndex> match,
                  std::span<const Vector3> moment, const Executor& executor, KeptImpulses& kept) {
  of_last_step(problem, in_problem, match, moment, kept.moment_W, executor, kept.before_moment_W);
  to_world(problem, moment, executor, kept.moment_W);
}

}  // namespace scree::contact
