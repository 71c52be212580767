// `scree solve`: contact problems from FCLIB files, solved and measured.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

// Adds the subcommand. Its callback sets `exit_code`: 0, 2 when a file cannot be used, else 3 when
// a problem was not solved to the tolerance. `app` and `exit_code` must outlive the parsing.
void add_solve_command(CLI::App& app, int& exit_code);

}  // namespace scree
