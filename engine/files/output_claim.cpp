#include "engine/files/output_claim.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "engine/base/check.hpp"

namespace scree {
namespace {

constexpr const char* in_use =
    "is being written by another run; wait for its end, or choose another name";

// The name still leads to the open file: nobody has renamed or removed it since.
bool has_name(const Descriptor& file, const std::string& path) {
  return posix::identity(path).same_file(posix::identity(file));
}

// A link is not followed, a pipe not waited for.
Descriptor open_partial(const std::string& path, const std::string& partial) {
  Descriptor file(
      open(partial.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  const bool in_the_way = file.valid() ? !posix::identity(file).regular
                                       : errno == ELOOP || errno == EISDIR || errno == ENXIO;
  require(!in_the_way, path, "cannot be written: " + partial + " is in the way");
  require(file.valid(), path, std::string("cannot be written: ") + std::strerror(errno));
  return file;
}

Descriptor open_locked(const std::string& path, const std::string& partial) {
  while (true) {
    Descriptor file = open_partial(path, partial);
    require(posix::lock(file), path, in_use);
    if (!has_name(file, partial)) continue;
    struct stat status {};
    if (fstat(file.number(), &status) == 0 && status.st_nlink == 1) return file;
    unlink(
        partial.c_str());  // its bytes have another name, under which somebody wants to keep them
  }
}

}  // namespace

// A run that has published holds the lock of PATH, one that has not the lock of PATH.partial, which
// it takes first. So whoever has the lock of PATH.partial and finds PATH unlocked is alone.
OutputClaim::OutputClaim(const std::string& path, bool replace)
    : path_(path), written_(path + ".partial"), replace_(replace) {
  // A signal that ends the program removes the files that it knows of: none is there unknown.
  const posix::SignalsHeld held;
  file_ = open_locked(path, written_);
  if (posix::is_locked(path_)) {
    unlink(written_.c_str());
    throw InputError(path_ + ": " + in_use);
  }
  unfinished_.emplace(written_);
}

OutputClaim::~OutputClaim() {
  if (!published() && file_.valid() && has_name(file_, written_)) unlink(written_.c_str());
}

void OutputClaim::publish() {
  if (published()) return;
  if (!has_name(file_, written_)) {
    throw std::runtime_error("cannot be replaced: " + written_ +
                             " was removed or replaced while it was written");
  }
  const bool renamed = replace_ ? std::rename(written_.c_str(), path_.c_str()) == 0
                                : posix::rename_to_new(written_, path_);
  if (!renamed)
    throw std::runtime_error(std::string("cannot be replaced: ") + std::strerror(errno));
  unfinished_.reset();
  written_ = path_;
}

FolderClaim::FolderClaim(const std::string& folder)
    : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  const bool held =
      folder_.valid() && flock(folder_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  require(!held, folder, in_use);
}

}  // namespace scree
