// Contacts that give way: W = H M^-1 H^T + D, against dense W + D.
#include <cmath>

#include <catch2/catch.hpp>

#include "contact/fclib/fclib.hpp"
#include "contact/laws/assemble.hpp"
#include "contact/laws/friction_cone.hpp"
#include "contact/laws/rolling_cone.hpp"
#include "contact/solver/body_operator.hpp"
#include "tests/support/body_solution.hpp"
#include "tests/support/box_wall.hpp"
#include "tests/support/dense_coupling.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/temporary_folder.hpp"

namespace scree::contact::compliance_test {
namespace {

using test::BodySolution;
using test::solve;

constexpr Method all_methods[] = {Method::nsgs, Method::nncg, Method::apgd, Method::interior,
                                  Method::automatic};

// Some contacts give way along the normal, some in all directions, some not at all.
void give_way(std::uint64_t seed, BodyProblem& problem) {
  test::Random random(seed);
  problem.compliance.assign(problem.n_contacts(), Vector3::Zero());
  for (Vector3& D : problem.compliance) {
    const int kind = random.integer(0, 3);
    if (kind > 0) D.x() = std::pow(10.0, random.uniform(-2.0, 0.5));
    if (kind > 1) D.y() = D.z() = std::pow(10.0, random.uniform(-2.0, 0.5));
  }
}

test::DenseProblem dense_with_compliance(const BodyProblem& problem) {
  test::DenseProblem dense = test::dense_problem(problem);
  for (std::size_t c = 0; c < problem.n_contacts(); ++c)
    dense.W.diagonal().segment<3>(3 * static_cast<int>(c)) += problem.compliance[c];
  return dense;
}

// How far p is from a solution of the dense problem, as a share of the impulses.
double dense_error(const test::DenseProblem& dense, const std::vector<double>& mu,
                   const std::vector<Vector3>& p) {
  const auto n = static_cast<int>(p.size());
  Eigen::VectorXd all(3 * n);
  for (int c = 0; c < n; ++c) all.segment<3>(3 * c) = p[static_cast<std::size_t>(c)];
  const Eigen::VectorXd w = dense.W * all + dense.b;
  double squares = 0.0;
  for (int c = 0; c < n; ++c) {
    const auto at = static_cast<std::size_t>(c);
    const double rho = 3.0 / dense.W.block<3, 3>(3 * c, 3 * c).trace();
    squares += natural_map(p[at], Vector3(w.segment<3>(3 * c)), mu[at], rho).squaredNorm();
  }
  return std::sqrt(squares) / all.norm();
}

}  // namespace

TEST_CASE("Every method solves contacts that give way, in both forms", "[contact][oracle]") {
  for (const Method method : all_methods) {
    SolverOptions options;
    options.method = method, options.tolerance = 1e-9, options.max_iterations = 100000;
    int unsolved = 0, wrong = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      BodyProblem problem =
          test::random_body_problem(seed, {5, 1 + static_cast<int>(seed % 12), 0.4, false});
      give_way(seed, problem);
      const test::DenseProblem dense = dense_with_compliance(problem);
      const BodySolution body = solve(problem, options);
      std::vector<Vector3> p(problem.n_contacts(), Vector3::Zero());
      Solver solver;
      const SolveReport matrix =
          solver.solve(test::matrix_problem(dense, problem.mu), options, Executor{}, p);
      unsolved += !body.report.converged || !matrix.converged;
      // The residual of both is that of the dense problem, to round-off; that of an island may be
      // larger.
      find_islands(problem, problem.islands);
      const double more = body.report.residual.scaled - dense_error(dense, problem.mu, body.p);
      wrong += more < -1e-12 || (problem.islands.size() == 1 && more > 1e-12);
      wrong += std::abs(dense_error(dense, problem.mu, p) - matrix.residual.scaled) > 1e-12;
    }
    INFO("method " << static_cast<int>(method));
    CHECK(unsolved <= (method == Method::apgd ? 5 : 0));  // the gradient alone can cycle
    CHECK(wrong == 0);
  }
}

TEST_CASE("Smooth contacts that give way have one solution, whatever the method and the start",
          "[contact][property]") {
  int different_rigid = 0;
  for (const int courses : {1, 2, 4}) {
    // Four corners a face: more than the freedoms of the cubes can tell apart.
    BodyProblem problem = test::box_wall(5, courses);
    for (std::size_t c = 0; c < problem.n_contacts(); ++c) problem.mu[c] = 0.0;
    const auto spread = [&] {
      std::vector<std::vector<Vector3>> found;
      for (const Method method : {Method::nsgs, Method::interior, Method::automatic}) {
        SolverOptions options;
        options.method = method, options.tolerance = 1e-11, options.max_iterations = 200000;
        std::vector<Vector3> p(problem.n_contacts(), Vector3::Zero());
        if (method == Method::nsgs) {
          for (std::size_t c = 0; c < p.size(); c += 3) p[c].x() = 100.0;
        }
        std::vector<Vector3> v(problem.n_bodies()), w_W(problem.n_bodies());
        Solver solver;
        REQUIRE(solver.solve(problem, options, Executor{}, p, v, w_W).converged);
        found.push_back(p);
      }
      double largest = 0.0, size = 0.0;
      for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
        size = std::max(size, found[0][c].norm());
        for (std::size_t k = 1; k < found.size(); ++k)
          largest = std::max(largest, (found[k][c] - found[0][c]).norm());
      }
      return largest / size;
    };
    different_rigid += spread() > 1e-3;
    problem.compliance.assign(problem.n_contacts(), Vector3(2e-5, 0.0, 0.0));
    CHECK(spread() <= 1e-8);
  }
  CHECK(different_rigid >= 2);
}

TEST_CASE("Rolling contacts that give way meet the law of W + D", "[contact][oracle]") {
  for (const Method method : {Method::nsgs, Method::nncg, Method::automatic}) {
    SolverOptions options;
    options.method = method, options.tolerance = 1e-9, options.max_iterations = 100000;
    int unsolved = 0, wrong = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      BodyProblem problem =
          test::random_body_problem(seed, {5, 1 + static_cast<int>(seed % 8), 0.4, false, 0.3});
      give_way(seed, problem);
      std::vector<Vector3> p_c(problem.n_contacts(), Vector3::Zero()), moment = p_c;
      std::vector<Vector3> v(problem.n_bodies()), w_W(problem.n_bodies());
      Solver solver;
      unsolved += !solver.solve(problem, options, Executor{}, p_c, v, w_W, moment).converged;
      for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
        const ConeLimits limits{problem.mu[c], problem.mu_spin[c], problem.mu_roll[c]};
        Vector6 p, w;
        w << local_velocity(problem, c, v, w_W) + problem.bias[c] +
                 problem.compliance[c].cwiseProduct(p_c[c]),
            problem.length[c] * (local_spin(problem, c, w_W) + problem.spin_bias[c]);
        if (limits.mu_spin == 0.0 && limits.mu_roll == 0.0) w.tail<3>().setZero();
        p << p_c[c], moment[c] / problem.length[c];
        wrong += natural_map(p, w, limits, 1.0).norm() > 1e-6;  // tolerance times the largest rho
      }
    }
    INFO("method " << static_cast<int>(method));
    CHECK(unsolved == 0);
    CHECK(wrong == 0);
  }
}

TEST_CASE("Gradient steps know the curvature of contacts that give way", "[contact][unit]") {
  BodyProblem problem = test::random_body_problem(7, {5, 9, 0.5, false});
  give_way(7, problem);
  CompliantOperator op;
  op.prepare(problem, Executor());
  op.fill_direct();
  REQUIRE(op.direct().coupling.analyse(1e9));
  const auto n = static_cast<Eigen::Index>(3 * problem.n_contacts());
  Eigen::MatrixXd A(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, k);
    op.direct().coupling.product(unit.data(), A.col(k).data());
  }
  Numbers flat(static_cast<std::size_t>(n)), y, image, shift, y_new, image_new;
  for (Eigen::Index k = 0; k < n; ++k)
    flat[static_cast<std::size_t>(k)] = 0.1 * std::sin(1.0 + static_cast<double>(k));
  op.unflatten(flat, y);
  op.make_image(y, image);
  const GradientSums sums = op.project_step(y, image, y, 0.3, true, shift, y_new, image_new);
  Numbers after;
  op.flatten(y_new, after);
  const Eigen::VectorXd change = Eigen::Map<const Eigen::VectorXd>(after.data(), n) -
                                 Eigen::Map<const Eigen::VectorXd>(flat.data(), n);
  CHECK(sums.curvature == Approx(change.dot(A * change)).epsilon(1e-12));
  CHECK(change.norm() > 1e-3);
}

TEST_CASE("Linearised problems of contacts that give way are solved as dense ones are",
          "[contact][oracle]") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    test::Random random(seed);
    BodyProblem problem = test::random_body_problem(seed, {4, 6, 0.5, false});
    give_way(seed, problem);
    CompliantOperator op;
    op.prepare(problem, Executor());
    op.fill_direct();
    auto& coupling = op.direct().coupling;
    REQUIRE(coupling.analyse(1e9));
    const auto n = static_cast<Eigen::Index>(problem.n_contacts());
    test::check_against_dense(coupling, test::dense_product(coupling, n), random);
  }
}

TEST_CASE("Wall whose contacts give way has the same bits for any executor",
          "[contact][property]") {
  BodyProblem problem = test::box_wall(20, 14);
  problem.compliance.assign(problem.n_contacts(), Vector3(1e-5, 3e-5, 3e-5));
  REQUIRE(problem.n_contacts() >= CompliantOperator::coloured_from);
  SolverOptions options;
  options.tolerance = 1e-6;
  std::vector<std::vector<Vector3>> found;
  for (const auto& [backend, threads] :
       {std::pair{Backend::serial, 1}, {Backend::openmp, 2}, {Backend::tbb, 3}}) {
    Solver solver;
    const BodySolution s = solve(solver, problem, options, Executor(backend, threads));
    CHECK(s.report.converged);
    found.push_back(s.p);
  }
  CHECK(found[1] == found[0]);
  CHECK(found[2] == found[0]);
}

TEST_CASE("File of a problem whose contacts give way has the same W, b and solution",
          "[contact][oracle]") {
  const test::TemporaryFolder folder;
  SolverOptions options;
  options.tolerance = 1e-11, options.max_iterations = 100000;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BodyProblem problem = test::random_body_problem(seed, {4, 6, 0.3, false});
    give_way(seed, problem);
    const test::DenseProblem dense = dense_with_compliance(problem);
    const BodySolution s = solve(problem, options);
    REQUIRE(s.report.converged);
    const std::string path = folder.file("problem.hdf5");
    write_fclib(path, problem, "gives way", s.p);
    const MatrixProblem read = read_fclib(path).problem;
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(dense.W.rows(), dense.W.cols());
    for (std::size_t i = 0; i < read.n_contacts(); ++i) {
      for (auto at = read.row_begin[i]; at < read.row_begin[i + 1]; ++at) {
        const auto k = static_cast<std::size_t>(at);
        W.block<3, 3>(3 * static_cast<int>(i), 3 * read.column[k]) = read.block[k];
      }
      CHECK((read.b[i] - dense.b.segment<3>(3 * static_cast<int>(i))).norm() <= 1e-12);
    }
    CHECK((W - dense.W).norm() <= 1e-12 * dense.W.norm());
    std::vector<Vector3> p(problem.n_contacts(), Vector3::Zero());
    Solver solver;
    REQUIRE(solver.solve(read, options, Executor{}, p).converged);
    CHECK(dense_error(dense, problem.mu, p) <= 1e-10);
    CHECK(dense_error(dense, problem.mu, s.p) <= 1e-10);
  }
}

}  // namespace scree::contact::compliance_test
