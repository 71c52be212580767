#include "engine/measure/groups.hpp"

#include <algorithm>
#include <cmath>

#include "engine/periodic_cell.hpp"

namespace scree::measure {

std::vector<std::pair<std::int32_t, std::int32_t>> group_pairs(std::size_t n_groups) {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::size_t a = 0; a + 1 < n_groups; ++a) {
    for (std::size_t b = a + 1; b < n_groups; ++b)
      pairs.emplace_back(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
  }
  return pairs;
}

GroupSums::GroupSums(const BodyGroups& groups) : n_groups_(groups.name.size() + 1) {
  const auto pairs = group_pairs(n_groups_);
  pair_of_.assign(n_groups_ * n_groups_, -1);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto a = static_cast<std::size_t>(pairs[k].first),
               b = static_cast<std::size_t>(pairs[k].second);
    pair_of_[a * n_groups_ + b] = pair_of_[b * n_groups_ + a] = static_cast<std::int32_t>(k);
  }
  impulse_.assign(pairs.size(), Vector3::Zero());
  moved_.assign(n_groups_, 0);
}

void GroupSums::add(const StepView& view, std::span<const Vector3> start_x,
                    std::span<const Quaternion> start_q) {
  sum_impulses(view);
  count_moved(view, start_x, start_q);
}

void GroupSums::sum_impulses(const StepView& view) {
  const std::vector<std::int32_t>& group = view.settings.measure.groups.of_body;
  std::fill(impulse_.begin(), impulse_.end(), Vector3::Zero());
  for (std::size_t i = 0; i < view.in_problem.size(); ++i) {
    const ContactKey& key = view.contacts.key[static_cast<std::size_t>(view.in_problem[i])];
    const auto a = static_cast<std::size_t>(group[static_cast<std::size_t>(key.body_a)]),
               b = static_cast<std::size_t>(group[static_cast<std::size_t>(key.body_b)]);
    if (a == b) continue;
    Vector3& sum = impulse_[static_cast<std::size_t>(pair_of_[a * n_groups_ + b])];
    if (a < b)
      sum += view.impulse_W[i];
    else
      sum -= view.impulse_W[i];
  }
}

void GroupSums::count_moved(const StepView& view, std::span<const Vector3> start_x,
                            std::span<const Quaternion> start_q) {
  const MeasureSettings& measure = view.settings.measure;
  std::fill(moved_.begin(), moved_.end(), 0);
  if (!std::isfinite(measure.groups.moved)) return;
  Reference reference;
  if (measure.relative_to >= 0) {
    const auto r = static_cast<std::size_t>(measure.relative_to);
    reference = {{start_x[r], start_q[r]},
                 {path_end(view.model.cell, view.state, r), view.state.q[r]}};
  }
  const double limit = measure.groups.moved * measure.groups.moved;
  for (std::size_t i = 0; i < view.state.x.size(); ++i) {
    if (view.model.kind[i] != BodyKind::dynamic || view.state.active[i] == 0) continue;
    const Vector3 end = path_end(view.model.cell, view.state, i);
    if (reference.displacement(start_x[i], end).squaredNorm() > limit)
      ++moved_[static_cast<std::size_t>(measure.groups.of_body[i])];
  }
}

}  // namespace scree::measure
