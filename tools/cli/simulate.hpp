// The run itself with its files, signals and progress: shared by `scree run` and `scree resume`.
#pragma once

#include <optional>
#include <string>

#include "engine/files/checkpoint.hpp"
#include "engine/files/result_writer.hpp"
#include "scenes/read/scene.hpp"
#include "tools/cli/problem_dump.hpp"

namespace scree {

struct Simulation {
  Scene scene;             // with the overrides applied and the state to start from
  std::string overrides;   // as text
  std::string file;        // result file
  std::string start_hash;  // of the state before the first step
  bool json = false;
  std::optional<double> resumed_at;  // [s]
  std::optional<ProblemDump> dump;
};

// Runs, records, leaves checkpoints when the settings want them, prints the summary, and returns
// the exit code.
int simulate(Simulation& simulation, ResultWriter& writer);

}  // namespace scree
