#include "engine/base/hdf5_file.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>

#include "engine/base/printable.hpp"

namespace scree::h5 {
namespace {

// Takes the system's reason out of the error stack: "errno = 28, error message = 'No space left on
// device', ...".
herr_t find_reason(unsigned, const H5E_error2_t* error, void* result) {
  const std::string text = error->desc != nullptr ? error->desc : "";
  const std::string key = "error message = '";
  const std::size_t begin = text.find(key);
  if (begin != std::string::npos) {
    const std::size_t from = begin + key.size();
    *static_cast<std::string*>(result) = text.substr(from, text.find('\'', from) - from);
  }
  return 0;
}

[[noreturn]] void fail(std::string_view what) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, &find_reason, &reason);
  H5Eclear2(H5E_DEFAULT);
  throw Error(std::string(what) + (reason.empty() ? "" : ": " + reason));
}

Handle string_type(std::size_t length) {
  Handle type = own(H5Tcopy(H5T_C_S1), &H5Tclose, "string type");
  check(H5Tset_size(type.id(), std::max<std::size_t>(length, 1)), "string type");
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "string type");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "string type");
  return type;
}

Handle simple_space(const std::vector<hsize_t>& dims) {
  if (dims.empty()) return own(H5Screate(H5S_SCALAR), &H5Sclose, "data space");
  return own(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), &H5Sclose,
             "data space");
}

void create_attribute(hid_t object, const char* name, hid_t type, const std::vector<hsize_t>& dims,
                      const void* data) {
  const Handle space = simple_space(dims);
  const Handle attribute =
      own(H5Acreate2(object, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), &H5Aclose, name);
  check(H5Awrite(attribute.id(), type, data), name);
}

void describe(hid_t dataset, const Description& what) {
  write_attribute(dataset, "unit", *what.unit == '\0' ? "-" : what.unit);
  write_attribute(dataset, "meaning", what.meaning);
}

Handle open_attribute(hid_t object, const char* name) {
  return own(H5Aopen(object, name, H5P_DEFAULT), &H5Aclose, name);
}

Handle open_dataset(hid_t file, const std::string& path) {
  return own(H5Dopen2(file, path.c_str(), H5P_DEFAULT), &H5Dclose, path);
}

hssize_t points_of(hid_t attribute, const char* name) {
  const Handle space = own(H5Aget_space(attribute), &H5Sclose, name);
  return H5Sget_simple_extent_npoints(space.id());
}

void require_numbers(const Handle& type, const std::string& name) {
  const H5T_class_t kind = H5Tget_class(type.id());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) throw Error(name + ": holds no numbers");
}

std::vector<hsize_t> extent_of(hid_t dataset) {
  const Handle space = own(H5Dget_space(dataset), &H5Sclose, "data space");
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 0) fail("data space");
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  if (rank > 0 && H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr) < 0)
    fail("data space");
  return dims;
}

std::size_t product(const std::vector<hsize_t>& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::size_t{1}, std::multiplies<>());
}

std::string cut_at_zero(const char* text, std::size_t length) {
  return {text, std::find(text, text + length, '\0')};
}

}  // namespace

void check(herr_t status, std::string_view what) {
  if (status < 0) fail(what);
}

Handle own(hid_t id, Close close, std::string_view what) {
  if (id < 0) fail(what);
  return {id, close};
}

Handle file_access() {
  Handle access = own(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, "file access");
  check(H5Pset_file_locking(access.id(), false, true), "file access");
  // Files of before could be read while they were written, and those that a kill left still open so
  // only. Nobody writes them any more: what is torn stays torn, and trying again, which HDF5 does
  // for ever then, helps nothing.
  check(H5Pset_metadata_read_attempts(access.id(), 1), "file access");
  return access;
}

template <>
hid_t memory_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t memory_type<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
hid_t memory_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
hid_t memory_type<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
hid_t memory_type<std::uint32_t>() {
  return H5T_NATIVE_UINT32;
}
template <>
hid_t memory_type<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}

void write_attribute(hid_t object, const char* name, std::string_view text, std::size_t length) {
  std::string padded(text);
  padded.resize(std::max<std::size_t>({length, text.size(), 1}));
  const Handle type = string_type(padded.size());
  create_attribute(object, name, type.id(), {}, padded.data());
}

void write_attribute(hid_t object, const char* name, double value) {
  create_attribute(object, name, H5T_NATIVE_DOUBLE, {}, &value);
}

void write_attribute(hid_t object, const char* name, std::int64_t value) {
  create_attribute(object, name, H5T_NATIVE_INT64, {}, &value);
}

void write_attribute(hid_t object, const char* name, std::span<const double> values) {
  create_attribute(object, name, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
}

void update_attribute(hid_t object, const char* name, std::string_view text) {
  const Handle attribute = open_attribute(object, name);
  const Handle type = own(H5Aget_type(attribute.id()), &H5Tclose, name);
  std::string padded(text);
  padded.resize(H5Tget_size(type.id()));
  check(H5Awrite(attribute.id(), type.id(), padded.data()), name);
}

void update_attribute(hid_t object, const char* name, double value) {
  check(H5Awrite(open_attribute(object, name).id(), H5T_NATIVE_DOUBLE, &value), name);
}

void update_attribute(hid_t object, const char* name, std::int64_t value) {
  check(H5Awrite(open_attribute(object, name).id(), H5T_NATIVE_INT64, &value), name);
}

bool has_attribute(hid_t object, const char* name) { return H5Aexists(object, name) > 0; }

bool is_string_attribute(hid_t object, const char* name) {
  const Handle type = own(H5Aget_type(open_attribute(object, name).id()), &H5Tclose, name);
  return H5Tget_class(type.id()) == H5T_STRING;
}

std::string read_string_attribute(hid_t object, const char* name) {
  const Handle attribute = open_attribute(object, name);
  const Handle type = own(H5Aget_type(attribute.id()), &H5Tclose, name);
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0) {
    throw Error(std::string(name) + ": not a string of fixed length");
  }
  if (points_of(attribute.id(), name) != 1) throw Error(std::string(name) + ": not one text");
  std::string text(H5Tget_size(type.id()), '\0');
  check(H5Aread(attribute.id(), type.id(), text.data()), name);
  return cut_at_zero(text.data(), text.size());
}

double read_double_attribute(hid_t object, const char* name) {
  const std::vector<double> values = read_vector_attribute(object, name);
  if (values.size() != 1) throw Error(std::string(name) + ": not one number");
  return values.front();
}

std::int64_t read_integer_attribute(hid_t object, const char* name) {
  const Handle attribute = open_attribute(object, name);
  const Handle type = own(H5Aget_type(attribute.id()), &H5Tclose, name);
  if (H5Tget_class(type.id()) != H5T_INTEGER || points_of(attribute.id(), name) != 1)
    throw Error(std::string(name) + ": not one integer");
  std::int64_t value = 0;
  check(H5Aread(attribute.id(), H5T_NATIVE_INT64, &value), name);
  return value;
}

std::vector<double> read_vector_attribute(hid_t object, const char* name) {
  const Handle attribute = open_attribute(object, name);
  const hssize_t count = points_of(attribute.id(), name);
  if (count < 0 || count > 1000) throw Error(std::string(name) + ": bad size");
  require_numbers(own(H5Aget_type(attribute.id()), &H5Tclose, name), name);
  std::vector<double> values(static_cast<std::size_t>(count));
  check(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, values.data()), name);
  return values;
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  hsize_t position = 0;
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &position, add, &names), "attributes");
  return names;
}

Handle create_group(hid_t parent, const std::string& path) {
  return own(H5Gcreate2(parent, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), &H5Gclose,
             path);
}

template <class T>
void write_dataset(hid_t group, const Description& what, std::span<const T> values,
                   const std::vector<hsize_t>& dims) {
  const Handle space = simple_space(dims);
  const Handle dataset = own(H5Dcreate2(group, what.name, memory_type<T>(), space.id(), H5P_DEFAULT,
                                        H5P_DEFAULT, H5P_DEFAULT),
                             &H5Dclose, what.name);
  if (!values.empty()) {
    check(H5Dwrite(dataset.id(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          what.name);
  }
  describe(dataset.id(), what);
}

namespace {

template <class T>
void overwrite_all(hid_t file, const std::string& path, std::span<const T> values) {
  const Handle dataset = open_dataset(file, path);
  if (values.size() != product(extent_of(dataset.id()))) throw Error(path + ": of another size");
  check(H5Dwrite(dataset.id(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "cannot be written");
}

}  // namespace

void overwrite(hid_t file, const std::string& path, std::span<const double> values) {
  overwrite_all(file, path, values);
}
void overwrite(hid_t file, const std::string& path, std::span<const std::int64_t> values) {
  overwrite_all(file, path, values);
}

void write_strings(hid_t group, const Description& what, std::span<const std::string> values) {
  std::size_t length = 1;
  for (const std::string& value : values) length = std::max(length, value.size());
  std::string packed;
  for (const std::string& value : values)
    packed += value + std::string(length - value.size(), '\0');
  const Handle type = string_type(length);
  const Handle space = simple_space({values.size()});
  const Handle dataset = own(
      H5Dcreate2(group, what.name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      &H5Dclose, what.name);
  if (!values.empty())
    check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()),
          what.name);
  describe(dataset.id(), what);
}

void write_text(hid_t group, const Description& what, std::string_view text, std::size_t length) {
  std::string stored(text);
  stored.resize(std::max<std::size_t>({length, stored.size(), 1}));
  const Handle type = string_type(stored.size());
  const Handle space = simple_space({});
  const Handle dataset = own(
      H5Dcreate2(group, what.name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      &H5Dclose, what.name);
  check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, stored.data()), what.name);
  describe(dataset.id(), what);
}

template <class T>
void create_table(hid_t group, const Description& what, const std::vector<hsize_t>& row,
                  const Chunks& chunks) {
  std::vector<hsize_t> size = {0}, limit = {H5S_UNLIMITED}, chunk = {chunks.rows};
  for (auto* dims : {&size, &limit, &chunk}) dims->insert(dims->end(), row.begin(), row.end());
  if (chunks.by_component) chunk.back() = 1;
  const Handle space =
      own(H5Screate_simple(static_cast<int>(size.size()), size.data(), limit.data()), &H5Sclose,
          what.name);
  const Handle creation = own(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose, what.name);
  check(H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data()), what.name);
  if constexpr (std::is_floating_point_v<T>) {
    const T nothing =
        std::numeric_limits<T>::quiet_NaN();  // rows that a full disk kept from being written
    check(H5Pset_fill_value(creation.id(), memory_type<T>(), &nothing), what.name);
  }
  if (chunks.deflate > 0) {
    check(H5Pset_shuffle(creation.id()), what.name);
    check(H5Pset_deflate(creation.id(), static_cast<unsigned>(chunks.deflate)), what.name);
  }
  const Handle dataset = own(H5Dcreate2(group, what.name, memory_type<T>(), space.id(), H5P_DEFAULT,
                                        creation.id(), H5P_DEFAULT),
                             &H5Dclose, what.name);
  describe(dataset.id(), what);
}

std::int64_t offset_of(hid_t file, const std::string& path) {
  const haddr_t offset = H5Dget_offset(open_dataset(file, path).id());
  if (offset == HADDR_UNDEF) fail(path);
  return static_cast<std::int64_t>(offset);
}

std::vector<hsize_t> shape(hid_t file, const std::string& path) {
  return extent_of(open_dataset(file, path).id());
}

std::uint64_t storage_size(hid_t file, const std::string& path) {
  return H5Dget_storage_size(open_dataset(file, path).id());
}

bool exists(hid_t file, const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    if (H5Lexists(file, path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

template <class T>
std::vector<T> read_rows(hid_t file, const std::string& path, std::int64_t first,
                         std::int64_t count) {
  const Handle dataset = open_dataset(file, path);
  require_numbers(own(H5Dget_type(dataset.id()), &H5Tclose, path), path);
  std::vector<hsize_t> dims = extent_of(dataset.id());
  if (dims.empty()) dims = {1};
  const auto begin = static_cast<hsize_t>(first);
  const hsize_t rows = count < 0 ? dims[0] - std::min(begin, dims[0]) : static_cast<hsize_t>(count);
  if (begin + rows > dims[0]) throw Error(path + ": fewer rows than expected");
  std::vector<hsize_t> start(dims.size(), 0), block = dims;
  start[0] = begin, block[0] = rows;
  std::vector<T> values(product(block));
  if (values.empty()) return values;
  const Handle file_space = own(H5Dget_space(dataset.id()), &H5Sclose, path);
  if (H5Sget_simple_extent_ndims(file_space.id()) > 0) {
    check(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(),
                              nullptr),
          path);
  }
  const Handle memory_space = simple_space(block);
  check(H5Dread(dataset.id(), memory_type<T>(), memory_space.id(), file_space.id(), H5P_DEFAULT,
                values.data()),
        path);
  return values;
}

template <class T>
std::vector<T> read_exactly(hid_t file, const std::string& path, const std::vector<hsize_t>& row) {
  if (!exists(file, path)) throw Error(path + ": is missing");
  const Handle dataset = open_dataset(file, path);
  const Handle type = own(H5Dget_type(dataset.id()), &H5Tclose, path);
  if (H5Tequal(type.id(), memory_type<T>()) <= 0)
    throw Error(path + ": holds another kind of numbers than it must");
  const std::vector<hsize_t> dims = extent_of(dataset.id());
  if (dims.size() != row.size() + 1 || !std::equal(row.begin(), row.end(), dims.begin() + 1))
    throw Error(path + ": has rows of another shape");
  return read_rows<T>(file, path);
}

std::vector<std::string> read_strings(hid_t file, const std::string& path) {
  const Handle dataset = open_dataset(file, path);
  const Handle type = own(H5Dget_type(dataset.id()), &H5Tclose, path);
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0) {
    throw Error(path + ": not strings of fixed length");
  }
  const std::size_t length = H5Tget_size(type.id()), count = product(extent_of(dataset.id()));
  std::string packed(length * count, '\0');
  if (count > 0)
    check(H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()), path);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(cut_at_zero(packed.data() + i * length, length));
  return values;
}

std::vector<std::string> read_names(hid_t file, const std::string& path) {
  std::vector<std::string> names = read_strings(file, path);
  for (std::string& name : names) name = printable(name);
  return names;
}

template <class T>
Appender<T>::Appender(hid_t file, const std::string& path) {
  const Handle probe = open_dataset(file, path);
  const Handle creation = own(H5Dget_create_plist(probe.id()), &H5Pclose, path);
  size_ = extent_of(probe.id());
  row_ = size_;
  std::vector<hsize_t> chunk(size_.size());
  if (H5Pget_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data()) < 0) fail(path);
  row_[0] = 1;
  row_values_ = product(row_);
  chunk_rows_ = chunk[0];
  // Room for all chunks of two times those rows: the default of a megabyte a data set would be most
  // of a small run's memory.
  const Handle access = own(H5Pcreate(H5P_DATASET_ACCESS), &H5Pclose, path);
  check(H5Pset_chunk_cache(access.id(), 101, 2 * chunk_rows_ * row_values_ * sizeof(T), 1.0), path);
  dataset_ = own(H5Dopen2(file, path.c_str(), access.id()), &H5Dclose, path);
}

template <class T>
std::size_t Appender<T>::full_rows() const {
  const std::size_t begun = size_[0] % chunk_rows_, waiting = buffer_.size() / row_values_;
  const std::size_t end = (begun + waiting) / chunk_rows_ * chunk_rows_;
  return end == 0 ? 0 : end - begun;
}

template <class T>
void Appender<T>::write_rows(std::size_t count) {
  if (count == 0) return;
  std::vector<hsize_t> start(size_.size(), 0), block = row_;
  start[0] = size_[0];
  block[0] = count;
  size_[0] += block[0];
  check(H5Dset_extent(dataset_.id(), size_.data()), "cannot be written");
  const Handle file_space = own(H5Dget_space(dataset_.id()), &H5Sclose, "data space");
  check(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(),
                            nullptr),
        "data space");
  const Handle memory_space = simple_space(block);
  check(H5Dwrite(dataset_.id(), memory_type<T>(), memory_space.id(), file_space.id(), H5P_DEFAULT,
                 buffer_.data()),
        "cannot be written");
  buffer_.erase(buffer_.begin(),
                buffer_.begin() + static_cast<std::ptrdiff_t>(count * row_values_));
}

#define SCREE_INSTANTIATE(T)                                                                       \
  template void write_dataset<T>(hid_t, const Description&, std::span<const T>,                    \
                                 const std::vector<hsize_t>&);                                     \
  template void create_table<T>(hid_t, const Description&, const std::vector<hsize_t>&,            \
                                const Chunks&);                                                    \
  template std::vector<T> read_rows<T>(hid_t, const std::string&, std::int64_t, std::int64_t);     \
  template std::vector<T> read_exactly<T>(hid_t, const std::string&, const std::vector<hsize_t>&); \
  template class Appender<T>;
SCREE_INSTANTIATE(double)
SCREE_INSTANTIATE(std::int64_t)
SCREE_INSTANTIATE(std::int32_t)
SCREE_INSTANTIATE(std::uint32_t)
SCREE_INSTANTIATE(std::uint8_t)
template void create_table<float>(hid_t, const Description&, const std::vector<hsize_t>&,
                                  const Chunks&);
#undef SCREE_INSTANTIATE

std::string image_of(hid_t file) {
  check(H5Fflush(file, H5F_SCOPE_LOCAL), "cannot be prepared");
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size <= 0) throw Error("cannot be prepared");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file, bytes.data(), bytes.size()) != size)
    throw Error("cannot be prepared");
  return bytes;
}

}  // namespace scree::h5
