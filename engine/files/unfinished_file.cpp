#include "engine/files/unfinished_file.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <utility>

namespace scree {
namespace {

// What a signal handler may touch: no allocation, no lock. More files than slots are never written
// at once; one too many would only lose its removal.
constexpr std::size_t most_files = 4096;
std::array<std::atomic<const char*>, most_files> unfinished{};
static_assert(std::atomic<const char*>::is_always_lock_free, "a signal handler may touch it");

std::size_t take_slot(const char* path) {
  for (std::size_t i = 0; i < unfinished.size(); ++i) {
    const char* free = nullptr;
    if (unfinished[i].compare_exchange_strong(free, path)) return i;
  }
  return most_files;
}

}  // namespace

UnfinishedFile::UnfinishedFile(std::string path)
    : path_(std::move(path)), slot_(take_slot(path_.c_str())) {}

UnfinishedFile::~UnfinishedFile() {
  if (slot_ < most_files) unfinished[slot_].store(nullptr);
}

void remove_unfinished_files() {
  for (const std::atomic<const char*>& path : unfinished) {
    if (const char* name = path.load()) unlink(name);
  }
}

}  // namespace scree
