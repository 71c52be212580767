#include "contact/solver/local_solver.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/random_problems.hpp"
#include "tests/support/validation_table.hpp"

namespace scree::contact::local_solver_test {
namespace {

struct LocalCase {
  Matrix3 A;
  Vector3 b;
  double mu;
};

// Symmetric A of the given condition with random axes, loaded contact.
LocalCase random_case(test::Random& random, double condition, double mu) {
  const Matrix3 R = random.rotation();
  const Vector3 eigenvalues(1.0, std::pow(condition, -random.uniform(0.0, 1.0)), 1.0 / condition);
  LocalCase c;
  c.A = R * eigenvalues.asDiagonal() * R.transpose();
  c.A = 0.5 * (c.A + c.A.transpose().eval());
  c.b = random.vector(1.0);
  if (random.integer(0, 7) != 0) c.b[0] = -std::abs(c.b[0]);
  c.mu = mu;
  return c;
}

// Sliding along the direction of angle phi: p = p_N (1, mu cos, mu sin) with w_N = 0. Returns the
// component of w_T across the direction, which vanishes at a solution.
double slip_mismatch(const LocalCase& c, double phi, Vector3& p) {
  const Vector3 direction(1.0, c.mu * std::cos(phi), c.mu * std::sin(phi));
  const double stiffness = c.A.row(0).dot(direction);
  p = -c.b[0] / stiffness * direction;
  const Vector3 w = c.A * p + c.b;
  return -std::sin(phi) * w[1] + std::cos(phi) * w[2];
}

bool slip_is_valid(const LocalCase& c, double phi, const Vector3& p) {
  const Vector3 w = c.A * p + c.b;
  return p[0] > 0.0 && std::cos(phi) * w[1] + std::sin(phi) * w[2] <= 0.0;
}

// All solutions by trying every state; slip by a fine sweep of angles, each change of sign refined
// by bisection.
std::vector<Vector3> enumerate(const LocalCase& c, int n_angles) {
  std::vector<Vector3> solutions;
  if (c.b[0] >= 0.0) solutions.push_back(Vector3::Zero());
  const Vector3 stick = -c.A.fullPivLu().solve(c.b);
  if (cone_contains(stick, c.mu)) solutions.push_back(stick);
  const double step = 2.0 * 3.14159265358979323846 / n_angles;
  for (int k = 0; k < n_angles; ++k) {
    double low = k * step, high = low + step;
    Vector3 p;
    double at_low = slip_mismatch(c, low, p);
    const double at_high = slip_mismatch(c, high, p);
    if (!(at_low * at_high <= 0.0)) continue;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high), value = slip_mismatch(c, middle, p);
      if (at_low * value > 0.0)
        low = middle, at_low = value;
      else
        high = middle;
    }
    slip_mismatch(c, low, p);
    if (slip_is_valid(c, low, p)) solutions.push_back(p);
  }
  return solutions;
}

double distance_to_nearest(const std::vector<Vector3>& solutions, const Vector3& p) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Vector3& s : solutions)
    nearest = std::min(nearest, (s - p).norm() / std::max(1.0, s.norm()));
  return nearest;
}

// Natural map with rho = 3 / trace(A), over the largest of |p| and rho |b|.
double relative_residual(const LocalCase& c, const Vector3& p) {
  const double rho = 3.0 / c.A.trace();
  const Vector3 w = c.A * p + c.b;
  return natural_map(p, w, c.mu, rho).norm() / std::max(p.norm(), rho * c.b.norm());
}

}  // namespace

TEST_CASE("Local solver agrees with enumeration of open stick and slip", "[contact][oracle]") {
  test::Random random(10);
  int states[3] = {0, 0, 0}, failures = 0;
  double worst = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const LocalCase c =
        random_case(random, std::pow(10.0, random.uniform(0.0, 3.0)), random.uniform(0.01, 2.0));
    const LocalSolution solution = solve_local(c.A, c.b, c.mu);
    ++states[static_cast<int>(solution.state)];
    double error = distance_to_nearest(enumerate(c, 720), solution.p);
    if (!(error < 1e-10))
      error = distance_to_nearest(enumerate(c, 72000), solution.p);  // two roots close together
    worst = std::max(worst, error);
    if (!(error < 1e-10))
      ++failures;  // condition 1e3 times round-off, with a margin for the bisection of angles
  }
  CHECK(failures == 0);
  CHECK(test::validated({"Properties over random cases",
                         "local solver, 10000 contacts: distance from a solution, rel.", 0.0, worst,
                         1e-10, false, "enumeration of open, stick and slip"}));
  for (const int count : states) CHECK(count > 500);
}

TEST_CASE("Local solver meets the contact law for ill conditioned blocks", "[contact][property]") {
  test::Random random(11);
  const double condition = GENERATE(1e6, 1e10);
  double worst = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const LocalCase c = random_case(random, condition, random.uniform(0.0, 2.0));
    worst = std::max(worst, relative_residual(c, solve_local(c.A, c.b, c.mu).p));
  }
  // Round-off of the Schur complement, relative to |p|, which grows with the condition.
  CHECK(test::validated({"Properties over random cases",
                         "local solver, 10000 contacts of condition " + test::digits(condition) +
                             ": residual of the law, rel.",
                         0.0, worst, 1e-10, false, "contact law"}));
}

TEST_CASE("Local solver handles extreme friction", "[contact][property]") {
  test::Random random(12);
  const double mu = GENERATE(0.0, 1e-12, 1e3);
  const double condition = GENERATE(100.0, 1e10);
  double worst = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const LocalCase c = random_case(random, condition, mu);
    worst = std::max(worst, relative_residual(c, solve_local(c.A, c.b, c.mu).p));
  }
  const double allowed = 1e-14 * (1.0 + mu);  // round-off; w_T enters the normal part times mu
  CHECK(test::validated({"Properties over random cases",
                         "local solver, 10000 contacts of condition " + test::digits(condition) +
                             ", mu = " + test::digits(mu) + ": residual of the law, rel.",
                         0.0, worst, allowed, false, "contact law"}));
}

TEST_CASE("Local solver gives no impulse at zero velocity", "[contact][property]") {
  CHECK(solve_local(Matrix3::Identity(), Vector3::Zero(), 0.5).p == Vector3(0.0, 0.0, 0.0));
  test::Random random(15);
  int failures = 0, pulled = 0;
  for (int i = 0; i < 10000; ++i) {
    const int kind = random.integer(0, 3);
    LocalCase c = random_case(random, kind < 2 ? 100.0 : 1e10,
                              kind == 0   ? 0.0
                              : kind == 1 ? 1e3
                                          : random.uniform(0.0, 2.0));
    failures += solve_local(c.A, Vector3::Zero(), c.mu).p == Vector3(0.0, 0.0, 0.0) ? 0 : 1;
    // without tangential velocity: a normal push alone
    c.b.tail<2>().setZero();
    const Vector3 p = solve_local(c.A, c.b, c.mu).p;
    pulled += p.allFinite() && relative_residual(c, p) < 1e-10 * (1.0 + c.mu) ? 0 : 1;
  }
  CHECK(failures == 0);
  CHECK(pulled == 0);
}

TEST_CASE("Local solver accepts unsymmetric and singular blocks", "[contact][property]") {
  test::Random random(13);
  int failures = 0;
  for (int i = 0; i < 10000; ++i) {
    LocalCase c = random_case(random, 10.0, random.uniform(0.1, 1.0));
    for (int k = 0; k < 9; ++k) c.A(k / 3, k % 3) *= 1.0 + random.uniform(-1e-3, 1e-3);
    if (relative_residual(c, solve_local(c.A, c.b, c.mu).p) > 1e-12)
      ++failures;  // well conditioned: round-off
  }
  CHECK(failures == 0);
  const Matrix3 point = Vector3(1.0, 0.0, 0.0).asDiagonal();
  const Vector3 p = solve_local(point, Vector3(-1.0, 0.5, 0.0), 0.5).p;
  CHECK(p.allFinite());
  CHECK(solve_local(Matrix3::Zero(), Vector3(-1.0, 0.5, 0.0), 0.5).p == Vector3(0.0, 0.0, 0.0));
}

// A visit may stop a little before the root; from the last root it squares the error, so some more
// are exact.
TEST_CASE("Local visits of sweeps end at the local solver's answer with a proximal term",
          "[contact][oracle]") {
  test::Random random(14);
  constexpr int n_visits = 4;
  std::array<double, n_visits> worst{};
  for (int i = 0; i < 3000; ++i) {
    const LocalCase c = random_case(random, 100.0, random.uniform(0.1, 1.0));
    const double alpha = random.integer(0, 1) == 0 ? 0.0 : 0.2;
    const Vector3 old = project_on_cone(random.vector(1.0), c.mu);
    const Matrix3 shifted = c.A + alpha * Matrix3::Identity(), inverse = shifted.inverse();
    const Vector3 expected = solve_local(shifted, Vector3(c.b - alpha * old), c.mu).p;
    Vector3 p = old;
    double lambda = 0.0;
    for (double& error : worst) {
      // The visit adds alpha (p' - p); with `old` kept as the point of the proximal term, what is
      // left of it goes to w.
      const Vector3 before = p,
                    w = c.A * p + c.b +
                        alpha * (p - old);  // symmetric A: row-major and column-major agree
      Vector3 dp;
      visit_contact(c.A.data(), inverse.data(), alpha, c.mu, 1e-2, w.data(), lambda, p.data(),
                    dp.data());
      error = std::max(error, (p - expected).norm() / std::max(1.0, expected.norm()));
      CHECK((dp - (p - before)).norm() <= 1e-15 * std::max(1.0, p.norm()));
    }
  }
  CHECK(worst[0] < 1e-2);
  CHECK(worst[1] < 1e-4);
  CHECK(worst[n_visits - 1] < 1e-11);  // condition 1e2 times round-off
}

}  // namespace scree::contact::local_solver_test
