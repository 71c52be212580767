// Bodies that leave the ground of a terrain: where nobody knows what would carry them, their motion
// ends.
//
// A body is on a terrain while there is data under its centre, and under all of the box around it
// (along x, y, z) unless all of it is higher than the ground that is known under this box, by more
// than a hundredth of its radius. Other bodies that contacts do not move are known ground too: it
// stays while one of them lies under its centre, at whatever depth. A terrain or another ground
// that has vanished is none. At the end of the first step after which it is on none of the
// scene's grounds it leaves: State::left notes the step, and from the next one on it takes no part
// any more, its state as it was then.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/step_record.hpp"

namespace scree {

struct TerrainPart {
  BodyIndex body = -1;
  std::int32_t shape = -1;  // index into Model::shapes
};

// Empty: nothing leaves.
std::vector<TerrainPart> terrains_of(const Model& model);

// On one of the terrains, or above other ground.
bool is_on_terrain(const Model& model, const State& state, std::span<const TerrainPart> terrains,
                   std::size_t body);

inline bool has_left(const State& state, std::size_t body) {
  return !state.left.empty() && state.left[body] != 0;
}

// At the end of a step: notes who has left in it, and warns of them.
void note_departures(const Model& model, std::span<const TerrainPart> terrains,
                     const StepRecord& record, State& state);

struct Departure {
  std::int64_t step = 0;
  double time = 0.0;  // [s] end of that step
  std::int32_t body = -1;
  Vector3 position = Vector3::Zero();                          // [m] of the centre of mass, map
                                                               // coordinates
  Quaternion orientation = Quaternion::Identity();             // of the user's axes
  Vector3 velocity = Vector3::Zero(), spin = Vector3::Zero();  // [m/s], [rad/s] user's axes
  double kinetic = 0.0, rotation = 0.0;                        // [J] of translation, of rotation
};

// Of a body that has left.
Departure departure_of(const Model& model, const State& state, double dt, std::size_t body);

// In the order in which they left, those of one step in the order of the scene.
std::vector<Departure> departures_of(const Model& model, const State& state, double dt);

}  // namespace scree
