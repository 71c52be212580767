// The right to write a file: one process has it at a time, and loses it when it ends, however it ends.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/unfinished_file.hpp"

namespace scree {

// An open file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;

  int number() const { return number_; }
  bool valid() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

// A file that is written as PATH.partial and gets its name when it is whole. The lock is one of the open file (fcntl's
// OFD locks), so it goes along when the file is renamed, disappears with the process, and does not hinder readers; HDF5's
// own lock does, and is dropped while others may read. Where the file system knows no locks there is none.
class OutputClaim {
 public:
  // Creates PATH.partial, or takes over what a killed program left there. Without `replace`, a file PATH must not exist
  // when the claim is published. Throws InputError, one line, leaving nothing behind: another process writes this file,
  // or it cannot be created.
  explicit OutputClaim(const std::string& path, bool replace = true);
  ~OutputClaim();   // unpublished: removes PATH.partial
  OutputClaim(const OutputClaim&) = delete;
  OutputClaim& operator=(const OutputClaim&) = delete;

  const std::string& path() const { return path_; }
  // Where the file is now: PATH.partial, and PATH once it is published.
  const std::string& written() const { return written_; }
  bool published() const { return written_ == path_; }
  // Open for reading and writing.
  int descriptor() const { return file_.number(); }

  // Gives the file its name; the claim goes on. Throws std::runtime_error("cannot be replaced: reason").
  void publish();

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
