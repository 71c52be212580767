#include "tests/fuzz/edit_hdf5.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>

#include "engine/base/hdf5_handle.hpp"
#include "engine/base/quiet_hdf5.hpp"

namespace scree::fuzz {
namespace {

using h5::Handle;

// What there is in a file, by path from the root.
struct Contents {
  std::vector<std::string> groups, tables, objects;  // objects: both
};

herr_t list_object(hid_t, const char* name, const H5O_info_t* info, void* data) {
  auto& contents = *static_cast<Contents*>(data);
  if (info->type == H5O_TYPE_GROUP) contents.groups.emplace_back(name);
  if (info->type == H5O_TYPE_DATASET) contents.tables.emplace_back(name);
  if (std::strcmp(name, ".") != 0) contents.objects.emplace_back(name);
  return 0;
}

bool chance(Random& random, unsigned one_in) { return random() % one_in == 0; }

double odd_number(Random& random) {
  using Limits = std::numeric_limits<double>;
  static constexpr std::array<double, 28> numbers = {0.0,
                                                     -0.0,
                                                     1.0,
                                                     -1.0,
                                                     2.0,
                                                     3.0,
                                                     0.5,
                                                     7.0,
                                                     8.0,
                                                     127.0,
                                                     128.0,
                                                     255.0,
                                                     256.0,
                                                     65535.0,
                                                     2147483647.0,
                                                     2147483648.0,
                                                     -2.0,
                                                     4.3e9,
                                                     9.3e18,
                                                     1e-320,
                                                     1e-30,
                                                     1e30,
                                                     1e300,
                                                     -1e300,
                                                     1e-300,
                                                     Limits::quiet_NaN(),
                                                     Limits::infinity(),
                                                     -Limits::infinity()};
  return chance(random, 4) ? static_cast<double>(random() % 64) : any_of(numbers, random);
}

// Bytes of any numbers or texts.
std::string odd_bytes(std::size_t size, Random& random) {
  std::string bytes(size, '\0');
  switch (random() % 4) {
    case 0:
      break;
    case 1:
      std::fill(bytes.begin(), bytes.end(), '\xff');
      break;
    case 2:
      for (std::size_t at = 0; at + sizeof(double) <= size; at += sizeof(double)) {
        const double number = odd_number(random);
        std::memcpy(bytes.data() + at, &number, sizeof number);
      }
      break;
    default:
      for (char& byte : bytes) byte = static_cast<char>(random());
  }
  return bytes;
}

std::vector<hsize_t> extent_of(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> dims(static_cast<std::size_t>(std::max(rank, 0)));
  if (rank > 0) H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  return dims;
}

hsize_t odd_size(hsize_t size, Random& random) {
  static constexpr std::array<hsize_t, 6> sizes = {0, 1, 2, 3, 7, 1000};
  switch (random() % 5) {
    case 0:
      return size == 0 ? 0 : size - 1;
    case 1:
      return size + 1;
    case 2:
      return 2 * size;
    case 3:
      return size / 2;
    default:
      return any_of(sizes, random);
  }
}

Handle odd_type(Random& random) {
  const std::array<hid_t, 12> plain = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT,   H5T_NATIVE_INT64,
                                       H5T_NATIVE_INT32,  H5T_NATIVE_UINT32,  H5T_NATIVE_UINT8,
                                       H5T_NATIVE_INT8,   H5T_NATIVE_UINT64,  H5T_IEEE_F64BE,
                                       H5T_STD_I16BE,     H5T_NATIVE_LDOUBLE, H5T_NATIVE_B64};
  if (!chance(random, 3)) return {H5Tcopy(any_of(plain, random)), &H5Tclose};
  Handle type;
  switch (random() % 5) {
    case 0:
      type = Handle(H5Tcopy(H5T_C_S1), &H5Tclose);
      H5Tset_size(type.id(), 1 + random() % 40);
      break;
    case 1:
      type = Handle(H5Tcopy(H5T_C_S1), &H5Tclose);
      H5Tset_size(type.id(), H5T_VARIABLE);
      break;
    case 2:
      type = Handle(H5Tcreate(H5T_COMPOUND, 16), &H5Tclose);
      H5Tinsert(type.id(), "r", 0, H5T_NATIVE_DOUBLE);
      H5Tinsert(type.id(), "i", 8, H5T_NATIVE_DOUBLE);
      break;
    case 3: {
      const hsize_t size = 1 + random() % 4;
      type = Handle(H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &size), &H5Tclose);
      break;
    }
    default:
      type = Handle(H5Tcreate(H5T_OPAQUE, 1 + random() % 9), &H5Tclose);
  }
  return type;
}

Handle space_of(const std::vector<hsize_t>& dims, Random& random) {
  if (dims.empty()) return {H5Screate(chance(random, 4) ? H5S_NULL : H5S_SCALAR), &H5Sclose};
  return {H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), &H5Sclose};
}

std::vector<hsize_t> odd_extent(std::vector<hsize_t> dims, Random& random) {
  switch (random() % 4) {
    case 0:
      if (!dims.empty()) dims.pop_back();
      break;
    case 1:
      if (dims.size() < 3) dims.push_back(random() % 5);
      break;
    case 2:
      for (hsize_t& size : dims) size = odd_size(size, random);
      break;
    default:
      if (!dims.empty()) dims[random() % dims.size()] = odd_size(dims.front(), random);
  }
  for (hsize_t& size : dims) size = std::min<hsize_t>(size, 2000);
  return dims;
}

std::size_t bytes_of(hid_t type, hid_t space) {
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  return points <= 0 ? 0 : static_cast<std::size_t>(points) * H5Tget_size(type);
}

bool is_variable(hid_t type) { return H5Tis_variable_str(type) > 0; }

// Of the numbers of a table, one, a row or all.
void poke(hid_t table, Random& random) {
  const Handle type(H5Dget_type(table), &H5Tclose), space(H5Dget_space(table), &H5Sclose);
  const std::vector<hsize_t> dims = extent_of(space.id());
  if (is_variable(type.id()) || std::find(dims.begin(), dims.end(), hsize_t{0}) != dims.end())
    return;
  std::vector<hsize_t> start, block;
  const bool one_row = !chance(random, 8), one_number = one_row && !chance(random, 3);
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const bool one = axis == 0 ? one_row : one_number;
    // The last rows are as likely as all others.
    start.push_back(!one ? 0 : chance(random, 2) ? random() % dims[axis] : dims[axis] - 1);
    block.push_back(one ? 1 : dims[axis]);
  }
  if (!dims.empty())
    H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
  const hssize_t points = dims.empty() ? 1 : H5Sget_select_npoints(space.id());
  if (points <= 0 || points > 100'000) return;
  const auto count = static_cast<hsize_t>(points);
  const Handle memory(H5Screate_simple(1, &count, nullptr), &H5Sclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  if (kind == H5T_INTEGER || kind == H5T_FLOAT) {
    const bool same = chance(random, 2);
    std::vector<double> values(count, odd_number(random));
    for (double& value : values) value = same ? values.front() : odd_number(random);
    H5Dwrite(table, H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, values.data());
    return;
  }
  const std::string bytes =
      odd_bytes(static_cast<std::size_t>(count) * H5Tget_size(type.id()), random);
  H5Dwrite(table, type.id(), memory.id(), space.id(), H5P_DEFAULT, bytes.data());
}

// One more row, one less, none: tables in chunks only.
void resize(hid_t table, Random& random) {
  const Handle space(H5Dget_space(table), &H5Sclose);
  std::vector<hsize_t> dims = extent_of(space.id());
  if (dims.empty()) return;
  dims[0] = odd_size(dims[0], random);
  H5Dset_extent(table, dims.data());
}

Handle odd_creation(const std::vector<hsize_t>& dims, Random& random) {
  Handle creation(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose);
  H5Pset_obj_track_times(creation.id(), false);  // the same input tomorrow
  if (dims.empty() || !chance(random, 3)) return creation;
  std::vector<hsize_t> chunk;
  for (const hsize_t size : dims) chunk.push_back(1 + random() % (size + 3));
  H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data());
  if (chance(random, 2)) H5Pset_shuffle(creation.id());
  if (chance(random, 2)) H5Pset_deflate(creation.id(), 1);
  if (chance(random, 3)) H5Pset_fletcher32(creation.id());
  return creation;
}

void make_table(hid_t file, const std::string& path, const std::vector<hsize_t>& dims, hid_t type,
                Random& random) {
  const Handle space = space_of(dims, random), creation = odd_creation(dims, random),
               links(H5Pcreate(H5P_LINK_CREATE), &H5Pclose);
  H5Pset_create_intermediate_group(links.id(), 1);
  const Handle table(
      H5Dcreate2(file, path.c_str(), type, space.id(), links.id(), creation.id(), H5P_DEFAULT),
      &H5Dclose);
  if (!table.valid() || is_variable(type)) return;
  const std::string bytes = odd_bytes(bytes_of(type, space.id()), random);
  if (!bytes.empty()) H5Dwrite(table.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
}

// The same numbers, as far as they go, in another type or shape.
void remake(hid_t file, const std::string& path, Random& random) {
  std::vector<hsize_t> dims;
  Handle type;
  std::vector<double> values;
  {
    const Handle table(H5Dopen2(file, path.c_str(), H5P_DEFAULT), &H5Dclose);
    const Handle space(H5Dget_space(table.id()), &H5Sclose);
    type = Handle(H5Dget_type(table.id()), &H5Tclose);
    dims = extent_of(space.id());
    const hssize_t points = H5Sget_simple_extent_npoints(space.id());
    const H5T_class_t kind = H5Tget_class(type.id());
    if ((kind == H5T_INTEGER || kind == H5T_FLOAT) && points > 0 && points < 100'000) {
      values.resize(static_cast<std::size_t>(points));
      H5Dread(table.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
  }
  H5Ldelete(file, path.c_str(), H5P_DEFAULT);
  if (!chance(random, 3)) dims = odd_extent(dims, random);
  if (chance(random, 2) || values.empty()) {
    const Handle other = odd_type(random);
    make_table(file, path, dims, other.id(), random);
    return;
  }
  const Handle space = space_of(dims, random), creation = odd_creation(dims, random);
  const Handle table(H5Dcreate2(file, path.c_str(), type.id(), space.id(), H5P_DEFAULT,
                                creation.id(), H5P_DEFAULT),
                     &H5Dclose);
  const hssize_t points = H5Sget_simple_extent_npoints(space.id());
  if (points <= 0) return;
  const std::size_t there = values.size();
  values.resize(static_cast<std::size_t>(points));
  for (std::size_t i = there; i < values.size(); ++i) values[i] = values[i % there];
  H5Dwrite(table.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

std::vector<std::string> attributes_of(hid_t object) {
  std::vector<std::string> names;
  hsize_t position = 0;
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, &position, add, &names);
  return names;
}

void make_attribute(hid_t object, const std::string& name, hid_t type,
                    const std::vector<hsize_t>& dims, Random& random) {
  const Handle space = space_of(dims, random);
  const Handle attribute(
      H5Acreate2(object, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), &H5Aclose);
  if (!attribute.valid() || is_variable(type)) return;
  const std::string bytes = odd_bytes(bytes_of(type, space.id()), random);
  if (!bytes.empty()) H5Awrite(attribute.id(), type, bytes.data());
}

void change_attribute(hid_t object, Random& random) {
  const std::vector<std::string> names = attributes_of(object);
  if (names.empty()) return;
  const std::string name = any_of(names, random);
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), &H5Aclose);
  const Handle type(H5Aget_type(attribute.id()), &H5Tclose),
      space(H5Aget_space(attribute.id()), &H5Sclose);
  const std::vector<hsize_t> dims = extent_of(space.id());
  const std::size_t bytes = bytes_of(type.id(), space.id());
  const H5T_class_t kind = H5Tget_class(type.id());
  switch (random() % 6) {
    case 0:
      H5Adelete(object, name.c_str());
      return;
    case 1: {
      const Handle other = odd_type(random);
      H5Adelete(object, name.c_str());
      make_attribute(object, name, other.id(), odd_extent(dims, random), random);
      return;
    }
    case 2:
      H5Adelete(object, name.c_str());
      make_attribute(object, name, type.id(), odd_extent(dims, random), random);
      return;
    default:
      if (is_variable(type.id()) || bytes == 0) return;
  }
  if (kind == H5T_INTEGER || kind == H5T_FLOAT) {
    std::vector<double> values(bytes / H5Tget_size(type.id()));
    for (double& value : values) value = odd_number(random);
    H5Awrite(attribute.id(), H5T_NATIVE_DOUBLE, values.data());
    return;
  }
  std::string text(bytes, '\0');
  H5Aread(attribute.id(), type.id(), text.data());
  switch (random() % 3) {
    case 0:
      text = odd_bytes(bytes, random);
      break;
    case 1:
      text[random() % bytes] = static_cast<char>(random());
      break;
    default:
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(random() % bytes), text.end(), '\0');
  }
  H5Awrite(attribute.id(), type.id(), text.data());
}

// A name for a table or group that there was not: odd, or the next of a numbered list.
std::string new_path(const Contents& contents, Random& random) {
  static const std::array<const char*, 7> names = {"0",      "1", "7",     "moment",
                                                   "offset", "x", "\n\xff"};
  const std::string& group = any_of(contents.groups, random);
  return (group == "." ? "" : group + "/") + any_of(names, random);
}

void edit_once(hid_t file, const Contents& contents, Random& random) {
  if (contents.tables.empty() || contents.objects.empty()) return;
  const std::string table = any_of(contents.tables, random),
                    object = any_of(contents.objects, random);
  const auto open = [&](const std::string& path) {
    return Handle(H5Oopen(file, path.c_str(), H5P_DEFAULT), &H5Oclose);
  };
  switch (random() % 16) {
    case 0:
    case 1:
      resize(open(table).id(), random);
      break;
    case 2:
    case 3:
      remake(file, table, random);
      break;
    case 4:
      H5Ldelete(file, object.c_str(), H5P_DEFAULT);
      break;
    case 5: {  // one in the place of another
      const std::string other = any_of(contents.objects, random);
      if (other == object) break;
      H5Ldelete(file, object.c_str(), H5P_DEFAULT);
      H5Lcreate_hard(file, other.c_str(), file, object.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    }
    case 6: {
      const Handle type = odd_type(random);
      make_table(file, new_path(contents, random), odd_extent({random() % 9}, random), type.id(),
                 random);
      break;
    }
    case 7:
      if (chance(random, 4))
        H5Lcreate_soft("/nowhere", file, new_path(contents, random).c_str(), H5P_DEFAULT,
                       H5P_DEFAULT);
      else
        H5Lmove(file, object.c_str(), file, new_path(contents, random).c_str(), H5P_DEFAULT,
                H5P_DEFAULT);
      break;
    case 8:
    case 9:
    case 10:
      change_attribute(open(chance(random, 2) ? "/" : object).id(), random);
      break;
    case 11: {
      const Handle type = odd_type(random), at = open(object);
      make_attribute(at.id(), chance(random, 2) ? "unit" : "odd", type.id(),
                     odd_extent({1}, random), random);
      break;
    }
    default:
      poke(open(table).id(), random);
  }
}

}  // namespace

std::string edit_hdf5(const std::vector<std::string>& corpus, Random& random,
                      const std::string& scratch) {
  static std::map<std::ptrdiff_t, Contents> known;  // by number in the corpus
  const std::string& from = any_of(corpus, random);
  const h5::Quiet quiet;
  std::ofstream(scratch, std::ios::binary | std::ios::trunc)
      .write(from.data(), static_cast<std::streamsize>(from.size()));
  {
    // In memory, and to the disk when it is closed.
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
    H5Pset_fapl_core(access.id(), 1 << 16, true);
    H5Pset_file_locking(access.id(), false, true);
    const Handle file(H5Fopen(scratch.c_str(), H5F_ACC_RDWR, access.id()), &H5Fclose);
    if (!file.valid()) return from;
    std::size_t count = 1;
    while (count < 8 && chance(random, 2)) ++count;
    // What an edit has taken away, the next one does not find; nothing happens then.
    Contents& contents = known[&from - corpus.data()];
    if (contents.groups.empty())
      H5Ovisit2(file.id(), H5_INDEX_NAME, H5_ITER_NATIVE, &list_object, &contents, H5O_INFO_BASIC);
    for (; count > 0; --count) edit_once(file.id(), contents, random);
  }
  std::ifstream file(scratch, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace scree::fuzz
