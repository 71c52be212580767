#include "tools/common/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace scree {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw std::runtime_error(path + ": cannot be written: " + reason);
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : claim_(path) {
  // What a killed program left there goes.
  if (ftruncate(claim_.file().number(), 0) != 0) fail(path, std::strerror(errno));
  stream_.open(claim_.written(), std::ios::binary | std::ios::in | std::ios::out);
  if (!stream_) fail(path, std::strerror(errno));
}

void OutputFile::write(const std::string& bytes) {
  if (!stream_) return;
  errno = 0;
  stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream_) error_ = errno;
}

void OutputFile::finish() {
  errno = 0;
  stream_.close();
  if (!stream_ && error_ == 0) error_ = errno;
  if (!stream_) fail(path(), error_ != 0 ? std::strerror(error_) : "the write failed");
  claim_.publish();
}

void write_file(const std::string& path, const std::string& bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.finish();
}

}  // namespace scree
