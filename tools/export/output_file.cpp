#include "tools/export/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace scree {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw std::runtime_error(path + ": cannot be written: " + std::strerror(errno));
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), partial_(path + ".partial") {
  stream_.open(partial_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail(path_);
}

OutputFile::~OutputFile() {
  if (stream_.is_open()) std::remove(partial_.c_str());
}

void OutputFile::finish() {
  stream_.flush();
  if (!stream_ || std::rename(partial_.c_str(), path_.c_str()) != 0) fail(path_);
  stream_.close();
}

void write_file(const std::string& path, const std::string& bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.finish();
}

}  // namespace scree
