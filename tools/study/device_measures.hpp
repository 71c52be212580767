// The measuring devices of a scene, read at every step of a run that writes no result file: impact
// log, screens, groups of bodies and gauges, with the words that `scree plot` has for them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/measure/body_stress.hpp"
#include "engine/measure/gauges.hpp"
#include "engine/measure/groups.hpp"
#include "engine/measure/impact_log.hpp"
#include "engine/measure/screens.hpp"
#include "engine/run.hpp"

namespace scree::study {

// Follows the devices that somebody asked for, once a step.
class Devices {
 public:
  Devices(const Model& model, const MeasureSettings& settings);

  void want_impacts() { wants_impacts_ = true; }
  void want_screens() { wants_screens_ = true; }
  void want_groups() { wants_groups_ = true; }
  void want_gauges() { wants_gauges_ = true; }

  // Before whoever reads them. The first view is that of the state before the first step.
  void follow(const StepView& view);

  // Of the last step; empty before the first one.
  std::span<const measure::Impact> impacts() const { return impacts_; }
  std::span<const measure::Crossing> crossings() const { return crossings_; }
  // Of the last step, if there was one.
  const measure::GroupSums& groups() const { return groups_; }
  const measure::GaugeRow& gauge(std::size_t i) const { return gauges_.rows(i).front(); }

 private:
  bool wants_impacts_ = false, wants_screens_ = false, wants_groups_ = false, wants_gauges_ = false;
  std::vector<measure::Impact> impacts_;
  std::vector<measure::Crossing> crossings_;
  measure::Screens screens_;
  measure::GroupSums groups_;
  std::vector<Vector3> start_x_;
  std::vector<Quaternion> start_q_;
  measure::BodyStress stress_;
  measure::Gauges gauges_;
};

// What a quantity is worth after a step: none, one or, of impacts and crossings, several numbers.
using Values = std::function<void(const StepView& view, std::vector<double>& values)>;

struct DeviceQuantity {
  std::string unit;
  bool adds_up = false;  // a sum over the run means something
  Values values;
};

// impacts.WORD, SCREEN.WORD, GAUGE.WORD, GROUP.moved, GROUP:GROUP.WORD; nothing if `name` is none
// of these, or a group that cannot tell `word` where a body of that name may (`is_body`). `devices`
// must live as long as what is returned. Throws InputError, without a place, for a device that
// cannot tell `word`.
std::optional<DeviceQuantity> device_quantity(Devices& devices, const MeasureSettings& settings,
                                              const std::string& name, const std::string& word,
                                              double dt, bool is_body);

}  // namespace scree::study
