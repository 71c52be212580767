#include "engine/model/executor.hpp"

#include <omp.h>

#include <atomic>
#include <thread>
#include <vector>

#ifndef SCREE_THREAD_SANITIZER
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace scree {

const char* backend_name(Backend backend) {
  switch (backend) {
    case Backend::serial: return "serial";
    case Backend::openmp: return "openmp";
    case Backend::tbb: return "tbb";
  }
  return "";
}

Executor::Executor(Backend backend, int threads) : backend_(backend), threads_(threads) {
  if (threads_ <= 0) threads_ = omp_get_num_procs();
  if (backend_ == Backend::serial) threads_ = 1;
#ifndef SCREE_THREAD_SANITIZER
  // Without it TBB starts no more threads than there are processors, and says so on standard error.
  if (backend_ == Backend::tbb && threads_ > 1) {
    limit_ = std::make_shared<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                   static_cast<std::size_t>(threads_));
  }
#endif
}

#ifdef SCREE_THREAD_SANITIZER
// TSan reports races in correct OpenMP and TBB loops; plain threads it understands.
void Executor::run(int n, void* function, void (*call)(void*, int)) const {
  std::atomic<int> next{0};
  std::vector<std::jthread> team;
  for (int t = 0; t < threads_; ++t) {
    team.emplace_back([&] {
      for (int i = next.fetch_add(1); i < n; i = next.fetch_add(1)) call(function, i);
    });
  }
}
#else
void Executor::run(int n, void* function, void (*call)(void*, int)) const {
  if (backend_ == Backend::tbb) {
    tbb::task_arena arena(threads_);
    arena.execute([&] { tbb::parallel_for(0, n, [&](int i) { call(function, i); }); });
    return;
  }
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
  for (int i = 0; i < n; ++i) call(function, i);
}
#endif

}  // namespace scree
