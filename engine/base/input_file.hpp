// Opening files that users name. Shared by all that read one, so that none waits for ever on a pipe
// or a device.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>

namespace scree {

// Throws InputError, one line that begins with `path`: it does not exist, is a folder, a pipe or a
// device, or cannot be read.
void check_input_file(const std::string& path);

// Its bytes after that check: all, or the first `most`. Throws InputError.
std::string read_input_file(const std::string& path,
                            std::size_t most = std::numeric_limits<std::size_t>::max());

// The same file piece by piece, for those that are too large for memory.
class InputPieces {
 public:
  explicit InputPieces(const std::string& path);
  ~InputPieces();
  InputPieces(const InputPieces&) = delete;
  InputPieces& operator=(const InputPieces&) = delete;

  // Up to `most` further bytes to `to`; how many there were. Fewer: the end. Throws InputError.
  std::size_t read(char* to, std::size_t most);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scree
