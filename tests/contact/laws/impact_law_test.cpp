// Energy properties of the impact laws over random coupled problems.
#include "contact/laws/laws.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact/problem/local_frame.hpp"
#include "contact/solver/solver.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/validation_table.hpp"

namespace impact_law_test {

using namespace scree;

namespace {

using test::LawCase;

LawCase random_case(std::uint64_t seed, ImpactLaw law) {
  return test::random_law_case(seed, law, 2.0);
}

// Largest work u_theta . p of one contact, relative to |p| times the largest speed; -infinity when
// not converged.
double largest_work(const LawCase& test_case) {
  const auto& problem = test_case.problem;
  contact::Solver solver;
  contact::SolverOptions options;
  options.tolerance = 1e-12;
  options.max_iterations = 3000;
  std::vector<Vector3> p(problem.n_contacts(), Vector3::Zero());
  std::vector<Vector3> v(problem.n_bodies()), w(problem.n_bodies());
  const auto report = solver.solve(problem, options, Executor(), p, v, w);
  if (!report.converged) return -std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity(), impulse = 0.0, speed = 1.0;
  for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
    const auto a = static_cast<std::size_t>(problem.body_a[c]),
               b = static_cast<std::size_t>(problem.body_b[c]);
    const Vector3 u_1 =
        problem.R_WC[c].transpose() * (contact::point_velocity(v[b], w[b], problem.r_b_W[c]) -
                                       contact::point_velocity(v[a], w[a], problem.r_a_W[c]));
    const Vector3 u = (1.0 - test_case.theta) * test_case.u_0[c] + test_case.theta * u_1;
    largest = std::max({largest, u.x() * p[c].x(), u.y() * p[c].y() + u.z() * p[c].z()});
    impulse += p[c].squaredNorm();
    speed = std::max({speed, u_1.norm(), test_case.u_0[c].norm()});
  }
  return impulse > 0.0 ? largest / (std::sqrt(impulse) * speed) : 0.0;
}

}  // namespace

TEST_CASE("Fremond law never does positive work at a converged contact", "[contact][property]") {
  int solved = 0;
  double worst = 0.0;
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    const double work = largest_work(random_case(seed, ImpactLaw::fremond));
    if (!std::isfinite(work)) continue;
    ++solved;
    worst = std::max(worst, work);
  }
  // the residual, 1e-12 of |p|, which the condition of a contact and the coupling stretch, up to
  // some tens of times
  CHECK(test::validated({"Properties over random cases",
                         "fremond, 10000 coupled problems: largest positive work of a "
                         "contact, over impulse and speed",
                         0.0, worst, 1e-10, false, "[Fremond24] proposition 1"}));
  CHECK(solved > 9000);  // mu up to 2 in random directions: some problems have no solution that
                         // Gauss-Seidel finds
}

TEST_CASE("Newton law does positive work in a few of the same problems", "[contact][property]") {
  int positive = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    if (largest_work(random_case(seed, ImpactLaw::newton)) > 1e-6) ++positive;
  }
  CHECK(positive > 10);  // so the test above can fail
}

namespace {

contact::ContactRow row_of(const PairLaw& law, double theta, const Vector3& u_0, bool damped) {
  contact::ContactInput in = {.mu = law.mu, .e = law.e, .theta = theta, .u_0 = u_0};
  in.damped = damped;
  return contact::Laws::row(law, in);
}

}  // namespace

TEST_CASE("Impact laws shift the free velocity as their table says", "[contact][unit]") {
  const double theta = 0.6, e = 0.3, r = (1.0 - theta) / theta;
  const Vector3 approaching(-2.0, 0.5, -1.0), separating(2.0, 0.5, -1.0);
  const PairLaw newton{0.5, e, ImpactLaw::newton}, fremond{0.5, e, ImpactLaw::fremond};
  CHECK(row_of(newton, theta, approaching, false).bias == Vector3(-2.0 * e, 0.0, 0.0));
  CHECK(row_of(newton, theta, separating, false).bias == Vector3(0.0, 0.0, 0.0));
  CHECK((row_of(fremond, theta, approaching, false).bias - Vector3(-2.0 * e, 0.5 * r, -r)).norm() <
        1e-15);
  CHECK((row_of(fremond, theta, separating, false).bias - Vector3(2.0 * r, 0.5 * r, -r)).norm() <
        1e-15);
  CHECK((row_of(fremond, theta, separating, true).bias - Vector3(2.0 * r, 0.0, 0.0)).norm() <
        1e-15);
  CHECK(row_of(newton, theta, Vector3::Zero(), false).scale == 1.0);
  CHECK(row_of(fremond, theta, Vector3::Zero(), false).scale == theta);
}

TEST_CASE("Damped contact that sticks alone stops instead of turning back", "[contact][analytic]") {
  // one cube of mass 2 on a fixed one, touching in its centre of mass: u_T,1 = 0, p_T = -m u_T,0
  contact::BodyProblem problem;
  problem.inverse_mass = {0.0, 0.5};
  problem.inverse_inertia_W = {Matrix3::Zero(), Matrix3::Zero()};
  problem.body_a = {0}, problem.body_b = {1};
  Matrix3 R;
  R.col(0) = Vector3::UnitZ(), R.col(1) = Vector3::UnitX(), R.col(2) = Vector3::UnitY();
  problem.R_WC = {R};
  problem.r_a_W = {Vector3::Zero()}, problem.r_b_W = {Vector3::Zero()};
  problem.mu = {0.5};
  const PairLaw law{0.5, 0.0, ImpactLaw::fremond};
  const Vector3 u_0(0.0, 0.1, -0.2);
  problem.scale = {row_of(law, 0.5, Vector3::Zero(), false).scale};
  problem.v_free = {Vector3::Zero(), Vector3(0.1, -0.2, -1.0)};
  problem.w_free_W = {Vector3::Zero(), Vector3::Zero()};
  for (const bool damped : {false, true}) {
    problem.bias = {row_of(law, 0.5, u_0, damped).bias};
    std::vector<Vector3> p(1, Vector3::Zero()), v(2), w(2);
    contact::Solver solver;
    contact::SolverOptions options;
    options.tolerance = 1e-14;
    REQUIRE(solver.solve(problem, options, Executor(), p, v, w).converged);
    const Vector3 expected = damped ? Vector3(0.0, 0.0, 0.0) : Vector3(-0.1, 0.2, 0.0);
    CHECK((v[1] - expected).norm() < 1e-13);  // round-off of a direct local solution
  }
}

}  // namespace impact_law_test
