// A State in an HDF5 file, every bit of it: what a checkpoint holds.
#pragma once

#include "engine/base/hdf5_file.hpp"
#include "engine/model/state.hpp"

namespace scree {

// Groups /state, /kept and /warnings.
void write_state(hid_t file, const State& state);

// Throws h5::Error when a field is missing. Fields that earlier programs did not have are as in a
// new State.
State read_state(hid_t file);

}  // namespace scree
