// scree study shear, scree study chute: flows of grains in periodic cells.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

void add_flow_studies(CLI::App& study, int& exit_code);

}  // namespace scree
