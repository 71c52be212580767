#include "contact/solver/residual.hpp"

#include <type_traits>

#include <catch2/catch.hpp>

#include "contact/solver/lane_contact.hpp"
#include "tests/support/body_solution.hpp"
#include "tests/support/random_problems.hpp"

namespace scree::contact::residual_test {
namespace {

// The measures from dense vectors, as the definitions say.
Residuals dense_residuals(const test::DenseProblem& dense, const std::vector<double>& mu,
                          const std::vector<double>& scale, const Eigen::VectorXd& p) {
  const Eigen::VectorXd w = dense.W * p + dense.b;
  double scaled = 0.0, start = 0.0, plain = 0.0, b_norm = 0.0, w_norm = 0.0, units = 0.0,
         fastest = 0.0, speed = 0.0;
  for (int c = 0; c < static_cast<int>(mu.size()); ++c)
    speed = std::max(speed, dense.b.segment<3>(3 * c).norm());
  for (int c = 0; c < static_cast<int>(mu.size()); ++c) {
    const auto at = static_cast<std::size_t>(c);
    const double rho = 3.0 / dense.W.block<3, 3>(3 * c, 3 * c).trace();
    const auto map = [&](const Vector3& impulse, const Vector3& velocity, double step) {
      Vector3 shifted = velocity;
      shifted[0] += mu[at] * velocity.tail<2>().norm();
      const Vector3 target = impulse - step * shifted;
      const double t = target.tail<2>().norm();
      Vector3 projected = target;
      if (mu[at] * t <= -target[0])
        projected.setZero();
      else if (t > mu[at] * target[0]) {
        projected[0] = (target[0] + mu[at] * t) / (1.0 + mu[at] * mu[at]);
        projected.tail<2>() = mu[at] * projected[0] / t * target.tail<2>();
      }
      return Vector3(impulse - projected);
    };
    const Vector3 p_c = p.segment<3>(3 * c), w_c = w.segment<3>(3 * c),
                  b_c = dense.b.segment<3>(3 * c);
    const double left = map(p_c, w_c, rho).norm(),
                 unit = rho * speed;  // no speeds given: the largest |b_c|
    scaled += left * left, units += unit * unit, fastest = std::max(fastest, left / unit);
    start += map(Vector3::Zero(), b_c, rho).squaredNorm();
    plain += map(p_c, scale[at] * w_c, 1.0).squaredNorm();
    b_norm += (scale[at] * b_c).squaredNorm();
    w_norm += (scale[at] * w_c).squaredNorm();
  }
  Residuals result;
  result.impulse = std::sqrt(scaled) / (p.norm() + std::sqrt(units)), result.velocity = fastest;
  result.scaled = std::sqrt(scaled) / (p.norm() > 0.0 ? p.norm() : std::sqrt(start));
  result.published = std::sqrt(plain) / (1.0 + std::sqrt(b_norm));
  result.siconos = std::sqrt(plain) / std::max({std::sqrt(b_norm), p.norm(), std::sqrt(w_norm)});
  return result;
}

double relative_difference(const Residuals& a, const Residuals& b) {
  double worst = 0.0;
  for (const auto value : {&Residuals::impulse, &Residuals::velocity, &Residuals::scaled,
                           &Residuals::published, &Residuals::siconos}) {
    worst = std::max(worst, std::abs(a.*value - b.*value) / b.*value);
  }
  return worst;
}

// A body of mass 1 between two walls that close at 1 m/s each and slide at `slide`, in opposite
// directions.
BodyProblem squeezed_body(double mu, double slide, bool rolling) {
  BodyProblem problem;
  problem.inverse_mass = {0.0, 1.0};
  problem.inverse_inertia_W = {Matrix3::Zero(), 10.0 * Matrix3::Identity()};
  problem.v_free = problem.w_free_W = problem.r_a_W =
      problem.r_b_W = {Vector3::Zero(), Vector3::Zero()};
  problem.body_a = {0, 0}, problem.body_b = {1, 1};
  problem.R_WC = {Matrix3::Identity(), Vector3(-1.0, -1.0, 1.0).asDiagonal()};
  problem.mu = {mu, mu}, problem.scale = {1.0, 1.0};
  problem.bias.assign(2, Vector3(-1.0, slide, 0.0));
  if (!rolling) return problem;
  problem.length = {1.0, 1.0}, problem.mu_spin = problem.mu_roll = {0.1, 0.1};
  problem.spin_bias.assign(2, Vector3::Zero());
  return problem;
}

}  // namespace

TEST_CASE("Residual measures equal their dense definitions", "[contact][oracle]") {
  double worst = 0.0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const BodyProblem problem = test::random_body_problem(seed);
    const auto n = static_cast<int>(problem.n_contacts());
    test::Random random(seed + 1000);
    std::vector<Vector3> p;
    Eigen::VectorXd dense_p(3 * n);
    for (int i = 0; i < n; ++i) {
      p.push_back(seed % 5 == 0 ? Vector3(0.0, 0.0, 0.0) : random.vector(1.0));
      dense_p.segment<3>(3 * i) = p.back();
    }
    const test::DenseProblem dense = test::dense_problem(problem);
    const Eigen::VectorXd dz =
        test::dense_inverse_mass(problem) * (test::dense_jacobian(problem).transpose() * dense_p);
    std::vector<Vector3> v = problem.v_free, w_W = problem.w_free_W;
    for (std::size_t i = 0; i < problem.n_bodies(); ++i) {
      v[i] += dz.segment<3>(6 * static_cast<int>(i));
      w_W[i] += dz.segment<3>(6 * static_cast<int>(i) + 3);
    }
    const Residuals body = residuals(problem, p, v, w_W);
    worst = std::max(worst, relative_difference(
                                body, dense_residuals(dense, problem.mu, problem.scale, dense_p)));
    const std::vector<double> ones(problem.mu.size(), 1.0);
    const Residuals matrix = residuals(test::matrix_problem(dense, problem.mu), p);
    worst = std::max(
        worst, relative_difference(matrix, dense_residuals(dense, problem.mu, ones, dense_p)));
  }
  CHECK(worst < 1e-12);  // round-off of sums of order one
}

TEST_CASE("Residual of an unloaded problem without impulses is zero", "[contact][unit]") {
  MatrixProblem problem;
  problem.row_begin = {0, 1};
  problem.column = {0};
  problem.block = {Matrix3::Identity()};
  problem.b = {Vector3(0.5, 0.1, 0.0)};
  problem.mu = {0.5};
  const std::vector<Vector3> none = {Vector3(0.0, 0.0, 0.0)};
  const Residuals open = residuals(problem, none);
  CHECK(open.scaled == 0.0);
  CHECK(open.published == 0.0);
  CHECK(open.siconos == 0.0);
  problem.b[0] = Vector3(-0.5, 0.0, 0.0);
  CHECK(residuals(problem, none).scaled == 1.0);  // the whole impulse is missing
}

// A body of mass 1 between two walls that close and slide, without a solution: its impulses grow
// for ever, and the velocities stay. Where the projection returns its argument the map is w~; 1e16
// - (1e16 + 1) would be 0.
TEST_CASE("Residual of a body that is squeezed stays, however large its impulses",
          "[contact][oracle]") {
  const double mu = GENERATE(0.0, 0.5), slide = GENERATE(0.0, 0.3);
  const bool rolling = GENERATE(false, true);
  const BodyProblem problem = squeezed_body(mu, slide, rolling);
  // (-1 + mu slide, slide) at each contact, less what friction takes up: with p inside the cone
  // nothing, on a cone without friction all that is tangential.
  const double normal = -1.0 + mu * slide, tangential = mu > 0.0 ? slide : 0.0,
               b = std::sqrt(2.0 * (1.0 + slide * slide));
  const double expected = std::sqrt(2.0 * (normal * normal + tangential * tangential)) / (1.0 + b);
  for (const double size : {1.0, 1e8, 1e16, 1e100}) {
    const std::vector<Vector3> p(2, Vector3(size, 0.0, 0.0)), none(2, Vector3::Zero());
    INFO("mu " << mu << " slide " << slide << " impulse " << size);
    CHECK(residuals(problem, p, problem.v_free, problem.w_free_W, none).published ==
          Approx(expected).epsilon(1e-15));
    const auto with_lanes = [&]<std::size_t n_rows>(std::integral_constant<std::size_t, n_rows>) {
      constexpr int rows = static_cast<int>(n_rows);
      LaneLimits<rows> limits{};
      Lanes y[n_rows] = {}, w[n_rows] = {};
      const Lanes factor{1.0, 1.0, 1.0, 1.0};
      for (std::size_t lane = 0; lane < 2; ++lane) {
        if constexpr (rows == 3)
          limits.set(lane, FrictionLimit{mu});
        else
          limits.set(lane, ConeLimits{mu, 0.1, 0.1});
        y[0][lane] = size, w[0][lane] = -1.0, w[1][lane] = slide;
      }
      LaneResidualSums sums;
      add_lanes<rows>(sums, limits, factor, factor, factor, y, w, w, Measure::published);
      CHECK(sums.total().measures().published == Approx(expected).epsilon(1e-15));
    };
    with_lanes(std::integral_constant<std::size_t, 3>{}),
        with_lanes(std::integral_constant<std::size_t, 6>{});
  }
  if (rolling) return;
  for (const Method method :
       {Method::nsgs, Method::nncg, Method::apgd, Method::interior, Method::automatic}) {
    SolverOptions options;
    options.method = method, options.measure = Measure::published, options.tolerance = 1e-12;
    const SolveReport body = test::solve(problem, options).report;
    CHECK_FALSE(body.converged);
    CHECK(body.residual.published >
          0.4);  // with the impulses on the cone: at least the normal part
  }
}

TEST_CASE("Residual of values that are not finite is not a number", "[contact][unit]") {
  MatrixProblem problem;
  problem.row_begin = {0, 1};
  problem.column = {0};
  problem.block = {Matrix3::Identity()};
  problem.b = {Vector3(std::nan(""), 0.0, 0.0)};
  problem.mu = {0.5};
  const Residuals result = residuals(problem, std::vector<Vector3>{Vector3(0.0, 0.0, 0.0)});
  CHECK(std::isnan(result.scaled));
  CHECK(std::isnan(result.published));
  CHECK(std::isnan(result.siconos));
}

}  // namespace scree::contact::residual_test
