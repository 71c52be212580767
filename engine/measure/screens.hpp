// Screens: who passes a plane or a polygon, when, how fast and how high.
//
// The way of a body in a step is that of the scheme: x_k + s h v_theta and the turn s h w_theta,
// with the velocities v_theta, w_theta all the way. The crossing is where the centre of mass lies
// in the plane, so pose, velocity and energies there are those of that motion, not interpolated
// from frames. A body that was caught at a touch (engine/caught_bodies.hpp) goes with the
// velocities of t_k up to there; what the position correction adds is a way of its own at the end
// of the step, with the velocities that the body has then.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/measure/column.hpp"
#include "engine/run.hpp"

namespace scree::measure {

struct Crossing {
  std::int64_t step = 0;
  double time = 0.0;
  std::int32_t screen = 0, body = 0, direction = 0;
  std::uint8_t corrected = 0;
  Vector3 position = Vector3::Zero();
  Quaternion orientation = Quaternion::Identity();
  Vector3 velocity = Vector3::Zero(), spin = Vector3::Zero();
  double kinetic = 0.0, rotation = 0.0, potential = 0.0, height = 0.0;

  template <class AnyCrossing, class Visit>
  static void columns(AnyCrossing& crossing, Visit&& visit) {
    visit(Column{"step", "", "step in which it happened"}, crossing.step);
    visit(Column{"time", "s", "when the centre of mass lay in the plane"}, crossing.time);
    visit(Column{"screen", "", "index into /screens/name"}, crossing.screen);
    visit(Column{"body", "", "index of the body"}, crossing.body);
    visit(Column{"direction", "", "1: along the normal, -1: against it"}, crossing.direction);
    visit(Column{"corrected", "", "1: the position correction moved it across"},
          crossing.corrected);
    visit(Column{"position", "m", "centre of mass, world axes, the scene's origin added"},
          crossing.position);
    visit(Column{"orientation", "", "unit quaternion (w,x,y,z) of the user's axes", "wxyz"},
          crossing.orientation);
    visit(Column{"velocity", "m/s", "world axes; that of the step, v_theta"}, crossing.velocity);
    visit(Column{"spin", "rad/s", "user's axes of the body; that of the step, w_theta"},
          crossing.spin);
    visit(Column{"kinetic_energy", "J", "m v^2 / 2"}, crossing.kinetic);
    visit(Column{"rotation_energy", "J", "w . J w / 2"}, crossing.rotation);
    visit(Column{"potential_energy", "J", "of gravity, zero at the local origin"},
          crossing.potential);
    visit(Column{"height", "m", "of the centre of mass, against gravity, the scene's origin added"},
          crossing.height);
  }
};

// Watches the way of all bodies, step by step.
class Screens {
 public:
  // The state from which the next step starts.
  void start(const State& state);
  // After a step: appends who passed, screen by screen, in the order of bodies.
  void watch(const StepView& view, std::vector<Crossing>& crossings);

 private:
  State from_;  // poses, velocities and activity only
};

// Whether a point of the screen's plane lies in it.
bool contains(const Screen& screen, const Vector3& point);

}  // namespace scree::measure
