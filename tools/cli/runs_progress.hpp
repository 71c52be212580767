// Shows how far many runs are: sweeps and ensembles.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "tools/cli/progress.hpp"

namespace scree {

// How far many runs are, on standard error.
class RunsProgress {
 public:
  ~RunsProgress() {
    if (terminal_ && shown_) std::fputs("\r\x1b[K", stderr);
  }

  void update(std::size_t done, std::size_t all) {
    const Clock::time_point now = Clock::now();
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    ++runs_;
    if (std::chrono::duration<double>(now - last_).count() < (terminal_ ? 0.1 : 5.0)) return;
    last_ = now;
    shown_ = true;
    const double left = elapsed * static_cast<double>(all - done) / static_cast<double>(runs_);
    std::fputs(fmt::format("{}{}/{} runs  {} left{}", terminal_ ? "\r" : "", done, all,
                           duration(left), terminal_ ? "\x1b[K" : "\n")
                   .c_str(),
               stderr);
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_ = isatty(STDERR_FILENO) == 1, shown_ = false;
  std::size_t runs_ = 0;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

}  // namespace scree
