// A library to preload: it makes one system call of a program go wrong, so that a test meets every
// instant of a run without waiting for it by chance. Only calls that change files count: writes at
// an offset, sync, rename, link, unlink, truncation, and openings that create.
//
//   FAULT=KIND:N:WHAT   the N-th call of that kind (open, pwrite, fsync, rename, link, unlink,
//   ftruncate, any) meets
//                       an errno by number: it fails with it;
//                       kill: the program is killed before it;
//                       torn: of the N-th pwrite that crosses a page, what lies before one of the
//                       pages is written, then the program is killed, which is what a SIGKILL
//                       inside the call may do.
//   FAULT_SEED=N        which page
//   FAULT_COUNT=FILE    "KIND NUMBER" lines when the program ends by itself
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr const char* kinds[] = {"open",   "pwrite",    "fsync", "rename", "link",
                                 "unlink", "ftruncate", "any",   "torn"};
enum Kind {
  open_call,
  pwrite_call,
  fsync_call,
  rename_call,
  link_call,
  unlink_call,
  ftruncate_call,
  any_call,
  torn_call,
  n_kinds
};
constexpr long page = 4096;

struct Fault {
  int kind = n_kinds;
  long at = 0;
  int reason = 0;  // errno; 0: killed
  std::atomic<long> count[n_kinds] = {};

  Fault() {
    const char* text = std::getenv("FAULT");
    char name[16] = "", what[16] = "";
    if (text == nullptr || std::sscanf(text, "%15[a-z]:%ld:%15s", name, &at, what) != 3) return;
    for (int k = 0; k < n_kinds; ++k) {
      if (std::strcmp(name, kinds[k]) == 0) kind = k;
    }
    if (std::strcmp(what, "torn") == 0) kind = torn_call;
    reason = std::atoi(what);
  }

  ~Fault() {
    const char* path = std::getenv("FAULT_COUNT");
    if (path == nullptr) return;
    std::FILE* file = std::fopen(path, "w");
    if (file == nullptr) return;
    for (int k = 0; k < n_kinds; ++k) std::fprintf(file, "%s %ld\n", kinds[k], count[k].load());
    std::fclose(file);
  }

  bool reached(int k) { return count[k].fetch_add(1) + 1 == at && kind == k; }
};

Fault& fault() {
  static Fault instance;
  return instance;
}

[[noreturn]] void die() {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// True: the call is to fail, with errno set.
bool goes_wrong(Kind kind) {
  const bool one = fault().reached(kind), any = fault().reached(any_call);
  if (!one && !any) return false;
  if (fault().reason == 0) die();
  errno = fault().reason;
  return true;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

using Write = ssize_t(int, const void*, std::size_t, off_t);

ssize_t write_at(int file, const void* data, std::size_t size, off_t offset) {
  static Write* const real = next<Write>("pwrite64");
  const long first = page - static_cast<long>(offset & (page - 1));
  if (first < static_cast<long>(size) && fault().reached(torn_call)) {
    const long crossings = (static_cast<long>(size) - first + page - 1) / page;
    const char* seed = std::getenv("FAULT_SEED");
    const long kept = first + page * ((seed != nullptr ? std::atol(seed) : 0) % crossings);
    real(file, data, static_cast<std::size_t>(kept), offset);
    die();
  }
  return goes_wrong(pwrite_call) ? -1 : real(file, data, size, offset);
}

int open_at(const char* path, int flags, mode_t mode) {
  static auto* const real = next<int(const char*, int, ...)>("open64");
  if ((flags & O_CREAT) != 0 && goes_wrong(open_call)) return -1;
  return real(path, flags, mode);
}

mode_t mode_of(int flags, va_list rest) {
  return (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
}

}  // namespace

extern "C" {

ssize_t pwrite(int file, const void* data, std::size_t size, off_t offset) {
  return write_at(file, data, size, offset);
}
ssize_t pwrite64(int file, const void* data, std::size_t size, off64_t offset) {
  return write_at(file, data, size, offset);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_at(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_at(path, flags, mode);
}

int fsync(int file) {
  static auto* const real = next<int(int)>("fsync");
  return goes_wrong(fsync_call) ? -1 : real(file);
}

int ftruncate(int file, off_t size) noexcept {
  static auto* const real = next<int(int, off_t)>("ftruncate64");
  return goes_wrong(ftruncate_call) ? -1 : real(file, size);
}
int ftruncate64(int file, off64_t size) noexcept { return ftruncate(file, size); }

int rename(const char* from, const char* to) noexcept {
  static auto* const real = next<int(const char*, const char*)>("rename");
  return goes_wrong(rename_call) ? -1 : real(from, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  static auto* const real = next<int(int, const char*, int, const char*, unsigned)>("renameat2");
  return goes_wrong(rename_call) ? -1 : real(from_folder, from, to_folder, to, flags);
}

int link(const char* from, const char* to) noexcept {
  static auto* const real = next<int(const char*, const char*)>("link");
  return goes_wrong(link_call) ? -1 : real(from, to);
}

int unlink(const char* path) noexcept {
  static auto* const real = next<int(const char*)>("unlink");
  return goes_wrong(unlink_call) ? -1 : real(path);
}

}  // extern "C"
