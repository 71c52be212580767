#include "engine/model/executor.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#ifndef SCREE_THREAD_SANITIZER
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace scree {

namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t max_phases = 72;  // of one start of the threads; more are cut into several

void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

const char* backend_name(Backend backend) {
  switch (backend) {
    case Backend::serial: return "serial";
    case Backend::openmp: return "openmp";
    case Backend::tbb: return "tbb";
  }
  return "";
}

// How threads share the phases of a run. A thread takes blocks until none is left, then waits for those that others have
// taken: nobody waits for a thread that has not come yet, so it does not matter how many of the team really run.
struct Executor::Team {
  struct alignas(cache_line) Counter {
    std::atomic<std::int32_t> value{0};
  };

  Team(Backend backend, int n) : threads(n), taken(max_phases * static_cast<std::size_t>(n)), done(max_phases) {
    // A thread that shares its processor with the one it waits for should let it run.
    spins = n <= omp_get_num_procs() ? 4000 : 0;
#ifndef SCREE_THREAD_SANITIZER
    if (backend == Backend::tbb) arena = std::make_unique<Arena>(n);
#else
    static_cast<void>(backend);
#endif
  }

  void reset(std::size_t n_phases) {
    for (std::size_t k = 0; k < n_phases; ++k) done[k].value.store(0, std::memory_order_relaxed);
    for (std::size_t k = 0; k < n_phases * static_cast<std::size_t>(threads); ++k) {
      taken[k].value.store(0, std::memory_order_relaxed);
    }
  }

  void take_part(int thread, std::span<const std::int32_t> phase_begin, void* function, Call call) noexcept {
    for (std::size_t phase = 0; phase + 1 < phase_begin.size(); ++phase) {
      const std::int32_t begin = phase_begin[phase], n = phase_begin[phase + 1] - begin;
      std::int32_t mine = 0;
      for (int k = 0; k < threads; ++k) {
        const int owner = thread + k < threads ? thread + k : thread + k - threads;
        const std::int32_t first = share_begin(n, owner), size = share_begin(n, owner + 1) - first;
        std::atomic<std::int32_t>& next = taken[phase * static_cast<std::size_t>(threads) + static_cast<std::size_t>(owner)].value;
        if (next.load(std::memory_order_relaxed) >= size) continue;
        for (std::int32_t i = next.fetch_add(1, std::memory_order_relaxed); i < size;
             i = next.fetch_add(1, std::memory_order_relaxed)) {
          call(function, static_cast<int>(begin + first + i));
          ++mine;
        }
      }
      std::atomic<std::int32_t>& finished = done[phase].value;
      if (mine > 0) finished.fetch_add(mine, std::memory_order_acq_rel);
      for (int waited = 0; finished.load(std::memory_order_acquire) < n; ++waited) {
        if (waited < spins) pause();
        else std::this_thread::yield();
      }
    }
  }

  std::int32_t share_begin(std::int32_t n, int thread) const noexcept {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(n) * thread / threads);
  }

  int threads, spins = 0;
  std::vector<Counter> taken;  // [max_phases, threads] blocks of each thread's share that somebody has taken
  std::vector<Counter> done;   // [max_phases] blocks

#ifndef SCREE_THREAD_SANITIZER
  // The limit: without it TBB starts no more threads than there are processors. The arena is kept, since its threads take
  // longer to join than most loops last: with one made for each loop, the caller did all the work alone.
  struct Arena {
    explicit Arena(int n)
        : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(n)), threads(n) {}

    tbb::global_control limit;
    tbb::task_arena threads;
  };
  std::unique_ptr<Arena> arena;
#endif
};

Executor::Executor(Backend backend, int threads) : backend_(backend), threads_(threads) {
  if (threads_ <= 0) threads_ = omp_get_num_procs();
  if (backend_ == Backend::serial) threads_ = 1;
  if (threads_ > 1) team_ = std::make_shared<Team>(backend_, threads_);
}

void Executor::run(std::span<const std::int32_t> phase_begin, void* function, Call call) const {
  while (phase_begin.size() > max_phases + 1) {
    run(phase_begin.first(max_phases + 1), function, call);
    phase_begin = phase_begin.subspan(max_phases);
  }
  Team& team = *team_;
  team.reset(phase_begin.size() - 1);
#ifdef SCREE_THREAD_SANITIZER
  // TSan reports races in correct OpenMP and TBB loops; plain threads it understands.
  std::vector<std::jthread> others;
  for (int t = 1; t < threads_; ++t) others.emplace_back([&, t] { team.take_part(t, phase_begin, function, call); });
  team.take_part(0, phase_begin, function, call);
#else
  if (backend_ == Backend::tbb) {
    team.arena->threads.execute([&] {
      tbb::parallel_for(0, threads_, [&](int t) { team.take_part(t, phase_begin, function, call); },
                        tbb::static_partitioner());
    });
    return;
  }
#pragma omp parallel num_threads(threads_)
  team.take_part(omp_get_thread_num(), phase_begin, function, call);
#endif
}

}  // namespace scree
