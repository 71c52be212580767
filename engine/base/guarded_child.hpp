// Work that may crash, never end, or eat all memory, done in a process of its own: what a library
// does with a file that somebody made to hurt it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace scree {

struct ChildLimits {
  std::uint64_t cpu_seconds = 5;
  std::uint64_t memory_bytes =
      std::uint64_t{1} << 30;  // beyond what the process has; not in builds with AddressSanitizer
};

struct ChildOutcome {
  enum class End { finished, crashed, out_of_time };
  End end = End::finished;
  std::string text;  // what the work returned
};

// Calls `work` in a fork of this process and returns its text. The child prints nothing, leaves no
// core, and dies with its parent. Throws std::runtime_error when no process can be started.
ChildOutcome run_in_child(const std::function<std::string()>& work, const ChildLimits& limits);

// How guarded work is done: run_in_child, unless a program has put another guard in its place.
ChildOutcome run_guarded(const std::function<std::string()>& work, const ChildLimits& limits);

// For a program that is itself a child which may crash, and reads more files than it could start
// processes for. Not while other threads run guarded work. Returns the guard of before.
using Guard = ChildOutcome (*)(const std::function<std::string()>&, const ChildLimits&);
Guard set_guard(Guard guard);

}  // namespace scree
