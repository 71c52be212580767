// Checks of a file to be written, before anything is computed. InputError with one line.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "engine/base/check.hpp"

namespace scree {

// The extension of a name in small letters, ".png" of "A.PNG": it says what to write, however it is
// spelt.
inline std::string extension_of(const std::string& name) {
  std::string extension = std::filesystem::path(name).extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

// A program that writes a file leaves others beside it for a while (".checkpoint.partial"), whose
// names are longer.
inline void check_name_length(const std::string& out) {
  constexpr std::size_t longest_name = 255, room = 24;
  const std::size_t size = std::filesystem::path(out).filename().string().size();
  require(size <= longest_name - room, out,
          "cannot be written: File name too long: " + std::to_string(size) + " bytes; at most " +
              std::to_string(longest_name - room) + " are allowed");
}

// `out` may be written: its folder exists, and what stands there, if anything, is an ordinary file
// that is not the `input` it is made from and that `force` allows to replace. Links are followed.
inline void check_output_path(const std::string& out, const std::string& input, bool force) {
  namespace fs = std::filesystem;
  const fs::path path(out);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  require(!out.empty(), "--out", "is empty; give the name of a file");
  check_name_length(out);
  require(fs::is_directory(folder, error), out, "the folder does not exist");
  const fs::file_status status = fs::status(path, error);
  require(!error || status.type() == fs::file_type::not_found, out,
          "cannot be written: " + error.message());
  if (!fs::exists(status)) {
    require(!fs::is_symlink(fs::symlink_status(path, error)), out,
            "is a link to a file that does not exist; give the name of a file");
    return;
  }
  require(!fs::is_directory(status), out, "is a folder; give the name of a file");
  require(fs::is_regular_file(status), out, "exists and is not a regular file");
  require(!fs::equivalent(path, input, error), out,
          "is the file that is read; choose another name");
  if (force && access(path.c_str(), W_OK) != 0)
    throw InputError(out + ": cannot be replaced: " + std::strerror(errno));
  require(force, out, "exists already; choose another name, or use --force to replace it");
}

// A result file has the name of one: a slip of the pen else makes a file that no program opens.
inline void check_result_name(const std::string& out) {
  const std::string extension = extension_of(out);
  require(extension == ".h5" || extension == ".hdf5", "--out",
          "'" + out + "' is no name of a result file; must end in .h5 (or .hdf5)");
}

// `folder`, given as `option`, is there or can be made; unless `with_parents`, the one that it is
// in must be there, so that a slip of the pen makes none.
inline void make_folder(const std::string& folder, const std::string& option,
                        bool with_parents = false) {
  const std::string where = option + ": " + folder;
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) {
    with_parents ? std::filesystem::create_directories(folder, error)
                 : std::filesystem::create_directory(folder, error);
    require(!error, where, "the folder cannot be made: " + error.message());
  }
  require(std::filesystem::is_directory(folder, error), where, "is not a folder");
}

}  // namespace scree
