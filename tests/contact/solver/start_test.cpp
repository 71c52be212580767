// A solve may start anywhere: from impulses that have decayed to nothing, that are absurd, or that
// are not numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "contact/laws/assemble.hpp"
#include "contact/solver/solver.hpp"
#include "tests/support/body_solution.hpp"
#include "tests/support/random_problems.hpp"

namespace scree::contact::start_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int n_kinds = 10;

Vector3 one_start(int kind, test::Random& random, const Vector3& solution) {
  switch (kind) {
    case 0:
      return random.vector(1.0);
    case 1:
      return random.vector(1e-163);
    case 2:
      return random.vector(1e-310);
    case 3:
      return random.vector(std::pow(10.0, random.uniform(0.0, 20.0)));
    case 4:
      return random.vector(1e160);
    case 5:
      return random.vector(1e300);
    case 6:
      return {std::nan(""), random.uniform(0.0, 1.0), 0.0};
    case 7:
      return {random.integer(0, 1) == 0 ? infinity : 1.0, -infinity, 0.0};
    case 8:
      return -solution;
    default:
      return solution;
  }
}

// Bodies between many contacts at random may be wedged, and then there is nothing to find. The bias
// is raised until velocities exist, those of bodies at rest beside the given one, that obey every
// contact: w_N >= mu |w_T| + what resists turning. Then there is a solution (V. Acary, F. Cadoux,
// C. Lemarechal, J. Malick, ZAMM 91, 2011).
void give_solution(BodyProblem& problem) {
  std::vector<Vector3> v(problem.n_bodies(), Vector3::Zero()), w_W(v);
  v[0] = problem.v_free[0], w_W[0] = problem.w_free_W[0];  // nothing moves it
  for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
    const Vector3 w = local_velocity(problem, c, v, w_W) + problem.bias[c];
    double least = problem.mu[c] * w.tail<2>().norm();
    if (problem.has_moments()) {
      const Vector3 spin = problem.length[c] * (local_spin(problem, c, w_W) + problem.spin_bias[c]);
      least += problem.mu_spin[c] * std::abs(spin[0]) + problem.mu_roll[c] * spin.tail<2>().norm();
    }
    problem.bias[c][0] += std::max(0.0, least - w[0]);
  }
}

struct StartCount {
  int unsolved = 0, different = 0;
};

// Random problems, each from one start for all contacts, or the solution with a bad one among its
// contacts, and from p = 0. Small friction: one velocity is then the rule.
StartCount count_starts(std::uint64_t first, std::uint64_t last, Measure measure) {
  StartCount count;
  Solver solver;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    test::Random random(seed);
    const int n_bodies = random.integer(2, 6), n_contacts = random.integer(1, 12);
    const double rolling = random.integer(0, 4) == 0 ? 0.1 : 0.0;
    BodyProblem problem =
        test::random_body_problem(seed + 99, {n_bodies, n_contacts, 0.3, false, rolling});
    give_solution(problem);
    SolverOptions options;
    options.tolerance = 1e-9, options.measure = measure;
    const auto n = problem.n_contacts();
    std::vector<Vector3> moment(problem.has_moments() ? n : 0, Vector3::Zero()),
        p(n, Vector3::Zero());
    std::vector<Vector3> v(problem.n_bodies()), w_W(v), v_zero(v), w_zero(v);
    const SolveReport zero = solver.solve(problem, options, Executor{}, p, v_zero, w_zero, moment);
    const int kind = random.integer(0, n_kinds - 2);
    const bool one_bad = random.integer(0, 2) == 0;
    const auto bad = static_cast<std::size_t>(random.integer(0, static_cast<int>(n) - 1));
    for (std::size_t c = 0; c < n; ++c) {
      const int of_contact = one_bad && c != bad ? n_kinds - 1 : kind;
      p[c] = one_start(of_contact, random, p[c]);
      if (problem.has_moments()) moment[c] = one_start(of_contact, random, moment[c]);
    }
    const SolveReport report = solver.solve(problem, options, Executor{}, p, v, w_W, moment);
    if (!zero.converged || !report.converged) {
      ++count.unsolved;
      continue;
    }
    double difference = 0.0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      difference = std::max({difference, (v[i] - v_zero[i]).norm(), (w_W[i] - w_zero[i]).norm()});
    }
    if (!(difference < 1e-5)) {  // tolerance times the conditioning of the worst
      UNSCOPED_INFO("seed " << seed << " kind " << kind << (one_bad ? " one bad" : "")
                            << " difference " << difference);
      ++count.different;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("Every start gives the answer that p = 0 gives", "[contact][property]") {
  const auto measure =
      GENERATE(Measure::combined, Measure::scaled, Measure::published, Measure::siconos);
  const StartCount count = count_starts(1, 500, measure);
  CHECK(count.unsolved == 0);
  CHECK(count.different == 0);
}

TEST_CASE("Every start of many problems gives the answer that p = 0 gives",
          "[contact][property][slow]") {
  const StartCount count = count_starts(1001, 101000, Measure::combined);
  CHECK(count.unsolved == 0);
  CHECK(count.different == 0);
}

// Two balls that touch and do not press, each impulse as the proximal sweeps leave it when they
// meet nothing: its square is 0.
TEST_CASE("Impulses whose squares vanish are an answer where none are needed", "[contact][unit]") {
  BodyProblem problem = test::random_body_problem(3, {2, 1, 0.0, false});
  problem.v_free.assign(2, Vector3::Zero()), problem.w_free_W.assign(2, Vector3::Zero());
  problem.bias[0] = Vector3::Zero();
  problem.speed = {1.0};
  const auto measure =
      GENERATE(Measure::combined, Measure::scaled, Measure::published, Measure::siconos);
  SolverOptions options;
  options.measure = measure;
  for (const double size : {1e-10, 1e-163, 1e-320}) {
    std::vector<Vector3> p = {Vector3(size, 0.0, 0.0)}, v(2), w_W(2);
    Solver solver;
    const SolveReport report = solver.solve(problem, options, Executor{}, p, v, w_W);
    INFO("impulse " << size);
    CHECK(report.converged);
    CHECK(report.iterations < 100);
    CHECK(p[0].norm() <= size);
  }
}

}  // namespace scree::contact::start_test
