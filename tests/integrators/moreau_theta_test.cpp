#include "integrators/moreau_theta.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <vector>

#include "tests/support/validation_table.hpp"

namespace moreau_theta_test {

using namespace scree;
using integrators::RotationUpdate;
using integrators::StepLength;

namespace {

// One free body with the given principal moments; no shape is needed here.
struct FreeBody {
  Model model;
  State state;
  FreeMotion free;
  Velocities end;

  FreeBody(const Vector3& inertia, const Vector3& w_B, const Vector3& gravity) {
    model.name = {"body"};
    model.kind = {BodyKind::dynamic};
    model.history = {-1};
    model.mass = {2.0};
    model.inertia = {inertia};
    model.gravity = gravity;
    state.x = {Vector3(0.0, 0.0, 3.0)};
    state.q = {Quaternion(0.5, 0.5, -0.5, 0.5)};
    state.v = {Vector3(1.0, -2.0, 4.0)};
    state.w = {w_B};
    state.active = {1};
    end.resize(1);
  }

  void step(double h, double theta, RotationUpdate update) {
    const std::vector<Vector3> none(1, Vector3::Zero());
    const std::vector<double> thetas{theta};
    const StepLength length{h, thetas};
    integrators::free_motion(model, state, length, free);
    integrators::end_velocities(model, state, length, free, none, none, end);
    integrators::advance(model, length, update, free, end, state);
  }

  double energy() const { return 0.5 * state.w[0].dot(model.inertia[0].cwiseProduct(state.w[0])); }
  Vector3 momentum_W() const { return state.q[0] * model.inertia[0].cwiseProduct(state.w[0]); }
};

struct Drift {
  double energy = 0.0, momentum = 0.0;  // largest relative deviation from the start
};

Drift drift_of(FreeBody body, double h, int steps, RotationUpdate update) {
  const double energy = body.energy();
  const Vector3 momentum = body.momentum_W();
  Drift drift;
  for (int k = 0; k < steps; ++k) {
    body.step(h, 0.5, update);
    drift.energy = std::max(drift.energy, std::abs(body.energy() - energy) / energy);
    drift.momentum =
        std::max(drift.momentum, (body.momentum_W() - momentum).norm() / momentum.norm());
  }
  return drift;
}

// Times at which the second spin component crosses zero, linearly interpolated.
std::vector<double> zeros_of_w2(double h, double end_time, double w1 = 0.01) {
  FreeBody body(Vector3(1.0, 2.0, 3.0), Vector3(w1, 1.0, 0.0), Vector3::Zero());
  std::vector<double> zeros;
  for (int k = 0; k * h < end_time; ++k) {
    const double before = body.state.w[0].y();
    body.step(h, 0.5, RotationUpdate::cayley);
    const double after = body.state.w[0].y();
    if (before * after < 0.0) zeros.push_back(h * (k + before / (before - after)));
  }
  return zeros;
}

}  // namespace

TEST_CASE("Free flight is exact at theta one half for two step lengths",
          "[integrators][analytic]") {
  for (const double h : {1e-2, 5e-3}) {
    FreeBody body(Vector3::Ones(), Vector3::Zero(), Vector3(0.0, 0.0, -9.81));
    const int steps = static_cast<int>(std::lround(1.0 / h));
    for (int k = 0; k < steps; ++k) body.step(h, 0.5, RotationUpdate::cayley);
    // parabola at t = 1: the midpoint rule is exact for constant acceleration; 200 roundings of
    // numbers near 5
    const Vector3 expected(1.0, -2.0, 3.0 + 4.0 - 0.5 * 9.81);
    CHECK(test::validated(
        {"Free motion",
         "ballistic flight of 1 s, h = " + test::digits(h) + " s: distance from the parabola [m]",
         0.0, (body.state.x[0] - expected).norm(), 1e-12, false, "x + v t - g t^2 / 2"}));
    CHECK((body.state.v[0] - Vector3(1.0, -2.0, 4.0 - 9.81)).norm() < 1e-12);
  }
}

TEST_CASE("Free flight with theta above one half has the closed form of the scheme",
          "[integrators][analytic]") {
  for (const double theta : {0.75, 1.0}) {
    const double h = 0.01;
    FreeBody body(Vector3::Ones(), Vector3::Zero(), Vector3(0.0, 0.0, -10.0));
    for (int k = 0; k < 100; ++k) body.step(h, theta, RotationUpdate::cayley);
    // x_N = x_0 + v_0 t - g t^2/2 - (theta - 1/2) g h t
    const double expected = 3.0 + 4.0 - 5.0 - (theta - 0.5) * 10.0 * h;
    CHECK(std::abs(body.state.x[0].z() - expected) < 1e-12);
  }
}

TEST_CASE("Torque-free asymmetric body keeps energy and spatial angular momentum with Cayley",
          "[integrators][property]") {
  const FreeBody body(Vector3(1.0, 2.0, 3.0), Vector3(0.01, 1.0, 0.0), Vector3::Zero());
  const Drift drift = drift_of(body, 1e-3, 100000, RotationUpdate::cayley);
  // Both are invariants of the scheme, so what is left is round-off: each step rounds by some 5e-16
  // (the Newton solve of the spin to 4 eps, the product of quaternions). 1e5 of these walk to
  // sqrt(1e5) 5e-16 = 1.6e-13 if their signs are random; six times that is the bar.
  const std::string name = "Dzhanibekov body, cayley, 1e5 steps of 1e-3 s: ";
  CHECK(test::validated({"Free motion", name + "drift of the energy, rel.", 0.0, drift.energy,
                         1e-12, false, "invariant"}));
  CHECK(test::validated({"Free motion", name + "drift of the angular momentum, rel.", 0.0,
                         drift.momentum, 1e-12, false, "invariant"}));
}

TEST_CASE(
    "Torque-free body with the exponential keeps energy and drifts in momentum at second order",
    "[integrators][property]") {
  const FreeBody body(Vector3(1.0, 2.0, 3.0), Vector3(0.3, 1.0, 0.2), Vector3::Zero());
  const Drift coarse = drift_of(body, 2e-2, 1000, RotationUpdate::exponential);
  const Drift fine = drift_of(body, 1e-2, 2000, RotationUpdate::exponential);
  CHECK(coarse.energy < 1e-12);
  CHECK(fine.energy < 1e-12);
  CHECK(coarse.momentum > 1e-6);  // the update is not the scheme's own
  CHECK(std::abs(coarse.momentum / fine.momentum - 4.0) < 0.4);  // order 2, next term is O(h)
}

TEST_CASE("Dzhanibekov body turns over at the times of the Jacobi elliptic solution",
          "[integrators][oracle]") {
  // I = (1, 2, 3), w = (0.01, 1, 0), so 2T = 2.0001 and L^2 = 4.0001. As L^2 < 2T I_2 and w_3(0) =
  // 0, w_2 is the sn of w_p t + K: it vanishes at K / w_p, 3 K / w_p, 5 K / w_p with w_p^2 = (I_3 -
  // I_2)(L^2 - 2T I_1) / (I_1 I_2 I_3) or, if larger, (I_2 - I_1)(2T I_3 - L^2) / (I_1 I_2 I_3)
  // = 2.0002 / 6, k^2 = the smaller over the larger = 2 / 2.0002 and K = pi / (2 agm(1, sqrt(1 -
  // k^2))). In 50 digits that gives the times below; a Taylor series of degree 40 of Euler's
  // equations (steps of 0.1 s, 50 digits), which knows no elliptic function, finds the same to 45.
  const std::vector<double> exact{10.377304882335, 31.131914647004, 51.886524411673};
  const std::vector<double> fine = zeros_of_w2(1e-3, 53.0), coarse = zeros_of_w2(2e-3, 53.0);
  REQUIRE(fine.size() == exact.size());
  REQUIRE(coarse.size() == exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const std::string name = "Dzhanibekov body turns over, time " + std::to_string(i + 1);
    const char* source = "K / w_p, 3 K / w_p, 5 K / w_p of the Jacobi elliptic solution";
    // The midpoint rule errs by (h w)^2 / 12 of the time in an oscillation of frequency w; here
    // none is faster than |w| = 1. Between steps w_2 is taken as linear; it is odd about its zero,
    // so that this errs at third order.
    CHECK(test::validated({"Free motion", name + ", h = 0.001 s [s]", exact[i], fine[i],
                           exact[i] * 1e-6 / 12.0, false, source}));
    CHECK(test::validated({"Free motion", name + ", h = 0.002 s [s]", exact[i], coarse[i],
                           exact[i] * 4e-6 / 12.0, false, source}));
    // errors of 2e-7 s and more against round-off near 1e-10 s
    CHECK(test::validated({"Free motion", name + ", h = 0.002 s and half: order of the error", 2.0,
                           std::log2((coarse[i] - exact[i]) / (fine[i] - exact[i])), 0.01, false,
                           "order of the scheme"}));
  }
}

TEST_CASE("Dzhanibekov body started closer to its unstable axis turns over later",
          "[integrators][oracle]") {
  // As above with w_1 = s: w_p^2 = (1 + s^2) / 3 and k'^2 = s^2 / (1 + s^2), first zero at K / w_p,
  // which is 14.36571 s for s = 1e-3.
  for (const double s : {1e-3, 1e-2}) {
    const long double square = static_cast<long double>(s) * s;
    long double a = 1.0L, b = std::sqrt(square / (1.0L + square));
    for (int i = 0; i < 8; ++i) {  // the mean of arithmetic and geometric converges quadratically
      const long double mean = (a + b) / 2.0L;
      b = std::sqrt(a * b), a = mean;
    }
    const long double exact = std::acos(-1.0L) / (2.0L * a) / std::sqrt((1.0L + square) / 3.0L);
    if (s == 1e-3) CHECK(std::abs(static_cast<double>(exact) - 14.36571) < 5e-6);
    for (const double h : {1e-3, 2e-3}) {
      const std::vector<double> zeros = zeros_of_w2(h, 16.0, s);
      REQUIRE(!zeros.empty());
      // (h w)^2 / 12 of the time, as above
      CHECK(test::validated({"Free motion",
                             "Dzhanibekov body, w = (" + test::digits(s) +
                                 ", 1, 0), first turn, h = " + test::digits(h) + " s [s]",
                             static_cast<double>(exact), zeros[0],
                             static_cast<double>(exact) * h * h / 12.0, false,
                             "K / w_p of the Jacobi elliptic solution"}));
    }
  }
}

namespace {

// Euler's equations and q' = q (0, w) / 2 by the classical Runge-Kutta rule in long double, after
// `time` in `steps` steps.
struct ExactRotation {
  using Real = long double;
  std::array<Real, 7> y;  // q as w, x, y, z; spin in body axes
  std::array<Real, 3> inertia;

  explicit ExactRotation(const FreeBody& body) {
    const Quaternion& q = body.state.q[0];
    const Vector3 &w = body.state.w[0], &J = body.model.inertia[0];
    y = {q.w(), q.x(), q.y(), q.z(), w.x(), w.y(), w.z()};
    inertia = {J.x(), J.y(), J.z()};
  }

  std::array<Real, 7> rate(const std::array<Real, 7>& s) const {
    const Real a = s[4], b = s[5], c = s[6];
    return {(-s[1] * a - s[2] * b - s[3] * c) / 2,
            (s[0] * a + s[2] * c - s[3] * b) / 2,
            (s[0] * b + s[3] * a - s[1] * c) / 2,
            (s[0] * c + s[1] * b - s[2] * a) / 2,
            (inertia[1] - inertia[2]) * b * c / inertia[0],
            (inertia[2] - inertia[0]) * c * a / inertia[1],
            (inertia[0] - inertia[1]) * a * b / inertia[2]};
  }

  void advance(Real time, int steps) {
    const Real h = time / steps;
    const auto plus = [](std::array<Real, 7> s, Real factor, const std::array<Real, 7>& k) {
      for (std::size_t i = 0; i < 7; ++i) s[i] += factor * k[i];
      return s;
    };
    for (int n = 0; n < steps; ++n) {
      const auto k1 = rate(y), k2 = rate(plus(y, h / 2, k1)), k3 = rate(plus(y, h / 2, k2)),
                 k4 = rate(plus(y, h, k3));
      for (std::size_t i = 0; i < 7; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
  }

  Quaternion q() const {
    return Quaternion(static_cast<double>(y[0]), static_cast<double>(y[1]),
                      static_cast<double>(y[2]), static_cast<double>(y[3]))
        .normalized();
  }
  Vector3 w() const {
    return {static_cast<double>(y[4]), static_cast<double>(y[5]), static_cast<double>(y[6])};
  }
};

struct RotationError {
  double angle = 0.0, spin = 0.0;  // [rad], [rad/s]
};

RotationError rotation_error(double h, int steps, double theta, RotationUpdate update) {
  FreeBody body(Vector3(1.0, 2.0, 3.0), Vector3(0.3, 1.0, 0.2), Vector3::Zero());
  ExactRotation exact(body);
  exact.advance(steps * static_cast<long double>(h),
                100 * steps);  // its own error is below (h / 100)^4, 1e-17
  for (int k = 0; k < steps; ++k) body.step(h, theta, update);
  return {body.state.q[0].angularDistance(exact.q()), (body.state.w[0] - exact.w()).norm()};
}

}  // namespace

TEST_CASE("Orientation and spin of a tumbling body err by the order that theta promises",
          "[integrators][oracle]") {
  for (const auto update : {RotationUpdate::cayley, RotationUpdate::exponential}) {
    for (const double theta : {0.5, 0.75, 1.0}) {
      const double h = 4e-3;
      const RotationError coarse = rotation_error(h, 1000, theta, update),
                          fine = rotation_error(0.5 * h, 2000, theta, update);
      const double order = theta == 0.5 ? 2.0 : 1.0;
      const std::string name =
          "tumbling body, " +
          std::string(update == RotationUpdate::cayley ? "cayley" : "exponential") +
          ", theta = " + test::digits(theta) +
          ", h = 0.004 s and half, 4 s: order of the error of its ";
      // The next term of the error is smaller by h t at order 1 (0.016 at h, half of it at h/2), by
      // its square at order 2.
      const double allowed = theta == 0.5 ? 1e-3 : 0.02;
      const char* source = "order of the scheme; Runge-Kutta 4, h / 100, long double";
      CHECK(test::validated({"Free motion", name + "orientation", order,
                             std::log2(coarse.angle / fine.angle), allowed, false, source}));
      CHECK(test::validated({"Free motion", name + "spin", order,
                             std::log2(coarse.spin / fine.spin), allowed, false, source}));
      // Errors of the size of that order: the midpoint rule's (h w)^2 / 12 of the angle turned, or
      // (theta - 1/2) h w of it, at |w| < 1.2 and 4 s; a free body amplifies them as its spin tilts
      // away, by less than ten.
      const double scale = theta == 0.5 ? h * h / 12.0 : (theta - 0.5) * h;
      CHECK(coarse.angle > 0.01 * 4.0 * scale);
      CHECK(coarse.angle < 10.0 * 4.0 * scale);
    }
  }
}

TEST_CASE("Fixed and inactive bodies stay where they are", "[integrators][unit]") {
  FreeBody body(Vector3(1.0, 2.0, 3.0), Vector3(0.3, 1.0, 0.2), Vector3(0.0, 0.0, -9.81));
  body.state.active[0] = 0;
  const State before = body.state;
  body.step(1e-2, 0.5, RotationUpdate::cayley);
  CHECK(body.state.x[0] == before.x[0]);
  CHECK(body.state.q[0].coeffs() == before.q[0].coeffs());
  CHECK(body.state.v[0] == before.v[0]);
  CHECK(body.free.inverse_mass[0] == 0.0);
}

}  // namespace moreau_theta_test
