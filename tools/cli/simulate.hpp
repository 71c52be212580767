// A run of the command line, with its signals, progress and words: shared by `scree run` and
// `scree resume`.
#pragma once

#include <exception>
#include <optional>
#include <string>

#include "engine/base/check.hpp"
#include "scenes/simulation.hpp"
#include "tools/cli/problem_dump.hpp"
#include "tools/cli/summary.hpp"
#include "tools/common/console.hpp"
#include "tools/common/failure.hpp"

namespace scree {

struct CommandRun {
  Simulation simulation;  // recorded into a file
  bool json = false;
  std::optional<double> resumed_at = {};  // [s]
  std::optional<ProblemDump> dump = {};
};

// What `prepare` makes of a run before its first step. When that fails for another reason than bad
// input, a program that asked for JSON is told the reason.
template <class Prepare>
auto or_failure_json(bool json, const std::string& scene, const std::string& file,
                     const Prepare& prepare) {
  try {
    return prepare();
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    if (json) write_json(failure_json(scene, "", file, reason_of(error)));
    throw;
  }
}

// Runs, prints the summary, and returns the exit code.
int simulate(CommandRun& run);

}  // namespace scree
