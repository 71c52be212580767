#include "engine/files/twin_file.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/base/check.hpp"

namespace scree {
namespace {

constexpr std::size_t most_ranges = 4096;

[[noreturn]] void fail(const char* what, int reason) {
  throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(reason)));
}

// "run.saved.h5" for "run.h5", or the first of "run.saved2.h5", ... that is free.
std::string free_name(const std::string& path) {
  const std::filesystem::path name(path);
  for (int i = 1;; ++i) {
    const std::string number = i == 1 ? "" : std::to_string(i);
    const std::string free = (name.parent_path() / (name.stem().string() + ".saved" + number +
                                                    name.extension().string()))
                                 .string();
    if (!posix::identity(free).there()) return free;
  }
}

std::string spare_of(const std::string& path) { return path + ".spare"; }

}  // namespace

bool has_leftovers(const std::string& path) { return posix::identity(spare_of(path)).regular; }

// Never something that is no regular file.
void clear_leftovers(const std::string& path) {
  for (const std::string& name : {spare_of(path), spare_of(path) + ".old"}) {
    if (posix::identity(name).regular) unlink(name.c_str());
  }
}

void ByteRanges::add(std::int64_t begin, std::int64_t end) {
  if (!ranges_.empty() && begin <= ranges_.back().second && end >= ranges_.back().first) {
    ranges_.back() = {std::min(begin, ranges_.back().first), std::max(end, ranges_.back().second)};
    return;
  }
  ranges_.emplace_back(begin, end);
  if (ranges_.size() % most_ranges == 0) merged();
}

const std::vector<std::pair<std::int64_t, std::int64_t>>& ByteRanges::merged() {
  std::sort(ranges_.begin(), ranges_.end());
  std::vector<std::pair<std::int64_t, std::int64_t>> joined;
  for (const auto& range : ranges_) {
    if (!joined.empty() && range.first <= joined.back().second) {
      joined.back().second = std::max(joined.back().second, range.second);
    } else {
      joined.push_back(range);
    }
  }
  ranges_ = std::move(joined);
  return ranges_;
}

TwinFile::TwinFile(const std::string& path, bool replace) : path_(path), spare_(spare_of(path)) {
  claim_.emplace(path, replace);
  const posix::Identity spare = posix::identity(spare_);
  require(!spare.there() || spare.regular, path_,
          "cannot be written: " + spare_ + " is in the way");
}

TwinFile::~TwinFile() {
  const posix::Identity spare = posix::identity(spare_);
  for (const Descriptor* copy : {&work_, &other_}) {
    if (copy->valid() && spare.same_file(posix::identity(*copy))) unlink(spare_.c_str());
  }
}

int TwinFile::in_work() const {
  if (claim_) return claim_->file().number();
  return (work_.valid() ? work_ : named_).number();
}

bool TwinFile::read(void* data, std::size_t size, std::int64_t offset) const {
  return posix::read_all(in_work(), data, size, offset);
}

bool TwinFile::write(const void* data, std::size_t size, std::int64_t offset) {
  if (discarded_) return true;
  if (!take_turns() || !posix::write_all(in_work(), data, size, offset)) {
    failed_ = errno;
    return false;
  }
  const std::int64_t end = offset + static_cast<std::int64_t>(size);
  changed_.add(offset, end);
  touched_ = true;
  size_ = std::max(size_, end);
  return true;
}

bool TwinFile::resize(std::int64_t size) {
  if (discarded_) return true;
  if (!take_turns() || ftruncate(in_work(), size) != 0) {
    failed_ = errno;
    return false;
  }
  touched_ = true;
  if (size < size_)
    changed_.add(size, size_);  // the other copy must not bring them back when the file grows again
  size_ = size;
  return true;
}

// The copy that is written is there, and has what was published.
bool TwinFile::take_turns() {
  if (claim_ || work_.valid()) return true;
  if (!bring_up_to_date() && !copy_afresh(named_)) return false;
  if (posix::identity(named_).same_bytes(named_identity_)) return true;
  unlink(spare_.c_str());  // somebody wrote into what was published before there were two copies of
                           // it again
  work_ = Descriptor();
  errno = ESTALE;
  return false;
}

// Not where a reader holds that version open under a lock, as HDF5 does by default, or where it is
// not what it was.
bool TwinFile::bring_up_to_date() {
  if (!other_.valid() || !posix::identity(spare_).same_bytes(other_identity_)) return false;
  if (flock(other_.number(), LOCK_EX | LOCK_NB) != 0) return false;
  for (const auto& [begin, end] : lacking_.merged()) {
    if (!posix::copy(named_.number(), other_.number(), begin, std::min(end, size_))) return false;
  }
  if (ftruncate(other_.number(), size_) != 0) return false;
  work_ = std::move(other_);
  return true;
}

bool TwinFile::copy_afresh(const Descriptor& from) {
  other_ = Descriptor();
  Descriptor fresh = posix::create_anew(spare_);
  if (!fresh.valid()) return false;
  if (!unfinished_) unfinished_.emplace(spare_);
  if (!posix::lock(fresh) || !posix::copy(from.number(), fresh.number(), 0, size_) ||
      ftruncate(fresh.number(), size_) != 0) {
    const int reason = errno;
    unlink(spare_.c_str());
    errno = reason;
    return false;
  }
  work_ = std::move(fresh);
  return true;
}

void TwinFile::publish(bool last) {
  if (discarded_) return;
  if (failed_ != 0) fail("cannot be written", failed_);
  if (!touched_ && stands()) return;
  if (!take_turns()) fail("cannot be written", errno);
  if (fsync(in_work()) != 0) fail("cannot be written", errno);
  if (!claim_) restore_spare();
  flock(in_work(), LOCK_UN);  // readers may have it from now on
  // As it is before others can find it.
  const posix::Identity written = posix::identity(claim_ ? claim_->file() : work_);
  if (claim_)
    publish_first(last);
  else
    swap_names();
  named_identity_ = written;
  posix::sync_folder(path_);
  std::swap(lacking_, changed_);
  changed_.clear();
  touched_ = false;
  // At once, so that there are two whole copies whatever happens to the one with the name. Where it
  // fails, the next write tells.
  if (!last) take_turns();
}

void TwinFile::publish_first(bool last) {
  clear_leftovers(path_);
  if (!last && !copy_afresh(claim_->file())) fail("cannot be written", errno);
  claim_->publish();
  named_ = claim_->take();
  claim_.reset();
}

// Somebody removed the copy in work: its bytes are still open.
void TwinFile::restore_spare() {
  const posix::Identity work = posix::identity(work_);
  if (work.size != size_)
    throw std::runtime_error(fmt::format("{} was changed while the run went on", spare_));
  if (posix::identity(spare_).same_file(work)) return;
  Descriptor fresh = posix::create_anew(spare_);
  if (!fresh.valid() || !posix::lock(fresh) ||
      !posix::copy(work_.number(), fresh.number(), 0, size_) || fsync(fresh.number()) != 0) {
    fail("cannot be written", errno);
  }
  work_ = std::move(fresh);
}

void TwinFile::swap_names() {
  const posix::Identity there = posix::identity(path_);
  if (!there.same_bytes(named_identity_)) {
    disturbed(there);
    return;
  }
  struct stat status {};
  if (fstat(named_.number(), &status) == 0 && fchmod(work_.number(), status.st_mode & 07777) != 0) {
    // The new version then has the rights that new files have.
  }
  if (!posix::exchange(spare_, path_)) fail("cannot be replaced", errno);
  other_ = std::move(named_);
  other_identity_ = named_identity_;
  named_ = std::move(work_);
}

// The name leads elsewhere, or somebody wrote into the file. The copy in work holds everything: it
// takes the name, or another one where a file of others has it.
void TwinFile::disturbed(const posix::Identity& there) {
  std::string says;
  const bool ours = there.same_file(named_identity_);
  if (!there.there()) {
    says = fmt::format(
        "{} was removed or renamed while the run went on; it was written again, whole", path_);
  } else if (ours) {
    says = fmt::format(
        "{} was changed by another program while the run went on; it was written again, whole",
        path_);
  } else {
    const std::string saved = free_name(path_);
    says = fmt::format(
        "{} was replaced by another file while the run went on, which was left alone; the results "
        "are in {}",
        path_, saved);
    path_ = saved;
  }
  const bool renamed =
      ours ? std::rename(spare_.c_str(), path_.c_str()) == 0 : posix::rename_to_new(spare_, path_);
  if (!renamed) fail("cannot be replaced", errno);
  other_ = Descriptor();
  named_ = std::move(work_);
  disturbances_.push_back(says);
}

void TwinFile::patch(const std::string& text, std::int64_t offset) {
  if (!stands() || !posix::write_all(named_.number(), text.data(), text.size(), offset)) return;
  named_identity_ = posix::identity(named_);
  lacking_.add(offset, offset + static_cast<std::int64_t>(text.size()));
}

void TwinFile::discard() {
  discarded_ = true;
  if (!published()) return;
  for (Descriptor* copy : {&work_, &other_}) {
    const bool there = copy->valid() && posix::identity(spare_).same_file(posix::identity(*copy));
    if (there && unlink(spare_.c_str()) != 0) {
      disturbances_.push_back(
          fmt::format("{} could not be removed: {}; it is a copy that nothing needs, the results "
                      "are in {}",
                      spare_, std::strerror(errno), path_));
    }
    *copy = Descriptor();
  }
}

}  // namespace scree
