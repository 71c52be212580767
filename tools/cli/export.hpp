// `scree export RUN.h5 -o OUT`: a run in a format for other programs and for people, chosen by the
// extension.
#pragma once

#include <CLI/App.hpp>

namespace scree {

// Adds the subcommand. `exit_code` becomes 0 when it has run. Throws InputError for bad usage or
// input, with nothing written, std::runtime_error when the file cannot be written.
void add_export_command(CLI::App& app, int& exit_code);

}  // namespace scree
