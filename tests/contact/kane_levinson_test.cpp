// Kane and Levinson's double pendulum hitting a rough wall: the classical paradox of energy gain, as a problem given by
// its matrices.
#include <catch2/catch.hpp>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "contact/impact_law.hpp"
#include "contact/solver.hpp"
#include "tests/support/validation_table.hpp"

using namespace scree;

namespace {

using Matrix2 = Eigen::Matrix2d;
using Vector2 = Eigen::Vector2d;

// Two unit uniform rods at 20 and 30 degrees from the vertical, spins (-0.1, -0.2); the tip hits the floor.
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

// Spins after the impact under a law, theta = 1/2; the direction out of the plane is a unit mass apart.
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
  problem.b = {u_0 + contact::law_bias(PairLaw{0.5, 0.5, law}, 0.5, u_0, false)};
  problem.mu = {0.5};
  std::vector<Vector3> p(1, Vector3::Zero());
  contact::Solver solver;
  contact::SolverOptions options;
  options.tolerance = 1e-14;
  const auto report = solver.solve(problem, options, Executor(), p);
  CHECK(report.residual.scaled < 1e-13);
  return pendulum.spin + pendulum.M.inverse() * pendulum.H.transpose() * Vector2(p[0].x(), p[0].y());
}

}  // namespace

TEST_CASE("Kane and Levinson pendulum gains energy under newton and loses it under fremond", "[contact][oracle]") {
  const Pendulum pendulum;
  const Vector2 before = pendulum.H * pendulum.spin;
  // published figures, five decimals
  CHECK(std::abs(before.x() + 0.13420) < 5e-6);
  CHECK(std::abs(before.y() + 0.26717) < 5e-6);
  CHECK(std::abs(pendulum.energy(pendulum.spin) - 0.02318) < 5e-6);
  CHECK(test::validated({"Impacts", "Kane and Levinson pendulum, newton: energy after [J]", 0.03680,
                         pendulum.energy(after_impact(pendulum, ImpactLaw::newton)), 5e-6, false, "published, five decimals"}));
  const Vector2 fremond = after_impact(pendulum, ImpactLaw::fremond);
  CHECK(test::validated({"Impacts", "Kane and Levinson pendulum, fremond: energy after [J]", 0.01304, pendulum.energy(fremond),
                         5e-6, false, "published, five decimals"}));
  const Vector2 after = pendulum.H * fremond;
  CHECK(std::abs(after.x() - 0.06710) < 5e-6);
  CHECK(std::abs(after.y() - 0.04458) < 5e-6);

  // closed form of the slipping impact: p_T = mu p_N (opposing), w_N = u_N' + e u_N = 0
  const Matrix2 W = pendulum.H * pendulum.M.inverse() * pendulum.H.transpose();
  const double p_N = -1.5 * before.x() / (W(0, 0) + 0.5 * W(0, 1));
  const Vector2 slip = pendulum.spin + pendulum.M.inverse() * pendulum.H.transpose() * Vector2(p_N, 0.5 * p_N);
  CHECK((slip - fremond).norm() < 1e-8);
}
