#include "contact/warm_start.hpp"

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

void keep_impulses(const BodyProblem& problem, const ContactSet& candidates, std::span<const ContactIndex> in_problem,
                   std::span<const ContactIndex> match, std::span<const Vector3> p, const Executor& executor,
                   std::vector<Vector3>& scratch, KeptImpulses& kept) {
  const std::size_t n = in_problem.size();
  scratch.resize(n);
  for_each_item(n, executor, [&](std::size_t c) {
    const ContactIndex k = match[static_cast<std::size_t>(in_problem[c])];
    scratch[c] = k >= 0 ? kept.impulse_W[static_cast<std::size_t>(k)] : Vector3(problem.R_WC[c] * p[c]);
  });
  kept.before_W.assign(scratch.begin(), scratch.end());
  kept.key.resize(n);
  kept.impulse_W.resize(n);
  for_each_item(n, executor, [&](std::size_t c) {
    kept.key[c] = candidates.key[static_cast<std::size_t>(in_problem[c])];
    kept.impulse_W[c] = problem.R_WC[c] * p[c];
  });
}

}  // namespace scree::contact
