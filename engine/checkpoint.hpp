// Checkpoints: one file from which a run continues bit for bit (engine/RESULTS.md has the format).
#pragma once

#include <stdexcept>
#include <string>

#include "engine/model/state.hpp"
#include "engine/result_writer.hpp"

namespace scree {

// What a run is made from. Scene and overrides give Model and Settings again; the hash of the first state shows that they do.
struct CheckpointOrigin {
  std::string program;        // name and version of the program
  std::string scene_name;     // name of the scene file, for messages
  std::string scene_source;   // its text
  std::string overrides;      // options of the command line that replaced values of the scene
  std::string result;         // name of the result file, in the checkpoint's folder
  std::string start_hash;     // state_hash of the state before the first step
  std::vector<SceneFile> scene_files = {};   // that the scene names
};

struct Checkpoint {
  CheckpointOrigin origin;
  RecordedRows rows;          // what the result file holds of the run up to the state
  State state;
};

// The checkpoint could not be written; the one before it is intact.
class CheckpointFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "RUN.h5.checkpoint" for "RUN.h5".
std::string checkpoint_path(const std::string& result);

// Writes a new file beside `path`, syncs it to the disk, and renames it to `path`. Whatever happens meanwhile, `path` is either
// the old checkpoint or the new one, whole. Throws CheckpointFailure.
void write_checkpoint(const std::string& path, const CheckpointOrigin& origin, const RecordedRows& rows, const State& state);

// Removes what a kill during write_checkpoint left beside `path`, if anything. For the run that owns the result file.
void clear_partial_checkpoint(const std::string& path);

// Throws InputError, one line: no such file, not a checkpoint, of a newer version, damaged or truncated.
Checkpoint read_checkpoint(const std::string& path);

}  // namespace scree
