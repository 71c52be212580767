// scree sweep: one scene with many values.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

void add_sweep_command(CLI::App& app, int& exit_code);

}  // namespace scree
