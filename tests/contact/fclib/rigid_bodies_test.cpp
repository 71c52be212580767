#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <catch2/catch.hpp>

#include "contact/fclib/fclib.hpp"
#include "contact/fclib/rigid_blocks.hpp"
#include "contact/problem/sparse_entries.hpp"
#include "contact/solver/solver.hpp"
#include "tests/support/body_solution.hpp"
#include "tests/support/places.hpp"
#include "tests/support/random_problems.hpp"

namespace scree::contact::rigid_bodies_test {
namespace {

SparseEntries entries_of(const Eigen::MatrixXd& dense) {
  SparseEntries result{dense.rows(), dense.cols(), {}};
  for (int i = 0; i < dense.rows(); ++i) {
    for (int j = 0; j < dense.cols(); ++j) {
      if (dense(i, j) != 0.0) result.entry.push_back({i, j, dense(i, j)});
    }
  }
  return result;
}

// M, H, f, w as a program writes them that keeps spins in axes of each body's own; `turned` false:
// in world axes.
struct Written {
  Eigen::MatrixXd M, H;
  std::vector<double> f, w, mu;

  std::optional<RigidBlocks> as_blocks() const {
    return cut_into_blocks(entries_of(M), entries_of(H), f, w, mu);
  }
  std::optional<BodyProblem> as_bodies() const {
    const std::optional<RigidBlocks> blocks = as_blocks();
    return blocks ? as_rigid_bodies(*blocks) : std::nullopt;
  }
};

Written written(const BodyProblem& problem, bool turned, test::Random& random) {
  const int n_bodies = static_cast<int>(problem.n_bodies()),
            n = 6 * (n_bodies - 1);  // body 0 is fixed
  Eigen::MatrixXd T = Eigen::MatrixXd::Identity(n, n);
  if (turned) {
    for (int i = 0; i < n_bodies - 1; ++i) T.block<3, 3>(6 * i + 3, 6 * i + 3) = random.rotation();
  }
  Written result;
  const Eigen::MatrixXd M = test::dense_inverse_mass(problem).bottomRightCorner(n, n).inverse();
  result.M = T * M * T.transpose();
  for (int i = 0; i < n; ++i) {  // the round-off of the products above is none of the files'
    for (int j = 0; j < n; ++j) {
      if (i / 3 != j / 3) result.M(i, j) = 0.0;
    }
  }
  const Eigen::MatrixXd all = test::dense_jacobian(problem).transpose();
  result.H = T * all.bottomRows(n);
  Eigen::VectorXd z(n);
  for (int i = 1; i < n_bodies; ++i) {
    z.segment<3>(6 * i - 6) = problem.v_free[static_cast<std::size_t>(i)];
    z.segment<3>(6 * i - 3) = problem.w_free_W[static_cast<std::size_t>(i)];
  }
  const Eigen::VectorXd f = T * (M * z);
  result.f.assign(f.begin(), f.end());
  for (const Vector3& bias : problem.bias)
    result.w.insert(result.w.end(), bias.begin(), bias.end());
  result.mu = problem.mu;
  return result;
}

// W and b of the file in extended precision.
test::DenseProblem exact_problem(const Written& file) {
  using Extended = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Extended M = file.M.cast<long double>(), H = file.H.cast<long double>();
  const Eigen::PartialPivLU<Extended> factor(M);
  const Extended f =
      Eigen::Map<const Eigen::VectorXd>(file.f.data(), file.M.rows()).cast<long double>();
  const Extended w =
      Eigen::Map<const Eigen::VectorXd>(file.w.data(), file.H.cols()).cast<long double>();
  return {(H.transpose() * factor.solve(H)).cast<double>(),
          (H.transpose() * factor.solve(f) + w).cast<double>()};
}

}  // namespace

TEST_CASE("Rigid bodies are found in M and H whatever axes their spins have", "[contact][oracle]") {
  const bool turned = GENERATE(false, true);
  int right_handed = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    test::Random random(seed + 1000);
    const BodyProblem problem = test::random_body_problem(seed, {5, 12, 0.8, false});
    const Written file = written(problem, turned, random);
    const std::optional<BodyProblem> found = file.as_bodies();
    INFO("seed " << seed << " turned " << turned);
    REQUIRE(found);
    CHECK(found->n_bodies() == problem.n_bodies());
    CHECK(found->mu == problem.mu);
    for (const Matrix3& R : found->R_WC) right_handed += R.determinant() > 0.0;
    const test::DenseProblem dense = test::dense_problem(*found);
    const Eigen::MatrixXd inverse = file.M.inverse();
    const Eigen::Map<const Eigen::VectorXd> f(file.f.data(), file.M.rows()),
        w(file.w.data(), file.H.cols());
    // Round-off of M^-1, whose condition is below 100, and of the rotations found.
    const Eigen::MatrixXd W = file.H.transpose() * inverse * file.H;
    CHECK((dense.W - W).norm() < 1e-12 * W.norm());
    const Eigen::VectorXd b = file.H.transpose() * (inverse * f) + w;
    CHECK((dense.b - b).norm() < 1e-12 * b.norm());
  }
  CHECK(right_handed == 50 * 12);
}

TEST_CASE("What is no problem of rigid bodies is left to the matrix form", "[contact][unit]") {
  test::Random random(1);
  const BodyProblem problem = test::random_body_problem(3, {5, 12, 0.8, false});
  const Written good = written(problem, true, random);
  REQUIRE(good.as_bodies());
  const auto refused = [&](auto&& change) {
    Written file = good;
    change(file);
    return !file.as_bodies();
  };
  CHECK(refused([](Written& file) { file.M(0, 0) *= 1.0 + 1e-9; }));           // mass by direction
  CHECK(refused([](Written& file) { file.M(3, 4) += 1e-9 * file.M(3, 3); }));  // not symmetric
  CHECK(refused(
      [](Written& file) { file.M(0, 3) = file.M(3, 0) = 1e-9; }));  // not about the centre of mass
  CHECK(refused([](Written& file) { file.M(0, 6) = file.M(6, 0) = 1e-9; }));  // bodies coupled
  CHECK(refused([](Written& file) { file.M.block<3, 3>(3, 3) *= -1.0; }));    // not positive
  CHECK(refused([](Written& file) { file.H.col(0) *= 1.0 + 1e-9; }));  // frame not orthonormal
  CHECK(refused([](Written& file) { file.H.rightCols(3).setConstant(0.1); }));  // four bodies
  CHECK(refused([](Written& file) { file.H.rightCols(3).setZero(); }));         // none
  for (int row = 3; row < 6; ++row) {  // no lever arm does that
    CHECK(refused([&](Written& file) {
      for (int c = 0; c < 12; ++c) {
        if (file.H.block<6, 3>(0, 3 * c).norm() > 0.0) return file.H(row, 3 * c) += 1e-9, void();
      }
    }));
  }
}

TEST_CASE("Lever arms are looked at contact by contact", "[contact][unit]") {
  test::Random random(2);
  const Written good = written(test::random_body_problem(4, {3, 9, 0.3, false}), true, random);
  const auto spin_rows = [](Written& file, int contact) {
    return file.H.block<3, 3>(3, 3 * contact);
  };  // of the first body
  for (const double size : {1e3, 1e6, 1e9}) {
    Written file = good;
    int longest = 0;
    while (spin_rows(file, longest).isZero(0.0)) ++longest;
    spin_rows(file, longest) *= size;
    CHECK(file.as_bodies());
    for (int c = longest + 1; c < 9; ++c) {
      if (spin_rows(file, c).isZero(0.0)) continue;
      Written bent = file;
      bent.H(3, 3 * c) += 3e-13 * size;  // less than 1e-12 of the longest arm
      CHECK_FALSE(bent.as_bodies());
    }
  }
}

TEST_CASE("Residuals of M and H in blocks are those of W", "[contact][oracle]") {
  double worst = 0.0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    test::Random random(seed + 2000);
    const Written file =
        written(test::random_body_problem(seed, {5, 12, 0.8, false}), true, random);
    std::vector<Vector3> p;
    for (int c = 0; c < 12; ++c) p.push_back(random.vector(1.0));
    const Residuals blocks = residuals(*file.as_blocks(), p),
                    matrix = residuals(test::matrix_problem(exact_problem(file), file.mu), p);
    for (const auto value : {&Residuals::scaled, &Residuals::published, &Residuals::siconos}) {
      worst = std::max(worst, std::abs(blocks.*value / matrix.*value - 1.0));
    }
  }
  CHECK(worst < 1e-12);  // round-off of M^-1
}

// All bodies fly at 300 m/s and what they touch flies with them; what is left are velocities of
// 1e-5 m/s, of which an error of 3e-13 in the frames takes 300 * 3e-13 / 1e-5 = 1e-5.
TEST_CASE("Residuals of a file are those of its own M and H, not of the bodies found in them",
          "[contact][oracle]") {
  int misled = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::Random random(seed + 3000);
    Written file = written(test::random_body_problem(seed, {6, 8, 0.5, false}), true, random);
    for (int row = 0; row < file.H.rows(); ++row) {
      for (int column = 0; column < file.H.cols() && row % 6 < 3; ++column) {
        if (file.H(row, column) != 0.0) file.H(row, column) += random.uniform(-3e-13, 3e-13);
      }
    }
    Eigen::VectorXd flight = Eigen::VectorXd::Zero(file.M.rows());
    for (int i = 0; i < flight.size(); i += 6) flight[i] = 300.0;
    Eigen::Map<Eigen::VectorXd> f(file.f.data(), file.M.rows()), w(file.w.data(), file.H.cols());
    f = 1e-5 * f + file.M * flight;
    w = 1e-5 * w - file.H.transpose() * flight;
    FclibProblem problem;
    problem.blocks = file.as_blocks(), problem.bodies = file.as_bodies();
    REQUIRE(problem.bodies);
    const MatrixProblem exact = test::matrix_problem(exact_problem(file), file.mu);
    SolverOptions options;
    const test::BodySolution bodies = test::solve(*problem.bodies, options);
    misled +=
        bodies.report.converged && residuals(exact, bodies.p).scaled > 2.0 * options.tolerance;
    std::vector<Vector3> p(file.mu.size(), Vector3::Zero());
    Solver solver;
    const SolveReport report = solve_fclib(solver, problem, options, Executor{}, p);
    INFO("seed " << seed);
    CHECK(report.converged);
    // eps * 300 / 1e-5 = 7e-9 of round-off in b.
    CHECK(residuals(exact, p).scaled == Approx(report.residual.scaled).margin(5e-8));
    CHECK(residuals(exact, p).scaled < 1.05 * options.tolerance);
  }
  CHECK(misled > 5);  // otherwise the bodies would do
}

TEST_CASE("A global FCLIB file of another program has the same solution in both forms",
          "[contact][oracle]") {
  const std::string path = test::data_folder() + "/fclib/BT_BoxPyramid5-nc580-k00010_global.hdf5";
  const FclibProblem matrix = read_fclib(path), bodies = read_fclib(path, FclibForm::bodies);
  REQUIRE(bodies.bodies);
  CHECK_FALSE(matrix.bodies);
  CHECK(bodies.n_contacts() == 580);
  CHECK(bodies.problem.n_contacts() == 0);
  SolverOptions options;
  options.measure = Measure::siconos;
  options.tolerance = 1e-9;
  const test::BodySolution solution = test::solve(*bodies.bodies, options);
  REQUIRE(solution.report.converged);
  // The residual of these impulses with the W of the file: what it is with bodies, but for
  // round-off against the largest of b, p and w.
  const Residuals with_matrix = residuals(matrix.problem, solution.p);
  CHECK(std::abs(with_matrix.siconos - solution.report.residual.siconos) < 1e-12);
  CHECK(with_matrix.siconos < 1.001e-9);
}

}  // namespace scree::contact::rigid_bodies_test
