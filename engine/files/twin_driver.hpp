// HDF5 on a TwinFile. Private to the result writer.
#pragma once

#include "engine/base/hdf5_file.hpp"
#include "engine/files/twin_file.hpp"

namespace scree::h5 {

// A new, empty HDF5 file that is written into `file`, which must outlive it. Throws Error.
Handle create_twin(TwinFile& file);

}  // namespace scree::h5
