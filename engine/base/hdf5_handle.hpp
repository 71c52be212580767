// Owner of an identifier of HDF5.
#pragma once

#include <hdf5.h>

#include <utility>

namespace scree::h5 {

using Close = herr_t (*)(hid_t);

class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, -1);
      close_ = other.close_;
    }
    return *this;
  }

  hid_t id() const { return id_; }
  bool valid() const { return id_ >= 0; }
  void reset() {
    if (id_ >= 0) close_(std::exchange(id_, -1));
  }
  // Forgets the object without closing it: after a failed write a close would try again, and fail
  // again.
  void abandon() { id_ = -1; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

}  // namespace scree::h5
