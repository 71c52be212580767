// What a sweep measures of each run: numbers of the quantities that `scree plot` draws, over all
// steps: also of what the scene's measuring devices see, without a result file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/run.hpp"
#include "scenes/read/scene.hpp"
#include "tools/study/device_measures.hpp"

namespace scree::study {

struct SweepMeasure {
  enum class Kind { end, max, min, sum } kind = Kind::end;
  std::string text;      // "max(rock.vx)"; also the name of its column
  std::string quantity;  // "rock.vx"
  std::string unit;      // "m/s"; empty: a number
};

// `texts` are end(Q), max(Q), min(Q), sum(Q) or Q, which is its end. Throws InputError
// "--measure TEXT: ..." with what is known or nearest.
std::vector<SweepMeasure> read_measures(const std::vector<std::string>& texts, const Scene& scene);

std::string known_measures();

// Follows one run. Where a quantity is not known (a body that is not there yet) it counts for
// nothing; a measure of nothing (who never passed a screen) is NaN, but a sum of nothing is 0. Of
// impacts and crossings every one counts, and the end is the last one.
class MeasureRecorder {
 public:
  MeasureRecorder(const std::vector<SweepMeasure>& measures, const Scene& scene);

  void operator()(const StepView& view);
  // [n_measures].
  const std::vector<double>& values() const { return values_; }

 private:
  void add(std::size_t measure, double value);

  std::unique_ptr<Devices> devices_;  // quantities read them
  std::vector<SweepMeasure::Kind> kinds_;
  std::vector<Values> quantities_;
  std::vector<double> values_, of_step_;
};

}  // namespace scree::study
