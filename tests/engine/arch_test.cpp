// Semicircular arches on either side of the least thickness that limit analysis allows.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "scenes/generate/voussoir_arch.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace arch_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

// Least thickness over mean radius of an arch of n voussoirs with flat faces, joints that slide at
// mu >= 0.4 and crush never: static theorem, as a linear programme over the forces at the edges of
// the joints.
struct Limit {
  int voussoirs;
  double thickness;
};
constexpr Limit limits[] = {{7, 0.09570}, {15, 0.10607}, {31, 0.10713}};

World arch_world(int n, double thickness, double h) {
  World world;
  world.law() = PairLaw{0.6, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.add_plane();
  for (const auto& corners : build_voussoir_arch({n, 1.0, thickness, 0.3})) {
    BodyDefinition voussoir;
    voussoir.name = "voussoir" + std::to_string(world.model.n_bodies());
    voussoir.shape = make_convex_polyhedron(corners);
    voussoir.density = 2300.0;
    const Vector3 centre = mass_properties(voussoir.shape).centre;
    world.add(voussoir, Pose{centre, Quaternion::Identity()});
  }
  return world;
}

struct Crown {
  double moved = 0.0;  // [m] of the keystone, largest
  int steps = 0, unconverged = 0;
  double residual = 0.0;  // [-] worst
};

// The keystone up to `end` [s]; stops when it has moved by more than 0.1 m.
Crown crown_displacement(int n, double thickness, double h, double end) {
  World world = arch_world(n, thickness, h);
  Stepper stepper(world);
  const auto crown = static_cast<std::size_t>(1 + n / 2);
  const Vector3 start = world.state.x[crown];
  Crown result;
  for (int k = 0; k < static_cast<int>(std::lround(end / h)) && result.moved < 0.1; ++k) {
    const StepRecord& record = stepper.step();
    REQUIRE(record.ledger.max_normal_work <= 1e-6 * record.ledger.energy_scale + 1e-6);
    result.moved = std::max(result.moved, (world.state.x[crown] - start).norm());
    result.unconverged += record.converged ? 0 : 1;
    result.residual = std::max(result.residual, record.residual.scaled);
    ++result.steps;
  }
  return result;
}

void check_bracket(const Limit& limit, double h, double end) {
  INFO(limit.voussoirs << " voussoirs, h = " << h);
  const Crown standing = crown_displacement(limit.voussoirs, 1.02 * limit.thickness, h, end);
  const Crown falling = crown_displacement(limit.voussoirs, 0.98 * limit.thickness, h, end);
  const double stands = standing.moved, falls = falling.moved;
  CHECK(stands < 1e-3);
  CHECK(falls > 0.1);
  const std::string name = std::to_string(limit.voussoirs) + " voussoirs, " + test::digits(end) +
                           " s, h = " + test::digits(h) + " s, ";
  const char* source = "limit analysis (linear programme), t/R = ";
  test::add_validation_row({"Arches", name + "2 % above the limit", "crown stays",
                            test::digits(stands, 2) + " R", test::digits(stands, 2) + " R",
                            "0.001 R", source + test::digits(limit.thickness)});
  test::add_validation_row({"Arches", name + "2 % below the limit", "falls",
                            falls > 0.1 ? "falls" : "stands", "-", "crown moves 0.1 R",
                            source + test::digits(limit.thickness)});
  const double missed = static_cast<double>(standing.unconverged);
  CHECK(
      test::validated({"Arches", name + "2 % above the limit: steps that miss the tolerance, 1e-8",
                       0.0, missed, 0.0, false, "residual"}));
  // While it falls, some three steps of a thousand stop at 50 000 sweeps, most with twice the
  // tolerance; which ones, and how far from it, depends on the last digits. At 1e-6 the forces are
  // wrong by 1e-6 of the weight, four orders below the margin of 2 %.
  CHECK(test::validated({"Arches", name + "2 % below the limit: residual, worst step", 0.0,
                         falling.residual, 1e-6, false, "residual"}));
  CHECK(falling.unconverged <= 0.01 * falling.steps);
}

}  // namespace

TEST_CASE("Arches stand above and fall below the limit thickness", "[engine][analytic]") {
  for (const Limit& limit : limits) check_bracket(limit, 2e-3, 2.0);
}

TEST_CASE("Arches stand for five seconds above and fall below the limit thickness",
          "[engine][analytic][slow]") {
  for (const Limit& limit : limits) {
    for (const double h : {1e-3, 5e-4}) check_bracket(limit, h, 5.0);
  }
}

}  // namespace arch_test
