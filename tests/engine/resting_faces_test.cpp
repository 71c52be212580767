// A face set down on a face with a tiny tilt: whether its contacts stay once it rests.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace resting_faces_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;
constexpr double pi = 3.14159265358979323846;
const char* section = "Geometry";

// A cube above a fixed box, turned by `yaw` about the vertical and then tilted about `axis`, its
// lowest corner at the height of the box's face.
struct Placed {
  Vector3 below;  // sides of the fixed box [m]
  double x, y;    // of the cube's centre from the box's [m]
  double yaw, tilt;
  Vector3 axis;
};

struct Law {
  ImpactLaw impact = ImpactLaw::fremond;
  double theta = 0.5;
  Rest rest = Rest::published;
};

struct Outcome {
  int changes = 0;  // steps after which other contacts were in the problem than before
  int unconverged = 0;
  std::size_t contacts = 0;  // in the last step
  double energy = 0.0;       // kinetic / m g (1 m), largest
  double drift = 0.0;        // of the centre [m]
  double height = 0.0;       // of the centre above its place on the flat face [m]
};

Outcome rest_of(const Placed& placed, const Law& law, double h, int settling, int steps) {
  World world;
  world.law() = PairLaw{0.6, 0.0, law.impact};
  world.settings.time.dt = h;
  world.settings.time.theta = law.theta;
  world.settings.step.rest = law.rest;
  BodyDefinition box;
  box.name = "fixed";
  box.kind = BodyKind::fixed;
  box.shape = make_box(placed.below);
  world.add(box, Pose{Vector3(0.0, 0.0, -0.5 * placed.below.z()), Quaternion::Identity()});
  const Quaternion q = Quaternion(Eigen::AngleAxisd(placed.tilt, placed.axis.normalized())) *
                       Quaternion(Eigen::AngleAxisd(placed.yaw, Vector3::UnitZ()));
  double lowest = 0.0;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) lowest = std::min(lowest, (q * Vector3(x, y, -0.5)).z());
  }
  const auto cube = static_cast<std::size_t>(
      world.add_box(Vector3::Ones(), Pose{Vector3(placed.x, placed.y, -lowest), q}));
  Stepper stepper(world);
  stepper.steps(settling);
  std::vector<ContactKey> keys = world.state.kept.key;
  const Vector3 start = world.state.x[cube];
  Outcome outcome;
  for (int k = 0; k < steps; ++k) {
    const StepRecord& record = stepper.step();
    outcome.unconverged += record.converged ? 0 : 1;
    outcome.changes += world.state.kept.key != keys ? 1 : 0;
    keys = world.state.kept.key;
    outcome.energy = std::max(outcome.energy, record.ledger.kinetic / (world.model.mass[cube] * g));
  }
  outcome.contacts = keys.size();
  outcome.drift = (world.state.x[cube] - start).norm();
  outcome.height = world.state.x[cube].z() - 0.5;
  return outcome;
}

// Largest kinetic energy over m g (1 m) of a unit cube whose velocity turns round at every step:
// that takes 2 M v = H^T p, so K = p_T . W p_T / 8, which is largest with all of the load m g h at
// one point, sqrt(r2) from the vertical through the centre, of inverse mass 1/m + r2/I, I = m / 6.
double reversing_energy(double h, double r2) {
  return (1.0 + 6.0 * r2) * std::pow(0.6 * g * h, 2) / (8.0 * g);
}

const Vector3 slab(3.0, 3.0, 1.0), same(1.0, 1.0, 1.0);

void check_tilted_faces(int steps) {
  for (int power = -9; power <= -3; ++power) {
    const double tilt = std::pow(10.0, power);
    const std::string name = "cube set down with a tilt of " + test::digits(tilt) +
                             " rad: contacts entering or leaving in " + test::digits(steps) +
                             " steps of rest";
    const Outcome outcome =
        rest_of({slab, 0.0, 0.0, 0.0, tilt, Vector3(1.0, 0.6, 0.0)}, {}, 1e-3, 500, steps);
    INFO("tilt " << tilt);
    CHECK(outcome.unconverged == 0);
    CHECK(outcome.contacts == 4);
    // It lies on its face, as deep as the step in which it landed let it: the way of a step at the
    // speed of landing.
    CHECK(std::abs(outcome.height) < 1e-3 * std::sqrt(2.0 * g * tilt));
    CHECK(test::validated(
        {section, name, 0.0, static_cast<double>(outcome.changes), 0.0, false, "at rest"}));
  }
}

}  // namespace

TEST_CASE("Faces that meet at a tiny tilt come to rest on steady contacts", "[engine][property]") {
  check_tilted_faces(300);
}

TEST_CASE("Faces that meet at a tiny tilt keep their contacts for ten thousand steps",
          "[engine][property][slow]") {
  check_tilted_faces(10000);
}

TEST_CASE("Faces that meet askew and off centre come to rest on steady contacts",
          "[engine][property]") {
  // Under the default law. Corners of either face inside the other, edges that cross, faces that
  // hang over.
  const Placed placed[] = {{slab, 0.0, 0.0, 0.3, 1e-4, Vector3(1.0, 0.0, 0.0)},
                           {slab, 0.2, 0.1, pi / 4, 3e-5, Vector3(0.3, 1.0, 0.0)},
                           {slab, 1.3, 0.2, 0.4, 1e-4, Vector3(1.0, 0.6, 0.0)},
                           {slab, 1.3, 1.2, 0.0, 1e-5, Vector3(-0.4, 1.0, 0.0)},
                           {same, 0.0, 0.0, 0.0, 1e-4, Vector3(1.0, 0.6, 0.0)},
                           {same, 0.0, 0.0, pi / 6, 1e-4, Vector3(0.2, 1.0, 0.0)},
                           {same, 0.0, 0.0, pi / 6, 1e-5, Vector3(1.0, 0.0, 0.0)},
                           {same, 0.3, 0.3, 0.0, 3e-4, Vector3(1.0, -0.3, 0.0)},
                           {same, 0.2, -0.1, 0.8, 1e-4, Vector3(1.0, 0.3, 0.0)},
                           {same, 0.0, 0.0, pi / 4, 1e-6, Vector3(0.2, 1.0, 0.0)},
                           {same, 0.0, 0.0, pi / 4, 1e-3, Vector3(0.2, 1.0, 0.0)},
                           {same, -0.4, 0.0, 1.2, 1e-3, Vector3(0.0, 1.0, 0.0)}};
  for (const double h : {2e-3, 1e-3}) {
    int changes = 0, unconverged = 0;
    double energy = 0.0;
    for (const Placed& each : placed) {
      const Outcome outcome = rest_of(each, {}, h, 1500, 500);
      INFO("yaw " << each.yaw << " tilt " << each.tilt << " x " << each.x << " h " << h);
      CHECK(outcome.changes == 0);
      CHECK(outcome.contacts >= 3);
      changes += outcome.changes;
      unconverged += outcome.unconverged;
      energy = std::max(energy, outcome.energy);
    }
    const std::string name = "cube set down askew, 12 ways, h = " + test::digits(h) + " s: ";
    CHECK(unconverged == 0);
    CHECK(test::validated({section, name + "contacts entering or leaving in 500 steps of rest", 0.0,
                           static_cast<double>(changes), 0.0, false, "at rest"}));
    CHECK(test::validated({section, name + "largest kinetic energy / m g (1 m)", 0.0, energy,
                           reversing_energy(h, 0.5), false, "p_T . W p_T / 8"}));
  }
}

TEST_CASE("Cube on a diagonal of its face: steady where nothing reverses, bounded where it does",
          "[engine][property]") {
  // It stands on two opposite contacts, and a spin about the vertical that reverses at every step
  // rocks it over the line between them, between one free contact and the other
  // (engine/method/rest.md).
  const Placed diagonal{same, 0.0, 0.0, pi / 4, 1e-4, Vector3(0.2, 1.0, 0.0)};
  const int steps = 3000;
  const double h = 1e-3;
  const std::string name = "cube on a diagonal of its face, ";
  const struct {
    Law law;
    const char* label;
  } steady[] = {{{ImpactLaw::newton}, "newton"},
                {{ImpactLaw::fremond, 0.51}, "theta = 0.51"},
                {{ImpactLaw::fremond, 0.5, Rest::damped}, "damped rest"}};
  for (const auto& each : steady) {
    const Outcome outcome = rest_of(diagonal, each.law, h, 2000, steps);
    INFO(each.label);
    CHECK(outcome.unconverged == 0);
    CHECK(test::validated(
        {section, name + each.label + ": contacts entering or leaving in 3000 steps of rest", 0.0,
         static_cast<double>(outcome.changes), 0.0, false, "at rest"}));
    CHECK(outcome.energy < 1e-12);  // of m g (1 m)
  }
  // Rocking itself, 1e-3 rad/s, has 1e-8 m g (1 m).
  const double r2 =
      0.25 + std::pow(std::sqrt(0.5) - 0.5, 2);  // where the edges of the two faces cross
  const Outcome trembling = rest_of(diagonal, {}, h, 2000, steps);
  CHECK(trembling.unconverged == 0);
  CHECK(test::validated({section, name + "published law: kinetic energy / m g (1 m)", 0.0,
                         trembling.energy, reversing_energy(h, r2), false, "p_T . W p_T / 8"}));
  test::add_validation_row(
      {section, name + "published law: contacts entering or leaving in 3000 steps of rest", "-",
       test::digits(trembling.changes), "-", "-", "counted"});
  // it goes nowhere: less than the way of two steps at that speed
  CHECK(test::validated({section, name + "published law: way of its centre in 3000 steps [m]", 0.0,
                         trembling.drift, 2.0 * h * 0.6 * g * h, false, "no drift"}));
}

}  // namespace resting_faces_test
