#include "engine/files/twin_driver.hpp"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace scree::h5 {
namespace {

// HDF5 allocates space beyond what is written: `eoa`, the end of what it thinks the file has.
struct TwinDriver {
  H5FD_t base;  // first, as HDF5 knows it by this
  TwinFile* file;
  haddr_t eoa;
};

struct Access {
  TwinFile* file;
};

TwinDriver& self(H5FD_t* file) { return *reinterpret_cast<TwinDriver*>(file); }
const TwinDriver& self(const H5FD_t* file) { return *reinterpret_cast<const TwinDriver*>(file); }

// In the words of HDF5's own drivers, which is where check() finds the reason.
herr_t failed(const char* function, int line, hid_t minor) {
  const int reason = errno;
  H5Epush2(H5E_DEFAULT, __FILE__, function, static_cast<unsigned>(line), H5E_ERR_CLS, H5E_IO, minor,
           "errno = %d, error message = '%s'", reason, std::strerror(reason));
  return -1;
}

H5FD_t* open_twin(const char*, unsigned flags, hid_t access, haddr_t) {
  const auto* info = static_cast<const Access*>(H5Pget_driver_info(access));
  if (info == nullptr) return nullptr;
  if ((flags & H5F_ACC_TRUNC) != 0 && !info->file->resize(0)) {
    failed(__func__, __LINE__, H5E_CANTOPENFILE);
    return nullptr;
  }
  auto* driver = new TwinDriver{};
  driver->file = info->file;
  return &driver->base;
}

herr_t close_twin(H5FD_t* file) {
  delete &self(file);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) { return self(file).eoa; }

herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  self(file).eoa = address;
  return 0;
}

haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) {
  return static_cast<haddr_t>(self(file).file->size());
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  if (self(file).file->read(buffer, size, static_cast<std::int64_t>(address))) return 0;
  return failed(__func__, __LINE__, H5E_READERROR);
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size,
             const void* buffer) {
  if (self(file).file->write(buffer, size, static_cast<std::int64_t>(address))) return 0;
  return failed(__func__, __LINE__, H5E_WRITEERROR);
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  const auto end = static_cast<std::int64_t>(self(file).eoa);
  if (self(file).file->size() == end || self(file).file->resize(end)) return 0;
  return failed(__func__, __LINE__, H5E_SEEKERROR);
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(
      901);  // free for use without registration (256 to 511 are not)
#endif
  driver.name = "scree_twin";
  driver.maxaddr = (haddr_t{1} << 62) - 1;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(Access);
  driver.open = open_twin;
  driver.close = close_twin;
  driver.query = query;
  driver.get_eoa = get_eoa;
  driver.set_eoa = set_eoa;
  driver.get_eof = get_eof;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  const H5FD_mem_t kinds[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(kinds), std::end(kinds), driver.fl_map);
  return driver;
}

// In the format of 1.8: it has no mark of a file that is open for writing, so a version that was
// published opens for everybody, though its writer has it open.
Handle access_to(TwinFile& file) {
  static const H5FD_class_t driver = driver_class();
  static const hid_t id = H5FDregister(&driver);
  check(id < 0 ? -1 : 0, "file driver");
  Handle access = own(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, "file access");
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18), "file access");
  const Access info{&file};
  check(H5Pset_driver(access.id(), id, &info), "file access");
  return access;
}

}  // namespace

Handle create_twin(TwinFile& file) {
  const Handle access = access_to(file),
               creation = own(H5Pcreate(H5P_FILE_CREATE), &H5Pclose, "file creation");
  // Nodes that find the chunks of a table, half as large as usual: there are sixty tables, and most
  // are short.
  check(H5Pset_istore_k(creation.id(), 16), "file creation");
  return own(H5Fcreate(file.path().c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), &H5Fclose,
             "cannot be written");
}

}  // namespace scree::h5
