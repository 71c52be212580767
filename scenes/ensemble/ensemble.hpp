// Many runs of a site, one rock each: what run i starts from, and how it goes.
//
// A run is known by its release and its number there. What it draws follows from the seed and these
// two alone (scenes/draws.hpp), so it is the same alone or among others, in any order; more runs of
// one release change nothing in those of another.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/run.hpp"
#include "scenes/ensemble/random_rock.hpp"
#include "scenes/ensemble/run_row.hpp"
#include "scenes/ensemble/run_trace.hpp"
#include "scenes/read/scene.hpp"
#include "scenes/site/ground_surface.hpp"

namespace scree::ensemble {

struct RunId {
  std::int32_t release = 0;
  std::int64_t number = 0;
};

// What every run shares: the scene, which is read once, and its ground.
class Ensemble {
 public:
  // Of a scene with [ensemble]. Throws InputError: bodies overlap at the start, a release or a
  // point of one has no ground below.
  explicit Ensemble(Scene scene);

  const Scene& scene() const { return scene_; }
  const site::Site& site() const { return *scene_.ensemble; }
  const site::GroundSurface& ground() const { return ground_; }
  const site::MapGrid& map() const { return map_; }

  // The runs in their order: releases take turns in the ratio of their runs, so that any first part
  // of the table has all of them.
  const std::vector<RunId>& runs() const { return runs_; }

  // Keys, columns and all that makes the rows.
  MemberTable table() const;

 private:
  void place_map();
  void refuse_places_without_ground() const;

  Scene scene_;
  site::GroundSurface ground_;
  site::MapGrid map_;
  std::vector<RunId> runs_;
};

// A rock at its start.
struct RockStart {
  RunId id;
  const site::Rock* kind = nullptr;
  DrawnRock rock;
  std::string label;
  Vector3 position = Vector3::Zero();                          // [m] of the centre of mass
  Quaternion orientation = Quaternion::Identity();             // as drawn, of the rock's own axes
  Vector3 velocity = Vector3::Zero(), spin = Vector3::Zero();  // [m/s], [rad/s] world axes
  double lifted = 0.0;                                         // [m]
};

// The scene with the rock as its last body.
struct RockScene {
  RockStart start;
  Model model;
  Settings settings;
  State state;
  BodyIndex rock = 0;
};

// Run i before its first step. Throws InputError when it cannot start.
RockScene rock_scene(const Ensemble& ensemble, std::size_t i);

// The rock as a [[body]] called `name`, behind the text of a scene.
std::string rock_text(const RockStart& start, const Scene& scene, const std::string& name);

// What may look at a run besides: the step, and the crossings of lines in it. True: the run ends.
using RunObserver = std::function<bool(const StepView& view, BodyIndex rock,
                                       std::span<const LineCrossing> crossed)>;

// Runs member i and returns its row, also of one that cannot start or fails. None when `stop` was
// set. May be called from several threads at once.
std::optional<MemberRow> run_rock(const Ensemble& ensemble, std::size_t i,
                                  const std::atomic<bool>& stop, const RunObserver& observer = {});

}  // namespace scree::ensemble
