// Memory bandwidth of the machine, as the STREAM benchmark's triad measures it.
#pragma once

#include "engine/model/executor.hpp"

namespace scree::bench {

// [bytes/s] of a_i = b_i + s c_i over arrays far larger than caches, 24 bytes an element as STREAM counts them (a cache
// that fetches a line before writing it moves more). The best of several passes, with the executor's threads.
double triad_bandwidth(const Executor& executor);

}  // namespace scree::bench
