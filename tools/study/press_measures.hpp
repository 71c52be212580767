// What packings under walls are in numbers, from the result files of their runs.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "engine/files/result_reader.hpp"
#include "tools/study/press_scenes.hpp"

namespace scree::study {

// A curve as columns of the same length, with units in their names.
struct PressCurve {
  std::vector<std::string> name;
  std::vector<std::vector<double>> column;

  void add(const std::string& column_name, std::vector<double> values);
  const std::vector<double>& at(const std::string& column_name) const;
  bool empty() const { return column.empty(); }
  std::string csv() const;
};

struct PressMeasures {
  nlohmann::ordered_json row;  // columns of the table
  PressCurve curve;            // oedometer: a row a stage; biaxial: a row a frame
};

// Of a finished run of the member's scene. Throws InputError when the file is damaged.
PressMeasures oedometer_measures(const PressSetup& setup, const PressMember& member,
                                 const ResultReader& results);
PressMeasures biaxial_measures(const PressSetup& setup, const PressMember& member,
                               const ResultReader& results);

// Means over `window` of x about each point; at the ends of what is there.
std::vector<double> smoothed(const std::vector<double>& x, const std::vector<double>& y,
                             double window);

}  // namespace scree::study
