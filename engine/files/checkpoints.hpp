// When a run leaves checkpoints beside its result file.
#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

#include "engine/files/checkpoint.hpp"
#include "engine/files/result_writer.hpp"
#include "engine/settings.hpp"

namespace scree {

// Leaves a checkpoint when one is due: at the rate of the settings, and when the run is asked to
// stop. Before the first step and at the end as well when the settings ask for checkpoints; before
// the first step also where one is there, which is then replaced together with the result file that
// it goes with.
class Checkpoints {
 public:
  Checkpoints(const CheckpointSettings& settings, CheckpointOrigin origin, ResultWriter& writer)
      : settings_(settings),
        writer_(writer),
        origin_(std::move(origin)),
        path_(checkpoint_path(writer.path())) {
    std::error_code error;
    at_start_ = settings_.wanted() || std::filesystem::exists(path_, error);
    if (!settings_.wanted())
      settings_.every_minutes = CheckpointSettings::unasked_minutes;
    else
      stays_ = true;
    origin_.asked = stays_;
    if (at_start_) writer_.hold();
  }

  void update(const State& state) {
    const bool by_steps = settings_.every_steps > 0 && state.step % settings_.every_steps == 0;
    const double minutes = std::chrono::duration<double>(Clock::now() - last_).count() / 60.0;
    const bool by_time = settings_.every_minutes > 0.0 && minutes >= settings_.every_minutes;
    if ((time_ < 0.0 && at_start_) || by_steps || by_time) write(state);
  }

  // The steps are done, or the run was asked to stop.
  void finish(const State& state, bool stopped) {
    if ((stays_ || stopped) && state.time != time_) write(state);
  }

  // The result file is finished.
  void conclude() const {
    if (!stays_ && time_ >= 0.0) std::remove(path_.c_str());
  }

  // Time [s] of the checkpoint on disk; negative: none yet.
  double time() const { return time_; }
  const std::string& path() const { return path_; }

 private:
  using Clock = std::chrono::steady_clock;

  // A checkpoint never promises rows that do not stand: it gets its name after they have theirs.
  void write(const State& state) {
    const RecordedRows rows = writer_.prepare();
    std::string path = prepare(rows, state);
    try {
      writer_.join();
    } catch (...) {
      drop_prepared_checkpoint(path);
      throw;
    }
    if (path !=
        checkpoint_path(writer_.path())) {  // something was put in the place of the result file
      drop_prepared_checkpoint(path);
      path = prepare(rows, state);
    }
    publish_checkpoint(path);
    if (path != path_ && time_ >= 0.0) std::remove(path_.c_str());
    path_ = path;
    time_ = state.time;
    last_ = Clock::now();
  }

  std::string prepare(const RecordedRows& rows, const State& state) {
    origin_.result = std::filesystem::path(writer_.path()).filename().string();
    prepare_checkpoint(checkpoint_path(writer_.path()), origin_, rows, state);
    return checkpoint_path(writer_.path());
  }

  CheckpointSettings settings_;
  ResultWriter& writer_;
  CheckpointOrigin origin_;
  std::string path_;
  bool at_start_ = false, stays_ = false;
  double time_ = -1.0;
  Clock::time_point last_ = Clock::now();
};

}  // namespace scree
