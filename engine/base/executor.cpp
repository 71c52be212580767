#include "engine/base/executor.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/base/check.hpp"

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

// The libraries end the program when a thread cannot be started, so whether so many can is tried
// before: all at once, as theirs will be.
void require_threads(int threads) {
  std::vector<std::jthread> probes;
  std::atomic<bool> go{false};
  std::string reason;
  try {
    for (int t = 1; t < threads; ++t) probes.emplace_back([&go] { go.wait(false); });
  } catch (const std::system_error& error) {
    reason = error.code().message();
  } catch (const std::bad_alloc&) {
    reason = "no memory for them";
  }
  const std::size_t started = probes.size() + 1;
  go.store(true);
  go.notify_all();
  probes.clear();
  if (!reason.empty())
    throw InputError("threads: " + std::to_string(threads) + " cannot be started here (" + reason +
                     "); no more than " + std::to_string(started) + " can");
}

}  // namespace

const char* backend_name(Backend backend) {
  switch (backend) {
    case Backend::serial:
      return "serial";
    case Backend::openmp:
      return "openmp";
    case Backend::tbb:
      return "tbb";
  }
  return "";
}

// How threads share the phases of a run. A thread takes blocks until none is left, then waits for
// those that others have taken. Nobody waits for a thread that has not come or that has taken
// nothing, however late it is: all counters carry the number of their run, so a thread that comes
// back after the end of a run finds nothing to take, whatever runs by then. A block that has been
// taken keeps its run alive, so what a thread read about the run before it took the block was of
// that run.
struct Executor::Team {
  struct alignas(cache_line) Counter {
    std::atomic<std::uint64_t> value{0};  // run in the upper half, count in the lower
  };

  Team(Backend backend, int n)
      : threads(n), taken(max_phases * static_cast<std::size_t>(n)), done(max_phases) {
    // A thread that shares its processor with the one it waits for should let it run.
    spins = n <= omp_get_num_procs() ? 2000 : 0;
#ifdef SCREE_THREAD_SANITIZER
    // TSan reports races in correct OpenMP and TBB loops; plain threads it understands.
    static_cast<void>(backend);
    for (int t = 1; t < threads; ++t) others.emplace_back([this, t] { serve(t); });
#else
    if (backend == Backend::tbb) {
      arena = std::make_unique<Arena>(n);
      return;
    }
    // One parallel region for the life of the team: a region for each loop would wait for every
    // thread at its end.
    others.emplace_back([this] {
#pragma omp parallel num_threads(threads - 1)
      serve(omp_get_thread_num() + 1);
    });
#endif
  }

  ~Team() {
    stopping.store(true, std::memory_order_relaxed);
    run.fetch_add(1, std::memory_order_release);
    run.notify_all();
  }

  static std::uint64_t tagged(std::uint32_t number, std::int32_t count) noexcept {
    return (std::uint64_t{number} << 32) | static_cast<std::uint32_t>(count);
  }
  static std::uint32_t number_of(std::uint64_t value) noexcept {
    return static_cast<std::uint32_t>(value >> 32);
  }
  static std::int32_t count_of(std::uint64_t value) noexcept {
    return static_cast<std::int32_t>(value & 0xffffffffU);
  }

  // Puts up the next run and returns its number.
  std::uint32_t put_up(std::span<const std::int32_t> begins, void* with, Call what) {
    const std::uint32_t number = run.load(std::memory_order_relaxed) + 1;
    const std::size_t phases = begins.size() - 1;
    for (std::size_t k = 0; k < phases; ++k)
      done[k].value.store(tagged(number, 0), std::memory_order_relaxed);
    for (std::size_t k = 0; k < phases * static_cast<std::size_t>(threads); ++k) {
      taken[k].value.store(tagged(number, 0), std::memory_order_release);
    }
    // Entries of earlier, longer runs stay as they were: their counters say that all is taken.
    for (std::size_t k = 0; k < phases; ++k) {
      phase[k].store(tagged(static_cast<std::uint32_t>(begins[k]), begins[k + 1] - begins[k]),
                     std::memory_order_relaxed);
    }
    n_phases.store(phases, std::memory_order_relaxed);
    function.store(with, std::memory_order_relaxed);
    call.store(what, std::memory_order_relaxed);
    run.store(number, std::memory_order_release);
    return number;
  }

  // Takes blocks of one thread's share; returns how many.
  std::int32_t take_share(std::uint32_t number, std::atomic<std::uint64_t>& counter,
                          std::int32_t first, std::int32_t size) noexcept {
    std::int32_t mine = 0;
    std::uint64_t value = counter.load(std::memory_order_acquire);
    while (number_of(value) == number && count_of(value) < size) {
      if (!counter.compare_exchange_weak(value, value + 1, std::memory_order_acq_rel,
                                         std::memory_order_acquire))
        continue;
      call.load(std::memory_order_relaxed)(function.load(std::memory_order_relaxed),
                                           first + count_of(value));
      ++mine;
      value = counter.load(std::memory_order_acquire);
    }
    return mine;
  }

  void take_part(int thread, std::uint32_t number) noexcept {
    const std::size_t phases = n_phases.load(std::memory_order_relaxed);
    for (std::size_t p = 0; p < phases; ++p) {
      const std::uint64_t blocks = phase[p].load(std::memory_order_relaxed);
      const auto begin = static_cast<std::int32_t>(blocks >> 32);
      const std::int32_t n = count_of(blocks);
      std::int32_t mine = 0;
      for (int k = 0; k < threads; ++k) {
        const int owner = thread + k < threads ? thread + k : thread + k - threads;
        const std::int32_t first = share_begin(n, owner), size = share_begin(n, owner + 1) - first;
        const std::size_t at =
            p * static_cast<std::size_t>(threads) + static_cast<std::size_t>(owner);
        mine += take_share(number, taken[at].value, begin + first, size);
      }
      std::atomic<std::uint64_t>& finished = done[p].value;
      if (mine > 0) finished.fetch_add(static_cast<std::uint64_t>(mine), std::memory_order_acq_rel);
      std::uint64_t value = finished.load(std::memory_order_acquire);
      for (int waited = 0; number_of(value) == number && count_of(value) < n; ++waited) {
        if (waited < spins)
          pause();
        else
          std::this_thread::yield();
        value = finished.load(std::memory_order_acquire);
      }
      if (number_of(value) != number) return;
    }
  }

  // Takes part in run after run; sleeps when none comes.
  void serve(int thread) noexcept {
    for (std::uint32_t last = 0; !stopping.load(std::memory_order_relaxed);) {
      std::uint32_t number = run.load(std::memory_order_acquire);
      for (int waited = 0; number == last && waited < 50 * spins; ++waited) {
        pause();
        number = run.load(std::memory_order_acquire);
      }
      if (number == last) {
        run.wait(last, std::memory_order_acquire);
        continue;
      }
      last = number;
      take_part(thread, number);
    }
  }

  std::int32_t share_begin(std::int32_t n, int thread) const noexcept {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(n) * thread / threads);
  }

  int threads, spins = 0;
  std::atomic<bool> stopping{false};
  alignas(cache_line) std::atomic<std::uint32_t> run{0};
  // The run that is up.
  alignas(cache_line) std::atomic<std::size_t> n_phases{0};
  std::atomic<void*> function{nullptr};
  std::atomic<Call> call{nullptr};
  std::array<std::atomic<std::uint64_t>, max_phases>
      phase{};  // first block in the upper half, number in the lower
  std::vector<Counter>
      taken;  // [max_phases, threads] blocks of each thread's share that somebody has taken
  std::vector<Counter> done;  // [max_phases] blocks

#ifndef SCREE_THREAD_SANITIZER
  // The limit: without it TBB starts no more threads than there are processors. The arena is kept,
  // since its threads take longer to join than most loops last: with one made for each loop, the
  // caller did all the work alone.
  struct Arena {
    explicit Arena(int n)
        : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(n)),
          threads(n) {}

    tbb::global_control limit;
    tbb::task_arena threads;
  };
  std::unique_ptr<Arena> arena;
#endif
  std::vector<std::jthread> others;  // last: they are gone before what they use
};

Executor::Executor(Backend backend, int threads) : backend_(backend), threads_(threads) {
  if (threads_ <= 0) threads_ = omp_get_num_procs();
  if (backend_ == Backend::serial) threads_ = 1;
  if (threads_ > 1) require_threads(threads_);
  if (threads_ > 1) team_ = std::make_shared<Team>(backend_, threads_);
}

void Executor::run(std::span<const std::int32_t> phase_begin, void* function, Call call) const {
  while (phase_begin.size() > max_phases + 1) {
    run(phase_begin.first(max_phases + 1), function, call);
    phase_begin = phase_begin.subspan(max_phases);
  }
  Team& team = *team_;
  const std::uint32_t number = team.put_up(phase_begin, function, call);
#ifndef SCREE_THREAD_SANITIZER
  if (backend_ == Backend::tbb) {
    team.arena->threads.execute([&] {
      tbb::parallel_for(
          0, threads_, [&](int t) { team.take_part(t, number); }, tbb::static_partitioner());
    });
    return;
  }
#endif
  team.run.notify_all();
  team.take_part(0, number);
}

}  // namespace scree
