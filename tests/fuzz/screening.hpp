// The look through an HDF5 file (engine/base/hdf5_screen.hpp), which the program does in a child,
// in this process: a fuzz worker is a child already, and a process for each input would cost more
// than all the rest.
#pragma once

namespace scree::fuzz {

// What is seen of it from outside, in memory that worker and watcher share.
struct Screening {
  bool going_on = false;  // if the worker dies now, the program would have lived
  bool passed = false;    // the last one found nothing
};

// From now on run_guarded works here, and tells `screening`, which must live on. Memory is bounded
// as in the child by the caller.
void screen_here(Screening& screening);

// Whether a file was looked through here since `forget_screenings`, and all was well with the last.
void forget_screenings();
bool screening_passed();

}  // namespace scree::fuzz
