// Opening files that users name. Shared by all that read one, so that none waits for ever on a pipe
// or a device.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace scree {

// Throws InputError, one line that begins with `path`: it does not exist, is a folder, a pipe or a
// device, or cannot be read.
void check_input_file(const std::string& path);

// Its bytes after that check: all, or the first `most`. Throws InputError.
std::string read_input_file(const std::string& path,
                            std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace scree
