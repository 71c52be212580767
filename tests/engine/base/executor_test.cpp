#include "engine/base/executor.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>
#include <vector>

namespace executor_test {

using namespace scree;

namespace {

// Whether `n` blocks of one loop run at the same time: each waits for all the others, for at most
// `patience`.
bool blocks_meet(const Executor& executor, int n, std::chrono::milliseconds patience) {
  std::atomic<int> there{0}, met{0};
  executor.for_each_block(n, [&](int) {
    const auto end = std::chrono::steady_clock::now() + patience;
    ++there;
    while (there.load() < n && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    if (there.load() == n) ++met;
  });
  return met.load() == n;
}

}  // namespace

TEST_CASE("Executor calls each block once", "[engine][unit]") {
  for (const Backend backend : {Backend::serial, Backend::openmp, Backend::tbb}) {
    for (const int threads : {1, 2, 3, 4, 8}) {
      const Executor executor(backend, threads);
      CHECK(executor.threads() == (backend == Backend::serial ? 1 : threads));
      for (const int n : {0, 1, 2, 7, 100}) {
        std::vector<int> calls(static_cast<std::size_t>(n), 0);
        executor.for_each_block(n, [&](int i) { ++calls[static_cast<std::size_t>(i)]; });
        CHECK(calls == std::vector<int>(static_cast<std::size_t>(n), 1));
      }
    }
  }
}

TEST_CASE("Executor begins a phase when all blocks of the last one are done", "[engine][unit]") {
  // More phases than one start of the threads takes, some of them empty.
  constexpr std::int32_t n_phases = 200, largest = 7;
  std::vector<std::int32_t> phase_begin = {5};
  for (std::int32_t k = 0; k < n_phases; ++k)
    phase_begin.push_back(phase_begin.back() + k % (largest + 1));
  const auto n = static_cast<std::size_t>(phase_begin.back());
  for (const Backend backend : {Backend::serial, Backend::openmp, Backend::tbb}) {
    for (const int threads : {1, 2, 3, 8}) {
      const Executor executor(backend, threads);
      std::vector<int> calls(n, 0),
          missing(n, 0);  // plain memory: a phase must see what the last one wrote
      executor.for_each_phase(phase_begin, [&](int block) {
        const auto phase = std::upper_bound(phase_begin.begin(), phase_begin.end(), block);
        for (std::int32_t i = phase_begin.front(); i < *(phase - 1); ++i) {
          missing[static_cast<std::size_t>(block)] +=
              calls[static_cast<std::size_t>(i)] == 1 ? 0 : 1;
        }
        ++calls[static_cast<std::size_t>(block)];
      });
      CHECK(std::count(calls.begin(), calls.begin() + phase_begin.front(), 0) ==
            phase_begin.front());
      CHECK(std::count(calls.begin() + phase_begin.front(), calls.end(), 1) ==
            phase_begin.back() - phase_begin.front());
      CHECK(std::count(missing.begin(), missing.end(), 0) == phase_begin.back());
    }
  }
}

TEST_CASE("Executor has as many threads as asked for also beyond the processors",
          "[engine][unit]") {
  // A thread may take its time on a busy machine; one that is not there never comes.
  for (const Backend backend : {Backend::openmp, Backend::tbb}) {
    for (const int threads : {2, 3, 8})
      CHECK(blocks_meet(Executor(backend, threads), threads, std::chrono::seconds(20)));
  }
}

TEST_CASE("Executor keeps its threads from loop to loop", "[engine][unit]") {
  // A team made anew for each loop meets within 20 ms in a few loops of a hundred, a kept one in
  // nearly all; in half of them on a machine with much else to do, which gets more than one chance.
  for (const Backend backend : {Backend::openmp, Backend::tbb}) {
    const Executor executor(backend, 2);
    int meetings = 0;
    for (int chance = 0; chance < 4 && meetings <= 25; ++chance) {
      meetings = 0;
      for (int loop = 0; loop < 50; ++loop)
        meetings += blocks_meet(executor, 2, std::chrono::milliseconds(20)) ? 1 : 0;
    }
    CHECK(meetings > 25);
  }
}

}  // namespace executor_test
