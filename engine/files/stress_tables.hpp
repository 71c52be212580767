// Stresses in a result file: of bodies in frames, of gauges at every step. Private to the readers
// and writers of result files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/hdf5_file.hpp"
#include "engine/measure/body_stress.hpp"
#include "engine/measure/gauges.hpp"
#include "engine/run.hpp"

namespace scree {

inline constexpr const char* body_stress_group = "frames/bodies";
inline constexpr const char* gauges_group = "gauges";
inline constexpr const char* every_step_group = "every_step";

// "every_step/stress_gauge_NAME".
std::string gauge_table(const char* column, const std::string& gauge);

// Those of a file with a row a frame, and with a row a step.
std::vector<std::string> stress_frame_tables(hid_t file);
std::vector<std::string> gauge_tables_of(hid_t file);

void create_stress_tables(hid_t file, const Model& model, const Settings& settings);

// Stress of bodies: sums over the steps that a frame stands for, and what it says.
class StressTables {
 public:
  StressTables(hid_t file, const Settings& settings, measure::StressSums open);

  // A step that was done.
  void add(const measure::BodyStress& step);
  // A frame after it; `started` is false for the one before the first step.
  void push(const StepView& view, bool started);
  // What the next frame will count; none where it is of its own step alone.
  measure::StressSums open_sums() const { return over_frames_ ? sums_ : measure::StressSums(); }

  template <class Action>
  void each(Action&& action) {
    action(stress_), action(asymmetry_);
    if (couple_) action(*couple_);
  }

 private:
  bool over_frames_ = false;
  measure::StressSums sums_;
  h5::Appender<double> stress_, asymmetry_;
  std::unique_ptr<h5::Appender<double>> couple_;
};

class GaugeTables {
 public:
  GaugeTables(hid_t file, const Model& model, const Settings& settings);

  void push(const StepView& view, const measure::BodyStress& stress);

  template <class Action>
  void each(Action&& action) {
    for (auto& table : tables_) action(table);
  }

 private:
  measure::Gauges gauges_;
  std::size_t n_gauges_ = 0;
  std::vector<h5::Appender<double>> tables_;  // those of a gauge after one another
};

}  // namespace scree
