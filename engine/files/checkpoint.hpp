// Checkpoints: one file from which a run continues bit for bit (engine/RESULTS.md has the format).
#pragma once

#include <stdexcept>
#include <string>

#include "engine/files/result_writer.hpp"
#include "engine/model/state.hpp"

namespace scree {

// What a run is made from. Scene and overrides give Model and Settings again; the hash of the first
// state shows that they do.
struct CheckpointOrigin {
  std::string program;       // name and version of the program
  std::string scene_name;    // name of the scene file, for messages
  std::string scene_source;  // its text
  std::string overrides;     // options of the command line that replaced values of the scene
  std::string result;        // name of the result file, in the checkpoint's folder
  std::string start_hash;    // state_hash of the state before the first step
  std::vector<SceneFile> scene_files = {};  // that the scene names
  bool asked = true;  // the run was asked for checkpoints; files of before do not say so, and were
  // What this build of the program makes of a small scene (scenes/arithmetic.hpp): another
  // build with the same goes on with the same bits. Empty in checkpoints of version 1.
  std::string arithmetic = {};
};

struct Checkpoint {
  CheckpointOrigin origin;
  RecordedRows rows;  // what the result file holds of the run up to the state
  State state;
  bool all_fields = true;     // false: of version 1 of the format, in which the state may lack some
  bool stops_clamped = true;  // false: of a version below 8; then Rest::published was the default
};

// The checkpoint could not be written; the one before it is intact.
class CheckpointFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "RUN.h5.checkpoint" for "RUN.h5".
std::string checkpoint_path(const std::string& result);

// A checkpoint is written beside `path`, as PATH.partial, and synced to the disk; it gets its name
// when the rows that it promises stand in the result file. Whatever happens meanwhile, `path` is
// either the old checkpoint or the new one, whole. Both throw CheckpointFailure.
void prepare_checkpoint(const std::string& path, const CheckpointOrigin& origin,
                        const RecordedRows& rows, const State& state);
void publish_checkpoint(const std::string& path);
// The one that was prepared for `path` will not be published.
void drop_prepared_checkpoint(const std::string& path);
// Both at once.
void write_checkpoint(const std::string& path, const CheckpointOrigin& origin,
                      const RecordedRows& rows, const State& state);

// Throws InputError where something that is no regular file has the name that a checkpoint is
// written under.
void check_checkpoint_path(const std::string& path);

// Throws InputError, one line: no such file, not a checkpoint, of a newer version, damaged or
// truncated, or with contents that do not fit each other (checkpoint_checks.hpp).
Checkpoint read_checkpoint(const std::string& path);

// The same, but PATH.partial if that is of the run of the result file beside it and PATH is not:
// what a kill leaves in a run that takes the place of another, between the names of its two files.
Checkpoint read_current_checkpoint(const std::string& path);

// A run can go on from it: it is whole, or may be, and its result file is there or was moved. One
// that nobody asked for hinders no other run once its result file is gone.
bool is_worth_keeping(const std::string& path);

// For the run that owns the result file: PATH.partial, if there is one, gets its name in that case,
// and goes in any other.
void settle_checkpoint(const std::string& path);

}  // namespace scree
