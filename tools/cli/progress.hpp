// Shows on standard error how far a run is: a bar on a terminal, a plain line now and then
// elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "engine/run.hpp"

namespace scree {

class Progress {
 public:
  explicit Progress(bool terminal);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(const StepView& view);

 private:
  void finish();  // takes the bar off the terminal
  std::string line(const StepView& view, double elapsed) const;

  using Clock = std::chrono::steady_clock;
  bool terminal_ = false, shown_ = false;
  double interval_ = 0.0;  // [s]
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

// "7 s", "2 min 10 s", "3 h 05 min".
std::string duration(double seconds);

}  // namespace scree
