// Calls of POSIX files that the standard library has no words for: open descriptors, locks, names.
// Private to the engine.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string>

namespace scree {

// An open file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;

  int number() const { return number_; }
  bool valid() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

namespace posix {

// Signals that end the program wait, in this thread, while one of these lives.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, number);
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

// What tells a file from others, and whether somebody wrote into it. All zero: there is none.
struct Identity {
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0, seconds = 0,
               nanoseconds = 0;  // bytes; time of the last change of the bytes
  bool regular = false;

  bool there() const { return inode != 0; }
  bool same_file(const Identity& other) const {
    return there() && device == other.device && inode == other.inode;
  }
  bool same_bytes(const Identity& other) const {
    return same_file(other) && size == other.size && seconds == other.seconds &&
           nanoseconds == other.nanoseconds;
  }
};

Identity identity(const Descriptor& file);
Identity identity(const std::string& path);  // of a link itself, not of where it leads

// A new regular file, open for reading and writing, where no name is yet; links and pipes are not
// followed. What a killed program left under that name goes first, if it is a regular file.
// Invalid, with errno: it cannot be created.
Descriptor create_anew(const std::string& path);

// The lock of an open file, gone with the process. False: another process has it. Where the file
// system knows none, true.
bool lock(const Descriptor& file);
bool is_locked(const std::string& path);

// The file at `path`, with a lock that HDF5's readers take too, by default: a TwinFile leaves a
// version alone while somebody has it. Without the lock where it can't be had at once.
Descriptor open_shared(const std::string& path);
// `path` leads to the open file, also through links.
bool leads_to(const std::string& path, const Descriptor& file);

// rename(2) that fails when the new name exists.
bool rename_to_new(const std::string& from, const std::string& to);
// Two names change places: at each instant both are there.
bool exchange(const std::string& one, const std::string& other);
// A new name is on the disk only once its folder is.
void sync_folder(const std::string& path);

// All of it, or false with errno.
bool write_all(int file, const void* data, std::size_t size, std::int64_t offset);
// What lies behind the end is read as zero.
bool read_all(int file, void* data, std::size_t size, std::int64_t offset);
bool copy(int from, int to, std::int64_t begin, std::int64_t end);

}  // namespace posix
}  // namespace scree
