// A file that is there whole or not at all: written under another name, then renamed.
#pragma once

#include <fstream>
#include <string>

namespace scree {

class OutputFile {
 public:
  // Throws std::runtime_error when the file cannot be created.
  explicit OutputFile(const std::string& path);
  ~OutputFile();   // without finish: nothing is left
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const std::string& bytes) { stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); }
  // Throws std::runtime_error when not all could be written.
  void finish();

 private:
  std::string path_, partial_;
  std::ofstream stream_;
};

// The whole of a file at once. Throws std::runtime_error; the old file, if any, is then intact.
void write_file(const std::string& path, const std::string& bytes);

}  // namespace scree
