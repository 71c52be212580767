// The row of a run in the table of an ensemble: what was drawn, and what became of it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "scenes/members.hpp"

namespace scree::ensemble {

struct RunRow {
  static constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

  std::string status;  // done, unconverged, refused (it cannot start) or failed
  std::string end;     // rest, left (it is beyond the ground or the map) or time
  std::string release, label, rock;
  std::int64_t number = 0;  // of the run in its release
  double mass = nothing, volume = nothing, length = nothing;
  double x = nothing, y = nothing, z = nothing, lifted = nothing;
  double qw = nothing, qx = nothing, qy = nothing, qz = nothing;
  double end_x = nothing, end_y = nothing, end_z = nothing, end_time = nothing;
  double run_out = nothing, fall = nothing, way = nothing;
  double energy = nothing, velocity = nothing, jump = nothing, spin = nothing;
  std::int64_t impacts = 0, steps = 0, unconverged_steps = 0;
  double penetration = nothing;
  std::string warnings, crossings, cells, state_hash, message;

  // visit(name, unit, meaning, value). Crossings and cells come last.
  template <class Self, class Visit>
  static void columns(Self& self, Visit&& visit) {
    visit("status", "", "done, unconverged, refused (cannot start) or failed", self.status);
    visit("end", "", "rest, left (beyond the ground or the map) or time", self.end);
    visit("release", "", "name of the release", self.release);
    visit("point", "", "what the release calls the point", self.label);
    visit("number", "", "of the run in its release", self.number);
    visit("rock", "", "name of the rock", self.rock);
    visit("mass", "kg", "", self.mass);
    visit("volume", "m3", "", self.volume);
    visit("length", "m", "largest distance between two points of the rock", self.length);
    visit("x", "m", "of the centre of mass at the start, map coordinates", self.x);
    visit("y", "m", "", self.y);
    visit("z", "m", "", self.z);
    visit("lifted", "m", "by which it was lifted out of the ground", self.lifted);
    visit("qw", "", "orientation at the start, of the axes it is drawn in", self.qw);
    visit("qx", "", "", self.qx);
    visit("qy", "", "", self.qy);
    visit("qz", "", "", self.qz);
    visit("end_x", "m", "of the centre of mass at the end", self.end_x);
    visit("end_y", "m", "", self.end_y);
    visit("end_z", "m", "", self.end_z);
    visit("end_time", "s", "", self.end_time);
    visit("run_out", "m", "horizontal distance from the start to the end", self.run_out);
    visit("fall", "m", "height of the start above the end", self.fall);
    visit("way", "m", "length of the way of the centre", self.way);
    visit("energy", "J", "largest kinetic energy", self.energy);
    visit("velocity", "m/s", "largest", self.velocity);
    visit("jump", "m", "largest clearance of the lowest point above the ground", self.jump);
    visit("spin", "rad/s", "largest", self.spin);
    visit("impacts", "", "times that it met the ground or a body", self.impacts);
    visit("steps", "", "", self.steps);
    visit("unconverged_steps", "", "", self.unconverged_steps);
    visit("penetration", "m", "largest", self.penetration);
    visit("warnings", "", "", self.warnings);
    visit("state_hash", "", "of the last state", self.state_hash);
    visit("message", "", "why a run is not done", self.message);
    visit("crossings", "", "of barrier lines", self.crossings);
    visit("cells", "", "of the map", self.cells);
  }
};

// How many columns at the end of a row are for maps and barriers, not for people.
inline constexpr std::size_t n_trace_columns = 2;

std::vector<MemberColumn> run_columns();
MemberRow row_of(const RunRow& run);
RunRow run_of(const MemberRow& row);

}  // namespace scree::ensemble
