// scree study: many runs of one scene with other values, their table and figure.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

void add_study_command(CLI::App& app, int& exit_code);

}  // namespace scree
