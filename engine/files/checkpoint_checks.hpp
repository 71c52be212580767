// What must hold in a checkpoint before a run goes on from it. A right checksum says that the bytes
// are those that were written, not that they make sense.
#pragma once

#include <string>

#include "engine/files/checkpoint.hpp"
#include "engine/settings.hpp"

namespace scree {

// "table: what is wrong" of contents that do not fit each other: numbers that are not finite,
// tables of unequal length, indices that lead nowhere. Empty: none.
std::string fault_of(const Checkpoint& checkpoint);

// The same of contents that do not fit the model and the settings that the checkpoint's own scene
// gives, which starts at `start`.
std::string fault_of(const Checkpoint& checkpoint, const Model& model, const Settings& settings,
                     const State& start);

// SHA-256 over what the run goes on from, state and rows: from version 3 of the format a checkpoint
// says what was written into it, so that a table which is gone, or lost in reading, is missed.
std::string contents_hash(const RecordedRows& rows, const State& state);

}  // namespace scree
