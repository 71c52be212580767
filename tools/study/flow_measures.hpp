// What flows in periodic cells are in numbers, from the result files of their runs: means over the
// steps after the flow has settled.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "engine/files/result_reader.hpp"
#include "tools/study/flow_scenes.hpp"

namespace scree::study {

// Means over cells in heights, without dimension: heights in d, velocities in sqrt(P / rho) or
// sqrt(g d), stresses in P or rho g d.
struct FlowProfile {
  std::vector<double> height, velocity, packing, normal_stress, shear_stress, temperature;
  // Share of what the momentum below each layer demands that its stresses give; of a chute.
  std::vector<double> weight_above;
};

struct FlowMeasures {
  nlohmann::ordered_json row;  // columns of the table
  FlowProfile profile;
};

// Of a finished run of the member's scene. Throws InputError when the file is damaged.
FlowMeasures shear_measures(const FlowSetup& setup, const FlowMember& member,
                            const ResultReader& results);
FlowMeasures chute_measures(const FlowSetup& setup, const FlowMember& member,
                            const ResultReader& results);

// Comma-separated, with units.
std::string profile_csv(const FlowSetup& setup, const FlowProfile& profile);

// Volume of the part of a ball about z = 0 that lies below the height h [of its units cubed].
double cap_volume(double radius, double h);

}  // namespace scree::study
