// Whether a model stands: how fast its blocks are, whether they slide on, and whether it may yet
// come to rest.
#pragma once

#include <cstdint>

namespace scree {

// rest: forces balance and nothing moves. follows: forces balance, and blocks are no faster than
// supports that move have them. slides, creeps: forces balance within the thousandth, and blocks
// move all the same, with a joint at the limit of friction or without. moves: forces do not
// balance.
enum class Motion { rest, follows, slides, creeps, moves };

struct MotionVerdict {
  Motion motion = Motion::rest;
  std::int32_t body = -1;     // fastest for its size
  double speed = 0.0;         // [m/s] its, of a corner, about
  double bound = 0.0;         // [m/s] what counts as rest for it
  double driven_speed = 0.0;  // [m/s] largest of a support
  bool growing = false;       // speed grows as the force that is missing makes it
  bool settling = false;      // speed falls, or all motion is within the worst gap at the start
  double speed_before = 0.0;  // [m/s] largest of a block in the first half of the run
  double speed_lately = 0.0;  // [m/s] in the last quarter
  double gap_at_start = 0.0;  // [m] worst of all joints; where it moves
  bool at_rest() const { return motion == Motion::rest; }
  bool balanced() const { return motion != Motion::moves; }
};

const char* name_of(Motion motion);

}  // namespace scree
