// `scree report RUN.h5 -o report.html`: a run as one page that opens anywhere, without the program
// and without a network.
#pragma once

#include <CLI/App.hpp>

namespace scree {

// Adds the subcommand. `exit_code` is set when it has run. Throws InputError for bad input,
// std::runtime_error when the page cannot be written.
void add_report_command(CLI::App& app, int& exit_code);

}  // namespace scree
