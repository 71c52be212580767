// Problems without a solution: what makes them so is found, said and named.
#include "contact/solver/runaway.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include "contact/solver/solver.hpp"
#include "tests/support/random_problems.hpp"

namespace scree::contact::runaway_test {
namespace {

template <class Value>
void repeat(std::vector<Value>& values, std::size_t at) {
  const Value copy = values[at];
  values.insert(values.begin() + static_cast<std::ptrdiff_t>(at), copy);
}

// Adds to contact c its image: the same two bodies at the same points, the normal the other way
// round. Their normal velocities then add up to -1 m/s whatever the bodies do, so one is negative.
void squeeze(BodyProblem& problem, std::size_t c) {
  repeat(problem.body_a, c), repeat(problem.body_b, c), repeat(problem.R_WC, c);
  repeat(problem.r_a_W, c), repeat(problem.r_b_W, c), repeat(problem.mu, c);
  repeat(problem.bias, c), repeat(problem.scale, c);
  problem.R_WC[c] *= Vector3(-1.0, -1.0, 1.0).asDiagonal();
  problem.bias[c][0] = -1.0 - problem.bias[c + 1][0];
}

}  // namespace

TEST_CASE("Two contacts that squeeze a body are recognised whatever else touches it",
          "[contact][property]") {
  Solver solver;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    test::Random random(seed);
    const int n_bodies = random.integer(2, 6), n_contacts = random.integer(1, 12);
    BodyProblem problem = test::random_body_problem(seed + 77, {n_bodies, n_contacts, 1.0, false});
    squeeze(problem, static_cast<std::size_t>(random.integer(0, n_contacts - 1)));
    std::vector<Vector3> p(problem.n_contacts(), Vector3::Zero()), v(problem.n_bodies()), w_W(v);
    SolverOptions options;
    options.measure = Measure::combined;
    const SolveReport report = solver.solve(problem, options, Executor{}, p, v, w_W);
    INFO("seed " << seed << ", " << n_bodies << " bodies, " << n_contacts << " contacts");
    CHECK_FALSE(report.converged);
    CHECK(report.no_solution);
    CHECK(report.wedged >= 0);
    CHECK(report.iterations <= 1000);
  }
}

}  // namespace scree::contact::runaway_test
