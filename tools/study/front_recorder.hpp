// The front of a collapsing column over time, in memory and in a file that grows with it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/run.hpp"
#include "tools/study/column_measures.hpp"

namespace scree::study {

// Front and height while the grains flow: a row every `interval` [s], and one at the end. The file
// `path` has all of them at any time.
class FrontRecorder {
 public:
  FrontRecorder(const Model& model, const ColumnFrame& frame, double interval, std::string path)
      : grains_(model), frame_(frame), interval_(interval), path_(std::move(path)) {}

  // Takes over the rows of the file up to `until` [s], the time of the state from which the run
  // goes on; false, and none, when they are not all there.
  bool go_on(double until);
  void start_over();

  void operator()(const StepView& view);

  // First time [s] from which the front stays beyond `share` of the way from its start to its end.
  double time_of(double share) const;
  double time_of_largest_speed() const;

  const GrainTable& grains() const { return grains_; }
  const std::string& path() const { return path_; }

  std::vector<double> time, mass_99, chain_front, top, kinetic;
  double coordination = 0.0;
  std::vector<std::uint8_t> last_pile;
  std::vector<GrainPlace> last_places;

 private:
  void write() const;

  GrainTable grains_;
  ColumnFrame frame_;
  double interval_, next_ = 0.0;
  std::string path_;
};

}  // namespace scree::study
