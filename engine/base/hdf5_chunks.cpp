#include "engine/base/hdf5_chunks.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "engine/base/hdf5_handle.hpp"
#include "engine/base/hdf5_screen.hpp"

namespace scree::h5 {
namespace {

constexpr std::uint64_t largest_chunk = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t checksum_bytes = 4;  // of Fletcher's filter, at the end

// The filters of a table, as they were applied.
struct Filters {
  std::vector<H5Z_filter_t> applied;
  std::string fault;

  bool has(H5Z_filter_t one) const {
    return std::find(applied.begin(), applied.end(), one) != applied.end();
  }
};

Filters filters_of(hid_t creation) {
  Filters filters;
  const int count = H5Pget_nfilters(creation);
  if (count < 0) filters.fault = "its filters cannot be read";
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0, settings = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values,
                                               nullptr, 0, nullptr, &settings);
    const bool known = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
                       filter == H5Z_FILTER_FLETCHER32;
    if (!known || filters.has(filter))
      filters.fault = "is packed in a way that this program does not read";
    filters.applied.push_back(filter);
  }
  return filters;
}

// Bytes that a stream of deflate unpacks to, counted up to `most` + 1; that too when it is no such
// stream.
std::uint64_t unpacked_size(const std::vector<unsigned char>& packed, std::size_t size,
                            std::uint64_t most) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return most + 1;
  stream.next_in = const_cast<unsigned char*>(packed.data());
  stream.avail_in = static_cast<unsigned>(size);
  std::array<unsigned char, 1 << 16> out{};
  std::uint64_t count = 0;
  int status = Z_OK;
  while (status == Z_OK && count <= most) {
    stream.next_out = out.data();
    stream.avail_out = static_cast<unsigned>(out.size());
    status = inflate(&stream, Z_NO_FLUSH);
    count += out.size() - stream.avail_out;
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END ? count : most + 1;
}

class ChunkList {
 public:
  ChunkList(const ChunkedTable& table, Filters filters, std::vector<hsize_t> dims,
            std::uint64_t chunk_bytes)
      : table_(table),
        filters_(std::move(filters)),
        dims_(std::move(dims)),
        chunk_bytes_(chunk_bytes) {}

  // The first chunks that do not unpack to their size.
  std::string fault(ScreenBudget& budget) {
    std::vector<hsize_t> at(dims_.size(), 0);
    do {
      if (budget.chunks == 0 || budget.bytes < chunk_bytes_) return "";
      --budget.chunks;
      hsize_t stored = 0;
      if (H5Dget_chunk_storage_size(table_.dataset, at.data(), &stored) < 0 || stored == 0)
        continue;  // never written
      budget.bytes -= chunk_bytes_;
      if (!unpacks(at, stored)) return "has a piece that does not unpack to its size";
    } while (advance(at));
    return "";
  }

 private:
  bool advance(std::vector<hsize_t>& at) const {
    for (std::size_t axis = at.size(); axis-- > 0;) {
      if (dims_[axis] < table_.extent[axis] - at[axis]) {
        at[axis] += dims_[axis];
        return true;
      }
      at[axis] = 0;
    }
    return false;
  }

  bool unpacks(const std::vector<hsize_t>& at, hsize_t stored) {
    if (stored > table_.file_bytes || stored > largest_chunk) return false;
    buffer_.resize(static_cast<std::size_t>(stored));
    std::uint32_t left_out = 0;
    if (H5Dread_chunk(table_.dataset, H5P_DEFAULT, at.data(), &left_out, buffer_.data()) < 0)
      return false;
    std::uint64_t size = stored;
    for (std::size_t i = filters_.applied.size(); i-- > 0;) {
      if ((left_out >> i & 1U) != 0) continue;
      if (filters_.applied[i] == H5Z_FILTER_FLETCHER32) {
        if (size < checksum_bytes) return false;
        size -= checksum_bytes;
      }
      // Shuffling keeps the size. What lies below deflate is unpacked once: it cannot be applied
      // twice.
      if (filters_.applied[i] == H5Z_FILTER_DEFLATE)
        size =
            unpacked_size(buffer_, static_cast<std::size_t>(size), chunk_bytes_ + checksum_bytes);
    }
    return size == chunk_bytes_;
  }

  const ChunkedTable& table_;
  Filters filters_;
  std::vector<hsize_t> dims_;
  std::uint64_t chunk_bytes_;
  std::vector<unsigned char> buffer_;
};

}  // namespace

std::string fault_of_chunks(const ChunkedTable& table, ScreenBudget& budget) {
  Filters filters = filters_of(table.creation);
  if (!filters.fault.empty()) return filters.fault;
  std::vector<hsize_t> dims(table.extent.size());
  if (H5Pget_chunk(table.creation, static_cast<int>(dims.size()), dims.data()) !=
      static_cast<int>(dims.size()))
    return "its pieces cannot be read";
  std::uint64_t bytes = table.value_bytes, claimed = table.value_bytes;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 0 || dims[i] > largest_chunk / bytes) return "has pieces of an odd size";
    bytes *= dims[i];
    claimed *= table.extent[i];  // bounded by the caller
  }
  hsize_t there = 0;
  const Handle space(H5Dget_space(table.dataset), &H5Sclose);
  if (H5Dget_num_chunks(table.dataset, space.id(), &there) < 0) return "its pieces cannot be found";
  // The addition does not overflow: pieces have less than 2^32 bytes, and there are fewer than
  // bytes in the file.
  if (there > table.file_bytes ||
      (claimed > table.file_bytes && (claimed - table.file_bytes) / 2 > there * bytes)) {
    return "claims more data than the file holds";
  }
  if (claimed == 0 || filters.applied.empty()) return "";
  return ChunkList(table, std::move(filters), std::move(dims), bytes).fault(budget);
}

}  // namespace scree::h5
