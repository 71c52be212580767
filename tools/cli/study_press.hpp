// scree study oedometer, scree study biaxial: packings of grains under walls.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

void add_press_studies(CLI::App& study, int& exit_code);

}  // namespace scree
