// The illustrations of [Fremond24], sections 5.1 and 5.2, against an independent planar program
// that enumerates contact modes.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/ledger.hpp"
#include "engine/step.hpp"
#include "tests/support/scene_file.hpp"
#include "tests/support/validation_table.hpp"

namespace published_test {

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
  std::vector<double> impacts;  // [s] at which their steps end, as in the impact log
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
const Expected block_newton{"rocking_block_homogeneous.toml",
                            ImpactLaw::newton,
                            {0.042576336, 0.577383299, 0.011925859},
                            {0.131489351, -0.054502286, -1.882756490},
                            -2.3972701024e-2,
                            5.5191471318e-2};
// The tangential work is the energy between the program's own end points: with e = 1 normal work
// vanishes under this law, so it is K + U at the end, 6.033906007 J of the figures above, less K +
// U at the start, 0.02 + 1/12 + 6 J. (The program's printed sum, -0.069427207, misses that
// by 1.2e-7.)
const Expected block_fremond{"rocking_block_homogeneous.toml",
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
      // published with four digits, as many as the step of 1e-4 s has: the same steps
      CHECK(test::validated({"Published illustrations",
                             test::case_name("impacting_stick.toml", expected.law, 1e-4) +
                                 "time of impact " + std::to_string(i + 1) + " [s]",
                             expected.times[i], outcome.impacts[i], 1e-10, false,
                             "[Fremond24] 5.1"}));
    }
  }
}

namespace {

// An impact of the rocking block: the step in which a corner gets an impulse.
struct BlockImpact {
  double time = 0.0;             // [s] at which the step ends
  double tangential_work = 0.0;  // [J]
  std::int64_t contacts = 0;     // that carry impulse
};

struct Rocking {
  std::vector<BlockImpact> impacts;
  double start = 0.0, end = 0.0;  // [J] K + U
};

// A corner enters at gap + lead h u_N <= 0, and u_N <= 0 if it has to approach.
struct Rule {
  Activation activation;
  double lead;  // [-]
  bool approaching;
};
constexpr Rule paper{Activation::paper, 0.0, true};

Rocking rock(ImpactLaw law, double dt, const Rule& rule = paper) {
  Scene scene = test::shipped_scene("rocking_block.toml");
  scene.settings.time.dt = dt;
  scene.settings.step.activation = rule.activation;
  for (auto& pair : scene.model.materials.pair_law) pair->law = law;
  Workspace work(scene.model, scene.settings);
  const auto energy = [&] {
    return kinetic_energy(scene.model, scene.state, 1) +
           potential_energy(scene.model, scene.state, 1);
  };
  Rocking rocking;
  rocking.start = energy();
  for (std::int64_t k = 0; k < scene.settings.time.last_step(); ++k) {
    const StepRecord record = step(scene.model, scene.settings, scene.state, work);
    std::int64_t contacts = 0;
    for (const Vector3& p : work.p) contacts += p.isZero(0.0) ? 0 : 1;
    if (contacts > 0)
      rocking.impacts.push_back({record.time, record.ledger.contact_tangential_work, contacts});
  }
  rocking.end = energy();
  return rocking;
}

// Order numbers, from 1, of the impacts that do positive work beyond round-off of the energy.
std::vector<int> positive_impacts(const Rocking& rocking) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < rocking.impacts.size(); ++i) {
    if (rocking.impacts[i].tangential_work > 1e-12) numbers.push_back(static_cast<int>(i) + 1);
  }
  return numbers;
}

// The same by a planar program of its own: the four modes of a corner (open, stick, slip either
// way) are tried one after the other. Coordinates x, z and the angle in the plane x-z; the corner
// that is in the ground and approaches is the only one with a reaction.
struct PlanarBlock {
  double q[3] = {0.0, 0.6, 0.0}, v[3] = {0.0, -0.2, 1.0};
};
constexpr double planar_inverse_mass[3] = {1.0, 1.0, 12.0}, planar_g = 10.0, planar_mu = 0.1;

struct Reaction {
  double normal = 0.0, tangential = 0.0;
};

// w = W p + b with the bias of the law: the mode whose signs fit.
Reaction fitting_mode(const double W[2][2], const double b[2]) {
  constexpr double slack = 1e-14;
  if (b[0] >= 0.0) return {};
  const double det = W[0][0] * W[1][1] - W[0][1] * W[1][0];
  const Reaction stick = {(-b[0] * W[1][1] + b[1] * W[0][1]) / det,
                          (-b[1] * W[0][0] + b[0] * W[1][0]) / det};
  if (stick.normal >= 0.0 && std::abs(stick.tangential) <= planar_mu * stick.normal + slack)
    return stick;
  for (const double way : {1.0, -1.0}) {  // of slip
    const double normal = -b[0] / (W[0][0] - way * planar_mu * W[0][1]);
    const Reaction slip = {normal, -way * planar_mu * normal};
    const double w_T = W[1][0] * slip.normal + W[1][1] * slip.tangential + b[1];
    if (normal >= 0.0 && way * w_T >= -slack) return slip;
  }
  FAIL("no mode fits");
  return {};
}

// Adds the reaction of one corner to the generalised impulse `p`; its tangential work [J], or
// nothing where it has none.
std::optional<double> add_reaction(const PlanarBlock& block, double side, ImpactLaw law, double h,
                                   const Rule& rule, double p[3]) {
  const double c = std::cos(block.q[2]), s = std::sin(block.q[2]);
  const double x = c * side + 0.5 * s, z = s * side - 0.5 * c;  // from the centre to the corner
  const double H[2][3] = {{0.0, 1.0, x}, {1.0, 0.0, -z}};
  double u[2] = {}, b[2] = {}, W[2][2] = {};
  for (int i = 0; i < 2; ++i) {
    for (int d = 0; d < 3; ++d) {
      u[i] += H[i][d] * block.v[d];
      b[i] += H[i][d] * (block.v[d] - (d == 1 ? planar_g * h : 0.0));
      for (int j = 0; j < 2; ++j) W[i][j] += H[i][d] * planar_inverse_mass[d] * H[j][d];
    }
  }
  if (block.q[1] + z + rule.lead * h * u[0] > 0.0) return std::nullopt;
  if (rule.approaching && u[0] > 0.0) return std::nullopt;
  const double u_T_free = b[1];
  b[0] += u[0];                                 // e = 1
  if (law == ImpactLaw::fremond) b[1] += u[1];  // r = 1 at theta = 1/2
  const Reaction reaction = fitting_mode(W, b);
  if (reaction.normal == 0.0) return std::nullopt;
  for (int d = 0; d < 3; ++d) p[d] += H[0][d] * reaction.normal + H[1][d] * reaction.tangential;
  const double u_T = W[1][0] * reaction.normal + W[1][1] * reaction.tangential + u_T_free;
  return 0.5 * (u[1] + u_T) * reaction.tangential;
}

std::vector<BlockImpact> enumerate_modes(ImpactLaw law, double h, const Rule& rule = paper) {
  PlanarBlock block;
  std::vector<BlockImpact> impacts;
  for (long k = 1; k <= std::lround(1.0 / h); ++k) {
    double p[3] = {0.0, -planar_g * h, 0.0};
    int corners = 0;
    for (const double side : {-0.5, 0.5}) {
      const std::optional<double> work = add_reaction(block, side, law, h, rule, p);
      if (!work) continue;
      REQUIRE(++corners == 1);  // reactions of two corners would depend on each other
      impacts.push_back({static_cast<double>(k) * h, *work, 1});
    }
    for (int d = 0; d < 3; ++d) {
      const double before = block.v[d];
      block.v[d] += planar_inverse_mass[d] * p[d];
      const double way = 0.5 * h * (before + block.v[d]);
      block.q[d] += d == 2 ? 2.0 * std::atan(0.5 * way) : way;  // the angle of the Cayley map
    }
  }
  return impacts;
}

// Times and works of the impacts by both programs, alike to the digits shown (specification of the
// figures); the accumulated work of `newton` becomes positive at the third and at the sixth.
struct KnownImpact {
  double time, work;
};
const std::vector<KnownImpact> known_newton = {
    {0.0892, -0.06569}, {0.1301, 0.01807}, {0.1931, 0.05699},  {0.4195, -0.06508},
    {0.4356, -0.01730}, {0.4481, 0.08194}, {0.7233, -0.08471}, {0.7296, 0.02122},
    {0.7384, -0.04851}, {0.9544, -0.05575}};
// Sticking impacts do no work.
const std::vector<KnownImpact> known_fremond = {
    {0.0892, -0.06569}, {0.1301, 0.0},      {0.1825, -0.05121}, {0.3804, -0.06542},
    {0.4098, 0.0},      {0.4474, -0.05134}, {0.6444, -0.05982}, {0.6698, 0.0},
    {0.6989, -0.04486}, {0.8819, -0.04398}, {0.9135, 0.0},      {0.9485, -0.03190}};

}  // namespace

TEST_CASE(
    "Rocking block creates energy at the published impacts under newton and never under fremond",
    "[engine][oracle]") {
  const struct {
    ImpactLaw law;
    const std::vector<KnownImpact>& known;
    std::vector<int> positive;
    double end_energy;
  } cases[] = {{ImpactLaw::newton, known_newton, {2, 3, 6, 8}, 5.90286},
               {ImpactLaw::fremond, known_fremond, {}, 5.64743}};
  const char* source = "planar program that enumerates contact modes";
  for (const auto& expected : cases) {
    const std::string name = test::case_name("rocking_block.toml", expected.law, 1e-4);
    const Rocking rocking = rock(expected.law, 1e-4);
    CHECK(positive_impacts(rocking) == expected.positive);
    REQUIRE(rocking.impacts.size() == expected.known.size());
    for (std::size_t i = 0; i < expected.known.size(); ++i) {
      const BlockImpact& impact = rocking.impacts[i];
      const std::string which = name + "impact " + std::to_string(i + 1);
      CHECK(test::validated({"Published illustrations", which + ", time [s]",
                             expected.known[i].time, impact.time, 1e-10, false, source}));
      // half of the last digit printed
      CHECK(
          test::validated({"Published illustrations", which + ", tangential work [J]",
                           expected.known[i].work, impact.tangential_work, 5.1e-6, false, source}));
      CHECK(impact.contacts == 1);  // every impact is at one corner
    }
    CHECK(test::validated({"Published illustrations", name + "energy at the end [J]",
                           expected.end_energy, rocking.end, 5.1e-6, false, source}));
    CHECK(std::abs(rocking.start - (6.0 + 0.02 + 1.0 / 24.0)) < 1e-14 * rocking.start);

    // Against the enumeration of modes, at the step and at half of it.
    for (const double dt : {1e-4, 5e-5}) {
      const Rocking engine = rock(expected.law, dt);
      const std::vector<BlockImpact> planar = enumerate_modes(expected.law, dt);
      CHECK(positive_impacts(engine) == expected.positive);
      REQUIRE(engine.impacts.size() == planar.size());
      for (std::size_t i = 0; i < planar.size(); ++i) {
        CHECK(std::abs(engine.impacts[i].time - planar[i].time) < 1e-10);  // the same step
        CHECK(std::abs(engine.impacts[i].tangential_work - planar[i].tangential_work) < 1e-8);
      }
    }
  }
}

TEST_CASE("Rocking block under the other published rules of activation is that of modes",
          "[engine][oracle]") {
  for (const Rule& rule :
       {Rule{Activation::forecast, 1.0, true}, Rule{Activation::gamma, 0.5, false},
        Rule{Activation::mid, 0.5, false}}) {
    for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::fremond}) {
      for (const double dt : {1e-4, 5e-5}) {
        INFO(activation_names[static_cast<std::size_t>(rule.activation)] << ", dt " << dt);
        const Rocking engine = rock(law, dt, rule);
        const std::vector<BlockImpact> planar = enumerate_modes(law, dt, rule);
        REQUIRE(engine.impacts.size() == planar.size());
        for (std::size_t i = 0; i < planar.size(); ++i) {
          CHECK(std::abs(engine.impacts[i].time - planar[i].time) < 1e-10);
          CHECK(std::abs(engine.impacts[i].tangential_work - planar[i].tangential_work) < 1e-8);
        }
        // The published order numbers hang on none of it.
        CHECK(positive_impacts(engine) ==
              (law == ImpactLaw::newton ? std::vector{2, 3, 6, 8} : std::vector<int>{}));
      }
    }
  }
}

}  // namespace published_test
