// Ctrl-C and SIGTERM end work between two steps.
#pragma once

#include <atomic>

namespace scree {

// From now on the first SIGINT or SIGTERM sets what is returned; the second ends the program at once.
const std::atomic<bool>& stop_on_signal();

}  // namespace scree
