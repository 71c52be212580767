// Farm over Open MPI or another implementation of MPI.
// Not the C++ bindings, which are in another library.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>

#include "engine/base/check.hpp"
#include "tools/ensemble/farm.hpp"

namespace scree::ensemble {
namespace {

constexpr int tag_row = 1, tag_number = 2;
constexpr std::int64_t no_more = -1;

// MPI's own waiting keeps a core busy, which somebody could compute on.
void rest() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

bool launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

// Waits for a message without keeping a core busy. Returns its source.
MPI_Status wait_for(int source, int tag) {
  MPI_Status status;
  for (int there = 0;; rest()) {
    MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, &status);
    if (there != 0) return status;
  }
}

std::string received_text(const MPI_Status& status) {
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  std::string text(static_cast<std::size_t>(size), '\0');
  MPI_Recv(text.data(), size, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return text;
}

void send_number(int rank, std::int64_t number) {
  MPI_Send(&number, 1, MPI_INT64_T, rank, tag_number, MPI_COMM_WORLD);
}

}  // namespace

struct Farm::Impl {
  bool initialised = false, ended = false;
  std::set<int> idle;  // ranks that wait for a number
};

Farm::Farm() : impl_(std::make_unique<Impl>()) {
  if (!launched()) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  impl_->initialised = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (provided < MPI_THREAD_FUNNELED) abort(1);
}

Farm::~Farm() {
  if (!impl_->initialised) return;
  // The others wait for a number, each after it has asked.
  if (rank_ == 0) {
    while (static_cast<int>(impl_->idle.size()) < size_ - 1) {
      const MPI_Status status = wait_for(MPI_ANY_SOURCE, tag_row);
      received_text(status);
      impl_->idle.insert(status.MPI_SOURCE);
    }
    for (const int rank : impl_->idle) send_number(rank, no_more);
  } else if (!impl_->ended) {
    // Bad input, which rank 0 has found as well and tells.
    const char nothing = '\0';
    MPI_Send(&nothing, 0, MPI_CHAR, 0, tag_row, MPI_COMM_WORLD);
    const MPI_Status status = wait_for(0, tag_number);
    std::int64_t number = 0;
    MPI_Recv(&number, 1, MPI_INT64_T, status.MPI_SOURCE, tag_number, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}

void Farm::abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::exit(exit_code);
}

bool Farm::run(MemberStore& store, const MemberRuns& runs) {
  if (size_ == 1) return run_members(store, runs);
  const std::vector<std::size_t> left = members_left(store, runs);
  std::atomic<std::size_t> next{0};
  std::atomic<int> computing{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto stopped = [&] { return failed || (runs.stop != nullptr && *runs.stop); };
  const auto keep = [&](std::size_t i, MemberRow row) {
    store.put(i, std::move(row));
    const std::lock_guard lock(mutex);
    if (runs.progress) runs.progress(store.n_done(), store.size());
  };
  const auto fail = [&] {
    const std::lock_guard lock(mutex);
    if (!failed.exchange(true)) failure = std::current_exception();
  };
  const auto compute = [&] {
    try {
      while (!stopped()) {
        const std::size_t k = next++;
        if (k >= left.size()) break;
        std::optional<MemberRow> row = runs.run(left[k]);
        if (!row) break;
        keep(left[k], std::move(*row));
      }
    } catch (...) {
      fail();
    }
    --computing;
  };
  std::vector<std::thread> threads;
  const int jobs = std::max(runs.jobs, 1);
  computing = jobs;
  for (int j = 0; j < jobs; ++j) threads.emplace_back(compute);
  std::size_t outstanding = 0;
  while (computing > 0 || outstanding > 0 || (next < left.size() && !stopped())) {
    bool anything = false;
    MPI_Status status;
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, tag_row, MPI_COMM_WORLD, &there, &status);
    if (there != 0) {
      anything = true;
      const std::string text = received_text(status);
      impl_->idle.insert(status.MPI_SOURCE);
      const std::size_t tab = text.find('\t');
      if (!text.empty()) --outstanding;
      if (tab != std::string::npos) {
        std::size_t i = 0;
        std::from_chars(text.data(), text.data() + tab, i);
        try {
          auto row = member_row(std::string_view(text).substr(tab + 1), store.table().columns);
          require(row.has_value() && i < store.size(), "mpirun",
                  "a process has sent what is no row; are all of one program?");
          keep(i, std::move(*row));
        } catch (...) {
          fail();
        }
      }
    }
    while (!impl_->idle.empty() && !stopped()) {
      const std::size_t k = next++;
      if (k >= left.size()) break;
      send_number(*impl_->idle.begin(), static_cast<std::int64_t>(left[k]));
      impl_->idle.erase(impl_->idle.begin());
      ++outstanding;
      anything = true;
    }
    if (!anything) rest();
  }
  for (std::thread& thread : threads) thread.join();
  store.flush();
  if (failure) std::rethrow_exception(failure);
  return members_left(store, runs).empty();
}

void Farm::serve(const std::function<std::optional<MemberRow>(std::size_t i)>& run) {
  std::string text;  // empty: the first time, there is no row yet
  for (;;) {
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, tag_row, MPI_COMM_WORLD);
    wait_for(0, tag_number);
    std::int64_t number = 0;
    MPI_Recv(&number, 1, MPI_INT64_T, 0, tag_number, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (number == no_more) break;
    const std::optional<MemberRow> row = run(static_cast<std::size_t>(number));
    text = std::to_string(number);
    if (!row) continue;
    text += '\t';
    text += member_line(*row);
  }
  impl_->ended = true;
}

}  // namespace scree::ensemble
