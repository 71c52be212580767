#include "engine/base/hdf5_screen.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/base/guarded_child.hpp"
#include "engine/base/hdf5_chunks.hpp"
#include "engine/base/hdf5_handle.hpp"
#include "engine/base/input_file.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/quiet_hdf5.hpp"

namespace scree::h5 {
namespace {

constexpr int deepest_group = 32;
constexpr std::size_t largest_number = 8;  // bytes

// What is wrong, with the name of where; ends the walk. A file may be whole and yet lead elsewhere.
struct Fault {
  std::string text;
  bool damage = true;
};

Handle take(hid_t id, Close close, const std::string& name) {
  if (id < 0) throw Fault{name + ": cannot be opened"};
  return {id, close};
}

class Walk {
 public:
  Walk(hid_t file, std::uint64_t file_bytes) : file_(file), file_bytes_(file_bytes) {}

  void everything() { object(take(H5Oopen(file_, "/", H5P_DEFAULT), &H5Oclose, "/"), "", 0); }

 private:
  void object(const Handle& handle, const std::string& name, int depth) {
    H5O_info_t info{};
    if (H5Oget_info2(handle.id(), &info, H5O_INFO_BASIC) < 0)
      throw Fault{shown(name) + ": cannot be read"};
    if (!seen_.insert(info.addr).second) return;
    attributes(handle.id(), name);
    if (info.type == H5O_TYPE_GROUP) group(handle.id(), name, depth);
    if (info.type == H5O_TYPE_DATASET) dataset(handle.id(), name);
  }

  void group(hid_t id, const std::string& name, int depth) {
    if (depth >= deepest_group) throw Fault{shown(name) + ": lies too deep"};
    for (const std::string& child : links(id, name)) {
      const std::string path = name + "/" + child;
      object(take(H5Oopen(id, child.c_str(), H5P_DEFAULT), &H5Oclose, path), path, depth + 1);
    }
  }

  // Names of what lies in a group; all of them are checked before one is followed.
  std::vector<std::string> links(hid_t id, const std::string& name) const {
    struct Found {
      std::vector<std::string> names;
      std::string fault;
      std::uint64_t most = 0;
    } found;
    found.most = file_bytes_;
    const auto add = [](hid_t, const char* link, const H5L_info_t* info, void* data) -> herr_t {
      auto& list = *static_cast<Found*>(data);
      if (info->type != H5L_TYPE_HARD)
        list.fault = std::string(link) + ": is a link to " +
                     (info->type == H5L_TYPE_EXTERNAL ? "another file" : "elsewhere");
      if (list.names.size() >= list.most) list.fault = std::string(link) + ": is one of too many";
      list.names.emplace_back(link);
      return list.fault.empty() ? 0 : 1;
    };
    hsize_t position = 0;
    const herr_t status = H5Literate(id, H5_INDEX_NAME, H5_ITER_NATIVE, &position, add, &found);
    if (!found.fault.empty()) throw Fault{name + "/" + found.fault, false};
    if (status < 0) throw Fault{shown(name) + ": cannot be read"};
    return found.names;
  }

  // All are opened; those that this program reads, numbers and texts of fixed length, are read as
  // well.
  void attributes(hid_t id, const std::string& name) {
    std::vector<std::string> names;
    hsize_t position = 0;
    const auto add = [](hid_t, const char* attribute, const H5A_info_t*, void* list) -> herr_t {
      static_cast<std::vector<std::string>*>(list)->emplace_back(attribute);
      return 0;
    };
    if (H5Aiterate2(id, H5_INDEX_NAME, H5_ITER_NATIVE, &position, add, &names) < 0)
      throw Fault{shown(name) + ": attributes cannot be read"};
    for (const std::string& one : names) {
      const std::string path = name + "/" + one;
      const Handle attribute = take(H5Aopen(id, one.c_str(), H5P_DEFAULT), &H5Aclose, path);
      const Handle type = take(H5Aget_type(attribute.id()), &H5Tclose, path),
                   space = take(H5Aget_space(attribute.id()), &H5Sclose, path);
      if (!is_plain(type.id(), path)) continue;
      const std::uint64_t bytes =
          claimed_bytes(extent(space.id(), path), H5Tget_size(type.id()), path);
      if (bytes > file_bytes_) throw Fault{path + ": claims more data than the file holds"};
      buffer_.resize(std::max<std::size_t>(static_cast<std::size_t>(bytes), 1));
      if (bytes > 0 && H5Aread(attribute.id(), type.id(), buffer_.data()) < 0)
        throw Fault{path + ": cannot be read"};
    }
  }

  void dataset(hid_t id, const std::string& name) {
    const Handle type = take(H5Dget_type(id), &H5Tclose, name),
                 space = take(H5Dget_space(id), &H5Sclose, name);
    const Handle creation = take(H5Dget_create_plist(id), &H5Pclose, name);
    if (H5Pget_external_count(creation.id()) != 0)
      throw Fault{name + ": lies in another file", false};
    const H5D_layout_t layout = H5Pget_layout(creation.id());
    if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
      throw Fault{name + ": is put together from elsewhere", false};
    const bool plain = is_plain(type.id(), name);
    if (!plain && H5Tis_variable_str(type.id()) <= 0) return;  // nothing that this program reads
    const std::vector<hsize_t> dims = extent(space.id(), name);
    const std::uint64_t value_bytes = H5Tget_size(type.id()),
                        bytes = claimed_bytes(dims, value_bytes, name);
    const std::uint64_t most = layout == H5D_CHUNKED ? largest_packing * file_bytes_ : file_bytes_;
    if (bytes > most) throw Fault{name + ": claims more data than the file holds"};
    if (layout == H5D_CHUNKED) {
      const std::string fault =
          fault_of_chunks({id, creation.id(), dims, value_bytes, file_bytes_}, budget_);
      if (!fault.empty()) throw Fault{name + ": " + fault};
    }
    if (bytes > 0) sample(id, type.id(), dims, plain, name);
  }

  // The first entry and the last, as they will be read.
  void sample(hid_t id, hid_t type, const std::vector<hsize_t>& dims, bool plain,
              const std::string& name) {
    std::vector<hsize_t> start(dims.size(), 0), one(dims.size(), 1);
    const Handle memory = take(H5Screate(H5S_SCALAR), &H5Sclose, name);
    // One number is converted: the library would clear a megabyte for it.
    const Handle transfer = take(H5Pcreate(H5P_DATASET_XFER), &H5Pclose, name);
    H5Pset_buffer(transfer.id(), std::max<std::size_t>(H5Tget_size(type), largest_number), nullptr,
                  nullptr);
    const bool text = H5Tget_class(type) == H5T_STRING;
    buffer_.resize(std::max<std::size_t>(H5Tget_size(type), largest_number));
    for (int time = 0; time < 2; ++time) {
      const Handle space = take(H5Dget_space(id), &H5Sclose, name);
      if (!dims.empty())
        H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, one.data(), nullptr);
      if (H5Dread(id, text ? type : H5T_NATIVE_DOUBLE, memory.id(), space.id(), transfer.id(),
                  buffer_.data()) < 0)
        throw Fault{name + ": cannot be read"};
      if (!plain) H5Dvlen_reclaim(type, memory.id(), H5P_DEFAULT, buffer_.data());
      std::transform(dims.begin(), dims.end(), start.begin(),
                     [](hsize_t size) { return size - 1; });
    }
  }

  // A number or a text of fixed length.
  bool is_plain(hid_t type, const std::string& name) const {
    const H5T_class_t kind = H5Tget_class(type);
    const std::size_t size = H5Tget_size(type);
    if (kind == H5T_NO_CLASS || size == 0) throw Fault{name + ": its type cannot be read"};
    if (kind == H5T_STRING) return H5Tis_variable_str(type) == 0;
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) return false;
    if (size > largest_number)
      throw Fault{name + ": has numbers of " + std::to_string(size) + " bytes"};
    return true;
  }

  static std::vector<hsize_t> extent(hid_t space, const std::string& name) {
    const H5S_class_t kind = H5Sget_simple_extent_type(space);
    if (kind == H5S_NULL) return {0};
    const int rank = kind == H5S_NO_CLASS ? -1 : H5Sget_simple_extent_ndims(space);
    if (rank < 0) throw Fault{name + ": its size cannot be read"};
    std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
    if (rank > 0 && H5Sget_simple_extent_dims(space, dims.data(), nullptr) < 0)
      throw Fault{name + ": its size cannot be read"};
    return dims;
  }

  static std::uint64_t claimed_bytes(const std::vector<hsize_t>& dims, std::uint64_t value_bytes,
                                     const std::string& name) {
    if (std::find(dims.begin(), dims.end(), hsize_t{0}) != dims.end()) return 0;
    std::uint64_t bytes = value_bytes;
    for (const hsize_t size : dims) {
      if (size > std::numeric_limits<std::uint64_t>::max() / bytes)
        throw Fault{name + ": claims more data than the file holds"};
      bytes *= size;
    }
    return bytes;
  }

  static std::string shown(const std::string& name) { return name.empty() ? "/" : name; }

  hid_t file_;
  std::uint64_t file_bytes_;
  ScreenBudget budget_;
  std::set<haddr_t> seen_;
  std::vector<unsigned char> buffer_;
};

std::string walk(const std::function<Handle()>& open, std::uint64_t bytes) {
  const Quiet quiet;
  const Handle file = open();
  if (!file.valid()) return "is damaged or truncated (it cannot be opened)";
  try {
    Walk(file.id(), bytes).everything();
  } catch (const Fault& fault) {
    return printable((fault.damage ? "is damaged or truncated (" : "is not read (") + fault.text +
                     ")");
  }
  return "";
}

void screen(const std::string& path, std::uint64_t bytes, const std::function<Handle()>& open) {
  // Walking takes a fraction of a second for each hundred megabytes.
  const ChildLimits limits{.cpu_seconds = 5 + bytes / 50'000'000};
  ChildOutcome outcome;
  try {
    outcome = run_guarded([&] { return walk(open, bytes); }, limits);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path + ": cannot be checked: " + error.what());
  }
  using End = ChildOutcome::End;
  if (outcome.end == End::crashed)
    throw InputError(path + ": is damaged or truncated (the HDF5 library breaks down on it)");
  if (outcome.end == End::out_of_time)
    throw InputError(path + ": is damaged or truncated (reading it does not end)");
  if (!outcome.text.empty()) throw InputError(path + ": " + outcome.text);
}

// Marks of the file's head: signature, version, and from version 3 whether somebody writes, with
// readers (4) or alone (1).
void refuse_file_in_use(const std::string& path) {
  const std::string head = read_input_file(path, 12);
  const bool marked =
      head.size() == 12 && head.compare(0, 8, "\x89HDF\r\n\x1a\n") == 0 && head[8] >= 3;
  if (marked && (head[11] & 5) == 1)
    throw InputError(
        path + ": is open for writing in another program, or was left so by one that was killed");
}

}  // namespace

void screen_file(const std::string& path, unsigned flags) {
  refuse_file_in_use(path);
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) throw InputError(path + ": cannot be read: " + error.message());
  screen(path, bytes, [&]() -> Handle {
    // Another driver than the reader's, so that the disk is looked at, and not what this process
    // holds of the file in memory.
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
    H5Pset_fapl_log(access.id(), nullptr, 0, 0);
    H5Pset_file_locking(access.id(), false, true);
    H5Pset_metadata_read_attempts(access.id(), 1);  // as hdf5_file.cpp: what is torn stays torn
    return {H5Fopen(path.c_str(), flags, access.id()), &H5Fclose};
  });
}

void screen_image(const std::string& path, std::string_view bytes) {
  screen(path, bytes.size(), [&]() -> Handle {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
    H5Pset_fapl_core(access.id(), 1 << 16, false);
    H5Pset_file_image(access.id(), const_cast<char*>(bytes.data()), bytes.size());
    return {H5Fopen("checkpoint", H5F_ACC_RDONLY, access.id()), &H5Fclose};
  });
}

}  // namespace scree::h5
