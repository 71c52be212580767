#include "contact/residual.hpp"

#include <catch2/catch.hpp>

#include "tests/support/random_problems.hpp"

namespace scree::contact {
namespace {

// The measures from dense vectors, as the definitions say.
Residuals dense_residuals(const test::DenseProblem& dense, const std::vector<double>& mu,
                          const std::vector<double>& scale, const Eigen::VectorXd& p) {
  const Eigen::VectorXd w = dense.W * p + dense.b;
  double scaled = 0.0, start = 0.0, plain = 0.0, b_norm = 0.0, w_norm = 0.0;
  for (int c = 0; c < static_cast<int>(mu.size()); ++c) {
    const auto at = static_cast<std::size_t>(c);
    const double rho = 3.0 / dense.W.block<3, 3>(3 * c, 3 * c).trace();
    const auto map = [&](const Vector3& impulse, const Vector3& velocity, double step) {
      Vector3 shifted = velocity;
      shifted[0] += mu[at] * velocity.tail<2>().norm();
      const Vector3 target = impulse - step * shifted;
      const double t = target.tail<2>().norm();
      Vector3 projected = target;
      if (mu[at] * t <= -target[0]) projected.setZero();
      else if (t > mu[at] * target[0]) {
        projected[0] = (target[0] + mu[at] * t) / (1.0 + mu[at] * mu[at]);
        projected.tail<2>() = mu[at] * projected[0] / t * target.tail<2>();
      }
      return Vector3(impulse - projected);
    };
    const Vector3 p_c = p.segment<3>(3 * c), w_c = w.segment<3>(3 * c), b_c = dense.b.segment<3>(3 * c);
    scaled += map(p_c, w_c, rho).squaredNorm();
    start += map(Vector3::Zero(), b_c, rho).squaredNorm();
    plain += map(p_c, scale[at] * w_c, 1.0).squaredNorm();
    b_norm += (scale[at] * b_c).squaredNorm();
    w_norm += (scale[at] * w_c).squaredNorm();
  }
  Residuals result;
  result.scaled = std::sqrt(scaled) / (p.norm() > 0.0 ? p.norm() : std::sqrt(start));
  result.published = std::sqrt(plain) / (1.0 + std::sqrt(b_norm));
  result.siconos = std::sqrt(plain) / std::max({std::sqrt(b_norm), p.norm(), std::sqrt(w_norm)});
  return result;
}

double relative_difference(const Residuals& a, const Residuals& b) {
  double worst = 0.0;
  for (const Measure measure : {Measure::scaled, Measure::published, Measure::siconos}) {
    worst = std::max(worst, std::abs(a.of(measure) - b.of(measure)) / b.of(measure));
  }
  return worst;
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
    const Eigen::VectorXd dz = test::dense_inverse_mass(problem) * (test::dense_jacobian(problem).transpose() * dense_p);
    std::vector<Vector3> v = problem.v_free, w_W = problem.w_free_W;
    for (std::size_t i = 0; i < problem.n_bodies(); ++i) {
      v[i] += dz.segment<3>(6 * static_cast<int>(i));
      w_W[i] += dz.segment<3>(6 * static_cast<int>(i) + 3);
    }
    const Residuals body = residuals(problem, p, v, w_W);
    worst = std::max(worst, relative_difference(body, dense_residuals(dense, problem.mu, problem.scale, dense_p)));
    const std::vector<double> ones(problem.mu.size(), 1.0);
    const Residuals matrix = residuals(test::matrix_problem(dense, problem.mu), p);
    worst = std::max(worst, relative_difference(matrix, dense_residuals(dense, problem.mu, ones, dense_p)));
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

}  // namespace scree::contact
