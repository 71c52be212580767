// Housner's rocking block: quarter periods, spin ratios and amplitudes.
#include <catch2/catch.hpp>

#include <cmath>
#include <optional>
#include <vector>

#include "contact/laws/laws.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace rocking_block_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

// Housner's block, half sizes b, h, tilted by `share` of its slenderness angle about the edge at
// the origin.
World housner(double share, double dt) {
  const double b = 0.1, height = 0.4, alpha = std::atan(b / height);
  World world;
  world.law() = PairLaw{0.8, 0.0, ImpactLaw::newton};
  world.settings.time.dt = dt;
  world.add_plane();
  const Quaternion tilt(Eigen::AngleAxisd(share * alpha, Vector3::UnitY()));
  // right bottom edge (b, 0, -h) stays at the origin
  world.add_box(Vector3(2.0 * b, 0.3, 2.0 * height), Pose{tilt * Vector3(-b, 0.0, height), tilt});
  return world;
}

double tilt_of(const World& world) {
  const Quaternion& q = world.state.q[1];
  return 2.0 * std::atan2(q.y(), q.w());
}

}  // namespace

TEST_CASE("Rocking block returns after the quarter period of Housner", "[engine][analytic]") {
  // R = 0.412311, alpha = 14.0362 degrees, p = 4.224282: exact quarter times 0.312309 and 0.708897
  // s
  for (const auto& [share, quarter] : {std::pair{0.5, 0.312309}, std::pair{0.9, 0.708897}}) {
    for (const double dt : {1e-3, 5e-4}) {
      World world = housner(share, dt);
      Stepper stepper(world);
      double reached = 0.0, last = tilt_of(world);
      while (reached == 0.0 && world.state.time < 1.0) {
        stepper.step();
        // flat within the next step: the rest of the way at the spin of now, whose change in a step
        // is h times smaller
        const double now = tilt_of(world), step_down = last - now;
        if (step_down > 0.0 && now < step_down) reached = world.state.time + dt * now / step_down;
        last = now;
      }
      const std::string name = test::case_name(
          "rocking block from " + test::digits(share) + " alpha", ImpactLaw::newton, dt);
      CHECK(test::validated({"Impacts", name + "quarter period [s]", quarter, reached, 2.0 * dt,
                             false, "acosh(1/(1 - theta/alpha)) / p, Housner 1963"}));
    }
  }
}

namespace {

struct Rocking {
  std::vector<double> ratios;  // spin after / before each impact
  std::vector<double> peaks;   // tilt / alpha at each turning point after the first impact
};

// Housner's block from half of its slenderness angle up to its `n`th peak; under `moreau` if there
// is a tangential restitution.
Rocking rock(double dt, std::size_t n, std::optional<double> e_T = std::nullopt) {
  const double alpha = std::atan(0.25);
  World world = housner(0.5, dt);
  if (e_T) {
    world.law().law = *contact::Laws::named("moreau");
    contact::Laws::number(world.law(), "e_T") = *e_T;
  }
  Stepper stepper(world);
  Rocking rocking;
  while (rocking.peaks.size() < n && world.state.time < 4.0) {
    const double spin = world.state.w[1].y();
    stepper.step();
    const double now = tilt_of(world), spin_now = world.state.w[1].y();
    if (std::abs(spin_now) < 0.97 * std::abs(spin) && std::abs(spin) > 0.3 &&
        std::abs(now) < 5e-3) {
      rocking.ratios.push_back(spin_now / spin);
    }
    if (spin * spin_now < 0.0 && std::abs(now) > 0.05 * alpha)
      rocking.peaks.push_back(std::abs(now) / alpha);
  }
  return rocking;
}

}  // namespace

TEST_CASE("Rocking block loses spin by the ratio of Housner whatever its tangential restitution",
          "[engine][analytic]") {
  // The corner that comes down has no tangential velocity when the block is flat, as it turns about
  // the other one: what is left is of the order of h.
  const double eta = 1.0 - 1.5 / 17.0, h = 5e-4;  // sin^2 alpha = 1/17
  for (const double e_T : {-0.5, 0.0, 0.5, 1.0}) {
    const Rocking coarse = rock(h, 3, e_T), fine = rock(0.5 * h, 3, e_T);
    REQUIRE(coarse.ratios.size() >= 3);
    REQUIRE(fine.ratios.size() >= 3);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(test::validated({"Impacts",
                             "rocking block, impact " + std::to_string(i + 1) +
                                 ", moreau, e_T = " + test::digits(e_T) +
                                 ", h = 0.0005 s and half: spin ratio, extrapolated to h = 0",
                             eta, 2.0 * fine.ratios[i] - coarse.ratios[i], 1e-3, false,
                             "1 - 1.5 sin^2 alpha, Housner 1963"}));
    }
  }
}

TEST_CASE("Rocking block loses spin at each impact by the ratio of Housner", "[engine][analytic]") {
  const double alpha = std::atan(0.25), eta = 1.0 - 1.5 * std::sin(alpha) * std::sin(alpha);
  const double h = 5e-4;
  const Rocking coarse = rock(h, 6), fine = rock(0.5 * h, 6);
  REQUIRE(coarse.ratios.size() == 6);
  REQUIRE(fine.ratios.size() == 6);
  REQUIRE(coarse.peaks.size() == 6);
  REQUIRE(fine.peaks.size() == 6);
  const char* source = "1 - 1.5 sin^2 alpha, Housner 1963";
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string name =
        "rocking block, impact " + std::to_string(i + 1) + ", newton, h = 0.0005 s and half: ";
    // Gravity slows the block by h p^2 sin(alpha) in the step of an impact as well, which the ratio
    // of its spins shows at first order in h. Extrapolated to h = 0 by the two steps the ratio is
    // Housner's; what is left is second order.
    CHECK(test::validated({"Impacts", name + "spin ratio, extrapolated to h = 0", eta,
                           2.0 * fine.ratios[i] - coarse.ratios[i], 1e-3, false, source}));
    CHECK(test::validated({"Impacts", name + "order of the error of the spin ratio", 1.0,
                           std::log2((coarse.ratios[i] - eta) / (fine.ratios[i] - eta)), 0.05,
                           false, "order of the scheme"}));
  }
  for (const auto& [dt, rocking] : {std::pair{h, &coarse}, std::pair{0.5 * h, &fine}}) {
    for (std::size_t i = 0; i < 6; ++i) {
      const std::string name = test::case_name(
          "rocking block from 0.5 alpha, peak " + std::to_string(i + 1), ImpactLaw::newton, dt);
      // The energy above flat, m g R (cos(alpha - theta) - cos alpha), falls by eta^2 at each
      // impact: 0.38671, 0.30640, 0.24606, ... An impact comes up to h late, with the block a tilt
      // w h below flat; that is 2 h p / (w / (p alpha)) of its energy, 0.3 to 0.9 % at h = 0.5 ms,
      // each time. Six of them lower the last peak by under 0.01.
      const double flat = std::cos(alpha),
                   left = std::pow(eta, 2.0 * (static_cast<double>(i) + 1.0)) *
                          (std::cos(0.5 * alpha) - flat);
      CHECK(test::validated({"Impacts", name + "tilt / alpha", 1.0 - std::acos(flat + left) / alpha,
                             rocking->peaks[i], 0.01, false,
                             "energy times eta^2 at each impact, Housner 1963"}));
    }
  }
}

}  // namespace rocking_block_test
