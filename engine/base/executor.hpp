// Block loops, the only place where threads are started. The blocks are fixed by the caller and
// each block writes its own memory, so results have the same bits for any backend and number of
// threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

namespace scree {

enum class Backend { serial, openmp, tbb };

// More than any machine of today has processors; each thread costs memory, and far more of them
// cannot be started.
inline constexpr int most_threads = 4096;

const char* backend_name(Backend backend);

// Copies share their threads: one loop at a time.
class Executor {
 public:
  Executor() = default;
  // `threads` >= 1; 0 means all the processors this process may use. `serial` always uses one.
  Executor(Backend backend, int threads);

  Backend backend() const { return backend_; }
  int threads() const { return threads_; }

  // Calls body(i) once for each i in [0, n), in any order and on any thread; returns when all are
  // done. A thread begins with its own share of the range, always the same one, and helps the
  // others when it is done. `body` must not throw.
  template <class Body>
  void for_each_block(int n, Body&& body) const {
    const std::array<std::int32_t, 2> phase_begin = {0, n};
    for_each_phase(phase_begin, body);
  }

  // Loops one after another for one start of the threads: body(i) for i in [phase_begin[k],
  // phase_begin[k + 1]), as above; the next phase begins when all blocks of the last one are done,
  // and sees what they wrote.
  template <class Body>
  void for_each_phase(std::span<const std::int32_t> phase_begin, Body&& body) const {
    const std::int32_t n = phase_begin.empty() ? 0 : phase_begin.back() - phase_begin.front();
    if (threads_ == 1 || n <= 1) {
      for (std::int32_t i = 0; i < n; ++i) body(static_cast<int>(phase_begin.front() + i));
      return;
    }
    using Function = std::remove_reference_t<Body>;
    run(phase_begin, const_cast<void*>(static_cast<const void*>(std::addressof(body))),
        [](void* function, int i) { (*static_cast<Function*>(function))(i); });
  }

 private:
  using Call = void (*)(void* function, int block);
  void run(std::span<const std::int32_t> phase_begin, void* function, Call call) const;

  Backend backend_ = Backend::serial;
  int threads_ = 1;
  struct Team;
  std::shared_ptr<Team> team_;  // with more than one thread; copies share it
};

}  // namespace scree
