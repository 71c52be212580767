// `scree bench`: the speed of the engine on problems of its own, on this machine.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

// Adds the subcommand. Its callback sets `exit_code`: 0; 1 when two rows of a scene do not end in
// the same bits; 3 when steps did not reach the tolerance. `app` and `exit_code` must outlive the
// parsing.
void add_bench_command(CLI::App& app, int& exit_code);

}  // namespace scree
