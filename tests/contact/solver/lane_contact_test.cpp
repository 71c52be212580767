// Four contacts at a time against the same functions for one.
#include "contact/solver/lane_contact.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/random_problems.hpp"

namespace scree::contact::lane_contact_test {
namespace {

struct Four {
  std::array<Matrix3, n_lanes> A, inverse;
  std::array<Vector3, n_lanes> b, p;
  std::array<double, n_lanes> mu, lambda;
  LaneLocal<3> local;
  LaneLimits<3> limits;
  double alpha = 0.0;

  // Contacts of many kinds; some lanes hold none.
  explicit Four(test::Random& random) : local{}, limits{} {
    alpha = random.integer(0, 1) == 0 ? 0.0 : 0.2;
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      A[lane].setZero(), inverse[lane].setZero(), b[lane].setZero(), p[lane].setZero();
      mu[lane] = lambda[lane] = 0.0;
      if (random.integer(0, 9) == 0) continue;
      Matrix3 root;
      for (int k = 0; k < 3; ++k) root.col(k) = random.vector(1.0);
      A[lane] = root * root.transpose() + random.uniform(0.01, 1.0) * Matrix3::Identity();
      inverse[lane] = (A[lane] + alpha * Matrix3::Identity()).inverse();
      b[lane] = random.vector(1.0);
      mu[lane] = random.integer(0, 4) == 0 ? 0.0 : random.uniform(0.05, 1.0);
      p[lane] = project_on_cone(random.vector(1.0), mu[lane]);
      if (random.integer(0, 1) == 0) lambda[lane] = random.uniform(0.01, 10.0);
      double entry[6], of_inverse[6];
      for (int row = 0, at = 0; row < 3; ++row) {
        for (int k = row; k < 3; ++k, ++at)
          entry[at] = A[lane](row, k), of_inverse[at] = inverse[lane](row, k);
      }
      local.set_A(lane, entry), local.set_inverse(lane, of_inverse);
      local.lambda[lane] = lambda[lane];
      limits.set(lane, FrictionLimit{mu[lane]});
    }
  }

  // A visit adds alpha (p' - p); with the start kept as the point of the proximal term, what is
  // left of it goes to w.
  void velocities(const Four& start, Lanes* w) const {
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      const Vector3 w_c = A[lane] * p[lane] + b[lane] + alpha * (p[lane] - start.p[lane]);
      for (int k = 0; k < 3; ++k) w[k][lane] = w_c[k];
    }
  }

  void impulses(Lanes* to) const {
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      for (int k = 0; k < 3; ++k) to[k][lane] = p[lane][k];
    }
  }
};

Vector3 in_lane(const Lanes* x, std::size_t lane) { return {x[0][lane], x[1][lane], x[2][lane]}; }

}  // namespace

TEST_CASE("Four visits of sweeps at once end where single visits do", "[contact][oracle]") {
  test::Random random(2718);
  double worst = 0.0, worst_first = 0.0;
  std::size_t n_slips = 0;
  for (int i = 0; i < 5000; ++i) {
    Four four(random);
    const Four start = four;
    for (int visit = 0; visit < 5; ++visit) {  // from the last root, each stops much closer to it
      Lanes w[3], p[3], dp[3];
      four.velocities(start, w), four.impulses(p);
      visit_lanes(four.local, four.limits, four.alpha, 1e-2, w, p, dp);
      for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        const Vector3 before = four.p[lane], after = in_lane(p, lane);
        worst = std::max(worst, (in_lane(dp, lane) - (after - before)).norm());
        four.p[lane] = after;
        const Matrix3 shifted = start.A[lane] + four.alpha * Matrix3::Identity();
        double lambda = 0.0;
        const Vector3 expected =
            solve_local(shifted, Vector3(start.b[lane] - four.alpha * start.p[lane]), four.mu[lane],
                        lambda)
                .p;
        const double error = (after - expected).norm() / std::max(1.0, expected.norm());
        if (visit == 0) worst_first = std::max(worst_first, error);
        if (visit == 0 && lambda > 0.0) ++n_slips;
        if (visit == 4) worst = std::max(worst, error);
      }
    }
  }
  CHECK(n_slips > 4000);
  CHECK(worst_first < 1e-2);  // 1e-2 squared, times how far the impulse may follow its multiplier
  CHECK(worst < 1e-11);       // condition 1e3 times round-off
}

TEST_CASE("Four projections at once have the bits of single ones", "[contact][oracle]") {
  test::Random random(31);
  std::size_t n_different = 0;
  for (int i = 0; i < 5000; ++i) {
    LaneLimits<3> limits{};
    LaneLimits<6> rolling{};
    Lanes p[3] = {}, six[6] = {};
    std::array<Vector3, n_lanes> expected;
    std::array<std::array<double, 6>, n_lanes> expected_six;
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      const double mu = random.integer(0, 4) == 0 ? 0.0 : random.uniform(0.0, 1.5);
      const ConeLimits cone{mu, random.uniform(0.0, 0.5), random.uniform(0.0, 0.5)};
      Vector3 x = random.integer(0, 9) == 0 ? Vector3(Vector3::Zero()) : random.vector(1.0);
      const Vector3 y = random.vector(1.0);
      for (int k = 0; k < 3; ++k) p[k][lane] = six[k][lane] = x[k], six[3 + k][lane] = y[k];
      limits.set(lane, FrictionLimit{mu}), rolling.set(lane, cone);
      expected_six[lane] = {x[0], x[1], x[2], y[0], y[1], y[2]};
      project_on_cone(cone, expected_six[lane].data());
      project_on_cone(mu, x[0], x[1], x[2]);
      expected[lane] = x;
    }
    project_lanes(limits, p), project_lanes(rolling, six);
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      if (in_lane(p, lane) != expected[lane]) ++n_different;
      for (int k = 0; k < 6; ++k)
        n_different += six[k][lane] == expected_six[lane][static_cast<std::size_t>(k)] ? 0U : 1U;
    }
  }
  CHECK(n_different == 0);
}

TEST_CASE("Sums of a residual over four contacts at a time are those over single ones",
          "[contact][oracle]") {
  test::Random random(77);
  for (const Measure measure :
       {Measure::combined, Measure::scaled, Measure::published, Measure::siconos}) {
    for (const bool at_zero : {false, true}) {
      LaneResidualSums lanes;
      ResidualSums single;
      double units = 0.0;
      for (int i = 0; i < 50; ++i) {
        LaneLimits<3> limits{};
        Lanes factor{}, scale{}, inverse_unit{}, y[3] = {}, w[3] = {}, b[3] = {};
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
          const FrictionLimit limit{random.uniform(0.0, 1.0)};
          const Vector3 y_c =
              at_zero ? Vector3(Vector3::Zero()) : project_on_cone(random.vector(1.0), limit.mu);
          const Vector3 w_c = random.vector(1.0), b_c = random.vector(1.0);
          limits.set(lane, limit);
          factor[lane] = random.uniform(0.1, 3.0), scale[lane] = random.uniform(0.5, 1.0);
          for (int k = 0; k < 3; ++k) y[k][lane] = y_c[k], w[k][lane] = w_c[k], b[k][lane] = b_c[k];
          const double f = factor[lane];
          const double unit = random.uniform(0.1, 1.0);
          inverse_unit[lane] = 1.0 / unit, units += unit * unit;
          single.add(ContactTraits{b_c / f, limit.mu, f, scale[lane], unit}, Vector3(f * y_c),
                     Vector3(w_c / f));
        }
        add_lanes<3>(lanes, limits, factor, scale, inverse_unit, y, w, b, measure);
      }
      ResidualSums sums = lanes.total();
      sums.unit = units;  // a constant of the problem, which lanes do not sum up
      SolverOptions options;
      options.measure = measure;
      // Each part of `combined` on its own.
      for (const double velocity_tolerance : {1e-3, 1e300}) {
        options.velocity_tolerance = velocity_tolerance;
        const double expected = stop_value(single.measures(), options);
        CHECK(expected > 1e-3);
        CHECK(stop_value(sums.measures(), options) == Approx(expected).epsilon(1e-13));
      }
    }
  }
}

}  // namespace scree::contact::lane_contact_test
