// Writes the result file of a run (engine/RESULTS.md): an observer of the run that buffers rows and
// frames, and joins them to a file of which a whole version is there at every instant, for readers
// while the run goes on and after a kill.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/files/impulse_sums.hpp"
#include "engine/files/scene_text.hpp"
#include "engine/measure/body_stress.hpp"
#include "engine/run.hpp"

namespace scree {

// What the file says about its origin, next to model and settings.
struct ResultOrigin {
  std::string title;
  std::string scene_source;  // text of the scene file
  std::string overrides;     // options of the command line that replaced values of the scene
  std::string program;       // name and version of the program
  std::vector<SceneFile> scene_files = {};  // that the scene names
};

// Writing failed during a run (disk full, ...). What was written stays readable; what() says up to
// which time.
class RecordingFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a result file holds of a run up to some state, besides one row a step.
struct RecordedRows {
  std::int64_t frames = 0, contacts = 0, pairs = 0;
  std::vector<PairImpulse> open_sums;    // of the steps since the last frame
  measure::StressSums open_stress = {};  // likewise; none unless frames have means over them
};

// A run that goes on from a state in the middle: rows up to there come from the file that recorded
// them.
struct Resumption {
  std::string recorded;       // result file of the run so far
  RecordedRows rows;          // how much of it
  std::int64_t step = 0;      // the state, to make sure that the file is of the same run
  double time = 0.0;          // [s]
  double energy_scale = 0.0;  // [J]
  // Steps after the state that the file may hold if its run never ended, because they are lost; one
  // that ended may hold none. Not set: any number of both.
  std::optional<std::int64_t> most_lost = {};
  // Nothing is left to compute: the file also keeps the frame of an end that is off the schedule.
  bool at_end = false;
};

class ResultWriter {
 public:
  // Creates the file, as `path`.partial until the first join, with everything that does not change;
  // an existing file stays untouched until then. Throws, leaving nothing behind: InputError when
  // `path` exists and `replace` is false, is no regular file, is being written by another process,
  // or cannot be created; RecordingFailure when it can be, but not be written (disk full).
  ResultWriter(const std::string& path, bool replace, const ResultOrigin& origin,
               const Model& model, const Settings& settings);
  // Continues a run: a new file starts with the rows of `resumption` and takes the place of `path`
  // at its first join; it may be the same as `resumption.recorded`. The first step to record is the
  // one after resumption.step. Throws InputError as above, when the rows cannot be read, and when
  // more would be lost than `resumption` allows.
  ResultWriter(const std::string& path, const Resumption& resumption, const ResultOrigin& origin,
               const Model& model, const Settings& settings);
  ~ResultWriter();  // without finish: closes the file as it is
  ResultWriter(ResultWriter&&) noexcept;
  ResultWriter& operator=(ResultWriter&&) noexcept;

  // Records a step: a row of the tables always, a frame when one is due or `last` is set. Joins
  // about once a second (less often in long runs). The first call is the state before the first
  // step. Throws RecordingFailure.
  void record(const StepView& view, bool last);

  // Of a run that goes on, before the first step to record: the state that it starts from.
  void go_on_from(const State& state);

  // No join before the first call of join(): for a run whose file takes the place of one that a
  // checkpoint goes with.
  void hold();

  // A checkpoint is made in two parts around a join. prepare(): everything recorded so far goes
  // into the next version of the file; returns what that holds of a run that goes on, so not the
  // frame of an end that is off the schedule. join(): that version is on the disk and has the name.
  // Both throw RecordingFailure.
  RecordedRows prepare();
  void join();
  // Both at once.
  void flush();

  // The last join: `end` and the hash become attributes of the file. Throws RecordingFailure.
  void finish(const RunReport& report);

  // Joins, and writes into the file why the run failed and up to when it can be read. Throws
  // RecordingFailure.
  void fail(const std::string& reason);

  // Where the file is: under another name than it was given if that was taken from it while the run
  // went on.
  const std::string& path() const;
  // Sentences: what others did to the file while the run went on. Nothing is lost by it.
  const std::vector<std::string>& disturbances() const;
  // "FILE is readable up to t = 1.5 s", or why it is not.
  std::string readable() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scree
