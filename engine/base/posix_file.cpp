#include "engine/base/posix_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace scree {

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  const Descriptor gone(std::exchange(number_, std::exchange(other.number_, -1)));
  return *this;
}

namespace posix {
namespace {

Identity identity_of(const struct stat& status) {
  return {status.st_dev,         status.st_ino,          status.st_size,
          status.st_mtim.tv_sec, status.st_mtim.tv_nsec, S_ISREG(status.st_mode)};
}

struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

Identity identity(const Descriptor& file) {
  struct stat status {};
  return fstat(file.number(), &status) == 0 ? identity_of(status) : Identity{};
}

Identity identity(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 ? identity_of(status) : Identity{};
}

Descriptor create_anew(const std::string& path) {
  if (identity(path).regular) unlink(path.c_str());
  return Descriptor(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
}

bool lock(const Descriptor& file) {
  struct flock wanted = whole_file();
  return fcntl(file.number(), F_OFD_SETLK, &wanted) == 0 || (errno != EAGAIN && errno != EACCES);
}

bool is_locked(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct flock held = whole_file();
  return file.valid() && fcntl(file.number(), F_OFD_GETLK, &held) == 0 && held.l_type != F_UNLCK;
}

Descriptor open_shared(const std::string& path) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.valid()) flock(file.number(), LOCK_SH | LOCK_NB);
  return file;
}

bool leads_to(const std::string& path, const Descriptor& file) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && identity_of(status).same_file(identity(file));
}

// Where the file system cannot do that, a check before comes close.
bool rename_to_new(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  if (identity(to).there()) {
    errno = EEXIST;
    return false;
  }
  return std::rename(from.c_str(), to.c_str()) == 0;
}

// Where the file system cannot do that (NFS), the other file keeps a second name meanwhile.
bool exchange(const std::string& one, const std::string& other) {
  if (renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  const std::string second = one + ".old";
  unlink(second.c_str());
  if (link(other.c_str(), second.c_str()) != 0) return false;
  if (std::rename(one.c_str(), other.c_str()) == 0 && std::rename(second.c_str(), one.c_str()) == 0)
    return true;
  const int reason = errno;
  unlink(second.c_str());
  errno = reason;
  return false;
}

void sync_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const Descriptor open_folder(
      open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open_folder.valid()) fsync(open_folder.number());
}

bool write_all(int file, const void* data, std::size_t size, std::int64_t offset) {
  const char* from = static_cast<const char*>(data);
  for (std::size_t done = 0; done < size;) {
    const ssize_t written =
        pwrite(file, from + done, size - done, offset + static_cast<std::int64_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;  // no system says so, but it would go on for ever
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int file, void* data, std::size_t size, std::int64_t offset) {
  char* to = static_cast<char*>(data);
  for (std::size_t done = 0; done < size;) {
    const ssize_t count =
        pread(file, to + done, size - done, offset + static_cast<std::int64_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) {
      std::memset(to + done, 0, size - done);
      return true;
    }
    done += static_cast<std::size_t>(count);
  }
  return true;
}

bool copy(int from, int to, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t block = 1 << 20;
  std::vector<char> buffer(
      static_cast<std::size_t>(std::clamp<std::int64_t>(end - begin, 0, block)));
  for (std::int64_t at = begin; at < end; at += block) {
    const auto size = static_cast<std::size_t>(std::min(block, end - at));
    if (!read_all(from, buffer.data(), size, at) || !write_all(to, buffer.data(), size, at))
      return false;
  }
  return true;
}

}  // namespace posix
}  // namespace scree
