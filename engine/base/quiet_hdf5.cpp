#include "engine/base/quiet_hdf5.hpp"

#include <mutex>

namespace scree::h5 {

Quiet::Quiet() {
  static std::once_flag prepared;
  std::call_once(prepared, [] { H5dont_atexit(); });
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

}  // namespace scree::h5
