// Looks through an HDF5 file before it is read: files come from anybody, and the library trusts
// them.
//
// Damaged or hostile files crash libhdf5 1.10, keep it busy for ever, make it follow links out of
// the file or allocate all memory. So a process of its own first walks everything once
// (guarded_child.hpp): groups, links, attributes, the layout of each data set, the index of its
// chunks, and what is packed. Only what it came through is then read here.
//
// Refused: soft and external links and those of other kinds; data sets in other files or in virtual
// pieces; filters other than deflate, shuffle and Fletcher's checksum; numbers of more than 8
// bytes. A data set may claim
//   without chunks                as many bytes as the file has;
//   in chunks                     twice what its chunks unpack to, and the bytes of the file, but
//   never more than
//                                 1100 times the bytes of the file (deflate packs by 1032 at most).
// What the chunks unpack to is compared with their size for the first 128 MB and the first 100 000
// chunks of a file: beyond that the look would take seconds.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace scree::h5 {

// How many times the bytes of a file its data may have.
inline constexpr std::uint64_t largest_packing = 1100;

// Throw InputError, one line that begins with `path`. `flags`: of H5Fopen.
void screen_file(const std::string& path, unsigned flags);
void screen_image(const std::string& path, std::string_view bytes);

}  // namespace scree::h5
