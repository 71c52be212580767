// A body that left the terrain, as a row of a table.
#pragma once

#include "engine/departures.hpp"
#include "engine/measure/column.hpp"

namespace scree::measure {

struct DepartureRow : Departure {
  template <class AnyDeparture, class Visit>
  static void columns(AnyDeparture& departure, Visit&& visit) {
    visit(Column{"step", "", "step at whose end it had left"}, departure.step);
    visit(Column{"time", "s", "end of that step"}, departure.time);
    visit(Column{"body", "", "index of the body"}, departure.body);
    visit(Column{"position", "m", "centre of mass, world axes, the scene's origin added"},
          departure.position);
    visit(Column{"orientation", "", "unit quaternion (w,x,y,z) of the user's axes", "wxyz"},
          departure.orientation);
    visit(Column{"velocity", "m/s", "world axes"}, departure.velocity);
    visit(Column{"spin", "rad/s", "user's axes of the body"}, departure.spin);
    visit(Column{"kinetic_energy", "J", "m v^2 / 2"}, departure.kinetic);
    visit(Column{"rotation_energy", "J", "w . J w / 2"}, departure.rotation);
  }
};

}  // namespace scree::measure
