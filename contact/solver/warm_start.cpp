#include "contact/solver/warm_start.hpp"

#include <algorithm>
#include <cmath>

#include "contact/laws/friction_cone.hpp"
#include "engine/base/block_loop.hpp"

namespace scree::contact {

void match_kept(const ContactSet& candidates, const KeptImpulses& kept,
                std::vector<ContactIndex>& match) {
  match.assign(candidates.size(), -1);
  std::size_t k = 0;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    while (k < kept.key.size() && kept.key[k] < candidates.key[c]) ++k;
    if (k < kept.key.size() && kept.key[k] == candidates.key[c])
      match[c] = static_cast<ContactIndex>(k);
  }
}

namespace {

bool is_corner_or_ball(Feature feature) {
  const auto kind = static_cast<FeatureKind>(feature >> 28);
  return kind == FeatureKind::vertex || kind == FeatureKind::surface;
}

void list_lost(const ContactSet& candidates, const KeptImpulses& kept,
               std::span<const double> inverse_mass, std::vector<LostContact>& lost) {
  lost.clear();
  std::size_t c = 0;
  for (std::size_t k = 0; k < kept.key.size(); ++k) {
    const ContactKey& key = kept.key[k];
    while (c < candidates.size() && candidates.key[c] < key) ++c;
    if (c < candidates.size() && candidates.key[c] == key) continue;
    if (kept.impulse_W[k].isZero(0.0)) continue;
    const auto moves = [&](BodyIndex body) {
      return inverse_mass[static_cast<std::size_t>(body)] > 0.0;
    };
    const auto index = static_cast<ContactIndex>(k);
    if (moves(key.body_a) && is_corner_or_ball(key.feature_a))
      lost.push_back({key.body_a, key.part_a, key.feature_a, false, index});
    if (moves(key.body_b) && is_corner_or_ball(key.feature_b))
      lost.push_back({key.body_b, key.part_b, key.feature_b, true, index});
  }
  std::sort(lost.begin(), lost.end());
}

// The lost contact that candidate c goes on with, or -1.
ContactIndex lost_contact_of(const ContactSet& candidates, const KeptImpulses& kept, std::size_t c,
                             bool is_b, std::span<const LostContact> lost) {
  const ContactKey& key = candidates.key[c];
  const LostContact wanted = is_b ? LostContact{key.body_b, key.part_b, key.feature_b, true, 0}
                                  : LostContact{key.body_a, key.part_a, key.feature_a, false, 0};
  for (auto it = std::lower_bound(lost.begin(), lost.end(), wanted); it != lost.end(); ++it) {
    if (it->body != wanted.body || it->part != wanted.part || it->feature != wanted.feature ||
        it->is_b != is_b)
      break;
    const auto k = static_cast<std::size_t>(it->kept);
    const ContactKey& old = kept.key[k];
    const bool same_part = is_b ? old.body_a == key.body_a && old.part_a == key.part_a
                                : old.body_b == key.body_b && old.part_b == key.part_b;
    const Vector3& p = kept.impulse_W[k];
    if (!same_part && candidates.normal[c].dot(p) > std::sqrt(0.5) * p.norm()) return it->kept;
  }
  return -1;
}

}  // namespace

void hand_over(const ContactSet& candidates, const KeptImpulses& kept,
               std::span<const double> inverse_mass, double reach, std::vector<ContactIndex>& match,
               std::vector<LostContact>& lost) {
  list_lost(candidates, kept, inverse_mass, lost);
  if (lost.empty()) return;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (match[c] >= 0 || candidates.gap[c] > reach) continue;
    match[c] = lost_contact_of(candidates, kept, c, true, lost);
    if (match[c] < 0) match[c] = lost_contact_of(candidates, kept, c, false, lost);
  }
}

void start_impulses(const BodyProblem& problem, std::span<const ContactIndex> in_problem,
                    std::span<const ContactIndex> match, std::span<const Vector3> kept_W,
                    const Executor& executor, std::vector<Vector3>& p) {
  p.resize(in_problem.size());
  for_each_item(in_problem.size(), executor, [&](std::size_t c) {
    const ContactIndex k = match[static_cast<std::size_t>(in_problem[c])];
    p[c].setZero();
    if (k >= 0) {
      p[c] = project_on_cone(problem.R_WC[c].transpose() * kept_W[static_cast<std::size_t>(k)],
                             problem.mu[c]);
    }
  });
}

void start_moments(const BodyProblem& problem, std::span<const ContactIndex> in_problem,
                   std::span<const ContactIndex> match, std::span<const Vector3> kept_W,
                   std::span<const Vector3> p, const Executor& executor,
                   std::vector<Vector3>& moment) {
  moment.resize(problem.has_moments() ? in_problem.size() : 0);
  for_each_item(moment.size(), executor, [&](std::size_t c) {
    const ContactIndex k = match[static_cast<std::size_t>(in_problem[c])];
    moment[c].setZero();
    if (k < 0 || static_cast<std::size_t>(k) >= kept_W.size()) return;
    moment[c] = problem.R_WC[c].transpose() * kept_W[static_cast<std::size_t>(k)];
    const double limit = problem.length[c] * p[c][0], roll = std::hypot(moment[c][1], moment[c][2]);
    moment[c][0] =
        std::clamp(moment[c][0], -problem.mu_spin[c] * limit, problem.mu_spin[c] * limit);
    if (roll > problem.mu_roll[c] * limit) moment[c].tail<2>() *= problem.mu_roll[c] * limit / roll;
  });
}

namespace {

// Into `before`: of each contact in the last step, or where it is new now, in world axes.
void of_last_step(const BodyProblem& problem, std::span<const ContactIndex> in_problem,
                  std::span<const ContactIndex> match, std::span<const Vector3> now,
                  std::span<const Vector3> last_W, const Executor& executor,
                  std::vector<Vector3>& before) {
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
  for_each_item(local.size(), executor,
                [&](std::size_t c) { world[c] = problem.R_WC[c] * local[c]; });
}

}  // namespace

void keep_impulses(const BodyProblem& problem, const ContactSet& candidates,
                   std::span<const ContactIndex> in_problem, std::span<const ContactIndex> match,
                   std::span<const Vector3> p, const Executor& executor, KeptImpulses& kept) {
  of_last_step(problem, in_problem, match, p, kept.impulse_W, executor, kept.before_W);
  to_world(problem, p, executor, kept.impulse_W);
  kept.key.resize(in_problem.size());
  for_each_item(in_problem.size(), executor, [&](std::size_t c) {
    kept.key[c] = candidates.key[static_cast<std::size_t>(in_problem[c])];
  });
}

void keep_moments(const BodyProblem& problem, std::span<const ContactIndex> in_problem,
                  std::span<const ContactIndex> match, std::span<const Vector3> moment,
                  const Executor& executor, KeptImpulses& kept) {
  of_last_step(problem, in_problem, match, moment, kept.moment_W, executor, kept.before_moment_W);
  to_world(problem, moment, executor, kept.moment_W);
}

}  // namespace scree::contact
