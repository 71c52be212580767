// Files that nobody may find if the program ends before they are whole.
#pragma once

#include <cstddef>
#include <string>

namespace scree {

// While in scope, remove_unfinished_files() removes the file.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(std::string path);
  ~UnfinishedFile();  // the file stays as it is
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  std::string path_;
  std::size_t slot_;
};

// Removes those that are in scope anywhere. For the handler of a signal that ends the program: safe
// at any moment.
void remove_unfinished_files();

}  // namespace scree
