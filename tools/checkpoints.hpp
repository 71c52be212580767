// When a run leaves checkpoints beside its result file.
#pragma once

#include <chrono>
#include <utility>

#include "engine/checkpoint.hpp"
#include "engine/result_writer.hpp"
#include "engine/settings.hpp"

namespace scree {

// Leaves a checkpoint when one is due: before the first step, at the rate of the settings, and at the end.
class Checkpoints {
 public:
  Checkpoints(const CheckpointSettings& settings, const std::string& result, CheckpointOrigin origin, ResultWriter& writer)
      : settings_(settings), writer_(writer), path_(checkpoint_path(result)), origin_(std::move(origin)) {}

  void update(const State& state) {
    if (!settings_.wanted()) return;
    const bool by_steps = settings_.every_steps > 0 && state.step % settings_.every_steps == 0;
    const double minutes = std::chrono::duration<double>(Clock::now() - last_).count() / 60.0;
    const bool by_time = settings_.every_minutes > 0.0 && minutes >= settings_.every_minutes;
    if (time_ < 0.0 || by_steps || by_time) write(state);
  }

  void finish(const State& state) {
    if (settings_.wanted() && state.time != time_) write(state);
  }

  // Time [s] of the checkpoint on disk; negative: none yet.
  double time() const { return time_; }

 private:
  using Clock = std::chrono::steady_clock;

  // The result file goes first: a checkpoint never promises rows that are not there.
  void write(const State& state) {
    write_checkpoint(path_, origin_, writer_.sync(), state);
    time_ = state.time;
    last_ = Clock::now();
  }

  CheckpointSettings settings_;
  ResultWriter& writer_;
  std::string path_;
  CheckpointOrigin origin_;
  double time_ = -1.0;
  Clock::time_point last_ = Clock::now();
};

}  // namespace scree
