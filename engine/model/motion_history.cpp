#include "engine/model/motion_history.hpp"

#include <algorithm>
#include <cmath>

#include "engine/model/check.hpp"

namespace scree {

namespace {

struct Sample {
  Vector3 linear, angular;
};

Sample sample_at(const MotionHistory& history, double t) {
  const auto& time = history.time;
  const auto after = static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), t) - time.begin());
  if (after == 0) return {history.linear.front(), history.angular.front()};
  if (after == time.size()) return {history.linear.back(), history.angular.back()};
  const double share = (t - time[after - 1]) / (time[after] - time[after - 1]);
  return {(1.0 - share) * history.linear[after - 1] + share * history.linear[after],
          (1.0 - share) * history.angular[after - 1] + share * history.angular[after]};
}

// Integral from 0 to t: trapezia between the entries, exact for a piecewise linear table.
PrescribedVelocity integral_to(const MotionHistory& history, double t) {
  PrescribedVelocity sum;
  double from = 0.0;
  Sample last = sample_at(history, from);
  const auto add_until = [&](double to) {
    const Sample next = sample_at(history, to);
    sum.v += 0.5 * (to - from) * (last.linear + next.linear);
    sum.w_W += 0.5 * (to - from) * (last.angular + next.angular);
    from = to;
    last = next;
  };
  for (const double entry : history.time) {
    if (entry > from && entry < t) add_until(entry);
  }
  add_until(t);
  return sum;
}

}  // namespace

PrescribedVelocity velocity_at(const MotionHistory& history, double t) {
  if (history.kind == HistoryKind::velocity) {
    const Sample sample = sample_at(history, t);
    return {sample.linear, sample.angular};
  }
  const PrescribedVelocity gained = integral_to(history, t);
  return {history.start.v + gained.v, history.start.w_W + gained.w_W};
}

void check_history(const MotionHistory& history) {
  const std::size_t n = history.time.size();
  require(n > 0, "history", "has no entries; at least one time with its value is needed");
  require(history.linear.size() == n && history.angular.size() == n, "history", "needs one value for each time");
  for (std::size_t i = 0; i < n; ++i) {
    require(std::isfinite(history.time[i]) && history.linear[i].allFinite() && history.angular[i].allFinite(), "history",
            "entry " + std::to_string(i + 1) + " is not finite");
    require(i == 0 || history.time[i] > history.time[i - 1], "history",
            "times must increase; entry " + std::to_string(i + 1) + " does not");
  }
}

}  // namespace scree
