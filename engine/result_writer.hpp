// Writes the result file of a run (engine/RESULTS.md): an observer of the run that buffers rows and frames, and
// leaves a file that others can read while it grows and after a kill.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "engine/impulse_sums.hpp"
#include "engine/run.hpp"
#include "engine/scene_text.hpp"

namespace scree {

// What the file says about its origin, next to model and settings.
struct ResultOrigin {
  std::string title;
  std::string scene_source;   // text of the scene file
  std::string overrides;      // options of the command line that replaced values of the scene
  std::string program;        // name and version of the program
  std::vector<SceneFile> scene_files = {};   // that the scene names
};

// Writing failed during a run (disk full, ...). What was written stays readable; what() says up to which time.
class RecordingFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a result file holds of a run up to some state, besides one row a step.
struct RecordedRows {
  std::int64_t frames = 0, contacts = 0, pairs = 0;
  std::vector<PairImpulse> open_sums;   // of the steps since the last frame
};

// A run that goes on from a state in the middle: rows up to there come from the file that recorded them.
struct Resumption {
  std::string recorded;       // result file of the run so far
  RecordedRows rows;          // how much of it
  std::int64_t step = 0;      // the state, to make sure that the file is of the same run
  double time = 0.0;          // [s]
  double energy_scale = 0.0;  // [J]
  // Steps after the state that the file may hold if its run never ended, because they are lost; one that ended may hold none. Not set:
  // any number of both.
  std::optional<std::int64_t> most_lost = {};
};

class ResultWriter {
 public:
  // Creates the file, as `path`.partial until the first flush, with everything that does not change; an existing file stays
  // untouched until then. Throws, leaving nothing behind: InputError when `path` exists and `replace` is false, is no regular
  // file, is being written by another process, or cannot be created; RecordingFailure when it can be, but not be written (disk full).
  ResultWriter(const std::string& path, bool replace, const ResultOrigin& origin, const Model& model,
               const Settings& settings);
  // Continues a run: a new file starts with the rows of `resumption` and then takes the place of `path`, which may be the same
  // as `resumption.recorded`. The first step to record is the one after resumption.step. Throws InputError as above, when
  // the rows cannot be read, and when more would be lost than `resumption` allows.
  ResultWriter(const std::string& path, const Resumption& resumption, const ResultOrigin& origin, const Model& model,
               const Settings& settings);
  ~ResultWriter();   // without finish: closes the file as it is
  ResultWriter(ResultWriter&&) noexcept;
  ResultWriter& operator=(ResultWriter&&) noexcept;

  // Records a step: a row of the tables always, a frame when one is due or `last` is set. Flushes about once a
  // second (less often in long runs). The first call is the state before the first step. Throws RecordingFailure.
  void record(const StepView& view, bool last);

  // Everything recorded so far goes to the file and becomes visible to readers. Throws RecordingFailure.
  void flush();

  // Flushes, and waits until the disk has it. What the file then holds of a run that goes on: not the frame of an end that is off
  // the schedule. Throws RecordingFailure.
  RecordedRows sync();

  // Flushes and closes; `end` and the hash become attributes of the file. Throws RecordingFailure.
  void finish(const RunReport& report);

  // Flushes, and writes into the file why the run failed and up to when it can be read. Throws RecordingFailure.
  void fail(const std::string& reason);

  // Time [s] of the last step that is safely in the file; -1: none.
  double readable_until() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scree
