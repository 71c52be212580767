// The front of a collapsing column over time.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/run.hpp"
#include "tools/study/column_measures.hpp"

namespace scree::study {

// Front and height while the grains flow.
class FrontRecorder {
 public:
  FrontRecorder(const Model& model, const ColumnFrame& frame, double interval) : grains_(model), frame_(frame), interval_(interval) {}

  void operator()(const StepView& view) {
    if (!view.last && view.record.time < next_ - 1e-12) return;
    next_ = view.record.time + interval_;
    const std::vector<GrainPlace> places = grain_places(view.model, view.state, grains_, frame_);
    const std::vector<std::uint8_t> pile = in_pile(view, grains_);
    double chain = 0.0, height = 0.0;
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (pile[k] == 0) continue;
      chain = std::max(chain, places[k].out), height = std::max(height, places[k].top);
    }
    time.push_back(view.record.time), mass_99.push_back(volume_radius(places, grains_, 0.99));
    chain_front.push_back(chain), top.push_back(height), kinetic.push_back(view.record.ledger.kinetic);
    if (view.last) coordination = coordination_number(view, grains_), last_pile = pile, last_places = places;
  }

  std::string csv() const {
    std::string text = "time [s],mass_99_front [m],chain_front [m],top [m],kinetic [J]\n";
    for (std::size_t i = 0; i < time.size(); ++i) {
      text += fmt::format("{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", time[i], mass_99[i], chain_front[i], top[i], kinetic[i]);
    }
    return text;
  }

  // First time [s] from which the front stays beyond `share` of the way from its start to its end.
  double time_of(double share) const {
    const double wanted = mass_99.front() + share * (mass_99.back() - mass_99.front());
    std::size_t i = time.size();
    while (i > 0 && mass_99[i - 1] >= wanted) --i;
    return i < time.size() ? time[i] : time.back();
  }

  double time_of_largest_speed() const {
    double best = 0.0, at = 0.0;
    for (std::size_t i = 1; i < time.size(); ++i) {
      const double speed = (mass_99[i] - mass_99[i - 1]) / (time[i] - time[i - 1]);
      if (speed > best) best = speed, at = 0.5 * (time[i] + time[i - 1]);
    }
    return at;
  }

  const GrainTable& grains() const { return grains_; }

  std::vector<double> time, mass_99, chain_front, top, kinetic;
  double coordination = 0.0;
  std::vector<std::uint8_t> last_pile;
  std::vector<GrainPlace> last_places;

 private:
  GrainTable grains_;
  ColumnFrame frame_;
  double interval_, next_ = 0.0;
};

}  // namespace scree::study
