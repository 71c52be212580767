#include "contact/solver/direct_methods.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <catch2/catch.hpp>

#include "contact/fclib/fclib.hpp"
#include "contact/solver/block_factor.hpp"
#include "contact/solver/body_operator.hpp"
#include "contact/solver/cone_scaling.hpp"
#include "contact/solver/coupling.hpp"
#include "contact/solver/matrix_operator.hpp"
#include "contact/solver/solver.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/body_solution.hpp"
#include "tests/support/dense_coupling.hpp"
#include "tests/support/places.hpp"
#include "tests/support/random_problems.hpp"

namespace scree::contact::direct_methods_test {
namespace {

using test::Random;

// Fills a factorisation and the same dense matrix with random numbers; diagonal blocks are made
// heavier, as nothing is exchanged between blocks.
template <int size>
void check_block_factor(Random& random, BlockFactor<size>& factor) {
  const int n = random.integer(1, 12);
  std::vector<BlockPair> pairs;
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t j = i + 1; j < n; ++j) {
      if (random.integer(0, 2) == 0) pairs.push_back({i, j});
    }
  }
  REQUIRE(factor.analyse(static_cast<std::size_t>(n), pairs, 1e9));
  factor.clear();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size * n, size * n);
  const auto fill = [&](double* block, int row, int column, double heavy) {
    for (int r = 0; r < size; ++r) {
      for (int k = 0; k < size; ++k) {
        const double value = random.uniform(-1.0, 1.0) + (r == k ? heavy : 0.0);
        block[BlockFactor<size>::stride * static_cast<std::size_t>(r) +
              static_cast<std::size_t>(k)] = value;
        A(size * row + r, size * column + k) = value;
      }
    }
  };
  for (int i = 0; i < n; ++i) fill(factor.diagonal(static_cast<std::size_t>(i)), i, i, 8.0);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    fill(factor.forward(k), pairs[k][0], pairs[k][1], 0.0);
    fill(factor.backward(k), pairs[k][1], pairs[k][0], 0.0);
  }
  Eigen::VectorXd b(size * n);
  for (double& value : b) value = random.uniform(-1.0, 1.0);
  Eigen::VectorXd x = b;
  REQUIRE(factor.factorise());
  factor.solve(x.data());
  CHECK((A * x - b).norm() <= 1e-12 * b.norm());  // round-off times a condition of some hundreds
}

// Laws at limits of the cone's algebra: a point whose eigenvalues are `large` and `small`, in a
// random direction.
Vector3 cone_point(Random& random, double large, double small) {
  const double angle = random.uniform(0.0, 6.283185307179586), n = 0.5 * (large + small),
               r = 0.5 * (large - small);
  return {n, r * std::cos(angle), r * std::sin(angle)};
}

SolveReport solve_file(const std::string& file, FclibForm form, Method method, double tolerance) {
  const FclibProblem problem = read_fclib(test::data_folder() + "/fclib/" + file + ".hdf5", form);
  SolverOptions options;
  options.method = method, options.tolerance = tolerance, options.max_iterations = 200000;
  std::vector<Vector3> p(problem.n_contacts(), Vector3::Zero());
  Solver solver;
  return solve_fclib(solver, problem, options, Executor(), p);
}

// Steps of a falling arch, of a row of dominoes and of a heap of hulls for which sweeps alone take
// more than 50 000.
const char* const hard_files[] = {"arch_tilt-s0001084-nc54", "dominoes-s0002643-nc107",
                                  "hulls_zero_gravity-s0000400-nc7"};

}  // namespace

TEST_CASE("Factorisation of blocks solves sparse unsymmetric systems", "[contact][oracle]") {
  Random random(1);
  BlockFactor<3> three;
  BlockFactor<6> six;
  for (int trial = 0; trial < 200; ++trial) {
    check_block_factor(random, three);
    check_block_factor(random, six);
  }
}

TEST_CASE("Factorisation of blocks says when it is too dear or singular", "[contact][unit]") {
  BlockFactor<3> factor;
  const std::vector<BlockPair> pairs = {{0, 1}, {1, 2}};
  CHECK_FALSE(factor.analyse(3, pairs, 1.0));
  REQUIRE(factor.analyse(3, pairs, 1e6));  // the same pattern, later
  CHECK(factor.flops() > 1.0);
  factor.clear();
  CHECK_FALSE(factor.factorise());
}

TEST_CASE("Scaling of the cone maps one point to the other, and its inverse keeps small parts",
          "[contact][property]") {
  Random random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    // Nearly complementary points, as at the end of the path: products of eigenvalues from 1 to
    // 1e-12.
    const double m = std::pow(10.0, random.uniform(-12.0, 0.0)), a = random.uniform(0.1, 1.0),
                 b = random.uniform(0.1, 1.0);
    const Vector3 x = cone_point(random, std::max(a, m), std::min(a, m));
    const Vector3 across(x[0], -x[1], -x[2]);
    const Vector3 y = b / x[0] * across + Vector3(1e-3 * m, 0.0, 0.0);
    const ConeScaling scaling(x, y);
    // Round-off of each point, seen through the largest eigenvalue that it meets.
    const double root = scaling.theta(across).norm() / across.norm(),
                 other = scaling.theta_inverse(x).norm() / x.norm();
    CHECK((scaling.theta(x) - scaling.theta_inverse(y)).norm() <=
          1e-13 * (root * x.norm() + other * y.norm()));
    CHECK((scaling.theta_inverse(scaling.theta(x)) - x).norm() <= 1e-14 * root * other * x.norm());
    const double slide = std::hypot(y[1], y[2]);
    const Vector3 t(0.0, y[1] / slide, y[2] / slide);
    constexpr double delta = 1e-6;
    const ConeScaling::Inverse inverse(scaling, t, delta);
    const Vector3 v = random.vector(1.0), d = inverse * v, squared = scaling.theta_squared(d);
    const Vector3 back = Vector3(squared[0] - t.dot(squared), squared[1], squared[2]) + delta * d;
    // Round-off of d seen through the largest eigenvalue. Entries of the inverse, up to 1 / delta,
    // would leave more by as much.
    const double largest = scaling.theta_squared(across).norm() / across.norm();
    CHECK((back - v).norm() <= 1e-14 * (1.0 + largest * d.norm()));
    CHECK((inverse.matrix() * v - d).norm() <= 1e-9 * (1.0 + d.norm()));
  }
}

TEST_CASE("Both couplings solve the linearised contact problem", "[contact][oracle]") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    const BodyProblem problem =
        test::random_body_problem(seed, {5, 1 + static_cast<int>(seed % 10), 0.8, false});
    const test::DenseProblem dense = test::dense_problem(problem);
    const auto n = static_cast<Eigen::Index>(problem.n_contacts());
    const auto check = [&](auto& op) {
      op.fill_direct();
      auto& coupling = op.direct().coupling;
      REQUIRE(coupling.analyse(1e9));
      const Eigen::MatrixXd A = test::dense_product(coupling, n);
      CHECK((A - A.transpose()).norm() <= 1e-13 * A.norm());
      test::check_against_dense(coupling, A, random);
    };
    BodyOperator body;
    body.prepare(problem, Executor());
    check(body);
    MatrixOperator matrix;
    matrix.prepare(test::matrix_problem(dense, problem.mu), Executor());
    check(matrix);
  }
}

TEST_CASE("Small problems that take very many sweeps end after some factorisations",
          "[contact][oracle]") {
  for (const std::string file : hard_files) {
    for (const FclibForm form : {FclibForm::bodies, FclibForm::matrix}) {
      for (const Method method : {Method::interior, Method::automatic}) {
        INFO(file << " form " << static_cast<int>(form) << " method " << static_cast<int>(method));
        const SolveReport good = solve_file(file, form, method, 1e-7),
                          better = solve_file(file, form, method, 1e-8);
        CHECK(good.converged);
        CHECK(good.iterations <= 1500);
        CHECK(better.converged);
        CHECK(better.iterations <= 10000);
      }
    }
  }
}

TEST_CASE("Interior points reach round-off where sweeps creep", "[contact][oracle]") {
  const SolveReport report = solve_file(hard_files[1], FclibForm::bodies, Method::interior, 1e-12);
  CHECK(report.converged);
  CHECK(report.iterations <= 20000);
}

TEST_CASE("Interior points take contacts with and without friction together",
          "[contact][property]") {
  SolverOptions options;
  options.method = Method::interior, options.tolerance = 1e-9, options.max_iterations = 20000;
  int unsolved = 0;
  std::int64_t iterations = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    BodyProblem problem =
        test::random_body_problem(seed, {5, 1 + static_cast<int>(seed % 12), 0.8, false});
    for (std::size_t c = 0; c < problem.n_contacts(); c += 3) problem.mu[c] = 0.0;
    const test::BodySolution s = test::solve(problem, options);
    unsolved += !s.report.converged;
    iterations += s.report.iterations;
    for (std::size_t c = 0; c < problem.n_contacts(); c += 3) CHECK(s.p[c].tail<2>().norm() == 0.0);
  }
  CHECK(unsolved == 0);
  CHECK(iterations / 300 <= 1000);  // they end by themselves, not by the sweeps that follow
}

TEST_CASE("Interior points allocate nothing when a problem of the same pairs comes again",
          "[contact][unit]") {
  const FclibProblem input =
      read_fclib(test::data_folder() + "/fclib/" + hard_files[0] + ".hdf5", FclibForm::bodies);
  SolverOptions options;
  options.method = Method::interior, options.tolerance = 1e-7;
  std::vector<Vector3> p(input.n_contacts()), v(input.bodies->n_bodies()), w_W(v.size());
  Solver solver;
  long during = 0;
  for (int time = 0; time < 2; ++time) {
    std::fill(p.begin(), p.end(), Vector3::Zero());
    const long before = test::allocations();
    REQUIRE(solver.solve(*input.bodies, options, Executor(), p, v, w_W).converged);
    during = test::allocations() - before;
  }
  CHECK(during == 0);
}

}  // namespace scree::contact::direct_methods_test
