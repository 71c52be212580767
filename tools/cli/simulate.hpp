// A run of the command line, with its signals, progress and words: shared by `scree run` and
// `scree resume`.
#pragma once

#include <optional>
#include <string>

#include "scenes/simulation.hpp"
#include "tools/cli/problem_dump.hpp"

namespace scree {

struct CommandRun {
  Simulation simulation;  // recorded into a file
  bool json = false;
  std::optional<double> resumed_at = {};  // [s]
  std::optional<ProblemDump> dump = {};
};

// Runs, prints the summary, and returns the exit code.
int simulate(CommandRun& run);

}  // namespace scree
