// The accuracy of an island does not depend on what others do: each meets the tolerance by its own
// unit, aims, starts and wedges for itself.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "contact/problem/contact_islands.hpp"
#include "contact/solver/solver.hpp"
#include "tests/support/body_solution.hpp"
#include "tests/support/box_wall.hpp"

namespace scree::contact {
namespace {

using Solution = test::BodySolution;
using test::box_wall;
using test::side_by_side;
using test::solve;

// A wall whose first body comes down at `speed`, askew.
BodyProblem struck_wall(int length, int courses, double speed) {
  BodyProblem problem = box_wall(length, courses);
  problem.v_free.back() = Vector3(0.3 * speed, 0.1 * speed, -speed);
  problem.w_free_W.back() = Vector3(0.0, 0.2 * speed, 0.0);
  return problem;
}

BodyProblem with_islands(BodyProblem problem) {
  find_islands(problem, problem.islands);
  return problem;
}

std::vector<Residuals> of_islands(const BodyProblem& problem, const Solution& s) {
  std::vector<Residuals> each(problem.islands.size());
  (void)residuals(problem, s.p, s.v, s.w_W, {}, {}, each);
  return each;
}

// Of all contacts together, as if they were one island.
Residuals of_whole(BodyProblem problem, const Solution& s) {
  problem.islands = {};
  return residuals(problem, s.p, s.v, s.w_W);
}

// Contacts that squeeze a body against the ground: without a solution.
BodyProblem wedge() {
  BodyProblem problem = box_wall(1, 1);
  const std::size_t n = problem.n_contacts();
  for (std::size_t c = 0; c < n; ++c) {
    problem.body_a.push_back(problem.body_a[c]), problem.body_b.push_back(problem.body_b[c]);
    problem.R_WC.push_back(problem.R_WC[c] * Vector3(-1.0, -1.0, 1.0).asDiagonal());
    problem.r_a_W.push_back(problem.r_a_W[c]), problem.r_b_W.push_back(problem.r_b_W[c]);
    problem.mu.push_back(problem.mu[c]), problem.scale.push_back(1.0);
    problem.bias.push_back(Vector3(-1.0, 0.0, 0.0));
  }
  return problem;
}

// A ball between two driven faces that come nearer. They lean apart, so that it could leave them
// but for friction.
BodyProblem closing_faces() {
  constexpr double lean = 0.2, radius = 0.1;
  BodyProblem problem;
  problem.inverse_mass = {0.0, 0.0, 1.0};
  problem.inverse_inertia_W = {Matrix3::Zero(), Matrix3::Zero(), 250.0 * Matrix3::Identity()};
  problem.v_free = {Vector3(1.0, 0.0, 0.0), Vector3(-1.0, 0.0, 0.0), Vector3(0.0, 0.0, -0.1)};
  problem.w_free_W.assign(3, Vector3::Zero());
  for (const BodyIndex face : {0, 1}) {
    const double side = face == 0 ? 1.0 : -1.0;
    const Vector3 n(side * std::cos(lean), 0.0, std::sin(lean)), t = Vector3::UnitY();
    Matrix3 R_WC;
    R_WC << n, t, n.cross(t);
    problem.body_a.push_back(face), problem.body_b.push_back(2);
    problem.R_WC.push_back(R_WC);
    problem.r_a_W.push_back(Vector3::Zero()), problem.r_b_W.push_back(-radius * n);
    problem.mu.push_back(0.5), problem.bias.push_back(Vector3::Zero());
    problem.scale.push_back(1.0);
  }
  return problem;
}

}  // namespace

TEST_CASE("Islands of a contact problem are joined by bodies that move alone", "[contact][unit]") {
  ContactIslands islands;
  find_islands(box_wall(6, 4), islands);
  CHECK(islands.size() == 1);
  CHECK(islands.of.empty());
  const BodyProblem three =
      side_by_side(side_by_side(box_wall(6, 4), box_wall(1, 1)), box_wall(3, 2));
  find_islands(three, islands);
  REQUIRE(islands.size() == 3);
  CHECK(islands.contacts(0).size() == box_wall(6, 4).n_contacts());
  CHECK(islands.contacts(1).size() == 4);
  CHECK(islands.contacts(2).size() == box_wall(3, 2).n_contacts());
  for (std::size_t k = 0; k < 3; ++k) {
    for (const ContactIndex c : islands.contacts(k))
      CHECK(islands.of[static_cast<std::size_t>(c)] == static_cast<int>(k));
  }
  BodyProblem driven = box_wall(3, 1);  // the middle one moves as it is told, on the ground
  driven.inverse_mass[2] = 0.0, driven.inverse_inertia_W[2].setZero();
  find_islands(driven, islands);
  CHECK(islands.size() == 3);
}

TEST_CASE("Islands solved together each meet the tolerance by their own unit",
          "[contact][property]") {
  const BodyProblem problem = with_islands(
      side_by_side(side_by_side(box_wall(8, 6), struck_wall(2, 2, 40.0)), box_wall(3, 3)));
  REQUIRE(problem.islands.size() == 3);
  for (const Measure measure :
       {Measure::combined, Measure::scaled, Measure::published, Measure::siconos}) {
    for (const Method method :
         {Method::automatic, Method::nncg, Method::apgd, Method::nsgs, Method::interior}) {
      SolverOptions options;
      options.measure = measure, options.method = method, options.tolerance = 1e-4;
      const Solution s = solve(problem, options);
      INFO("measure " << static_cast<int>(measure) << ", method " << static_cast<int>(method));
      CHECK(s.report.converged);
      double largest = stop_value(of_whole(problem, s), options);
      for (const Residuals& island : of_islands(problem, s)) {
        CHECK(stop_value(island, options) <= options.tolerance);
        largest = std::max(largest, stop_value(island, options));
      }
      // What is reported is the largest.
      CHECK(stop_value(s.report.residual, options) == largest);
    }
  }
}

TEST_CASE("Island at rest is as exact beside one that is struck as alone", "[contact][property]") {
  const BodyProblem resting = box_wall(8, 6);
  SolverOptions options;
  options.measure = Measure::published;
  for (const double tolerance : {1e-4, 1e-6}) {
    options.tolerance = tolerance;
    const Solution alone = solve(resting, options);
    for (const double speed : {4.0, 400.0}) {
      const BodyProblem both = with_islands(side_by_side(resting, struck_wall(2, 2, speed)));
      const Solution s = solve(both, options);
      REQUIRE(s.report.converged);
      double largest = 0.0, largest_alone = 0.0;
      for (std::size_t i = 1; i < resting.n_bodies(); ++i) {
        largest = std::max(largest, s.v[i].norm());
        largest_alone = std::max(largest_alone, alone.v[i].norm());
      }
      INFO("tolerance " << tolerance << ", speed " << speed);
      CHECK(largest <= 4.0 * tolerance);
      CHECK(largest_alone <= 4.0 * tolerance);
      // The measure of the whole alone would be met by far larger velocities.
      if (speed == 400.0) CHECK(of_whole(both, s).published < 0.1 * tolerance);
    }
  }
}

TEST_CASE("Islands go on to aims of their own", "[contact][property]") {
  BodyProblem problem = with_islands(side_by_side(box_wall(8, 6), struck_wall(4, 4, 40.0)));
  SolverOptions options;
  options.measure = Measure::published, options.tolerance = 1e-4, options.method = Method::nncg;
  const auto iterations = [&](double first, double second) {
    problem.islands.aim = {first, second};
    const Solution s = solve(problem, options);
    CHECK(s.report.converged);
    CHECK(of_islands(problem, s)[0].published <= first * options.tolerance);
    CHECK(of_islands(problem, s)[1].published <= second * options.tolerance);
    return s.report.iterations;
  };
  const std::int64_t of_tolerance = iterations(1.0, 1.0);
  CHECK(of_tolerance < iterations(0.01, 1.0));
  CHECK(of_tolerance < iterations(1.0, 0.01));
}

TEST_CASE("Islands keep a start that is right beside one that is of no use",
          "[contact][property]") {
  const BodyProblem resting = box_wall(8, 6), other = box_wall(2, 2),
                    problem = with_islands(side_by_side(resting, other));
  SolverOptions options;
  options.tolerance = 1e-6;
  Solution s = solve(problem, options);
  REQUIRE(s.report.converged);
  const std::vector<Vector3> right = s.p;
  for (const ContactIndex c : problem.islands.contacts(1))
    s.p[static_cast<std::size_t>(c)] = Vector3(1e9, 0.0, 0.0);
  Solver solver;
  options.max_iterations = 200;  // 8 x 6 cubes take more from p = 0
  const SolveReport report = solver.solve(problem, options, Executor{}, s.p, s.v, s.w_W);
  CHECK(report.from_zero);
  CHECK(report.converged);
  s.p.assign(problem.n_contacts(), Vector3::Zero());
  CHECK_FALSE(solver.solve(problem, options, Executor{}, s.p, s.v, s.w_W).converged);
}

TEST_CASE("Islands are solved beside bodies that are wedged", "[contact][property]") {
  for (const bool first : {false, true}) {
    const BodyProblem resting = box_wall(8, 6),
                      problem = with_islands(first ? side_by_side(wedge(), resting)
                                                   : side_by_side(resting, wedge()));
    const std::size_t wedged = first ? 0 : 1;
    SolverOptions options;
    options.measure = Measure::combined, options.tolerance = 1e-4;
    const Solution s = solve(problem, options);
    CHECK_FALSE(s.report.converged);
    REQUIRE(s.report.no_solution);
    REQUIRE(s.report.wedged >= 0);
    CHECK(problem.islands.of[static_cast<std::size_t>(s.report.wedged)] ==
          static_cast<int>(wedged));
    CHECK(stop_value(of_islands(problem, s)[1 - wedged], options) <= options.tolerance);
    // The same when it is known which bodies are.
    const auto contact = static_cast<std::size_t>(s.report.wedged);
    options.wedged = {problem.body_a[contact], problem.body_b[contact]};
    const Solution again = solve(problem, options);
    CHECK(again.report.no_solution);
    CHECK(again.report.iterations <= s.report.iterations);
    CHECK(stop_value(of_islands(problem, again)[1 - wedged], options) <= options.tolerance);
  }
}

TEST_CASE("Wedge held by friction is found beside islands that are struck", "[contact][property]") {
  // Their impulses move bodies, and may be far larger than those that grow.
  for (const double speed : {0.0, 1.0, 30.0}) {
    BodyProblem problem = with_islands(side_by_side(closing_faces(), struck_wall(4, 3, speed)));
    problem.speed.assign(problem.n_contacts(), std::max(speed, 0.1));
    problem.speed[0] = problem.speed[1] = 1.0;
    SolverOptions options;
    options.measure = Measure::combined, options.tolerance = 1e-4;
    const Solution s = solve(problem, options);
    INFO("struck at " << speed << " m/s, " << s.report.iterations << " iterations");
    REQUIRE(s.report.no_solution);
    CHECK(problem.islands.of[static_cast<std::size_t>(s.report.wedged)] == 0);
    CHECK(s.report.iterations < 10000);
    CHECK(stop_value(of_islands(problem, s)[1], options) <= options.tolerance);
  }
}

TEST_CASE("Islands in one part give the same bits for every executor", "[contact][determinism]") {
  const BodyProblem problem = with_islands(
      side_by_side(side_by_side(box_wall(60, 8), struck_wall(3, 3, 20.0)), struck_wall(4, 2, 3.0)));
  REQUIRE(problem.n_contacts() > 2048);
  for (const Measure measure : {Measure::combined, Measure::published}) {
    SolverOptions options;
    options.measure = measure, options.tolerance = 1e-4;
    const Solution reference = solve(problem, options);
    for (const Backend backend : {Backend::openmp, Backend::tbb}) {
      for (const int threads : {1, 2, 4}) {
        const Solution s = solve(problem, options, Executor(backend, threads));
        CHECK(s.p == reference.p);
        CHECK(s.v == reference.v);
        CHECK(s.report.iterations == reference.report.iterations);
        CHECK(s.report.residual.impulse == reference.report.residual.impulse);
        CHECK(s.report.residual.published == reference.report.residual.published);
      }
    }
  }
}

}  // namespace scree::contact
