// HDF5 that prints nothing of its own, for all who open its files.
#pragma once

#include <hdf5.h>

namespace scree::h5 {

// Keeps HDF5 from printing its error stack while in scope. To be made before the first call of HDF5
// in a function or an object: it also prepares the library, which then does not clean up at exit.
// That would retry writes that have failed, and print lines about damaged files that it cannot let
// go. Files and all else are closed by their owners.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace scree::h5
