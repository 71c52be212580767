// `scree plot RUN.h5 QUANTITY... -o out.svg`: curves for papers.
#pragma once

#include <CLI/App.hpp>

namespace scree {

// Adds the subcommand. `exit_code` becomes 0 when it has run. Throws InputError for bad usage or
// input, with nothing written, std::runtime_error when the file cannot be written.
void add_plot_command(CLI::App& app, int& exit_code);

}  // namespace scree
