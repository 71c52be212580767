// How a table of measurements tells of its columns: Row::columns(row, visit) lists them once, for
// the result file, its readers and the exports.
#pragma once

namespace scree::measure {

struct Column {
  const char* name;
  const char* unit;  // "": none
  const char* meaning;
  const char* axes = "xyz";  // of a vector: "nts" where components are those of a contact
};

}  // namespace scree::measure
