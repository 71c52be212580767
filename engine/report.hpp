// Statistics gathered over a run.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/run.hpp"
#include "engine/step_record.hpp"

namespace scree {

class RunStatistics {
 public:
  void add(const StepRecord& record);
  void add_recording(double seconds) { report_.seconds_record += seconds; }

  // Sums, extremes and quantiles so far. Quantiles as in engine/base/quantile.hpp.
  RunReport report() const;

 private:
  RunReport report_;
  double contacts_sum_ = 0.0;
  std::vector<std::int32_t> iterations_;  // one a step
};

}  // namespace scree
