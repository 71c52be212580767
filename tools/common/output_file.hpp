// A file that is there whole or not at all: written under another name, then renamed, by one
// process at a time.
#pragma once

#include <fstream>
#include <string>

#include "engine/files/output_claim.hpp"

namespace scree {

// Destroyed without finish, it leaves nothing.
class OutputFile {
 public:
  // From now on the file is this process's to write. Throws InputError when another one writes it,
  // or it cannot be created.
  explicit OutputFile(const std::string& path);

  const std::string& path() const { return claim_.path(); }
  // Where a library that writes files by name is to write it, instead of write().
  const std::string& written() const { return claim_.written(); }
  void write(const std::string& bytes);
  // Throws std::runtime_error when not all could be written.
  void finish();

 private:
  OutputClaim claim_;
  std::ofstream stream_;
  int error_ = 0;  // errno of the first write that failed
};

// The whole of a file at once. Throws as OutputFile does; the old file, if any, is then intact.
void write_file(const std::string& path, const std::string& bytes);

}  // namespace scree
