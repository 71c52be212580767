// The illustrations of [Fremond24], sections 5.1 and 5.2, against an independent planar program
// that enumerates contact modes.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/step.hpp"
#include "tests/support/scene_file.hpp"
#include "tests/support/validation_table.hpp"

using namespace scree;

namespace {

struct Expected {
  const char* scene;
  ImpactLaw law;
  Vector3 position, velocity;  // x, z, angle and their rates
  double tangential_work;      // [J] sum over the run
  double largest_work;         // [J] largest positive work of a contact in a step
  const char* work_source =
      "planar program that enumerates contact modes";  // of the tangential work
};

struct Outcome {
  Vector3 position, velocity;
  double tangential_work = 0.0, largest_work = 0.0;
  std::vector<double> impacts;  // [s]
};

Outcome simulate(const std::string& name, ImpactLaw law) {
  Scene scene = test::shipped_scene(name);
  for (auto& pair : scene.model.materials.pair_law) pair->law = law;
  Workspace work(scene.model, scene.settings);
  Outcome outcome;
  double angle = name == "impacting_stick.toml" ? M_PI / 4.0 : 0.0;
  const auto steps = std::lround(scene.settings.time.end / scene.settings.time.dt);
  for (long k = 0; k < steps; ++k) {
    const double rate_before = -scene.state.w[1].y();
    const StepRecord record = step(scene.model, scene.settings, scene.state, work);
    angle += 0.5 * scene.settings.time.dt * (rate_before - scene.state.w[1].y());
    outcome.tangential_work += record.ledger.contact_tangential_work;
    outcome.largest_work = std::max(
        {outcome.largest_work, record.ledger.max_tangential_work, record.ledger.max_normal_work});
    if (record.contacts > 0) outcome.impacts.push_back(record.time);
  }
  const Vector3 &x = scene.state.x[1], &v = scene.state.v[1];
  outcome.position = Vector3(x.x(), x.z(), angle);
  outcome.velocity = Vector3(v.x(), v.z(), -scene.state.w[1].y());
  CHECK(std::abs(x.y()) < 1e-12);  // the motion stays planar
  return outcome;
}

const Expected stick_newton{"impacting_stick.toml",
                            ImpactLaw::newton,
                            {0.252917231, 0.247169330, 1.081891494},
                            {-0.506867261, -1.213273933, 3.212070579},
                            1.0831478647e-4,
                            7.07036113571e-4};
const Expected stick_fremond{"impacting_stick.toml",
                             ImpactLaw::fremond,
                             {0.253955974, 0.246484005, 1.083365513},
                             {-0.499432645, -1.217823879, 3.225677546},
                             -1.3050586503e-3,
                             0.0};
const Expected block_newton{"rocking_block.toml",
                            ImpactLaw::newton,
                            {0.042576336, 0.577383299, 0.011925859},
                            {0.131489351, -0.054502286, -1.882756490},
                            -2.3972701024e-2,
                            5.5191471318e-2};
// The tangential work is the energy between the program's own end points: with e = 1 normal work
// vanishes under this law, so it is K + U at the end, 6.033906007 J of the figures above, less K +
// U at the start, 0.02 + 1/12 + 6 J. (The program's printed sum, -0.069427207, misses that
// by 1.2e-7.)
const Expected block_fremond{"rocking_block.toml",
                             ImpactLaw::fremond,
                             {0.063113010, 0.545768330, -0.091393401},
                             {-0.252054236, 0.537042004, 2.191574725},
                             -6.9427326e-2,
                             0.0,
                             "energy balance of the planar program's end points (its printed sum, "
                             "-0.0694272072, misses it by 1.2e-7)"};

}  // namespace

TEST_CASE("Published illustrations end where the planar program says", "[engine][oracle]") {
  for (const Expected& expected : {stick_newton, stick_fremond, block_newton, block_fremond}) {
    INFO(expected.scene << (expected.law == ImpactLaw::newton ? " newton" : " fremond"));
    const Outcome outcome = simulate(expected.scene, expected.law);
    // the program's figures have nine decimals; impacts amplify rounding by their number only
    const std::string name = test::case_name(expected.scene, expected.law, 1e-4);
    const char* source = "planar program that enumerates contact modes";
    const char* axes[] = {"x", "z", "angle"};
    for (int i = 0; i < 3; ++i) {
      CHECK(test::validated({"Published illustrations", name + axes[i] + " at the end",
                             expected.position[i], outcome.position[i], 1e-6, false, source}));
      CHECK(test::validated({"Published illustrations", name + axes[i] + " at the end, rate",
                             expected.velocity[i], outcome.velocity[i], 1e-5, false, source}));
    }
    CHECK(test::validated({"Published illustrations", name + "tangential work [J]",
                           expected.tangential_work, outcome.tangential_work, 1e-8, false,
                           expected.work_source}));
    // `fremond`: never positive, to round-off
    CHECK(test::validated({"Published illustrations",
                           name + "largest positive work of a contact in a step [J]",
                           expected.largest_work, outcome.largest_work,
                           expected.law == ImpactLaw::newton ? 1e-8 : 1e-15, false, source}));
  }
}

TEST_CASE("Impacting stick hits the ground at the published times", "[engine][oracle]") {
  const struct {
    ImpactLaw law;
    double times[2];
  } published[] = {{ImpactLaw::newton, {0.0604, 0.1636}}, {ImpactLaw::fremond, {0.0604, 0.1638}}};
  for (const auto& expected : published) {
    const Outcome outcome = simulate("impacting_stick.toml", expected.law);
    REQUIRE(outcome.impacts.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      // a step, 1e-4 s: the published times are those of its beginning or its end
      CHECK(test::validated({"Published illustrations",
                             test::case_name("impacting_stick.toml", expected.law, 1e-4) +
                                 "time of impact " + std::to_string(i + 1) + " [s]",
                             expected.times[i], outcome.impacts[i], 1.1e-4, false,
                             "[Fremond24] 5.1"}));
    }
  }
}
