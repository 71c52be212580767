// Joint forces as files.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/joints/admissible.hpp"
#include "tools/joints/joint_forces.hpp"

namespace scree {

struct AskedInterval {
  Resultant resultant;
  Interval interval;
};

// A row a joint; units stand in the heading.
std::string joints_csv(const JointReport& report);
nlohmann::ordered_json joints_json(const JointReport& report,
                                   const std::vector<AskedInterval>& intervals);
// Blocks seen along a horizontal axis, the thrust line, hinges and reactions. `plane`: "xz", "yz",
// "xy", or empty for the one that shows most.
nlohmann::ordered_json list(const Vector3& v);
std::string joints_svg(const JointReport& report, const std::string& plane);
// An assembly that compas_assembly reads: forces on edges, transformations on nodes. `as_parts`
// gets the names of blocks whose parts have no closed surface together, and are written as parts.
nlohmann::ordered_json joints_compas(const JointReport& report, const ResultReader& results,
                                     std::vector<std::string>& as_parts);

// Pairs of joints that the thrust goes through one after the other, block by block.
struct ThrustSegment {
  std::size_t from = 0, to = 0;  // joints
};
std::vector<ThrustSegment> thrust_segments(const JointReport& report);

}  // namespace scree
