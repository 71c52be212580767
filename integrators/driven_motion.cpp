// Driven bodies: pose and velocities of one step from the history alone.
#include <cmath>

#include <Eigen/LU>

#include "integrators/moreau_theta.hpp"
#include "integrators/rotation_update.hpp"

namespace scree::integrators {

namespace {

// Beyond this turn of one step the Cayley map has no spin of a sensible size left (at half a
// revolution it is infinite); contacts then see the mean spin of the history.
constexpr double most_resolved = 2.5;  // [rad]

// sin(a)/a, (1 - cos(a))/a^2 and (a - sin(a))/a^3, by their series where the quotients would lose
// digits.
struct TurnFactors {
  double first, second, third;
  explicit TurnFactors(double a) {
    if (a < 1e-2) {
      const double s = a * a;
      first = 1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0));
      second = 0.5 * (1.0 - s / 12.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0)));
      third = (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0))) / 6.0;
    } else {
      const double half = std::sin(0.5 * a);
      first = std::sin(a) / a;
      second = 2.0 * half * half / (a * a);
      third = (a - std::sin(a)) / (a * a * a);
    }
  }
};

Matrix3 rotation(const Vector3& turn) {
  const TurnFactors factors(turn.norm());
  const Matrix3 S = skew(turn);
  return Matrix3::Identity() + factors.first * S + factors.second * S * S;
}

// The spin that the rotation update makes this turn of, and the arm that goes with it.
void set_turn(const Vector3& turn, double h, double theta, RotationUpdate update, bool apart,
              DrivenStep& step) {
  step.angle = turn.norm();
  step.turns = step.angle > 0.0;
  step.turn = step.half_turn = step.frame_turn = step.mean_arm = Matrix3::Identity();
  step.bend.setZero();
  step.mean.w_W = turn / h;
  if (!step.turns) return;
  step.turn = rotation(turn);
  step.half_turn = rotation(0.5 * turn);
  if (step.angle <= most_resolved) {
    // v_k1 = Q v_k and the mean above give v_k = ((1 - theta) + theta Q)^-1 (Q - 1) X / h.
    const Matrix3 chord = step.turn - Matrix3::Identity();
    const Matrix3 weight = Matrix3::Identity() + theta * chord;
    step.bend = weight.inverse() * chord * chord / h;
  }
  if (apart) step.frame_turn = rotation((1.0 - theta) * turn);
  if (update == RotationUpdate::cayley && step.angle <= most_resolved && apart) {
    // w with 2 atan((1 - theta) h w / 2) + 2 atan(theta h w / 2) = angle
    const double t = std::tan(0.5 * step.angle), b = theta * (1.0 - theta);
    const double w = 4.0 * t / (h * (1.0 + std::sqrt(1.0 + 4.0 * b * t * t)));
    const double share = 2.0 * std::sin(0.5 * step.angle) / (h * w);
    const Vector3 axis = turn / step.angle;
    step.mean.w_W = w * axis;
    step.mean_arm = share * step.half_turn + (1.0 - share) * axis * axis.transpose();
  } else if (update == RotationUpdate::cayley && step.angle <= most_resolved) {
    const double half = 0.5 * step.angle;
    const double factor = half < 1e-4 ? 1.0 + half * half / 3.0 : std::tan(half) / half;
    step.mean.w_W *= factor;
    step.mean_arm = 0.5 * (Matrix3::Identity() + step.turn);
  } else {
    const TurnFactors factors(step.angle);
    const Matrix3 S = skew(turn);
    step.mean_arm = Matrix3::Identity() + factors.second * S + factors.third * S * S;
  }
}

void set_pose(const MotionHistory& history, const MotionStart& start, const Vector3& turn,
              double t_1, const Quaternion& q_0, DrivenStep& step) {
  const PrescribedVelocity way = way_between(history, start.time, t_1);
  step.x_1 = start.x + way.v;
  if (!step.turns) {
    step.q_1 = q_0;
  } else if (history.fixed_axis) {
    step.q_1 = (exponential(way.w_W) * start.q).normalized();
  } else {
    step.q_1 = (exponential(turn) * q_0).normalized();
  }
}

// Both ends of the step, shifted so that their theta mean is the mean.
void set_ends(const PrescribedVelocity& begin, double theta, DrivenStep& step) {
  const Vector3 v = step.mean.v - ((1.0 - theta) * begin.v + theta * step.at_end.v);
  const Vector3 w_W = step.mean.w_W - ((1.0 - theta) * begin.w_W + theta * step.at_end.w_W);
  step.begin = {begin.v + v, begin.w_W + w_W};
  step.end = {step.at_end.v + v, step.at_end.w_W + w_W};
}

}  // namespace

void drive(const Model& model, double h, double theta, RotationUpdate update, bool apart,
           State& state, std::vector<DrivenStep>& driven) {
  driven.resize(model.histories.size());
  state.motion_start.resize(model.histories.size());
  const double t_0 = state.time, t_1 = static_cast<double>(state.step + 1) * h;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (model.kind[i] != BodyKind::driven) continue;
    const auto k = static_cast<std::size_t>(model.history[i]);
    const MotionHistory& history = model.histories[k];
    DrivenStep& step = driven[k];
    MotionStart& start = state.motion_start[k];
    if (state.active[i] != 0 && start.time < 0.0) start = {t_0, state.x[i], state.q[i]};
    const PrescribedVelocity begin = velocity_at(history, t_0);
    const Vector3 turn = turn_during(history, t_0, h);
    step.at_end = velocity_at(history, t_1);
    step.mean.v = mean_velocity(history, t_0, h).v;
    set_turn(turn, h, theta, update, apart, step);
    if (state.active[i] != 0) set_pose(history, start, turn, t_1, state.q[i], step);
    set_ends(begin, theta, step);
    const PrescribedVelocity& seen = state.active[i] != 0 ? step.begin : begin;
    state.v[i] = seen.v;
    state.w[i] = state.q[i].conjugate() * seen.w_W;
  }
}

}  // namespace scree::integrators
