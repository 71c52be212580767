// Rolling and spinning resistance: the cone, one contact, coupled problems.
#include "contact/solver/rolling_local_solver.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "contact/fclib/fclib.hpp"
#include "contact/laws/assemble.hpp"
#include "contact/laws/laws.hpp"
#include "contact/solver/body_operator.hpp"
#include "contact/solver/solver.hpp"
#include "tests/support/box_wall.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/validation_table.hpp"

namespace scree::contact::rolling_test {
namespace {

constexpr int n_cases = 10000;

Vector6 random_six(test::Random& random, double size) {
  Vector6 x;
  x << random.vector(size), random.vector(size);
  return x;
}

// A tenth each without one of the limits, with a large one, with none at all.
ConeLimits random_limits(test::Random& random) {
  const auto one = [&] {
    const int kind = random.integer(0, 9);
    return kind == 0 ? 0.0 : kind == 1 ? 1e3 : random.uniform(0.0, 2.0);
  };
  const double mu = one(), spin = one(), roll = one();
  return {mu, spin, roll};
}

// A of one contact between two random bodies, unit-free: trace of the first three rows 3 as in a
// solve.
Matrix6 random_matrix(std::uint64_t seed) {
  const BodyProblem problem =
      test::random_body_problem(seed, {.n_bodies = 3, .n_contacts = 1, .rolling_max = 1.0});
  const auto a = static_cast<std::size_t>(problem.body_a[0]),
             b = static_cast<std::size_t>(problem.body_b[0]);
  const Matrix3 Rt = problem.R_WC[0].transpose();
  Eigen::Matrix<double, 6, 12> H;
  H << -Rt, Rt * skew(problem.r_a_W[0]), Rt, -Rt * skew(problem.r_b_W[0]), Matrix3::Zero(),
      -problem.length[0] * Rt, Matrix3::Zero(), problem.length[0] * Rt;
  Eigen::Matrix<double, 12, 12> inverse_mass = Eigen::Matrix<double, 12, 12>::Zero();
  inverse_mass.block<3, 3>(0, 0) = problem.inverse_mass[a] * Matrix3::Identity();
  inverse_mass.block<3, 3>(3, 3) = problem.inverse_inertia_W[a];
  inverse_mass.block<3, 3>(6, 6) = problem.inverse_mass[b] * Matrix3::Identity();
  inverse_mass.block<3, 3>(9, 9) = problem.inverse_inertia_W[b];
  const Matrix6 A = H * inverse_mass * H.transpose();
  return A * (3.0 / A.topLeftCorner<3, 3>().trace());
}

// |natural map| over |p|: how far (p, A p + b) is from the law.
double law_error(const Matrix6& A, const Vector6& b, const ConeLimits& limits, const Vector6& p) {
  return natural_map(p, Vector6(A * p + b), limits, 1.0).norm() / p.norm();
}

}  // namespace

// Moreau: x = P(x) + (x - P(x)) with P(x) in K, x - P(x) in the polar cone and both perpendicular;
// it holds for the projection and for nothing else.
TEST_CASE("Rolling cone projection is Moreau's decomposition", "[contact][property]") {
  test::Random random(1);
  int failures = 0;
  double worst = 0.0;
  for (int i = 0; i < n_cases; ++i) {
    const ConeLimits limits = random_limits(random);
    const Vector6 x = random_six(random, 1.0) * std::pow(10.0, random.uniform(-3.0, 3.0));
    Vector6 inside = x;
    project_on_cone(limits, inside.data());
    const Vector6 outside = x - inside, dual = -outside;
    // Round-off of the projection, times the largest limit for the parts that it bounds.
    const double mu = std::max({limits.mu, limits.mu_spin, limits.mu_roll}),
                 slack = 1e-15 * (1.0 + mu) * x.norm();
    if (!cone_contains(limits, inside.data(), slack) ||
        !dual_cone_contains(limits, dual.data(), 3.0 * (1.0 + mu) * slack))
      ++failures;
    worst = std::max(worst, std::abs(inside.dot(outside)) / ((1.0 + mu) * x.squaredNorm()));
  }
  CHECK(failures == 0);
  CHECK(test::validated({"Properties over random cases",
                         "projection on the rolling cone, " + test::digits(n_cases) +
                             " points: product of its two parts, rel.",
                         0.0, worst, 1e-15, false, "Moreau's decomposition"}));
}

TEST_CASE("Rolling cone without moments is Coulomb's cone", "[contact][property]") {
  test::Random random(2);
  double worst = 0.0;
  for (int i = 0; i < n_cases; ++i) {
    const double mu = random.uniform(0.0, 2.0);
    Vector6 x = random_six(random, 1.0);
    const Vector3 expected = project_on_cone(Vector3(x.head<3>()), mu);
    project_on_cone({mu, 0.0, 0.0}, x.data());
    worst = std::max(worst, (x.head<3>() - expected).norm() + x.tail<3>().norm());
  }
  CHECK(worst <= 1e-15);  // the same sums in another order
}

TEST_CASE("One rolling contact is solved exactly, by Newton and by brackets",
          "[contact][property]") {
  test::Random random(3);
  int bracketed = 0, differ = 0;
  double worst = 0.0, worst_bracketed = 0.0;
  for (int i = 0; i < n_cases; ++i) {
    const Matrix6 A = random_matrix(static_cast<std::uint64_t>(i));
    const ConeLimits limits{random.uniform(0.0, 1.0), random.uniform(0.0, 0.5),
                            random.uniform(0.0, 0.5)};
    Vector6 b = random_six(random, 1.0);
    b[0] = -std::abs(b[0]) - 1e-3;
    Vector6 newton = Vector6::Zero(), bracket = Vector6::Zero();
    if (solve_rolling(A, b, limits, newton) == RollingPath::bracketed) ++bracketed;
    worst = std::max(worst, law_error(A, b, limits, newton));
    if (i % 5 != 0) continue;
    solve_rolling_bracketed(A, b, limits, bracket);
    worst_bracketed = std::max(worst_bracketed, law_error(A, b, limits, bracket));
    if ((newton - bracket).norm() > 1e-9 * bracket.norm()) ++differ;
  }
  // Round-off of a 6 x 6 solution: 1e-16 times condition numbers of up to 1e4.
  CHECK(test::validated({"Properties over random cases",
                         "one contact with rolling and spinning resistance, " +
                             test::digits(n_cases) + " cases: natural map, rel.",
                         0.0, worst, 1e-12, false, "definition"}));
  CHECK(worst_bracketed <= 1e-12);
  CHECK(differ == 0);
  CHECK(bracketed < n_cases / 100);
}

namespace {

using test::LawCase;

LawCase random_case(std::uint64_t seed, ImpactLaw law) {
  return test::random_law_case(seed, law, 1.0, 0.5);
}

struct Solved {
  bool converged = false;
  double work =
      0.0;  // largest of one contact's normal, tangential and rolling work, over impulse and speed
};

Solved solve_case(const LawCase& test_case, double tolerance) {
  const BodyProblem& problem = test_case.problem;
  Solver solver;
  SolverOptions options;
  options.tolerance = tolerance;
  options.max_iterations = 3000;
  const std::size_t n = problem.n_contacts();
  std::vector<Vector3> p(n, Vector3::Zero()), moment = p, v(problem.n_bodies()), w = v;
  Solved result;
  result.converged = solver.solve(problem, options, Executor(), p, v, w, moment).converged;
  double impulse = 0.0, speed = 1.0;
  result.work = -std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < n; ++c) {
    const double theta = test_case.theta;
    const Vector3 u = (1.0 - theta) * test_case.u_0[c] + theta * local_velocity(problem, c, v, w);
    const Vector3 spin = (1.0 - theta) * test_case.spin_0[c] + theta * local_spin(problem, c, w);
    result.work =
        std::max({result.work, u.x() * p[c].x(), u.y() * p[c].y() + u.z() * p[c].z(),
                  spin.x() * moment[c].x(), spin.y() * moment[c].y() + spin.z() * moment[c].z()});
    impulse += p[c].squaredNorm() + (moment[c] / problem.length[c]).squaredNorm();
    speed = std::max({speed, u.norm(), problem.length[c] * spin.norm()});
  }
  result.work = impulse > 0.0 ? result.work / (std::sqrt(impulse) * speed) : 0.0;
  return result;
}

}  // namespace

// Blocks of one body on the ground and of two, limits up to 5, a tenth that touch with a mass
// centre or cannot turn.
TEST_CASE("One rolling contact is solved whatever its limits, lever arms and inertias",
          "[contact][property]") {
  test::Random random(11);
  const auto turning = [&] {
    const Matrix3 Q = random.rotation();
    Vector3 size;
    for (double& value : size) value = std::pow(10.0, random.uniform(-1.0, 1.0));
    return Matrix3(Q * size.asDiagonal() * Q.transpose());
  };
  int unsolved = 0, bracketed = 0, unsolved_bracketed = 0;
  double worst = 0.0;
  for (int i = 0; i < 20 * n_cases; ++i) {
    const int kind = random.integer(0, 19);
    const Matrix3 Rt = random.rotation();
    const Vector3 r_a = random.vector(1.0),
                  r_b = kind == 0 ? Vector3(Vector3::Zero()) : random.vector(1.0);
    const double length = std::pow(10.0, random.uniform(-1.0, 1.0));
    Eigen::Matrix<double, 6, 12> H;
    H << -Rt, Rt * skew(r_a), Rt, -Rt * skew(r_b), Matrix3::Zero(), -length * Rt, Matrix3::Zero(),
        length * Rt;
    Eigen::Matrix<double, 12, 12> inverse_mass = Eigen::Matrix<double, 12, 12>::Zero();
    if (i % 2 == 0) {
      inverse_mass.block<3, 3>(0, 0) =
          std::pow(10.0, random.uniform(-1.0, 1.0)) * Matrix3::Identity();
      inverse_mass.block<3, 3>(3, 3) = turning();
    }
    inverse_mass.block<3, 3>(6, 6) =
        std::pow(10.0, random.uniform(-1.0, 1.0)) * Matrix3::Identity();
    if (kind != 1) inverse_mass.block<3, 3>(9, 9) = turning();
    Matrix6 A = H * inverse_mass * H.transpose();
    A *= 3.0 / A.topLeftCorner<3, 3>().trace();
    const auto limit = [&] { return random.integer(0, 4) == 0 ? 0.0 : random.uniform(0.0, 5.0); };
    const double mu = limit(), spin = limit(), roll = limit();
    const ConeLimits limits{mu, spin, roll};
    Vector6 b = random_six(random, 1.0);
    b[0] = -std::abs(b[0]) - 1e-3;
    Vector6 p = Vector6::Zero();
    const RollingPath path = solve_rolling(A, b, limits, p);
    const double error = law_error(A, b, limits, p);
    bracketed += path == RollingPath::bracketed;
    unsolved += path == RollingPath::none || !(error <= 1e-9);
    worst = std::max(worst, error);
    if (i % 20 != 0) continue;
    solve_rolling_bracketed(A, b, limits, p);
    unsolved_bracketed += !(law_error(A, b, limits, p) <= 1e-9);
  }
  CHECK(unsolved == 0);
  CHECK(unsolved_bracketed == 0);
  CHECK(worst <= 1e-10);   // 1e-16 times the condition of a block, 1e4, and of its inverse in w
  CHECK(bracketed > 100);  // so that the brackets are tried
  CHECK(bracketed < 20 * n_cases / 10);
}

TEST_CASE("Contacts that resist rolling never do positive work under the Fremond law",
          "[contact][property]") {
  int solved = 0;
  double worst = 0.0;
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    const Solved result = solve_case(random_case(seed, ImpactLaw::fremond), 1e-11);
    if (!result.converged) continue;
    ++solved;
    worst = std::max(worst, result.work);
  }
  // the residual, 1e-11 of |p|, which the condition of a contact and the coupling stretch, up to a
  // hundred times here
  CHECK(test::validated(
      {"Properties over random cases",
       "fremond with rolling and spinning resistance, 10000 coupled problems: largest "
       "positive work of a contact, over impulse and speed",
       0.0, worst, 1e-9, false, "engine/method/rolling.md"}));
  CHECK(solved > 9000);
}

TEST_CASE("Newton law with rolling resistance does positive work in a few of the same problems",
          "[contact][property]") {
  int positive = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Solved result = solve_case(random_case(seed, ImpactLaw::newton), 1e-9);
    if (result.converged && result.work > 1e-6) ++positive;
  }
  CHECK(positive > 10);  // so the test above can fail
}

TEST_CASE("All methods find the same moments", "[contact][property]") {
  int solved = 0;
  double worst = 0.0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    test::RandomProblemOptions options{
        .n_bodies = 6, .n_contacts = 6, .mu_max = 0.5, .rolling_max = 0.2};
    const BodyProblem problem = test::random_body_problem(seed, options);
    std::vector<Vector3> reference;
    for (const Method method : {Method::nsgs, Method::nncg, Method::apgd, Method::automatic}) {
      Solver solver;
      SolverOptions solve{.method = method, .tolerance = 1e-11, .max_iterations = 100000};
      std::vector<Vector3> p(problem.n_contacts(), Vector3::Zero()), moment = p,
                                                                     v(problem.n_bodies()), w = v;
      if (!solver.solve(problem, solve, Executor(), p, v, w, moment).converged) continue;
      ++solved;
      if (reference.empty()) reference = w;
      for (std::size_t i = 0; i < w.size(); ++i)
        worst = std::max(worst, (w[i] - reference[i]).norm());
    }
  }
  CHECK(solved >= 190);
  CHECK(worst <= 1e-8);  // spins, which are unique at these limits; 1e-11 times the condition
}

TEST_CASE(
    "Rolling problems give the same bits for every executor, and no resistance gives the plain "
    "impulses",
    "[contact][determinism]") {
  BodyProblem problem = test::box_wall(100, 10);
  const std::size_t n = problem.n_contacts();
  REQUIRE(n >= RollingOperator::coloured_from);
  const auto solve = [&](Method method, const Executor& executor) {
    SolverOptions options{.method = method, .tolerance = 1e-15, .max_iterations = 12};
    std::vector<Vector3> p(n, Vector3::Zero()),
        moment(problem.has_moments() ? n : 0, Vector3::Zero());
    std::vector<Vector3> v(problem.n_bodies()), w = v;
    Solver solver;
    static_cast<void>(solver.solve(problem, options, executor, p, v, w, moment));
    p.insert(p.end(), moment.begin(), moment.end());
    return p;
  };
  const std::vector<Vector3> plain = solve(Method::nsgs, Executor{});
  problem.length.assign(n, 1.0), problem.mu_spin.assign(n, 0.0), problem.mu_roll = problem.mu_spin;
  problem.spin_bias.assign(n, Vector3::Zero());
  std::vector<Vector3> six = solve(Method::nsgs, Executor{});
  six.resize(n);
  double worst = 0.0, largest = 0.0;
  for (std::size_t c = 0; c < n; ++c)
    worst = std::max(worst, (six[c] - plain[c]).norm()),
    largest = std::max(largest, plain[c].norm());
  CHECK(worst <= 1e-5 * largest);  // the same sweeps; four slips at a time end closer to their
                                   // roots than one at a time
  for (std::size_t c = 0; c < n; ++c)
    problem.length[c] = 0.5, problem.mu_spin[c] = 0.02, problem.mu_roll[c] = c % 5 == 0 ? 0.0 : 0.1;
  for (const Method method : {Method::nsgs, Method::nncg, Method::apgd, Method::automatic}) {
    const std::vector<Vector3> reference = solve(method, Executor{});
    CHECK(solve(method, Executor(Backend::openmp, 2)) == reference);
    CHECK(solve(method, Executor(Backend::tbb, 3)) == reference);
  }
}

TEST_CASE("Problems with resistance cannot be written as FCLIB files", "[contact][unit]") {
  const BodyProblem problem = test::random_body_problem(1, {.rolling_max = 0.1});
  CHECK_THROWS_WITH(
      write_fclib("never.hdf5", problem, "title"),
      "never.hdf5: cannot be written: the format has no rolling or spinning resistance");
}

}  // namespace scree::contact::rolling_test
