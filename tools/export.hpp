// `scree export RUN.h5 -o OUT`: a run in a format for other programs and for people, chosen by the extension.
#pragma once

#include <CLI/App.hpp>

namespace scree {

// Adds the subcommand. `exit_code` is set when it has run: 0 done, 1 the file could not be written, 2 bad usage or input.
void add_export_command(CLI::App& app, int& exit_code);

}  // namespace scree
