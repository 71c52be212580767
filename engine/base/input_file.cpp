#include "engine/base/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/base/check.hpp"

namespace scree {

void check_input_file(const std::string& path) {
  namespace fs = std::filesystem;
  require(!path.empty(), "input file", "its name is empty");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  require(fs::exists(status), path, "cannot be read: " + error.message());
  require(!fs::is_directory(status), path, "is a folder, not a file");
  require(fs::is_regular_file(status), path, "is not a regular file, but a pipe or a device");
}

std::string read_input_file(const std::string& path, std::size_t most) {
  check_input_file(path);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  require(stream.is_open(), path, std::string("cannot be read: ") + std::strerror(errno));
  const auto size = static_cast<std::size_t>(std::filesystem::file_size(path));
  std::string bytes(std::min(size, most), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  require(!stream.bad(), path, std::string("cannot be read: ") + std::strerror(errno));
  return bytes;
}

struct InputPieces::Impl {
  std::string path;
  std::ifstream stream;
};

InputPieces::InputPieces(const std::string& path) : impl_(std::make_unique<Impl>()) {
  check_input_file(path);
  impl_->path = path;
  errno = 0;
  impl_->stream.open(path, std::ios::binary);
  require(impl_->stream.is_open(), path, std::string("cannot be read: ") + std::strerror(errno));
}
InputPieces::~InputPieces() = default;

std::size_t InputPieces::read(char* to, std::size_t most) {
  impl_->stream.read(to, static_cast<std::streamsize>(most));
  require(!impl_->stream.bad(), impl_->path,
          std::string("cannot be read: ") + std::strerror(errno));
  return static_cast<std::size_t>(impl_->stream.gcount());
}

}  // namespace scree
