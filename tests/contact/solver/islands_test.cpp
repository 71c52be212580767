// Parts of a problem that do not hear of each other.
#include "contact/solver/islands.hpp"

#include <algorithm>

#include <catch2/catch.hpp>

#include "contact/solver/solver.hpp"
#include "tests/support/body_solution.hpp"
#include "tests/support/box_wall.hpp"

namespace scree::contact::islands_test {
namespace {

using Solution = test::BodySolution;
using test::box_wall;
using test::side_by_side;
using test::solve;

Islands parts_of(const BodyProblem& problem) {
  ContactIslands islands;
  find_islands(problem, islands);
  Islands parts;
  parts.find(islands, problem.n_contacts());
  return parts;
}

// A wall whose blocks are pushed along it, so that many slide: harder than one at rest.
BodyProblem pushed_wall(int length, int courses) {
  BodyProblem problem = box_wall(length, courses);
  for (std::size_t i = 1; i < problem.n_bodies(); i += 3)
    problem.v_free[i] += Vector3(0.7, 0.2, 0.0);
  return problem;
}

}  // namespace

TEST_CASE("Islands share no moving body and the small ones make one part", "[contact][unit]") {
  BodyProblem problem = side_by_side(box_wall(40, 5), box_wall(60, 4));
  for (int k = 0; k < 3; ++k) problem = side_by_side(problem, box_wall(10, 3));
  const Islands islands = parts_of(problem);
  REQUIRE(islands.size() == 3);
  std::vector<int> part_of_contact(problem.n_contacts(), -1), part_of_body(problem.n_bodies(), -1);
  for (std::size_t k = 0; k < islands.size(); ++k) {
    const auto part = islands.part(k);
    REQUIRE(std::is_sorted(part.begin(), part.end()));
    for (const ContactIndex c : part) {
      const auto contact = static_cast<std::size_t>(c);
      REQUIRE(part_of_contact[contact] == -1);
      part_of_contact[contact] = static_cast<int>(k);
      for (const BodyIndex body : {problem.body_a[contact], problem.body_b[contact]}) {
        if (body == 0) continue;
        int& known = part_of_body[static_cast<std::size_t>(body)];
        REQUIRE((known == -1 || known == static_cast<int>(k)));
        known = static_cast<int>(k);
      }
    }
  }
  CHECK(std::count(part_of_contact.begin(), part_of_contact.end(), -1) == 0);
  CHECK(islands.part(0).size() == box_wall(40, 5).n_contacts());
  CHECK(islands.part(1).size() == box_wall(60, 4).n_contacts());
  CHECK(islands.part(2).size() == 3 * box_wall(10, 3).n_contacts());
}

TEST_CASE("Islands are not parted when one holds nearly all contacts or all are small",
          "[contact][unit]") {
  CHECK(parts_of(side_by_side(box_wall(100, 10), box_wall(30, 5))).size() == 1);
  BodyProblem small = box_wall(10, 5);
  for (int k = 0; k < 8; ++k) small = side_by_side(small, box_wall(10, 5));
  REQUIRE(small.n_contacts() > 2 * Islands::smallest);
  CHECK(parts_of(small).size() == 1);
}

TEST_CASE("Islands are solved to the bit as if each were alone, for no more than its own sweeps",
          "[contact][oracle]") {
  const BodyProblem resting = box_wall(40, 5), pushed = pushed_wall(60, 4),
                    both = side_by_side(resting, pushed);
  const Solution s = solve(both, {}), first = solve(resting, {}), second = solve(pushed, {});
  REQUIRE(s.report.converged);
  REQUIRE(second.report.iterations > first.report.iterations);
  CHECK(s.report.iterations == second.report.iterations);
  const std::size_t n_first = resting.n_bodies();
  for (std::size_t i = 1; i < both.n_bodies(); ++i) {
    const Solution& alone = i < n_first ? first : second;
    const std::size_t at = i < n_first ? i : i - n_first + 1;
    REQUIRE(s.v[i] == alone.v[at]);
    REQUIRE(s.w_W[i] == alone.w_W[at]);
  }
}

TEST_CASE("Islands are solved right after the contacts of another one have changed",
          "[contact][property]") {
  const BodyProblem before = side_by_side(box_wall(60, 4), pushed_wall(40, 5));
  BodyProblem after = before;  // without its first pair, on the ground: all contacts of the other
                               // wall stand elsewhere
  std::size_t n_pair = 1;
  while (after.body_b[n_pair] == after.body_b[0]) ++n_pair;
  const auto drop = [n_pair](auto& list) {
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(n_pair));
  };
  drop(after.body_a), drop(after.body_b), drop(after.R_WC), drop(after.r_a_W), drop(after.r_b_W);
  drop(after.mu), drop(after.bias), drop(after.scale);
  const Solution fresh = solve(after, {});
  Solver solver;
  std::vector<Vector3> p(before.n_contacts(), Vector3::Zero()), v(before.n_bodies()),
      w_W(before.n_bodies());
  CHECK(solver.solve(before, {}, Executor{}, p, v, w_W).converged);
  p.assign(after.n_contacts(), Vector3::Zero());
  CHECK(solver.solve(after, {}, Executor{}, p, v, w_W).converged);
  CHECK(p == fresh.p);
  CHECK(v == fresh.v);
}

TEST_CASE("Islands meet the tolerance of the whole in every measure", "[contact][property]") {
  BodyProblem problem =
      side_by_side(side_by_side(pushed_wall(40, 5), box_wall(60, 4)), pushed_wall(50, 5));
  find_islands(problem, problem.islands);
  for (const Measure measure : {Measure::scaled, Measure::published, Measure::siconos}) {
    SolverOptions options;
    options.measure = measure;
    const Solution s = solve(problem, options);
    CHECK(s.report.converged);
    CHECK(stop_value(s.report.residual, options) <= options.tolerance);
    // What is reported is the largest residual, of all contacts together and of each island.
    CHECK(stop_value(s.report.residual, options) ==
          stop_value(residuals(problem, s.p, s.v, s.w_W), options));
  }
}

TEST_CASE("Islands that fall short are reported and give the same bits for every executor",
          "[contact][determinism]") {
  const BodyProblem problem = side_by_side(pushed_wall(40, 5), box_wall(60, 4));
  SolverOptions options;
  options.tolerance = 1e-15;
  options.max_iterations = 40;
  const Solution reference = solve(problem, options);
  CHECK_FALSE(reference.report.converged);
  CHECK(reference.report.iterations == 40);
  for (const Backend backend : {Backend::openmp, Backend::tbb}) {
    for (const int threads : {2, 3}) {
      const Solution s = solve(problem, options, Executor(backend, threads));
      CHECK(s.p == reference.p);
      CHECK(s.v == reference.v);
      CHECK(s.report.residual.scaled == reference.report.residual.scaled);
    }
  }
}

}  // namespace scree::contact::islands_test
