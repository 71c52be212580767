#include "contact/fclib/fclib_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/base/check.hpp"
#include "engine/base/hdf5_handle.hpp"
#include "engine/base/hdf5_screen.hpp"
#include "engine/base/input_file.hpp"

namespace scree::contact {

namespace {

// Deflate cannot shrink data by more than this factor; a larger claim is a damaged or hostile file.
constexpr double largest_compression = static_cast<double>(h5::largest_packing);

hid_t open_screened(const std::string& path) {
  require(read_input_file(path, 8) == "\x89HDF\r\n\x1a\n", path, "not an HDF5 file, or damaged");
  h5::screen_file(path, H5F_ACC_RDONLY);
  const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
  H5Pset_file_locking(access.id(), false,
                      true);  // reading takes nothing away from others who have it open
  return H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id());
}

}  // namespace

FclibFile::FclibFile(const std::string& path) : path_(path), file_(open_screened(path), H5Fclose) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) throw InputError(path + ": cannot be opened: " + error.message());
  if (!file_.valid()) throw InputError(path + ": not an HDF5 file, or damaged");
  file_bytes_ = static_cast<double>(bytes);
}

void FclibFile::fail(const std::string& name, const std::string& message) const {
  throw InputError(path_ + ": " + name + ": " + message);
}

bool FclibFile::has(const std::string& name) const {
  for (std::size_t at = name.find('/', 1);; at = name.find('/', at + 1)) {
    if (H5Lexists(file_.id(), name.substr(0, at).c_str(), H5P_DEFAULT) <= 0) return false;
    if (at == std::string::npos) return true;
  }
}

std::size_t FclibFile::checked_size(const std::string& name, hid_t dataset, Numbers numbers) const {
  const FclibHandle space(H5Dget_space(dataset), H5Sclose);
  const FclibHandle type(H5Dget_type(dataset), H5Tclose);
  const FclibHandle layout(H5Dget_create_plist(dataset), H5Pclose);
  if (!space.valid() || !type.valid() || !layout.valid()) fail(name, "damaged dataset");
  const H5T_class_t kind = H5Tget_class(type.id());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) fail(name, "must hold numbers");
  if (kind == H5T_FLOAT && numbers == Numbers::integer)
    fail(name, "must hold integers, holds floating-point numbers");
  const int dimensions = H5Sget_simple_extent_ndims(space.id());
  if (dimensions > 1) fail(name, "must have one dimension, has " + std::to_string(dimensions));
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  if (count < 0) fail(name, "damaged dataset");
  const double bytes = static_cast<double>(count) * static_cast<double>(H5Tget_size(type.id()));
  const double factor = H5Pget_layout(layout.id()) == H5D_CHUNKED ? largest_compression : 1.0;
  if (bytes > factor * file_bytes_) fail(name, "claims more data than the file holds");
  return static_cast<std::size_t>(count);
}

template <class Value>
std::vector<Value> FclibFile::read(const std::string& name, hid_t type, Numbers numbers) const {
  if (!has(name)) fail(name, "missing");
  const FclibHandle dataset(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) fail(name, "not a dataset, or damaged");
  std::vector<Value> values(checked_size(name, dataset.id(), numbers));
  if (!values.empty() &&
      H5Dread(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    fail(name, "cannot be read; the file is damaged");
  }
  return values;
}

std::vector<std::int64_t> FclibFile::integers(const std::string& name) const {
  return read<std::int64_t>(name, H5T_NATIVE_INT64, Numbers::integer);
}

std::vector<double> FclibFile::reals(const std::string& name) const {
  std::vector<double> values = read<double>(name, H5T_NATIVE_DOUBLE, Numbers::real);
  if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) {
    fail(name, "holds a value that is not finite");
  }
  // Residuals square them, and squares must neither overflow nor vanish.
  constexpr double largest_allowed = 1e100, smallest_allowed = 1e-100;
  double largest = 0.0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  if (largest > largest_allowed || (largest > 0.0 && largest < smallest_allowed)) {
    fail(name, "has values too large or too small; the largest must be 0 or from 1e-100 to 1e100");
  }
  return values;
}

std::int64_t FclibFile::integer(const std::string& name) const {
  const auto values = integers(name);
  if (values.size() != 1) fail(name, "must hold one integer");
  return values.front();
}

std::string FclibFile::text_or_empty(const std::string& name) const {
  if (!has(name)) return "";
  const FclibHandle dataset(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) return "";
  const FclibHandle type(H5Dget_type(dataset.id()), H5Tclose),
      space(H5Dget_space(dataset.id()), H5Sclose);
  if (H5Tget_class(type.id()) != H5T_STRING || H5Sget_simple_extent_npoints(space.id()) != 1)
    return "";
  if (H5Tis_variable_str(type.id()) > 0) {
    char* text = nullptr;
    if (H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) < 0 ||
        text == nullptr)
      return "";
    std::string result(text);
    H5free_memory(text);
    return result;
  }
  const std::size_t length = H5Tget_size(type.id());
  if (static_cast<double>(length) > file_bytes_) return "";
  std::string result(length, '\0');
  if (H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()) < 0) return "";
  return result.substr(0, result.find('\0'));
}

std::int64_t FclibFile::attribute_or(const std::string& group, const std::string& name,
                                     std::int64_t otherwise) const {
  if (!has(group) || H5Aexists_by_name(file_.id(), group.c_str(), name.c_str(), H5P_DEFAULT) <= 0)
    return otherwise;
  const FclibHandle attribute(
      H5Aopen_by_name(file_.id(), group.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) return otherwise;
  const FclibHandle space(H5Aget_space(attribute.id()), H5Sclose);
  std::int64_t value = 0;
  if (H5Sget_simple_extent_npoints(space.id()) != 1) return otherwise;
  return H5Aread(attribute.id(), H5T_NATIVE_INT64, &value) < 0 ? otherwise : value;
}

}  // namespace scree::contact
