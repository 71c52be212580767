#include "contact/solver/solver.hpp"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "contact/fclib/fclib.hpp"
#include "contact/laws/friction_cone.hpp"
#include "contact/solver/body_operator.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/body_solution.hpp"
#include "tests/support/box_wall.hpp"
#include "tests/support/places.hpp"
#include "tests/support/random_problems.hpp"

namespace scree::contact::solver_test {
namespace {

using test::BodySolution;
using test::solve;

constexpr Method all_methods[] = {Method::nsgs, Method::nncg, Method::apgd, Method::interior,
                                  Method::automatic};

// Largest difference of contact velocities: impulses of hyperstatic problems are not unique,
// velocities nearly always are.
double velocity_difference(const test::DenseProblem& dense, const std::vector<Vector3>& a,
                           const std::vector<Vector3>& b) {
  Eigen::VectorXd dp(3 * static_cast<int>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i) dp.segment<3>(3 * static_cast<int>(i)) = a[i] - b[i];
  return (dense.W * dp).cwiseAbs().maxCoeff();
}

bool same_bits(const std::vector<Vector3>& a, const std::vector<Vector3>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace

TEST_CASE("Solver gives the same answer on body velocities and on a matrix", "[contact][oracle]") {
  SolverOptions options;
  options.tolerance = 1e-11;
  options.max_iterations = 200000;
  int unsolved = 0, different = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    test::Random random(seed);
    // Small friction: uniqueness is then the rule, so two methods can be compared.
    const BodyProblem problem =
        test::random_body_problem(seed, {6, random.integer(1, 12), 0.3, false});
    const test::DenseProblem dense = test::dense_problem(problem);
    const BodySolution body = solve(problem, options);
    std::vector<Vector3> p(problem.n_contacts(), Vector3::Zero());
    Solver solver;
    const SolveReport matrix =
        solver.solve(test::matrix_problem(dense, problem.mu), options, Executor{}, p);
    if (!body.report.converged || !matrix.converged)
      ++unsolved;
    else if (velocity_difference(dense, body.p, p) > 1e-7)
      ++different;  // tolerance times the conditioning of the worst
  }
  CHECK(unsolved == 0);
  CHECK(different == 0);
}

TEST_CASE("Solver returns velocities that belong to its impulses", "[contact][property]") {
  SolverOptions options;
  options.tolerance = 1e-8;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    BodyProblem problem = test::random_body_problem(seed);
    find_islands(problem, problem.islands);
    const BodySolution s = solve(problem, options);
    const auto n = static_cast<int>(problem.n_contacts());
    Eigen::VectorXd p(3 * n);
    for (int i = 0; i < n; ++i) p.segment<3>(3 * i) = s.p[static_cast<std::size_t>(i)];
    const Eigen::VectorXd dz =
        test::dense_inverse_mass(problem) * (test::dense_jacobian(problem).transpose() * p);
    for (std::size_t i = 0; i < problem.n_bodies(); ++i) {
      const int at = 6 * static_cast<int>(i);
      CHECK((s.v[i] - problem.v_free[i] - dz.segment<3>(at)).norm() < 1e-12);  // round-off
      CHECK((s.w_W[i] - problem.w_free_W[i] - dz.segment<3>(at + 3)).norm() < 1e-12);
    }
    const Residuals again = residuals(problem, s.p, s.v, s.w_W);
    CHECK(again.scaled == s.report.residual.scaled);
  }
}

TEST_CASE("Every method solves random coupled problems and keeps impulses in their cones",
          "[contact][property]") {
  for (const Method method : all_methods) {
    SolverOptions options;
    options.method = method;
    options.tolerance = 1e-8;
    options.max_iterations = 100000;
    int unsolved = 0, outside = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const BodyProblem problem =
          test::random_body_problem(seed, {5, 1 + static_cast<int>(seed % 12), 0.5, false});
      const BodySolution s = solve(problem, options);
      if (!s.report.converged || s.report.residual.scaled > options.tolerance) ++unsolved;
      for (std::size_t i = 0; i < s.p.size(); ++i) {
        if (!cone_contains(s.p[i], problem.mu[i], 1e-14 * s.p[i].norm()))
          ++outside;  // round-off of one product
      }
    }
    INFO("method " << static_cast<int>(method));
    CHECK(unsolved <=
          (method == Method::apgd ? 10 : 0));  // the gradient alone can cycle where much slides
    CHECK(outside == 0);
  }
}

TEST_CASE("Every method solves a file of an arch and one of a pyramid", "[contact][oracle]") {
  const std::string folder = test::data_folder() + "/fclib/";
  for (const std::string file :
       {"BT_Arch25-nc86-k00060.hdf5", "BT_BoxPyramid5-nc580-k00010_global.hdf5"}) {
    const MatrixProblem problem = read_fclib(folder + file).problem;
    for (const Method method : all_methods) {
      for (const Measure measure : {Measure::scaled, Measure::published, Measure::siconos}) {
        SolverOptions options;
        options.method = method;
        options.measure = measure;
        options.tolerance = 1e-5;
        options.max_iterations = 100000;
        std::vector<Vector3> p(problem.n_contacts(), Vector3::Zero());
        Solver solver;
        const SolveReport report = solver.solve(problem, options, Executor{}, p);
        INFO(file << " method " << static_cast<int>(method) << " measure "
                  << static_cast<int>(measure));
        CHECK(report.converged);
        CHECK(stop_value(residuals(problem, p), options) <= options.tolerance);
      }
    }
  }
}

TEST_CASE("Solver finds the reaction of a cube at rest", "[contact][analytic]") {
  const BodyProblem problem = test::box_wall(1, 1);
  SolverOptions options;
  options.tolerance = 1e-12;
  const BodySolution s = solve(problem, options);
  REQUIRE(s.report.converged);
  double normal = 0.0;
  for (const Vector3& p : s.p) normal += p[0];
  const double weight = 9.81 * 5e-3 / problem.inverse_mass[1];
  CHECK(std::abs(normal - weight) < 1e-10 * weight);  // tolerance of the solve, times a few
  CHECK(s.v[1].norm() < 1e-10);
}

TEST_CASE("Solver needs one sweep from its own solution", "[contact][unit]") {
  const BodyProblem problem = test::box_wall(10, 5);
  for (const Measure measure : {Measure::published, Measure::scaled}) {
    SolverOptions options;
    options.measure = measure;
    options.tolerance = 1e-8;
    options.max_iterations = 100000;
    Solver solver;
    BodySolution s = solve(solver, problem, options);
    REQUIRE(s.report.converged);
    const SolveReport again = solver.solve(problem, options, Executor{}, s.p, s.v, s.w_W);
    CHECK(again.converged);
    CHECK(again.iterations <= 2);
    options.min_iterations = 0;
    const std::vector<Vector3> before = s.p;
    const SolveReport none = solver.solve(problem, options, Executor{}, s.p, s.v, s.w_W);
    CHECK(none.converged);
    CHECK(none.iterations == 0);
  }
}

TEST_CASE("Solver obeys its limits on sweeps", "[contact][unit]") {
  const BodyProblem problem = test::box_wall(10, 5);
  for (const Method method : all_methods) {
    SolverOptions options;
    options.method = method;
    options.tolerance = 1e-15;
    for (const std::int64_t limit : {1, 7, 250}) {
      options.max_iterations = limit;
      const BodySolution s = solve(problem, options);
      CHECK(s.report.iterations == limit);
      CHECK_FALSE(s.report.converged);
      CHECK(s.report.residual.scaled > options.tolerance);
    }
    if (method == Method::interior) continue;  // a step of its own is as long as tens of sweeps
    options.tolerance = 1e3;
    options.max_iterations = 100;
    options.min_iterations = 23;
    const BodySolution s = solve(problem, options);
    CHECK(s.report.iterations >= 23);
    CHECK(s.report.iterations <= 25);  // a gradient step that is taken back is not tested
    CHECK(s.report.converged);
  }
}

TEST_CASE("Automatic method gets past impulses that creep along a redundancy", "[contact][unit]") {
  // A box of 1 x 2 x 1 m slides and spins on a plane. One of its four corners has to lift off,
  // while the others carry the box whatever that one bears, so impulses creep: 57 000 sweeps of
  // Gauss-Seidel.
  const FclibProblem input = read_fclib(test::data_folder() + "/fclib/SpinningBox-nc4_global.hdf5");
  REQUIRE(input.problem.n_contacts() == 4);
  SolverOptions options;
  options.max_iterations = 2000;
  for (const double tolerance : {1e-6, 1e-10}) {
    options.tolerance = tolerance;
    for (const Method method : all_methods) {
      options.method = method;
      std::vector<Vector3> p(4, Vector3::Zero());
      const SolveReport report = Solver().solve(input.problem, options, Executor(), p);
      const bool ends = method == Method::automatic || method == Method::interior;
      CHECK(report.converged == ends);
      CHECK((p[2][0] <= 1e-4 * p[0][0]) == ends);  // interior points only come near 0
    }
  }
}

TEST_CASE("Solver stops once the recomputed residual meets a tolerance near round-off",
          "[contact][unit]") {
  int converged = 0, used_up = 0, by_tolerance = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    for (const Method method : all_methods) {
      SolverOptions options;
      options.method = method;
      options.tolerance = 3e-16;
      options.max_iterations = 10000;
      const BodyProblem problem = test::random_body_problem(seed);
      const BodySolution s = solve(problem, options);
      const SolveReport& report = s.report;
      if (!report.converged) continue;
      ++converged;
      used_up += report.iterations == options.max_iterations;
      // A solve also ends where nothing but round-off is left; it says so, and never of one that
      // meets the tolerance.
      const bool met = report.residual.scaled <= options.tolerance;
      CHECK(report.round_off == !met);
      CHECK((met || round_off_ratio(problem, s.p, s.v, s.w_W) <= 1.0));
      by_tolerance += met;
    }
  }
  CHECK(by_tolerance > 50);
  CHECK(converged > 100);
  CHECK(used_up <= 2);  // one, whose floor is the tolerance; 35 when a residual that was not
                        // confirmed has to be halved
}

TEST_CASE("Solver reports problems that are not finite as not converged", "[contact][unit]") {
  SolverOptions options;
  options.max_iterations = 1000000000;  // would take minutes if it were used up
  BodyProblem problem = test::random_body_problem(3);
  problem.bias[0][0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(solve(problem, options).report.converged);
  problem = test::random_body_problem(3);
  problem.r_a_W[1][0] = std::numeric_limits<double>::infinity();
  CHECK_FALSE(solve(problem, options).report.converged);
  problem = test::random_body_problem(3);
  problem.inverse_inertia_W[1](0, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(solve(problem, options).report.converged);
}

TEST_CASE("Solver replaces a warm start that is not finite", "[contact][unit]") {
  const BodyProblem problem = test::random_body_problem(4);
  SolverOptions options;
  Solver solver;
  BodySolution s = solve(solver, problem, options);
  s.p[0][1] = std::numeric_limits<double>::quiet_NaN();
  CHECK(solver.solve(problem, options, Executor{}, s.p, s.v, s.w_W).converged);
}

TEST_CASE("Solver accepts an empty problem", "[contact][unit]") {
  BodyProblem problem = test::random_body_problem(5);
  const BodyProblem full = problem;
  problem.body_a.clear(), problem.body_b.clear(), problem.R_WC.clear(), problem.r_a_W.clear(),
      problem.r_b_W.clear();
  problem.mu.clear(), problem.bias.clear(), problem.scale.clear();
  const BodySolution s = solve(problem, {});
  CHECK(s.report.converged);
  CHECK(same_bits(s.v, full.v_free));
}

TEST_CASE("Solver gives the same bits for every executor", "[contact][determinism]") {
  const BodyProblem problem = test::box_wall(100, 10);
  REQUIRE(problem.n_contacts() >= BodyOperator::coloured_from);
  for (const Method method : all_methods) {
    SolverOptions options;
    options.method = method;
    options.tolerance = 1e-15;
    options.max_iterations = 12;
    const BodySolution reference = solve(problem, options);
    for (const Backend backend : {Backend::openmp, Backend::tbb}) {
      for (const int threads : {2, 3, 8}) {
        const BodySolution s = solve(problem, options, Executor(backend, threads));
        CHECK(same_bits(s.p, reference.p));
        CHECK(same_bits(s.v, reference.v));
        CHECK(s.report.residual.scaled == reference.report.residual.scaled);
      }
    }
  }
}

TEST_CASE("Solver allocates nothing when it is warm", "[contact][unit]") {
  const BodyProblem wall = test::box_wall(10, 5),
                    two_islands = test::side_by_side(test::box_wall(40, 5), test::box_wall(60, 4));
  for (const Method method : all_methods) {
    for (const BodyProblem* problem : {&wall, &two_islands}) {
      SolverOptions options;
      options.method = method;
      options.tolerance =
          1e-17;  // never met: a solve goes on until its budget is used or only round-off is left
      options.max_iterations =
          problem == &wall ? 2500 : 300;  // enough for the default method to use all of its arms
      Solver solver;
      BodySolution s = solve(solver, *problem, options);
      std::fill(s.p.begin(), s.p.end(), Vector3::Zero());
      const long before = test::allocations();
      const SolveReport report = solver.solve(*problem, options, Executor{}, s.p, s.v, s.w_W);
      const long after = test::allocations();
      CHECK((report.round_off || report.iterations == options.max_iterations));
      CHECK(report.iterations >= (problem == &wall ? 1000 : options.max_iterations));
      CHECK(after == before);
    }
  }
}

}  // namespace scree::contact::solver_test
