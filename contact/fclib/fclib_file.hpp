// Thin owner of HDF5 handles for FCLIB files: every failure is an InputError, nothing is printed by
// the library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <hdf5.h>

#include "engine/base/quiet_hdf5.hpp"

namespace scree::contact {

class FclibHandle {
 public:
  using Close = herr_t (*)(hid_t);
  FclibHandle(hid_t id, Close close) : id_(id), close_(close) {}
  ~FclibHandle() {
    if (id_ >= 0) close_(id_);
  }
  FclibHandle(const FclibHandle&) = delete;
  FclibHandle& operator=(const FclibHandle&) = delete;

  bool valid() const { return id_ >= 0; }
  hid_t id() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

// An FCLIB file opened for reading. Sizes come from the datasets themselves, which must fit in the
// file and have at most one dimension.
class FclibFile {
 public:
  explicit FclibFile(const std::string& path);

  bool has(const std::string& name) const;  // every level is checked
  std::vector<std::int64_t> integers(const std::string& name) const;
  std::vector<double> reals(const std::string& name) const;  // finite
  std::int64_t integer(const std::string& name) const;       // a dataset of one value
  std::string text_or_empty(const std::string& name) const;
  std::int64_t attribute_or(const std::string& group, const std::string& name,
                            std::int64_t otherwise) const;

  [[noreturn]] void fail(const std::string& name, const std::string& message) const;

 private:
  enum class Numbers {
    integer,
    real
  };  // real ones may be stored as integers, not the other way round

  template <class Value>
  std::vector<Value> read(const std::string& name, hid_t type, Numbers numbers) const;
  std::size_t checked_size(const std::string& name, hid_t dataset, Numbers numbers) const;

  h5::Quiet quiet_;  // before the file
  std::string path_;
  double file_bytes_ = 0.0;
  FclibHandle file_;
};

}  // namespace scree::contact
