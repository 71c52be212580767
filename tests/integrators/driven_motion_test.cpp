// Poses and velocities of driven bodies against closed forms and independent quadrature.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "integrators/moreau_theta.hpp"

namespace driven_motion_test {

using namespace scree;
using integrators::RotationUpdate;

namespace {

constexpr double pi = 3.14159265358979323846;

// One driven body that nothing touches.
struct DrivenBody {
  Model model;
  State state;
  std::vector<DrivenStep> driven;
  FreeMotion free;
  Velocities end;

  explicit DrivenBody(MotionHistory history) {
    check_history(history);
    integrate(history);
    model.name = {"table"};
    model.kind = {BodyKind::driven};
    model.history = {0};
    model.mass = {0.0};
    model.inertia = {Vector3::Zero()};
    model.histories = {std::move(history)};
    state.x = {Vector3(1.0, -2.0, 0.5)};
    state.q = {Quaternion(0.5, 0.5, -0.5, 0.5)};
    state.v = {Vector3::Zero()};
    state.w = {Vector3::Zero()};
    state.active = {1};
    end.resize(1);
  }

  void step(double h, double theta = 0.5, RotationUpdate update = RotationUpdate::cayley) {
    const std::vector<Vector3> none(1, Vector3::Zero());
    const std::vector<double> thetas{theta};
    const integrators::StepLength length{h, thetas};
    integrators::drive(model, h, theta, update, false, state, free.driven);
    integrators::free_motion(model, state, length, free);
    integrators::end_velocities(model, state, length, free, none, none, end);
    integrators::advance(model, length, update, free, end, state);
    ++state.step;
    state.time = static_cast<double>(state.step) * h;
  }

  const DrivenStep& last() const { return free.driven[0]; }
};

MotionHistory spinning(const Vector3& w) {
  return {HistoryKind::velocity, {}, {0.0}, {Vector3(0.3, -0.1, 0.2)}, {w}};
}

double angle_between(const Quaternion& one, const Quaternion& other) {
  return 2.0 * (one.conjugate() * other).vec().norm();
}

}  // namespace

TEST_CASE("Driven body turns as its history says at any spin", "[integrators][analytic]") {
  const Vector3 axis = Vector3(1.0, -2.0, 0.7).normalized();
  for (const double spin :
       {0.5, 10.0, 100.0, 1000.0, 5000.0}) {  // [rad/s] up to five radians a step
    for (const double h : {1e-3, 5e-4}) {
      DrivenBody body(spinning(spin * axis));
      const Vector3 x = body.state.x[0];
      const Quaternion q = body.state.q[0];
      for (int k = 0; k < static_cast<int>(std::lround(1.0 / h)); ++k) body.step(h);
      CAPTURE(spin, h);
      const double angle = std::remainder(spin, 2.0 * pi);
      // the angle itself, up to 5000 rad, is good to 1e-16 of it
      CHECK(angle_between(Quaternion(Eigen::AngleAxisd(angle, axis)) * q, body.state.q[0]) <
            1e-12 + 4e-16 * spin);
      CHECK((body.state.x[0] - x - Vector3(0.3, -0.1, 0.2)).norm() < 1e-15);
    }
  }
}

TEST_CASE("Contacts see the velocity that makes the motion of a driven body",
          "[integrators][analytic]") {
  // A table with knots between the steps. The mean velocity is the way over h; the mean spin is
  // what the rotation update makes the exact turn of; the mean arm carries every point along the
  // chord of its path.
  const Vector3 axis = Vector3(0.2, 0.4, -1.0).normalized();
  MotionHistory history{
      HistoryKind::velocity,
      {},
      {0.0, 0.0113, 0.0217, 0.05},
      {Vector3(0.1, 0.0, 0.0), Vector3(-0.2, 1.0, 0.0), Vector3(0.3, 0.2, -0.4), Vector3::Zero()},
      {2.0 * axis, -30.0 * axis, 80.0 * axis, 10.0 * axis}};
  for (const RotationUpdate update : {RotationUpdate::cayley, RotationUpdate::exponential}) {
    for (const double theta : {0.5, 0.8}) {
      for (const double h : {4e-3, 1e-3}) {
        DrivenBody body(history);
        for (int k = 0; k < static_cast<int>(std::lround(0.06 / h)); ++k) {
          const Vector3 x = body.state.x[0];
          const Quaternion q = body.state.q[0];
          body.step(h, theta, update);
          const DrivenStep& step = body.last();
          const Vector3 v_theta = (1.0 - theta) * step.begin.v + theta * step.end.v;
          const Vector3 w_theta = (1.0 - theta) * step.begin.w_W + theta * step.end.w_W;
          CHECK((h * v_theta - (body.state.x[0] - x)).norm() < 1e-15);
          const Matrix3 Q = (body.state.q[0] * q.conjugate()).toRotationMatrix();
          for (const Vector3& r : {Vector3(1.0, 2.0, 3.0), Vector3(-3.0, 0.5, 0.1)}) {
            CHECK((h * w_theta.cross(step.mean_arm * r) - (Q * r - r)).norm() < 3e-15);
          }
          const Vector3 axial = h * w_theta;
          if (update == RotationUpdate::cayley) {
            CHECK(std::abs(axial.norm() - 2.0 * std::tan(0.5 * step.angle)) < 1e-15);
          } else {
            CHECK(std::abs(axial.norm() - step.angle) < 1e-15);
          }
        }
      }
    }
  }
}

TEST_CASE("Linear histories without entries inside a step keep the velocities of the table",
          "[integrators][unit]") {
  MotionHistory history{HistoryKind::velocity,
                        {},
                        {0.0, 0.1},
                        {Vector3::Zero(), Vector3(0.1, 0.2, 0.3)},
                        {Vector3::Zero(), Vector3::Zero()}};
  DrivenBody body(history);
  for (int k = 0; k < 100; ++k) {
    const Vector3 begin = velocity_at(body.model.histories[0], body.state.time).v;
    body.step(1e-3);
    CHECK((body.last().begin.v - begin).norm() < 1e-15);  // round-off of the times
    CHECK((body.state.v[0] - body.last().end.v).norm() < 1e-15);
  }
}

TEST_CASE("A long table of accelerations gives the way and the velocity of its polygon",
          "[integrators][analytic]") {
  // 20 000 entries, steps that are no multiple of theirs. Reference: Simpson over the same pieces,
  // compensated.
  MotionHistory history;
  history.kind = HistoryKind::acceleration;
  history.start = {Vector3(0.1, 0.0, -0.2), Vector3(0.0, 0.0, 0.3)};
  for (int i = 0; i < 20000; ++i) {
    const double t = 1e-3 * i - 0.0105;
    history.time.push_back(t);
    history.linear.push_back(
        Vector3(std::sin(7.0 * t), 2.0 * std::cos(31.0 * t), std::sin(100.0 * t)));
    history.angular.push_back(Vector3(0.0, 0.0, std::cos(3.0 * t)));
  }
  DrivenBody body(history);
  const Vector3 x = body.state.x[0];
  const double h = 1.7e-3;
  const int steps = 11000;
  for (int k = 0; k < steps; ++k) body.step(h);
  const double until = steps * h;
  using Real = long double;
  Real v = -0.2L, way = 0.0L, turn = 0.0L, w = 0.3L;
  const auto value = [&](double t, bool angular) {
    const auto i = static_cast<std::size_t>(
        std::upper_bound(history.time.begin(), history.time.end(), t) - history.time.begin());
    const Real share =
        (Real(t) - history.time[i - 1]) / (Real(history.time[i]) - history.time[i - 1]);
    const Vector3 &a = angular ? history.angular[i - 1] : history.linear[i - 1],
                  &b = angular ? history.angular[i] : history.linear[i];
    return (1.0L - share) * a.z() + share * b.z();
  };
  double from = 0.0;
  const auto add_until = [&](double to) {
    const Real d = Real(to) - from;
    const Real a_0 = value(from, false), a_1 = to < until ? value(to, false) : value(until, false);
    const Real b_0 = value(from, true), b_1 = to < until ? value(to, true) : value(until, true);
    way += d * (v + d * (2.0L * a_0 + a_1) / 6.0L);
    v += 0.5L * d * (a_0 + a_1);
    turn += d * (w + d * (2.0L * b_0 + b_1) / 6.0L);
    w += 0.5L * d * (b_0 + b_1);
    from = to;
  };
  for (const double t : history.time) {
    if (t > from && t < until) add_until(t);
  }
  add_until(until);
  // ways of some metres, sums of 20 000 terms
  CHECK(std::abs(body.state.x[0].z() - x.z() - static_cast<double>(way)) < 1e-12);
  CHECK(std::abs(body.state.v[0].z() - static_cast<double>(v)) < 1e-12);
  const Quaternion expected =
      Quaternion(Eigen::AngleAxisd(static_cast<double>(turn), Vector3::UnitZ())) *
      Quaternion(0.5, 0.5, -0.5, 0.5);
  CHECK(angle_between(expected, body.state.q[0]) < 1e-12);
}

TEST_CASE("A spin whose axis turns is followed with the fourth order of the step",
          "[integrators][analytic]") {
  // Reference: the same history in steps a thousand times as short, 1e-12 of the error of the
  // longest.
  const auto turned_in = [](int n) {
    const double end = 1.0;
    MotionHistory history;
    history.kind = HistoryKind::acceleration;
    history.start.w_W = Vector3(2.0, 0.0, 4.0);
    history.time = {0.0, end};
    history.linear = {Vector3::Zero(), Vector3::Zero()};
    history.angular = {Vector3(-1.0, 6.0, 0.0), Vector3(-8.0, -5.0, 2.0)};
    DrivenBody body(history);
    for (int k = 0; k < n; ++k) body.step(end / n);
    return body.state.q[0];
  };
  const Quaternion exact = turned_in(20000);
  const double coarse = angle_between(turned_in(20), exact),
               fine = angle_between(turned_in(40), exact);
  CHECK(coarse < 1e-3);
  CHECK(coarse > 1e-9);
  CHECK(coarse / fine > 15.0);
  CHECK(coarse / fine < 17.0);
}

}  // namespace driven_motion_test
