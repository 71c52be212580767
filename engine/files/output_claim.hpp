// The right to write a file: one process has it at a time, and loses it when it ends, however it
// ends.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "engine/base/posix_file.hpp"
#include "engine/files/unfinished_file.hpp"

namespace scree {

// A file that is written as PATH.partial and gets its name when it is whole. The lock is one of the
// open file (fcntl's OFD locks), so it goes along when the file is renamed, disappears with the
// process, and does not hinder readers; HDF5's own lock does. Where the file system knows no locks
// there is none.
class OutputClaim {
 public:
  // Creates PATH.partial, or takes over what a killed program left there: a regular file of no
  // other name, never a link, a pipe or what they lead to. Without `replace`, a file PATH must not
  // exist when the claim is published. Throws InputError, one line, leaving nothing behind: another
  // process writes this file, or it cannot be created.
  explicit OutputClaim(const std::string& path, bool replace = true);
  ~OutputClaim();  // unpublished: removes PATH.partial
  OutputClaim(const OutputClaim&) = delete;
  OutputClaim& operator=(const OutputClaim&) = delete;

  const std::string& path() const { return path_; }
  // Where the file is now: PATH.partial, and PATH once it is published.
  const std::string& written() const { return written_; }
  bool published() const { return written_ == path_; }
  // Open for reading and writing.
  const Descriptor& file() const { return file_; }

  // Gives the file its name; the claim goes on. Throws std::runtime_error("cannot be replaced:
  // reason"), also when PATH.partial was removed or replaced meanwhile.
  void publish();
  // The open file and its lock, once it is published.
  Descriptor take() { return std::move(file_); }

 private:
  std::string path_, written_;
  bool replace_;
  Descriptor file_;
  std::optional<UnfinishedFile> unfinished_;
};

// The right to write into a folder that exists. Throws InputError when another process has it.
class FolderClaim {
 public:
  explicit FolderClaim(const std::string& folder);

 private:
  Descriptor folder_;
};

}  // namespace scree
