#include "engine/model/motion_history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/check.hpp"

namespace scree {

namespace {

struct Sample {
  Vector3 linear, angular;
};

std::size_t entries_until(const MotionHistory& history, double t) {
  const std::vector<double>& time = history.time;
  return static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), t) - time.begin());
}

Sample sample_at(const MotionHistory& history, double t) {
  const std::vector<double>& time = history.time;
  const std::size_t after = entries_until(history, t);
  if (after == 0) return {history.linear.front(), history.angular.front()};
  if (after == time.size()) return {history.linear.back(), history.angular.back()};
  const double share = (t - time[after - 1]) / (time[after] - time[after - 1]);
  return {(1.0 - share) * history.linear[after - 1] + share * history.linear[after],
          (1.0 - share) * history.angular[after - 1] + share * history.angular[after]};
}

// A straight piece of the table: its value and slope at the entry where it starts, or at the first
// one for times before.
struct Piece {
  std::size_t entry = 0;
  Vector3 linear_slope = Vector3::Zero(), angular_slope = Vector3::Zero();
};

Piece piece_at(const MotionHistory& history, double t) {
  const std::size_t after = entries_until(history, t);
  Piece piece;
  if (after == 0) return piece;
  piece.entry = after - 1;
  if (after == history.time.size()) return piece;
  const double length = history.time[after] - history.time[after - 1];
  piece.linear_slope = (history.linear[after] - history.linear[after - 1]) / length;
  piece.angular_slope = (history.angular[after] - history.angular[after - 1]) / length;
  return piece;
}

HistoryIntegrals integrals_at(const MotionHistory& history, double t) {
  const Piece piece = piece_at(history, t);
  const std::size_t i = piece.entry;
  const double d = t - history.time[i];
  HistoryIntegrals sum = history.integrals[i];
  sum.linear_2 += d * (sum.linear_1 + d * (0.5 * history.linear[i] + d / 6.0 * piece.linear_slope));
  sum.angular_2 +=
      d * (sum.angular_1 + d * (0.5 * history.angular[i] + d / 6.0 * piece.angular_slope));
  sum.linear_1 += d * (history.linear[i] + 0.5 * d * piece.linear_slope);
  sum.angular_1 += d * (history.angular[i] + 0.5 * d * piece.angular_slope);
  return sum;
}

// Whether all spins that the table can give lie along one line through 0, to round-off.
bool has_fixed_axis(const MotionHistory& history) {
  constexpr double round_off = 4.0 * std::numeric_limits<double>::epsilon();
  Vector3 longest =
      history.kind == HistoryKind::acceleration ? history.start.w_W : Vector3(Vector3::Zero());
  for (const Vector3& w : history.angular) {
    if (w.squaredNorm() > longest.squaredNorm()) longest = w;
  }
  if (longest.isZero(0.0)) return true;
  const Vector3 axis = longest.normalized();
  const auto along = [&](const Vector3& w) {
    return (w - axis.dot(w) * axis).norm() <= round_off * w.norm();
  };
  if (history.kind == HistoryKind::acceleration && !along(history.start.w_W)) return false;
  return std::all_of(history.angular.begin(), history.angular.end(), along);
}

// Mean of the velocity over [t, t + d], a piece without an entry inside: it is linear there, or
// quadratic.
PrescribedVelocity mean_of_piece(const MotionHistory& history, double t, double d) {
  const PrescribedVelocity first = velocity_at(history, t), last = velocity_at(history, t + d);
  PrescribedVelocity mean{0.5 * (first.v + last.v), 0.5 * (first.w_W + last.w_W)};
  if (history.kind == HistoryKind::velocity) return mean;
  const PrescribedVelocity middle = velocity_at(history, t + 0.5 * d);
  mean.v = (mean.v + 2.0 * middle.v) / 3.0;
  mean.w_W = (mean.w_W + 2.0 * middle.w_W) / 3.0;
  return mean;
}

// Calls visit(begin, length) for the pieces of [t, t + h] between entries of the table; their
// lengths add up to h.
template <class Visit>
void for_each_piece(const MotionHistory& history, double t, double h, const Visit& visit) {
  double done = 0.0;
  for (std::size_t i = entries_until(history, t); i < history.time.size(); ++i) {
    const double until = history.time[i] - t;
    if (until >= h * (1.0 - 1e-12)) break;
    if (until <= 1e-12 * h) continue;
    visit(t + done, until - done);
    done = until;
  }
  visit(t + done, h - done);
}

Vector3 turn_of_piece(const MotionHistory& history, double t, double d) {
  const Vector3 turn = d * mean_of_piece(history, t, d).w_W;
  if (history.fixed_axis) return turn;
  const double gauss = 0.5 * d / std::sqrt(3.0);
  const Vector3 w_1 = velocity_at(history, t + 0.5 * d - gauss).w_W,
                w_2 = velocity_at(history, t + 0.5 * d + gauss).w_W;
  return turn + std::sqrt(3.0) / 12.0 * d * d * w_2.cross(w_1);
}

}  // namespace

void integrate(MotionHistory& history) {
  const std::size_t n = history.time.size();
  history.fixed_axis = has_fixed_axis(history);
  history.integrals.assign(n, {});
  for (std::size_t i = 1; i < n; ++i) {
    const double d = history.time[i] - history.time[i - 1];
    const Vector3 &a = history.linear[i - 1], &b = history.linear[i];
    const Vector3 &c = history.angular[i - 1], &e = history.angular[i];
    const HistoryIntegrals& last = history.integrals[i - 1];
    HistoryIntegrals& next = history.integrals[i];
    next.linear_1 = last.linear_1 + 0.5 * d * (a + b);
    next.angular_1 = last.angular_1 + 0.5 * d * (c + e);
    next.linear_2 = last.linear_2 + d * (last.linear_1 + d / 6.0 * (2.0 * a + b));
    next.angular_2 = last.angular_2 + d * (last.angular_1 + d / 6.0 * (2.0 * c + e));
  }
  // So far from the first entry on; they are to start at t = 0.
  const HistoryIntegrals zero = integrals_at(history, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    HistoryIntegrals& sum = history.integrals[i];
    const double t = history.time[i];
    sum.linear_1 -= zero.linear_1;
    sum.angular_1 -= zero.angular_1;
    sum.linear_2 -= zero.linear_2 + t * zero.linear_1;
    sum.angular_2 -= zero.angular_2 + t * zero.angular_1;
  }
}

PrescribedVelocity velocity_at(const MotionHistory& history, double t) {
  if (history.kind == HistoryKind::velocity) {
    const Sample sample = sample_at(history, t);
    return {sample.linear, sample.angular};
  }
  const HistoryIntegrals gained = integrals_at(history, t);
  return {history.start.v + gained.linear_1, history.start.w_W + gained.angular_1};
}

PrescribedVelocity mean_velocity(const MotionHistory& history, double t, double h) {
  PrescribedVelocity mean;
  for_each_piece(history, t, h, [&](double begin, double length) {
    const PrescribedVelocity piece = mean_of_piece(history, begin, length);
    const double share = length / h;
    mean.v += share * piece.v;
    mean.w_W += share * piece.w_W;
  });
  return mean;
}

PrescribedVelocity way_between(const MotionHistory& history, double t_0, double t_1) {
  const HistoryIntegrals from = integrals_at(history, t_0), to = integrals_at(history, t_1);
  if (history.kind == HistoryKind::velocity)
    return {to.linear_1 - from.linear_1, to.angular_1 - from.angular_1};
  return {(t_1 - t_0) * history.start.v + (to.linear_2 - from.linear_2),
          (t_1 - t_0) * history.start.w_W + (to.angular_2 - from.angular_2)};
}

Vector3 turn_during(const MotionHistory& history, double t, double h) {
  if (history.fixed_axis) return h * mean_velocity(history, t, h).w_W;
  int pieces = 0;
  Vector3 turn = Vector3::Zero();
  Quaternion product = Quaternion::Identity();
  for_each_piece(history, t, h, [&](double begin, double length) {
    ++pieces;
    turn = turn_of_piece(history, begin, length);
    const double angle = turn.norm();
    if (angle > 0.0) product = Quaternion(Eigen::AngleAxisd(angle, turn / angle)) * product;
  });
  if (pieces == 1) return turn;
  const Eigen::AngleAxisd whole(product);
  return whole.angle() * whole.axis();
}

void check_history(const MotionHistory& history) {
  const std::size_t n = history.time.size();
  require(n > 0, "history", "has no entries; at least one time with its value is needed");
  require(history.linear.size() == n && history.angular.size() == n, "history",
          "needs one value for each time");
  for (std::size_t i = 0; i < n; ++i) {
    require(std::isfinite(history.time[i]) && history.linear[i].allFinite() &&
                history.angular[i].allFinite(),
            "history", "entry " + std::to_string(i + 1) + " is not finite");
    require(i == 0 || history.time[i] > history.time[i - 1], "history",
            "times must increase; entry " + std::to_string(i + 1) + " does not");
  }
}

}  // namespace scree
