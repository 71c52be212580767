// What the measuring devices of a run leave in its result file. Private to the engine's files.
#pragma once

#include <string>
#include <vector>

#include "engine/files/row_table.hpp"
#include "engine/measure/departure_row.hpp"
#include "engine/measure/groups.hpp"
#include "engine/measure/impact_log.hpp"
#include "engine/measure/screens.hpp"
#include "engine/run.hpp"

namespace scree {

inline constexpr const char* impacts_group = "impacts";
inline constexpr const char* below_threshold_group = "impacts/below_threshold";
inline constexpr const char* crossings_group = "crossings";
inline constexpr const char* departures_group = "departures";  // in scenes with a terrain

// The tables that the settings ask for, and that of departures from a terrain; empty.
void create_measure_tables(hid_t file, const Model& model, const Settings& settings);

class MeasureTables {
 public:
  // Appends to the tables that are there.
  MeasureTables(hid_t file, const Settings& settings);

  // The state before the first step: where displacements begin.
  void begin(const State& state);
  // The state from which the next step starts.
  void go_on_from(const State& state);
  void push(const StepView& view);

  // Many rows wait: memory stays bounded, whatever a step logs.
  bool full() const { return impacts_.waiting() + crossings_.waiting() >= most_waiting; }

  template <class Action>
  void each(Action&& action) {
    impacts_.each(action), below_.each(action), crossings_.each(action), departures_.each(action);
    if (!groups_) return;
    action(groups_->impulse), action(groups_->moved);
  }

 private:
  static constexpr std::size_t most_waiting = 512;

  struct Groups {
    measure::GroupSums sums;
    h5::Appender<double> impulse;
    h5::Appender<std::int32_t> moved;
    std::vector<Vector3> start_x;
    std::vector<Quaternion> start_q;
  };

  void push_departures(const StepView& view);
  void push_groups(const StepView& view);

  hid_t file_;
  bool logs_impacts_ = false, watches_ = false, departs_ = false;
  RowTable<measure::Impact> impacts_;
  RowTable<measure::BelowThreshold> below_;
  measure::Screens screens_;
  RowTable<measure::Crossing> crossings_;
  RowTable<measure::DepartureRow> departures_;
  std::unique_ptr<Groups> groups_;
  std::vector<measure::Impact> impacts_of_step_;
  std::vector<measure::Crossing> crossings_of_step_;
};

// A table of measurements in a file: one row a step, or rows with the step in which they happened
// in another one.
struct MeasuredColumn {
  std::string path;
  std::string steps;  // "impacts/step"; empty: one row a step
};

std::vector<MeasuredColumn> measured_columns(hid_t file);

// Data sets of numbers that are written once, in the first step.
std::vector<std::string> measured_starts(hid_t file);

}  // namespace scree
