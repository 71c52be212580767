// Kane and Levinson's double pendulum hitting a rough wall: the classical paradox of energy gain,
// as a problem given by its matrices.
#include <catch2/catch.hpp>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "contact/laws/laws.hpp"
#include "contact/solver/solver.hpp"
#include "tests/support/validation_table.hpp"

namespace kane_levinson_test {

using namespace scree;

namespace {

using Matrix2 = Eigen::Matrix2d;
using Vector2 = Eigen::Vector2d;

// Two unit uniform rods at 20 and 30 degrees from the vertical, spins (-0.1, -0.2); the tip hits
// the floor.
struct Pendulum {
  Matrix2 M, H;  // H rows: normal (up), tangent
  Vector2 spin{-0.1, -0.2};

  Pendulum() {
    const double a = M_PI / 9.0, b = M_PI / 6.0;
    M << 4.0 / 3.0, 0.5 * std::cos(a - b), 0.5 * std::cos(a - b), 1.0 / 3.0;
    H << std::sin(a), std::sin(b), std::cos(a), std::cos(b);
  }

  double energy(const Vector2& w) const { return 0.5 * w.dot(M * w); }
};

// Spins after the impact under a law, theta = 1/2; the direction out of the plane is a unit mass
// apart.
Vector2 after_impact(const Pendulum& pendulum, ImpactLaw law) {
  const Matrix2 W = pendulum.H * pendulum.M.inverse() * pendulum.H.transpose();
  const Vector2 u = pendulum.H * pendulum.spin;
  contact::MatrixProblem problem;
  problem.row_begin = {0, 1};
  problem.column = {0};
  Matrix3 block = Matrix3::Identity();
  block.topLeftCorner<2, 2>() = W;
  problem.block = {block};
  const Vector3 u_0(u.x(), u.y(), 0.0);
  const contact::ContactInput in = {.mu = 0.5, .e = 0.5, .theta = 0.5, .u_0 = u_0};
  problem.b = {u_0 + contact::Laws::row(PairLaw{0.5, 0.5, law}, in).bias};
  problem.mu = {0.5};
  std::vector<Vector3> p(1, Vector3::Zero());
  contact::Solver solver;
  contact::SolverOptions options;
  options.tolerance = 1e-14;
  const auto report = solver.solve(problem, options, Executor(), p);
  CHECK(report.residual.scaled < 1e-13);
  return pendulum.spin +
         pendulum.M.inverse() * pendulum.H.transpose() * Vector2(p[0].x(), p[0].y());
}

// The same by hand, in long double: all modes of the one contact (open, stick, slip either way),
// with the law written out.
struct Exact {
  long double u[2] = {0.0L, 0.0L}, spin[2] = {0.0L, 0.0L},
              energy = 0.0L;  // after; u normal, tangential
};

struct ExactPendulum {
  long double M[2][2], H[2][2], inverse[2][2], W[2][2], u[2], spin[2] = {-0.1L, -0.2L};

  ExactPendulum() {
    const long double pi = std::acos(-1.0L), a = pi / 9.0L, b = pi / 6.0L;
    M[0][0] = 4.0L / 3.0L, M[1][1] = 1.0L / 3.0L, M[0][1] = M[1][0] = 0.5L * std::cos(a - b);
    H[0][0] = std::sin(a), H[0][1] = std::sin(b), H[1][0] = std::cos(a), H[1][1] = std::cos(b);
    const long double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    inverse[0][0] = M[1][1] / det, inverse[1][1] = M[0][0] / det,
    inverse[0][1] = inverse[1][0] = -M[0][1] / det;
    for (int i = 0; i < 2; ++i) {
      u[i] = H[i][0] * spin[0] + H[i][1] * spin[1];
      for (int j = 0; j < 2; ++j) {
        W[i][j] = 0.0L;
        for (int k = 0; k < 2; ++k) {
          for (int l = 0; l < 2; ++l) W[i][j] += H[i][k] * inverse[k][l] * H[j][l];
        }
      }
    }
  }

  long double energy(const long double* w) const {
    return 0.5L * (M[0][0] * w[0] * w[0] + 2.0L * M[0][1] * w[0] * w[1] + M[1][1] * w[1] * w[1]);
  }

  Exact after(const long double* p) const {
    Exact result;
    for (int i = 0; i < 2; ++i) {
      result.u[i] = u[i] + W[i][0] * p[0] + W[i][1] * p[1];
      result.spin[i] = spin[i];
      for (int k = 0; k < 2; ++k)
        result.spin[i] += inverse[i][k] * (H[0][k] * p[0] + H[1][k] * p[1]);
    }
    result.energy = energy(result.spin);
    return result;
  }

  // `newton`: u_N' = -e u_N, friction against u_T'; `fremond` at theta = 1/2: against u_T' + u_T.
  // The one mode that obeys its law.
  Exact impact(bool fremond) const {
    const long double e = 0.5L, mu = 0.5L, b[2] = {(1.0L + e) * u[0], fremond ? 2.0L * u[1] : u[1]};
    const long double det = W[0][0] * W[1][1] - W[0][1] * W[1][0];
    const long double stick[2] = {(-b[0] * W[1][1] + b[1] * W[0][1]) / det,
                                  (-b[1] * W[0][0] + b[0] * W[1][0]) / det};
    std::vector<Exact> found;
    if (b[0] >= 0.0L) {
      const long double none[2] = {0.0L, 0.0L};
      found.push_back(after(none));
    }
    if (stick[0] > 0.0L && std::abs(stick[1]) <= mu * stick[0]) found.push_back(after(stick));
    for (const long double side : {-1.0L, 1.0L}) {
      const long double p_N = -b[0] / (W[0][0] - side * mu * W[0][1]),
                        p[2] = {p_N, -side * mu * p_N};
      if (p_N > 0.0L && side * (b[1] + W[1][0] * p[0] + W[1][1] * p[1]) > 0.0L)
        found.push_back(after(p));
    }
    REQUIRE(found.size() == 1);
    return found.front();
  }
};

}  // namespace

TEST_CASE("Kane and Levinson pendulum gains energy under newton and loses it under fremond",
          "[contact][oracle]") {
  const Pendulum pendulum;
  const ExactPendulum by_hand;
  const Vector2 before = pendulum.H * pendulum.spin;
  // published figures, five decimals: the modes by hand are those of the source
  CHECK(std::abs(before.x() + 0.13420) < 5e-6);
  CHECK(std::abs(before.y() + 0.26717) < 5e-6);
  CHECK(std::abs(pendulum.energy(pendulum.spin) - 0.02318) < 5e-6);
  CHECK(std::abs(by_hand.impact(false).energy - 0.03680L) < 5e-6L);
  CHECK(std::abs(by_hand.impact(true).energy - 0.01304L) < 5e-6L);
  CHECK(std::abs(by_hand.impact(true).u[0] - 0.06710L) < 5e-6L);
  CHECK(std::abs(by_hand.impact(true).u[1] - 0.04458L) < 5e-6L);
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    const Vector2 spin = after_impact(pendulum, law), after = pendulum.H * spin;
    const Exact exact = by_hand.impact(law == ImpactLaw::fremond);
    const std::string name = std::string("Kane and Levinson pendulum, ") +
                             (law == ImpactLaw::newton ? "newton" : "fremond") + ": ";
    const char* source =
        "open, stick and slip enumerated in long double; published to five decimals";
    // the solver's 1e-14 of an impulse of 0.03 N s, over bodies of mass 1
    CHECK(test::validated({"Impacts", name + "energy after [J]", static_cast<double>(exact.energy),
                           pendulum.energy(spin), 1e-10, false, source}));
    CHECK(test::validated({"Impacts", name + "normal velocity after [m/s]",
                           static_cast<double>(exact.u[0]), after.x(), 1e-10, false, source}));
    CHECK(test::validated({"Impacts", name + "tangential velocity after [m/s]",
                           static_cast<double>(exact.u[1]), after.y(), 1e-10, false, source}));
    for (int i = 0; i < 2; ++i)
      CHECK(std::abs(spin[i] - static_cast<double>(exact.spin[i])) < 1e-10);
  }
}

}  // namespace kane_levinson_test
