// Block loops, the only place where threads are started. The blocks are fixed by the caller and each block writes
// its own memory, so results have the same bits for any backend and number of threads.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace scree {

enum class Backend { serial, openmp, tbb };

// More than any machine of today has processors; each thread costs memory, and far more of them cannot be started.
inline constexpr int most_threads = 4096;

const char* backend_name(Backend backend);

class Executor {
 public:
  Executor() = default;
  // `threads` >= 1; 0 means all the processors this process may use. `serial` always uses one.
  Executor(Backend backend, int threads);

  Backend backend() const { return backend_; }
  int threads() const { return threads_; }

  // Calls body(i) once for each i in [0, n), in any order and on any thread; returns when all are done.
  template <class Body>
  void for_each_block(int n, Body&& body) const {
    if (threads_ == 1 || n <= 1) {
      for (int i = 0; i < n; ++i) body(i);
      return;
    }
    using Function = std::remove_reference_t<Body>;
    run(n, const_cast<void*>(static_cast<const void*>(std::addressof(body))),
        [](void* function, int i) { (*static_cast<Function*>(function))(i); });
  }

 private:
  void run(int n, void* function, void (*call)(void*, int)) const;

  Backend backend_ = Backend::serial;
  int threads_ = 1;
  struct TbbTeam;
  std::shared_ptr<TbbTeam> team_;  // of `tbb` with more than one thread; copies share it
};

}  // namespace scree
