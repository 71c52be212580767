#include "contact/laws/friction_cone.hpp"

#include <catch2/catch.hpp>

#include "tests/support/random_problems.hpp"
#include "tests/support/validation_table.hpp"

namespace scree::contact::friction_cone_test {
namespace {

constexpr int n_cases = 10000;

struct Sample {
  Vector3 x, y;
  double mu;
};

Sample sample(test::Random& random) {
  Sample s;
  s.x = random.vector(1.0) * std::pow(10.0, random.uniform(-3.0, 3.0));
  s.y = random.vector(1.0) * std::pow(10.0, random.uniform(-3.0, 3.0));
  const int kind = random.integer(0, 9);
  s.mu = kind == 0 ? 0.0 : kind == 1 ? 1e3 : random.uniform(0.0, 2.0);
  return s;
}

}  // namespace

TEST_CASE("Coulomb cone projection lies in the cone and is idempotent", "[contact][property]") {
  test::Random random(1);
  int failures = 0;
  double worst = 0.0;
  for (int i = 0; i < n_cases; ++i) {
    const Sample s = sample(random);
    const Vector3 once = project_on_cone(s.x, s.mu), twice = project_on_cone(once, s.mu);
    // Round-off of one projection: a few units in the last place, times mu for the tangential part.
    const double slack = 4e-16 * (1.0 + s.mu) * s.x.norm();
    if (!cone_contains(once, s.mu, slack) || (once - twice).norm() > slack) ++failures;
    worst = std::max(worst, (once - twice).norm() / ((1.0 + s.mu) * s.x.norm()));
  }
  CHECK(failures == 0);
  CHECK(test::validated({"Properties over random cases",
                         "projection on the cone, " + test::digits(n_cases) +
                             " points: projected twice and once, rel.",
                         0.0, worst, 4e-16, false, "idempotence"}));
}

TEST_CASE("Coulomb cone projection does not expand distances", "[contact][property]") {
  test::Random random(2);
  int failures = 0;
  double worst = 0.0;
  for (int i = 0; i < n_cases; ++i) {
    const Sample s = sample(random);
    const double before = (s.x - s.y).norm();
    const double after = (project_on_cone(s.x, s.mu) - project_on_cone(s.y, s.mu)).norm();
    if (after > before + 1e-15 * (1.0 + s.mu) * (s.x.norm() + s.y.norm()))
      ++failures;  // round-off of both projections
    worst = std::max(worst, (after - before) / ((1.0 + s.mu) * (s.x.norm() + s.y.norm())));
  }
  CHECK(failures == 0);
  CHECK(test::validated({"Properties over random cases",
                         "projection on the cone, " + test::digits(n_cases) +
                             " pairs of points: growth of the distance, rel.",
                         0.0, worst, 1e-15, false, "non-expansion"}));
}

TEST_CASE("Coulomb cone projection satisfies the decomposition of Moreau", "[contact][property]") {
  test::Random random(3);
  int failures = 0;
  double worst = 0.0;
  for (int i = 0; i < n_cases; ++i) {
    const Sample s = sample(random);
    const Vector3 in_cone = project_on_cone(s.x, s.mu), polar = s.x - in_cone;
    const double size = s.x.norm(), slack = 1e-15 * (1.0 + s.mu) *
                                            size;  // round-off, times mu in the dual cone's test
    if (!dual_cone_contains(Vector3(-polar), s.mu, slack * (1.0 + s.mu))) ++failures;
    if (std::abs(in_cone.dot(polar)) > slack * size) ++failures;
    worst = std::max(worst, std::abs(in_cone.dot(polar)) / ((1.0 + s.mu) * size * size));
  }
  CHECK(failures == 0);
  CHECK(test::validated({"Properties over random cases",
                         "projection on the cone, " + test::digits(n_cases) +
                             " points: projection times remainder, rel.",
                         0.0, worst, 1e-15, false, "Moreau's decomposition"}));
}

TEST_CASE("Coulomb cone without friction is the normal half line", "[contact][unit]") {
  CHECK(project_on_cone(Vector3(2.0, 3.0, 4.0), 0.0) == Vector3(2.0, 0.0, 0.0));
  CHECK(project_on_cone(Vector3(-2.0, 3.0, 4.0), 0.0) == Vector3(0.0, 0.0, 0.0));
  CHECK(project_on_cone(Vector3(0.0, 0.0, 0.0), 0.0) == Vector3(0.0, 0.0, 0.0));
  CHECK(project_on_cone(Vector3(-2.0, 0.0, 0.0), 0.0) == Vector3(0.0, 0.0, 0.0));
  CHECK(project_on_cone(Vector3(-2.0, 0.0, 0.0), 0.7) == Vector3(0.0, 0.0, 0.0));
}

TEST_CASE("De Saxce velocity adds the friction times the sliding speed", "[contact][unit]") {
  CHECK(de_saxce(Vector3(1.0, 3.0, 4.0), 0.5) == Vector3(3.5, 3.0, 4.0));
}

TEST_CASE("Natural map vanishes for open stuck and slipping contacts only", "[contact][unit]") {
  const double mu = 0.5;
  CHECK(natural_map(Vector3(0, 0, 0), Vector3(0.0, 0.3, 0.0), mu, 2.0).norm() == 0.0);
  CHECK(natural_map(Vector3(1, 0.2, 0.1), Vector3(0, 0, 0), mu, 2.0).norm() == 0.0);
  // Slip: p on the boundary, w opposite to p_T; exact but for the square root.
  CHECK(natural_map(Vector3(1, 0.3, 0.4), Vector3(0, -0.6, -0.8), mu, 2.0).norm() < 1e-15);
  CHECK(natural_map(Vector3(1, 0.3, 0.4), Vector3(0, 0.6, 0.8), mu, 2.0).norm() > 0.1);
  CHECK(natural_map(Vector3(0, 0, 0), Vector3(-0.1, 0, 0), mu, 2.0).norm() > 0.1);
}

}  // namespace scree::contact::friction_cone_test
