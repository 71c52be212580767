#include "engine/files/impulse_sums.hpp"

#include <cmath>
#include <utility>

namespace scree {
namespace {

std::pair<BodyIndex, BodyIndex> pair_of(const PairImpulse& pair) {
  return {pair.body_a, pair.body_b};
}

std::pair<BodyIndex, BodyIndex> pair_of(const StepView& view, std::size_t i) {
  const ContactKey& key = view.contacts.key[static_cast<std::size_t>(view.in_problem[i])];
  return {key.body_a, key.body_b};
}

Vector3 middle(const StepView& view, std::size_t i) {
  const auto c = static_cast<std::size_t>(view.in_problem[i]);
  return contact_middle(view, c);
}

// Contacts [begin, end) of the step are those of one pair.
PairResultant resultant(const StepView& view, std::size_t begin, std::size_t end) {
  PairResultant result;
  double weight = 0.0;
  for (std::size_t i = begin; i < end; ++i) {
    // What presses and what pulls count alike: their sum may be nothing.
    const double reaction = view.reaction[i].x(),
                 size = reaction + std::abs(view.impulse[i].x() - reaction);
    weight += size;
    result.point += size * middle(view, i);
    result.force += view.impulse_W[i];
  }
  if (weight == 0.0) return {};
  result.point /= weight;
  for (std::size_t i = begin; i < end; ++i)
    result.moment += (middle(view, i) - result.point).cross(view.impulse_W[i]);
  if (!view.moment_W.empty()) {
    for (std::size_t i = begin; i < end; ++i) result.moment += view.moment_W[i];
  }
  result.force /= view.settings.time.dt;
  result.moment /= view.settings.time.dt;
  result.point += view.model.origin;
  return result;
}

}  // namespace

// Contacts are sorted by pair, so this is one pass over them and one merge.
void ImpulseSums::add(const StepView& view) {
  step_.clear();
  for (std::size_t i = 0; i < view.in_problem.size(); ++i) {
    if (view.impulse[i].isZero(0.0)) continue;
    const auto [a, b] = pair_of(view, i);
    if (step_.empty() || pair_of(step_.back()) != std::pair(a, b))
      step_.push_back({a, b, Vector3::Zero()});
    step_.back().sum += view.impulse_W[i];
  }
  merged_.clear();
  auto old = pairs_.begin();
  for (const PairImpulse& pair : step_) {
    while (old != pairs_.end() && pair_of(*old) < pair_of(pair)) merged_.push_back(*old++);
    merged_.push_back(pair);
    if (old != pairs_.end() && pair_of(*old) == pair_of(pair))
      merged_.back().sum = (old++)->sum + pair.sum;
  }
  merged_.insert(merged_.end(), old, pairs_.end());
  pairs_.swap(merged_);
}

std::vector<Vector3> ImpulseSums::on_bodies(std::size_t n_bodies) const {
  std::vector<Vector3> sums(n_bodies, Vector3::Zero());
  for (const PairImpulse& pair : pairs_) {
    sums[static_cast<std::size_t>(pair.body_a)] -= pair.sum;
    sums[static_cast<std::size_t>(pair.body_b)] += pair.sum;
  }
  return sums;
}

std::vector<PairResultant> resultants(const StepView& view, std::span<const PairImpulse> pairs) {
  std::vector<PairResultant> results(pairs.size());
  std::size_t begin = 0;
  const std::size_t n = view.in_problem.size();
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    while (begin < n && pair_of(view, begin) < pair_of(pairs[k])) ++begin;
    std::size_t end = begin;
    while (end < n && pair_of(view, end) == pair_of(pairs[k])) ++end;
    results[k] = resultant(view, begin, end);
    begin = end;
  }
  return results;
}

}  // namespace scree
