#include "integrators/moreau_theta.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

#include "tests/support/validation_table.hpp"

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
    integrators::advance(length, update, end, state);
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
    drift.momentum = std::max(drift.momentum, (body.momentum_W() - momentum).norm() / momentum.norm());
  }
  return drift;
}

// Times at which the second spin component crosses zero, linearly interpolated.
std::vector<double> zeros_of_w2(double h, double end_time) {
  FreeBody body(Vector3(1.0, 2.0, 3.0), Vector3(0.01, 1.0, 0.0), Vector3::Zero());
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

TEST_CASE("Free flight is exact at theta one half for two step lengths", "[integrators][analytic]") {
  for (const double h : {1e-2, 5e-3}) {
    FreeBody body(Vector3::Ones(), Vector3::Zero(), Vector3(0.0, 0.0, -9.81));
    const int steps = static_cast<int>(std::lround(1.0 / h));
    for (int k = 0; k < steps; ++k) body.step(h, 0.5, RotationUpdate::cayley);
    // parabola at t = 1: the midpoint rule is exact for constant acceleration; 200 roundings of numbers near 5
    const Vector3 expected(1.0, -2.0, 3.0 + 4.0 - 0.5 * 9.81);
    CHECK(test::validated({"Free motion",
                           "ballistic flight of 1 s, h = " + test::digits(h) + " s: distance from the parabola [m]",
                           0.0, (body.state.x[0] - expected).norm(), 1e-12, false, "x + v t - g t^2 / 2"}));
    CHECK((body.state.v[0] - Vector3(1.0, -2.0, 4.0 - 9.81)).norm() < 1e-12);
  }
}

TEST_CASE("Free flight with theta above one half has the closed form of the scheme", "[integrators][analytic]") {
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
  // both are invariants of the scheme: what is left is round-off, 1e5 steps of a few 1e-16
  const std::string name = "Dzhanibekov body, cayley, 1e5 steps of 1e-3 s: ";
  CHECK(test::validated(
      {"Free motion", name + "drift of the energy, rel.", 0.0, drift.energy, 1e-11, false, "invariant"}));
  CHECK(test::validated(
      {"Free motion", name + "drift of the angular momentum, rel.", 0.0, drift.momentum, 1e-11, false, "invariant"}));
}

TEST_CASE("Torque-free body with the exponential keeps energy and drifts in momentum at second order",
          "[integrators][property]") {
  const FreeBody body(Vector3(1.0, 2.0, 3.0), Vector3(0.3, 1.0, 0.2), Vector3::Zero());
  const Drift coarse = drift_of(body, 2e-2, 1000, RotationUpdate::exponential);
  const Drift fine = drift_of(body, 1e-2, 2000, RotationUpdate::exponential);
  CHECK(coarse.energy < 1e-12);
  CHECK(fine.energy < 1e-12);
  CHECK(coarse.momentum > 1e-6);                                 // the update is not the scheme's own
  CHECK(std::abs(coarse.momentum / fine.momentum - 4.0) < 0.4);  // order 2, next term is O(h)
}

TEST_CASE("Dzhanibekov body turns over at the times of the Jacobi elliptic solution", "[integrators][oracle]") {
  // I = (1, 2, 3), w = (0.01, 1, 0): zeros of w_2 at K(k)/w_p, 3K, 5K with k^2 = 0.99990001
  const std::vector<double> exact{10.37730, 31.13191, 51.88652};
  const std::vector<double> fine = zeros_of_w2(1e-3, 53.0), coarse = zeros_of_w2(2e-3, 53.0);
  REQUIRE(fine.size() == exact.size());
  REQUIRE(coarse.size() == exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const std::string name = "Dzhanibekov body turns over, time " + std::to_string(i + 1);
    const char* source = "Jacobi elliptic functions";
    CHECK(test::validated({"Free motion", name + ", h = 0.001 s [s]", exact[i], fine[i], 1e-3, false, source}));
    CHECK(test::validated(
        {"Free motion", name + ", h = 0.002 s [s]", exact[i], coarse[i], 4e-3, false, source}));  // second order in h
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
