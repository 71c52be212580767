// Ctrl-C, SIGTERM and SIGHUP (a terminal that is closed).
#pragma once

#include <atomic>

namespace scree {

// From now on these signals end the program at once, but leave no unfinished file. For the start of
// the program.
void clean_up_on_signal();

// From now on these signals end the program at once with exit_failed, saying `text` on standard
// error, and leave no unfinished file.
void end_on_signal(const char* text);
inline constexpr const char* stopped_before_first_step =
    "Stopped by a signal before the first step; nothing was written.\n";

// From now on the first of these signals sets what is returned, to end work between two steps; the
// second ends the program at once.
const std::atomic<bool>& stop_on_signal();

}  // namespace scree
