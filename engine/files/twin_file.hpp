// A file that grows for hours, and of which a whole version has its name at every instant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/posix_file.hpp"
#include "engine/files/output_claim.hpp"

namespace scree {

// Stretches of bytes that were written.
class ByteRanges {
 public:
  void add(std::int64_t begin, std::int64_t end);
  void clear() { ranges_.clear(); }
  // In order, without overlap.
  const std::vector<std::pair<std::int64_t, std::int64_t>>& merged();

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_;
};

// Two copies take turns. One has the name and is never written; the other, PATH.spare, is.
// publish() syncs it to the disk and swaps the two in one system call, after which the copy that
// had the name first gets the bytes that it lacks. So each byte is written twice, whatever the
// length of the run, and a kill at any instant, also inside a write, leaves a whole file. Until the
// first publish there is one copy, PATH.partial.
class TwinFile {
 public:
  // As OutputClaim. Throws InputError, also when something that is no regular file has the name of
  // a copy.
  TwinFile(const std::string& path, bool replace);
  ~TwinFile();  // what was not published is gone
  TwinFile(const TwinFile&) = delete;
  TwinFile& operator=(const TwinFile&) = delete;

  // Where the published version is. Another name than at first when something else was put there.
  const std::string& path() const { return path_; }
  bool published() const { return named_.valid(); }
  // The name leads to what was published, unchanged.
  bool stands() const { return published() && posix::identity(path_).same_bytes(named_identity_); }
  // What others did to the file while it was written, a sentence each; nothing is lost by it.
  const std::vector<std::string>& disturbances() const { return disturbances_; }

  // Of the copy in work. False with errno.
  bool read(void* data, std::size_t size, std::int64_t offset) const;
  bool write(const void* data, std::size_t size, std::int64_t offset);
  bool resize(std::int64_t size);
  std::int64_t size() const { return size_; }

  // Throws std::runtime_error: "cannot be written: reason" or the like. What was published before
  // stands then. Nothing may be written after the last one.
  void publish(bool last = false);
  // Into bytes of the published version that nothing depends on, and of no later one. For a last
  // word when nothing can be added.
  void patch(const std::string& text, std::int64_t offset);
  // From now on what is written goes nowhere, and what was published stays.
  void discard();

 private:
  int in_work() const;
  bool take_turns();
  bool bring_up_to_date();
  bool copy_afresh(const Descriptor& from);
  void publish_first(bool last);
  void restore_spare();
  void swap_names();
  void take_name();
  void disturbed(const posix::Identity& there);

  std::string path_, spare_;
  std::optional<OutputClaim> claim_;  // until the first publish
  std::optional<UnfinishedFile> unfinished_;
  Descriptor named_, work_, other_;  // published; being written; to be written next
  posix::Identity named_identity_, other_identity_;
  ByteRanges changed_, lacking_;  // since the last publish; what `other_` does not have yet
  std::int64_t size_ = 0;
  bool touched_ = false;  // since the last publish
  int failed_ = 0;        // errno of a write
  bool discarded_ = false;
  std::vector<std::string> disturbances_;
};

// What a killed process left of a TwinFile beside PATH. clear_leftovers() is for the process that
// owns PATH.
bool has_leftovers(const std::string& path);
void clear_leftovers(const std::string& path);

}  // namespace scree
