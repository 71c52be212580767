// `scree analyse RUN.h5`: stresses, fabric and continuum fields from the contacts of a result file.
#pragma once

#include <CLI/App.hpp>

namespace scree {

// Adds the subcommand. `exit_code` becomes 0 when it has run. Throws InputError for bad usage or
// input, with nothing written, std::runtime_error when a file cannot be written.
void add_analyse_command(CLI::App& app, int& exit_code);

}  // namespace scree
