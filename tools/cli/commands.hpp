// Subcommands of the program. Each adds itself to the command line and leaves the exit code of its
// run.
#pragma once

#include <CLI/CLI.hpp>

#include "tools/common/exit_codes.hpp"

namespace scree {

void add_run_command(CLI::App& app, int& exit_code);
void add_resume_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_example_command(CLI::App& app, int& exit_code);
void add_keys_command(CLI::App& app, int& exit_code);
void add_import_command(CLI::App& app, int& exit_code);
void add_joints_command(CLI::App& app, int& exit_code);
void add_info_command(CLI::App& app, int& exit_code);

}  // namespace scree
