#include "engine/output_claim.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "engine/model/check.hpp"

namespace scree {
namespace {

constexpr const char* in_use = "is being written by another run; wait for its end, or choose another name";

struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

// False: another process holds the lock.
bool lock(const Descriptor& file) {
  struct flock wanted = whole_file();
  return fcntl(file.number(), F_OFD_SETLK, &wanted) == 0 || (errno != EAGAIN && errno != EACCES);
}

bool is_locked(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct flock held = whole_file();
  return file.valid() && fcntl(file.number(), F_OFD_GETLK, &held) == 0 && held.l_type != F_UNLCK;
}

// The name still leads to the open file: nobody has renamed or removed it since.
bool has_name(const Descriptor& file, const std::string& path) {
  struct stat opened {}, named {};
  return fstat(file.number(), &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

bool is_regular(const Descriptor& file) {
  struct stat status {};
  return fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode);
}

Descriptor open_locked(const std::string& path, const std::string& partial) {
  while (true) {
    Descriptor file(open(partial.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    require(file.valid(), path, std::string("cannot be written: ") + std::strerror(errno));
    require(is_regular(file), path, "cannot be written: " + partial + " is in the way");
    require(lock(file), path, in_use);
    if (has_name(file, partial)) return file;
  }
}

// rename(2) that fails when the new name exists. Where the file system cannot do that, a check before comes close.
bool rename_to_new(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  if (access(to.c_str(), F_OK) == 0) {
    errno = EEXIST;
    return false;
  }
  return std::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

// A run that has published holds the lock of PATH, one that has not the lock of PATH.partial, which it takes first. So
// whoever has the lock of PATH.partial and finds PATH unlocked is alone.
OutputClaim::OutputClaim(const std::string& path, bool replace)
    : path_(path), written_(path + ".partial"), replace_(replace), file_(open_locked(path, written_)) {
  if (is_locked(path_)) {
    unlink(written_.c_str());
    throw InputError(path_ + ": " + in_use);
  }
  unfinished_.emplace(written_);
}

OutputClaim::~OutputClaim() {
  if (!published()) unlink(written_.c_str());
}

void OutputClaim::publish() {
  if (published()) return;
  const bool renamed = replace_ ? std::rename(written_.c_str(), path_.c_str()) == 0 : rename_to_new(written_, path_);
  if (!renamed) throw std::runtime_error(std::string("cannot be replaced: ") + std::strerror(errno));
  unfinished_.reset();
  written_ = path_;
}

FolderClaim::FolderClaim(const std::string& folder) : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  const bool held = folder_.valid() && flock(folder_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  require(!held, folder, in_use);
}

}  // namespace scree
