// Runs random small scenes and says what went wrong in them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/step.hpp"
#include "scenes/read/scene.hpp"
#include "tests/support/small_scenes.hpp"

namespace scree::test {

struct SmallRun {
  std::int64_t most_sweeps = 0, unconverged = 0, wedged = 0, round_off = 0, cold = 0;
  double overlap = 0.0;  // [-] deepest, over the smallest body's size
  // [-] Largest of one contact, over the energy scale and 100 times the kinetic energy that a
  // step's fall gives to all bodies, as of bodies at rest the former is round-off; of `fremond`
  // only.
  double positive_work = 0.0;
  double drift =
      0.0;  // [-] farthest that a body came from where it was, over the smallest body's size
  std::vector<Vector3> x;  // [m] at the end
  double size = 0.0;       // [m] of the smallest body
};

inline SmallRun run_small(const std::string& text) {
  Scene scene = parse_scene(text, "small");
  Workspace work(scene.model, scene.settings);
  SmallRun run;
  run.size = work.smallest_size;
  const std::vector<Vector3> start = scene.state.x;
  const bool fremond = scene.model.materials.pair_law[0]->law == ImpactLaw::fremond;
  const std::int64_t steps = scene.settings.time.last_step();
  double mass = 0.0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (scene.model.is_dynamic(static_cast<BodyIndex>(i))) mass += scene.model.mass[i];
  }
  const double at_rest = 50.0 * mass * (scene.settings.time.dt * scene.model.gravity).squaredNorm();
  for (std::int64_t k = 0; k < steps; ++k) {
    const StepRecord record = step(scene.model, scene.settings, scene.state, work);
    run.most_sweeps = std::max(run.most_sweeps, record.iterations);
    run.wedged += record.wedged[0] >= 0 ? 1 : 0;
    run.unconverged += record.converged ? 0 : 1;
    run.round_off += record.round_off ? 1 : 0;
    run.cold += record.from_zero ? 1 : 0;
    run.overlap = std::max(run.overlap, record.max_penetration / run.size);
    const double scale = record.ledger.energy_scale + at_rest;
    if (!fremond || !(scale > 0.0)) continue;
    const double work_of_one =
        std::max(record.ledger.max_normal_work, record.ledger.max_tangential_work);
    run.positive_work = std::max(run.positive_work, work_of_one / scale);
  }
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (scene.model.is_dynamic(static_cast<BodyIndex>(i)))
      run.drift = std::max(run.drift, (scene.state.x[i] - start[i]).norm() / run.size);
  }
  run.x = scene.state.x;
  return run;
}

// What is wrong with a scene, in words; empty if nothing is.
struct SmallFinding {
  SmallScene scene;
  SmallRun run;
  std::string wrong;
};

constexpr std::int64_t many_sweeps = 5000;

inline SmallFinding examine(std::uint64_t seed) {
  SmallFinding finding;
  finding.scene = small_scene(seed);
  const SmallRun run = finding.run = run_small(finding.scene.text);
  std::string& wrong = finding.wrong;
  const auto say = [&](bool is_so, const std::string& what) {
    if (is_so) wrong += (wrong.empty() ? "" : ", ") + what;
  };
  say(run.unconverged > run.wedged,
      fmt::format("{} steps unconverged", run.unconverged - run.wedged));
  say(run.wedged > 0, fmt::format("{} steps without a solution", run.wedged));
  say(run.most_sweeps > many_sweeps, fmt::format("{} sweeps in a step", run.most_sweeps));
  // A body that moves by less than a tenth of itself in a step is not passed by.
  say(run.overlap > 0.1, fmt::format("overlap of {:.2g} of the smallest body", run.overlap));
  say(run.positive_work > 1e-4,
      fmt::format("a contact does {:.1e} of the energy scale", run.positive_work));
  // Sticking contacts reverse every step, but go nowhere: h^2 |g| a step at most before they stand.
  say(finding.scene.at_rest_at_end && run.drift > 1e-2,
      fmt::format("a stack at rest moves by {:.2g} of the smallest body", run.drift));
  return finding;
}

// Largest distance between the ends of a scene and of its image in a mirror, over the smallest
// body's size. Scenes at rest only: in others a round-off may decide which corner strikes first.
inline double mirror_difference(std::uint64_t seed, const SmallRun& run) {
  const SmallRun image = run_small(small_scene(seed, true).text);
  double largest = 0.0;
  for (std::size_t i = 0; i < run.x.size(); ++i) {
    const Vector3 seen(image.x[i].x(), -image.x[i].y(), image.x[i].z());
    largest = std::max(largest, (seen - run.x[i]).norm() / run.size);
  }
  return largest;
}

// The same for half the step length.
inline double halved_difference(std::uint64_t seed, const SmallRun& run) {
  const SmallRun fine = run_small(small_scene(seed, false, true).text);
  double largest = 0.0;
  for (std::size_t i = 0; i < run.x.size(); ++i)
    largest = std::max(largest, (fine.x[i] - run.x[i]).norm() / run.size);
  return largest;
}

}  // namespace scree::test
