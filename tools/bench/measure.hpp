// Runs one scene with every backend and number of threads from the same state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/executor.hpp"
#include "tools/bench/row.hpp"

namespace scree::bench {

// What runs the loops, and what the machine's memory gives to it.
struct Lanes {
  Backend backend = Backend::serial;
  int threads = 1;
  double triad = 0.0;  // [bytes/s]
};

struct MeasureOptions {
  std::optional<std::string> method,
      measure;  // names; otherwise as the scene says, and so the others
  std::optional<double> tolerance;
  std::optional<std::int64_t> max_iterations;
  int warm_up = 0, steps = 10, repeats = 3;
};

// Rows without speed-ups. Every row starts from the state after the warm-up, repeats the same steps
// and must come to the same state in each repeat; throws std::runtime_error otherwise. Memory is
// the growth of this process's resident size: up to a step in which nothing touches, per body; and
// from there to the end of the warm-up, per contact.
std::vector<Row> measure(const std::string& scene, int size, const MeasureOptions& options,
                         const std::vector<Lanes>& lanes);

}  // namespace scree::bench
