// Subcommands of the program. Each adds itself to the command line and leaves the exit code of its run:
// 0 done; 1 run failed; 2 bad usage or input; 3 done, but some steps did not reach the tolerance.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

constexpr int exit_done = 0, exit_failed = 1, exit_bad_input = 2, exit_unconverged = 3;

void add_run_command(CLI::App& app, int& exit_code);
void add_resume_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_info_command(CLI::App& app, int& exit_code);

}  // namespace scree
