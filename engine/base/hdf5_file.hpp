// A thin layer over the C interface of HDF5: handles that close themselves, errors as exceptions,
// tables that grow by rows. Private to the engine; the result and checkpoint files are written with
// it.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/hdf5_handle.hpp"
#include "engine/base/quiet_hdf5.hpp"

namespace scree::h5 {

// A call of HDF5 failed. `what()` ends with the system's reason when there is one (no space left,
// ...).
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws Error("what: reason") when `status` or `id` is negative.
void check(herr_t status, std::string_view what);
Handle own(hid_t id, Close close, std::string_view what);

// File access for reading. HDF5's own file locks are not used: where locks of files and of open
// files are one (NFS) they would collide with those of OutputClaim.
Handle file_access();

template <class T>
hid_t memory_type();

// Attributes. Strings have a fixed length; `length` 0 means that of the text.
void write_attribute(hid_t object, const char* name, std::string_view text, std::size_t length = 0);
void write_attribute(hid_t object, const char* name, double value);
void write_attribute(hid_t object, const char* name, std::int64_t value);
void write_attribute(hid_t object, const char* name, std::span<const double> values);
// New value for an attribute that exists; allowed while others read.
void update_attribute(hid_t object, const char* name, std::string_view text);
void update_attribute(hid_t object, const char* name, double value);
void update_attribute(hid_t object, const char* name, std::int64_t value);

bool has_attribute(hid_t object, const char* name);
bool is_string_attribute(hid_t object, const char* name);
std::string read_string_attribute(hid_t object, const char* name);
double read_double_attribute(hid_t object, const char* name);
std::int64_t read_integer_attribute(hid_t object, const char* name);
std::vector<double> read_vector_attribute(hid_t object, const char* name);
// Names in alphabetical order.
std::vector<std::string> attribute_names(hid_t object);

struct Description {
  const char* name;
  const char* unit;  // "" is written as "-"
  const char* meaning;
};

Handle create_group(hid_t parent, const std::string& path);

// A data set of fixed size with the attributes `unit` and `meaning`.
template <class T>
void write_dataset(hid_t group, const Description& what, std::span<const T> values,
                   const std::vector<hsize_t>& dims);
void write_strings(hid_t group, const Description& what, std::span<const std::string> values);
// New numbers for a data set of fixed size, as many as it has; allowed while others read.
void overwrite(hid_t file, const std::string& path, std::span<const double> values);
void overwrite(hid_t file, const std::string& path, std::span<const std::int64_t> values);
// `length` as for attributes.
void write_text(hid_t group, const Description& what, std::string_view text,
                std::size_t length = 0);

// How a table lies in the file: in chunks of that many rows, without loss.
struct Chunks {
  hsize_t rows = 1;
  int deflate = 0;            // level, 1 to 9; 0: not compressed
  bool by_component = false;  // a chunk holds one entry of the last axis: bytes that resemble each
                              // other lie together
};

// A data set [0, row...] that grows along its first axis.
template <class T>
void create_table(hid_t group, const Description& what, const std::vector<hsize_t>& row,
                  const Chunks& chunks);

// Where in the file the bytes of a data set of fixed size are, once they are written.
std::int64_t offset_of(hid_t file, const std::string& path);

// The shape of a data set, and rows [first, first + count) of it; -1: all of them.
std::vector<hsize_t> shape(hid_t file, const std::string& path);
bool exists(hid_t file, const std::string& path);
// Bytes that the numbers of a data set take in the file.
std::uint64_t storage_size(hid_t file, const std::string& path);
template <class T>
std::vector<T> read_rows(hid_t file, const std::string& path, std::int64_t first = 0,
                         std::int64_t count = -1);
// All rows of a table that must be there with this type of numbers and shape of a row.
template <class T>
std::vector<T> read_exactly(hid_t file, const std::string& path,
                            const std::vector<hsize_t>& row = {});
std::vector<std::string> read_strings(hid_t file, const std::string& path);
// The same for what people are shown and tables are made of: what no scene may have in a name,
// as control characters, is made printable.
std::vector<std::string> read_names(hid_t file, const std::string& path);

// Appends rows to a table; rows wait in memory until they are written out. A chunk that is written
// before it is full is written again later, and where it is compressed its old place stays empty:
// so not more often than readers need.
template <class T>
class Appender {
 public:
  Appender() = default;
  Appender(hid_t file, const std::string& path);

  void push(T value) { buffer_.push_back(value); }
  // One or more rows.
  void push(std::span<const T> values) {
    buffer_.insert(buffer_.end(), values.begin(), values.end());
  }
  // Rows in the file and in the buffer.
  std::size_t rows() const {
    return static_cast<std::size_t>(size_.at(0)) + buffer_.size() / row_values_;
  }
  std::size_t waiting() const { return buffer_.size() / row_values_; }  // rows
  // The rows that wait fill a chunk.
  bool full() const { return full_rows() > 0; }
  void write_full() { write_rows(full_rows()); }  // the chunks that are full
  void write_out() { write_rows(buffer_.size() / row_values_); }
  void abandon() { dataset_.abandon(); }

 private:
  std::size_t full_rows() const;
  void write_rows(std::size_t count);

  Handle dataset_;
  std::vector<hsize_t> size_, row_;  // extent now; shape of a row with a leading 1
  std::size_t row_values_ = 1, chunk_rows_ = 1;
  std::vector<T> buffer_;
};

// The bytes of an open file, as they would be on a disk. Throws Error.
std::string image_of(hid_t file);

}  // namespace scree::h5
