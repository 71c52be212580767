#include "engine/measure/screens.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "integrators/rotation_update.hpp"

namespace scree::measure {
namespace {

// A part of the way of a body in a step: straight, with velocities that do not change.
struct Leg {
  Vector3 begin = Vector3::Zero(), end = Vector3::Zero();
  double start = 0.0, duration = 0.0;  // [s] after t_k
  Vector3 v = Vector3::Zero(), w = Vector3::Zero();
  Quaternion q = Quaternion::Identity();  // at its begin
  bool corrected = false;
};

struct Way {
  std::array<Leg, 3> leg;
  std::size_t count = 0;
};

Quaternion turned(const Settings& settings, const Leg& leg, double share) {
  const Vector3 turn = share * leg.duration * leg.w;
  if (turn.isZero(0.0)) return leg.q;
  const Quaternion by = settings.step.rotation == RotationUpdate::cayley
                            ? integrators::cayley(turn)
                            : integrators::exponential(turn);
  return (leg.q * by).normalized();
}

// x_k + s h v_theta, as the integrator goes.
Leg free_leg(const StepView& view, const State& from, std::size_t i) {
  const double h = view.settings.time.dt, theta = view.theta[i];
  Leg leg;
  leg.begin = from.x[i], leg.q = from.q[i];
  leg.duration = h;
  leg.v = (1.0 - theta) * from.v[i] + theta * view.state.v[i];
  leg.w = (1.0 - theta) * from.w[i] + theta * view.state.w[i];
  leg.end = leg.begin + h * leg.v;
  return leg;
}

// Up to the touch with the velocities of t_k; then held, or on with those of the end of the step.
void add_caught_legs(const StepView& view, const State& from, std::size_t i, Way& way) {
  const double h = view.settings.time.dt, share = std::abs(view.way_share[i]);
  Leg leg;
  leg.begin = from.x[i], leg.q = from.q[i];
  leg.duration = share * h;
  leg.v = from.v[i], leg.w = from.w[i];
  leg.end = leg.begin + leg.duration * leg.v;
  way.leg[way.count++] = leg;
  if (view.way_share[i] > 0.0) return;
  Leg rest;
  rest.begin = leg.end, rest.q = turned(view.settings, leg, 1.0);
  rest.start = leg.duration, rest.duration = (1.0 - share) * h;
  rest.v = view.state.v[i], rest.w = view.state.w[i];
  rest.end = rest.begin + rest.duration * rest.v;
  way.leg[way.count++] = rest;
}

Way way_of(const StepView& view, const State& from, std::size_t i) {
  Way way;
  const bool caught = !view.way_share.empty() && std::abs(view.way_share[i]) < 1.0;
  if (caught)
    add_caught_legs(view, from, i, way);
  else
    way.leg[way.count++] = free_leg(view, from, i);
  Leg& last = way.leg[way.count - 1];
  const Vector3& end = view.state.x[i];
  if (view.settings.step.correction == PositionCorrection::none) {
    last.end = end;  // the same, to round-off
  } else if (last.end != end) {
    Leg correction;
    correction.begin = last.end, correction.end = end;
    correction.start = view.settings.time.dt;
    correction.v = view.state.v[i], correction.w = view.state.w[i], correction.q = view.state.q[i];
    correction.corrected = true;
    way.leg[way.count++] = correction;
  }
  return way;
}

Crossing crossing_of(const StepView& view, const Leg& leg, double share, std::size_t i) {
  const Model& model = view.model;
  const double g = model.gravity.norm();
  const Vector3 x = leg.begin + share * (leg.end - leg.begin),
                up = g > 0.0 ? Vector3(-model.gravity / g) : Vector3(Vector3::UnitZ());
  Crossing crossing;
  crossing.step = view.record.step;
  crossing.time = static_cast<double>(view.record.step - 1) * view.settings.time.dt + leg.start +
                  share * leg.duration;
  crossing.body = static_cast<std::int32_t>(i);
  crossing.corrected = leg.corrected ? 1 : 0;
  crossing.position = x + model.origin;
  crossing.orientation = turned(view.settings, leg, share) * model.q_BU[i];
  crossing.velocity = leg.v;
  crossing.spin = model.q_BU[i].conjugate() * leg.w;
  crossing.kinetic = 0.5 * model.mass[i] * leg.v.squaredNorm();
  crossing.rotation = 0.5 * leg.w.dot(model.inertia[i].cwiseProduct(leg.w));
  crossing.potential = -model.mass[i] * model.gravity.dot(x);
  crossing.height = up.dot(crossing.position);
  return crossing;
}

// Which axis of the plane's normal is longest: the others span a picture of the polygon without
// folding it.
std::size_t dropped_axis(const Vector3& normal) {
  Eigen::Index axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  return static_cast<std::size_t>(axis);
}

}  // namespace

bool contains(const Screen& screen, const Vector3& point) {
  if (screen.corners.empty()) return true;
  const std::size_t drop = dropped_axis(screen.normal);
  const auto u = static_cast<Eigen::Index>((drop + 1) % 3),
             v = static_cast<Eigen::Index>((drop + 2) % 3);
  bool inside = false;
  for (std::size_t i = 0, j = screen.corners.size() - 1; i < screen.corners.size(); j = i++) {
    const Vector3 &a = screen.corners[i], &b = screen.corners[j];
    if ((a[v] > point[v]) == (b[v] > point[v])) continue;
    if (point[u] < a[u] + (point[v] - a[v]) / (b[v] - a[v]) * (b[u] - a[u])) inside = !inside;
  }
  return inside;
}

void Screens::start(const State& state) {
  from_.x = state.x, from_.q = state.q, from_.v = state.v, from_.w = state.w;
}

void Screens::watch(const StepView& view, std::vector<Crossing>& crossings) {
  const std::vector<Screen>& screens = view.settings.measure.screens;
  const auto first = static_cast<std::ptrdiff_t>(crossings.size());  // of this step
  for (std::size_t i = 0; i < view.state.x.size(); ++i) {
    if (view.model.kind[i] != BodyKind::dynamic || view.state.active[i] == 0) continue;
    const Way way = way_of(view, from_, i);
    for (std::size_t k = 0; k < screens.size(); ++k) {
      const Screen& screen = screens[k];
      if (screen.watched[i] == 0) continue;
      for (std::size_t l = 0; l < way.count; ++l) {
        const Leg& leg = way.leg[l];
        const double before = screen.normal.dot(leg.begin - screen.point),
                     after = screen.normal.dot(leg.end - screen.point);
        if ((before < 0.0) == (after < 0.0)) continue;
        const double share = before / (before - after);
        if (!contains(screen, leg.begin + share * (leg.end - leg.begin))) continue;
        Crossing crossing = crossing_of(view, leg, share, i);
        crossing.screen = static_cast<std::int32_t>(k);
        crossing.direction = before < 0.0 ? 1 : -1;
        crossings.push_back(crossing);
      }
    }
  }
  std::ranges::stable_sort(crossings.begin() + first, crossings.end(), {}, &Crossing::time);
  start(view.state);
}

}  // namespace scree::measure
