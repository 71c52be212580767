// Bandwidth of the machine, as the STREAM benchmark's triad measures it.
#pragma once

#include <cstddef>

#include "engine/base/executor.hpp"

namespace scree::bench {

constexpr std::size_t memory_triad_bytes = std::size_t{192}
                                           << 20;  // all three arrays: far more than caches hold

// [bytes/s] of a_i = b_i + s c_i over three arrays of `bytes` together, each thread with a share of
// its own that it goes through from end to end again and again; 24 bytes an element as STREAM
// counts them (a cache that fetches a line before writing it moves more). The best of several
// measurements, with the executor's threads. Arrays that fit in caches stay there: that is then
// what these give.
double triad_bandwidth(const Executor& executor, std::size_t bytes);

}  // namespace scree::bench
