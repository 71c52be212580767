// Scenes of a few bodies: every step converges, and where the answer is known it is that one.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/campaign.hpp"
#include "tests/support/places.hpp"
#include "tests/support/scene_file.hpp"

namespace small_scenes_test {

using namespace scree;

namespace {

constexpr double g = 9.81;

struct Run {
  Scene scene;
  std::int64_t unconverged = 0, round_off = 0, most_sweeps = 0, wedged = 0, steps = 0;
  double most_work = 0.0;     // [-] positive, of one contact, over the energy scale
  double most_impulse = 0.0;  // [N s] normal, of one contact
};

Run run_scene(const std::string& name, double tolerance = 0.0,
              contact::Measure measure = contact::Measure::combined) {
  Run run{
      parse_scene(test::text_of(test::data_folder() + "/small_scenes/" + name + ".toml"), name)};
  contact::SolverOptions& solver = run.scene.settings.step.solver;
  if (tolerance > 0.0) solver.tolerance = tolerance;
  solver.measure = measure;
  Workspace work(run.scene.model, run.scene.settings);
  run.steps = run.scene.settings.time.last_step();
  for (std::int64_t k = 0; k < run.steps; ++k) {
    const StepRecord record = step(run.scene.model, run.scene.settings, run.scene.state, work);
    run.unconverged += record.converged ? 0 : 1;
    run.round_off += record.round_off ? 1 : 0;
    run.wedged += record.wedged[0] >= 0 ? 1 : 0;
    run.most_sweeps = std::max(run.most_sweeps, record.iterations);
    if (record.ledger.energy_scale > 0.0) {
      run.most_work = std::max(run.most_work, std::max(record.ledger.max_normal_work,
                                                       record.ledger.max_tangential_work) /
                                                  record.ledger.energy_scale);
    }
    for (const Vector3& p : work.p) run.most_impulse = std::max(run.most_impulse, p[0]);
  }
  return run;
}

Vector3 velocity(const Run& run, const std::string& body) {
  return run.scene.state.v[static_cast<std::size_t>(test::body_named(run.scene.model, body))];
}

// What goes wrong in random small scenes (tests/support/small_scenes.hpp).
struct CampaignCount {
  int unconverged = 0;  // scenes with a step that did not converge, though it was not called wedged
  int slow = 0;         // scenes with a step of more than 5000 sweeps
  int moved = 0;        // stacks that were set up at rest and moved
  int deep = 0;         // scenes with an overlap of a quarter of the smallest body
};

CampaignCount examine_all(std::uint64_t first, std::uint64_t last) {
  CampaignCount count;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const test::SmallFinding finding = test::examine(seed);
    if (!finding.wrong.empty())
      UNSCOPED_INFO(seed << " " << finding.scene.kind << ": " << finding.wrong);
    count.unconverged += finding.run.unconverged > finding.run.wedged ? 1 : 0;
    count.slow += finding.run.most_sweeps > test::many_sweeps ? 1 : 0;
    count.moved += finding.scene.at_rest_at_end && finding.run.drift > 1e-2 ? 1 : 0;
    count.deep += finding.run.overlap > 0.25 ? 1 : 0;
  }
  return count;
}

const contact::Measure all_measures[] = {contact::Measure::combined, contact::Measure::scaled,
                                         contact::Measure::published, contact::Measure::siconos};

}  // namespace

// Inelastic balls that meet one after another go on with the momentum of the first, whatever the
// law. Bounds: each of four impacts leaves an error of the tolerance at most; the contact impulses
// that follow cost some sweeps, never thousands.
TEST_CASE("Inelastic balls in a row end with the momentum of the first", "[engine][analytic]") {
  const std::string name = GENERATE("cradle5_default_law", "cradle5_default_tolerance");
  for (const contact::Measure measure : all_measures) {
    for (const double tolerance : {1e-6, 1e-12}) {
      const Run run = run_scene(name, tolerance, measure);
      INFO(name << ", measure " << static_cast<int>(measure) << ", tolerance " << tolerance);
      CHECK(run.unconverged == 0);
      CHECK(run.most_sweeps < 1000);
      // `published` compares with 1 m/s N s: 1e-6 of that is 2e-9 m/s of a ball of 524 kg, or 1e-6
      // m/s where rho = 1 acts on velocities.
      const double bound = tolerance < 1e-9 ? 1e-9 : 1e-5;
      for (const char* ball : {"b0", "b1", "b2", "b3", "b4"})
        CHECK(std::abs(velocity(run, ball).x() - 0.2) < bound);
    }
  }
}

TEST_CASE("Two balls that strike and stick stop at round-off of their velocity",
          "[engine][analytic]") {
  for (const contact::Measure measure : all_measures) {
    for (const double tolerance : {1e-6, 1e-8, 1e-12}) {
      const Run run = run_scene("two_balls", tolerance, measure);
      INFO("measure " << static_cast<int>(measure) << ", tolerance " << tolerance);
      CHECK(run.unconverged == 0);
      CHECK(run.most_sweeps < 1000);
      const double bound = tolerance < 1e-9 ? 1e-9 : 1e-5;
      CHECK(std::abs(velocity(run, "b0").x() - 0.5) < bound);
      CHECK(std::abs(velocity(run, "b1").x() - 0.5) < bound);
    }
  }
}

// After they met, both have the mean velocity and fall on together. The last digits of the
// tolerance may part them.
TEST_CASE("Two cubes that meet in the air fall on together without a force", "[engine][analytic]") {
  for (const contact::Measure measure : all_measures) {
    for (const double tolerance : {1e-6, 1e-12}) {
      const Run run = run_scene("two_boxes_fall_default", tolerance, measure);
      INFO("measure " << static_cast<int>(measure) << ", tolerance " << tolerance);
      CHECK(run.unconverged == 0);
      CHECK(run.most_sweeps < 1000);
      const double expected =
          -0.185 - g * run.scene.settings.time.dt * static_cast<double>(run.steps);
      const double bound = tolerance < 1e-9 ? 1e-9 : 1e-5;
      CHECK(std::abs(velocity(run, "b0").z() - expected) < bound);
      CHECK(std::abs(velocity(run, "b1").z() - expected) < bound);
    }
  }
}

TEST_CASE("A ball that grazes a wall falls freely", "[engine][analytic]") {
  for (const contact::Measure measure : all_measures) {
    const Run run = run_scene("grazing", 1e-6, measure);
    CHECK(run.unconverged == 0);
    CHECK(run.most_sweeps < 100);
    const Vector3 v = velocity(run, "ball");
    CHECK(std::abs(v.z() + g * 0.2) < 1e-12);
    CHECK(std::abs(v.x()) < 1e-12);
    CHECK(run.most_impulse < 1e-12);
  }
}

TEST_CASE("A cube that slides and a stack that stands take few sweeps", "[engine][property]") {
  const Run sliding = run_scene("sliding_cube");
  CHECK(sliding.unconverged == 0);
  CHECK(sliding.most_sweeps <= 5000);
  const Run stack = run_scene("aim_1000");
  CHECK(stack.unconverged == 0);
  CHECK(stack.most_sweeps <= 5000);
}

// A ball without clearance between two walls has to leave both: no velocity does. With friction 1
// at both contacts none of a ball that a wall pushes over the floor has w_N >= |w_T| at both: with
// the ball's a = w_N at the wall, c at the floor and s of its rim, a >= |c + s| and c >= |0.1 + a -
// s| exclude each other. Such steps end soon, say so and leave speeds of the order of those given.
TEST_CASE("Steps without a solution are few sweeps long and name what is wedged",
          "[engine][property]") {
  const std::string name = GENERATE("no_solution_slot", "pushed_ball");
  const Run run = run_scene(name);
  INFO(name);
  CHECK(run.wedged > 0);
  CHECK(run.unconverged == run.wedged);
  CHECK(run.most_sweeps <= 1000);
  CHECK(velocity(run, "ball").norm() <
        1.5);  // 1.0 m/s in free fall at the end, and 0.1 m/s of the wall
}

// A plate of 0.2 g among bodies of 1 to 2 kg, and 0.1 g under 10 t. 1e-6 of what the heavy ones
// press with would throw the light ones about; the velocity bound of `combined` forbids it. Work:
// 1e-3 of the largest speed times impulse of a light body is 1e-4 of the energy scale of the stack.
TEST_CASE("Light bodies between heavy ones converge in every step", "[engine][property]") {
  const Run stack = run_scene("mass_ratio");
  CHECK(stack.unconverged == 0);
  CHECK(stack.most_sweeps <= 10000);
  CHECK(stack.most_work < 1e-4);
  for (const double tolerance : {1e-6, 1e-12}) {
    const Run tower = run_scene("ratio_1e8", tolerance);
    INFO("tolerance " << tolerance);
    CHECK(tower.unconverged == 0);
    CHECK(tower.most_sweeps <= 10000);
    // It stands; velocities reverse within the bound of 1e-3 of 3 g h.
    for (const char* body : {"light", "heavy"})
      CHECK(velocity(tower, body).norm() < 1e-3 * 3.0 * g * tower.scene.settings.time.dt);
  }
}

// Stacks, slopes, throws, bridges, heaps, trains and more of 1 to 12 bodies with default settings.
TEST_CASE("Random small scenes converge in every step", "[engine][property]") {
  const CampaignCount count = examine_all(1, 200);
  CHECK(count.unconverged == 0);
  CHECK(count.slow <= 1);  // 0.5 %
  CHECK(count.moved == 0);
  CHECK(count.deep == 0);
}

TEST_CASE("Five thousand random small scenes converge in every step", "[engine][property][slow]") {
  const CampaignCount count = examine_all(1, 5000);
  CHECK(count.unconverged == 0);
  CHECK(count.slow <= 25);  // 0.5 %
  CHECK(count.moved == 0);
  CHECK(count.deep == 0);
}

}  // namespace small_scenes_test
