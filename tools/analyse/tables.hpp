// Tables of what is found in packings, as CSV (RFC 4180) with units in their headers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/files/result_reader.hpp"
#include "tools/analyse/coarse_graining.hpp"
#include "tools/analyse/fabric.hpp"
#include "tools/analyse/packing.hpp"

namespace scree::analyse {

struct NamedValue {
  std::string name, unit;
  double value = 0.0;
};

// Every number of a fabric, in the order of the table; stresses over the volume of `cell`, if any,
// else of the bodies.
std::vector<NamedValue> numbers_of(const Fabric& fabric, const std::optional<SampleBox>& cell);

// "mean force [N]".
std::string with_unit(const NamedValue& value);

// At least one fabric.
std::string fabric_csv(const std::vector<Fabric>& fabrics, const std::optional<SampleBox>& cell);
std::string normals_csv(const Distributions& found);
std::string forces_csv(const Distributions& found);
std::string field_csv(const std::vector<FieldPoint>& points);
// V sigma of each body over its volume, of contacts alone.
std::string bodies_csv(const std::vector<Packing>& packings, const ResultBodies& bodies);

}  // namespace scree::analyse
