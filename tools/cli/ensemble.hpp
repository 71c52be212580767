// scree ensemble: many rocks on a site.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

void add_ensemble_command(CLI::App& app, int& exit_code);

}  // namespace scree
