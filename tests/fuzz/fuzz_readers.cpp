// Feeds a reader with damaged inputs and counts crashes, hangs and bad answers.
//
//   fuzz_readers TARGET CORPUS_FOLDER [--seconds S] [--count N] [--seed K] [--show I]
//
// The work is done in a process of its own that is replaced when it ends: input number I of a seed
// is the same in every run, and --show I writes it to standard output. HDF5 files are looked
// through in that process, not in one for each file. An input at which it ends is read once more by
// itself, as the program does it: that decides whether it is a fault. Exit code 0: nothing was
// found.
#include <fcntl.h>
#include <hdf5.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/screening.hpp"
#include "tests/fuzz/targets.hpp"

namespace {

using namespace scree::fuzz;

constexpr int hang_seconds = 10;           // of computing
constexpr unsigned sleep_seconds = 120;    // waiting for something, on a busy machine
constexpr int ended = 0, replace_me = 77;  // exit codes of a worker

struct Options {
  const Target* target = nullptr;
  std::string corpus;
  double seconds = 60.0;
  std::uint64_t count = UINT64_MAX, seed = 1;
  std::int64_t show = -1;
};

// What worker and watcher share.
struct Shared {
  std::uint64_t next = 0, faults = 0;
  std::array<std::uint64_t, 3> outcomes = {};  // by Outcome
  std::uint64_t guarded = 0;                   // the library broke down while it looked through
  std::uint64_t unmade = 0;                    // the library broke down while the input was made
  std::uint64_t not_alone = 0;                 // ended a worker, but not a process of its own
  bool making = false;
  Screening screening;
};

std::vector<std::string> read_corpus(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

std::string scratch_of(pid_t watcher) { return "/dev/shm/scree_fuzz." + std::to_string(watcher); }

std::string input_of(const Options& options, const std::vector<std::string>& corpus,
                     std::uint64_t index, const std::string& scratch) {
  std::seed_seq seeds{options.seed, index};
  Random random(seeds);
  return options.target->make(corpus, random, scratch);
}

void tell(int file, const Options& options, std::uint64_t index, const std::string& what) {
  dprintf(file, "%s, seed %llu, input %llu: %.600s\n", options.target->name,
          static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(index),
          what.c_str());
}

// Ends this process if the next input takes too long.
void start_clock() {
  const itimerval limit{{0, 0}, {hang_seconds, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
  alarm(sleep_seconds);
}

// As in the child that the program has for this.
void bound_memory() {
#if !defined(__SANITIZE_ADDRESS__)
  constexpr rlim_t most = rlim_t{2} << 30;
  const rlimit bound{most, most};
  setrlimit(RLIMIT_AS, &bound);
#endif
}

// Nothing of the library is left open: the next file is not taken for this one.
bool all_closed() { return H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) <= 0; }

int work(const Options& options, const std::vector<std::string>& corpus, Shared& shared,
         std::chrono::steady_clock::time_point end) {
  const std::string scratch = scratch_of(getppid());
  const int errors = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDERR_FILENO);  // what a crash has to say, it says when the input is read alone
  bound_memory();
  if (options.target->hdf5) screen_here(shared.screening);
  while (shared.next < options.count && std::chrono::steady_clock::now() < end) {
    start_clock();
    shared.making = true;
    const std::string input = input_of(options, corpus, shared.next, scratch);
    shared.making = false;
    const Answer answer = options.target->read(input, scratch);
    ++shared.outcomes[static_cast<std::size_t>(answer.outcome)];
    if (!answer.fault.empty()) {
      ++shared.faults;
      tell(errors, options, shared.next, answer.fault);
    }
    ++shared.next;
    if (options.target->hdf5 && !all_closed()) return replace_me;
  }
  return ended;
}

// Reads one input in a process of its own, with the guard that the program has. Whether it was
// answered as it must be.
bool answered_alone(const Options& options, const std::vector<std::string>& corpus, Shared& shared,
                    std::uint64_t index) {
  const pid_t reader = fork();
  if (reader == 0) {
    const std::string scratch = scratch_of(getppid());
    const std::string input = input_of(options, corpus, index, scratch);
    start_clock();
    const Answer answer = options.target->read(input, scratch);
    ++shared.outcomes[static_cast<std::size_t>(answer.outcome)];
    if (!answer.fault.empty()) tell(STDERR_FILENO, options, index, answer.fault);
    _exit(answer.fault.empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(reader, &status, 0);
  const bool hung =
      WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
  if (hung) tell(STDERR_FILENO, options, index, "no answer in 10 s");
  if (!hung && status != 0)
    tell(STDERR_FILENO, options, index, "crashed (status " + std::to_string(status) + ")");
  return status == 0;
}

// What has become of the input at which a worker ended.
void judge(const Options& options, const std::vector<std::string>& corpus, Shared& shared) {
  const std::uint64_t index = shared.next++;
  const bool guarded = shared.screening.going_on;
  shared.screening.going_on = false;
  if (shared.making) {
    ++shared.unmade;
    return;
  }
  if (!answered_alone(options, corpus, shared, index))
    ++shared.faults;
  else if (guarded)
    ++shared.guarded;
  else
    ++shared.not_alone;
}

void summarise(const Options& options, const Shared& shared, double seconds) {
  const auto count = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  const std::uint64_t read = shared.outcomes[0] + shared.outcomes[1] + shared.outcomes[2];
  const auto share = [&](Outcome outcome) {
    return 100.0 * static_cast<double>(shared.outcomes[static_cast<std::size_t>(outcome)]) /
           static_cast<double>(std::max<std::uint64_t>(read, 1));
  };
  std::printf(
      "%s: %llu inputs in %.0f s, %.0f a second, seed %llu: %.1f %% refused by form, "
      "%.1f %% by content, %.1f %% accepted",
      options.target->name, count(shared.next), seconds, static_cast<double>(shared.next) / seconds,
      count(options.seed), share(Outcome::refused_form), share(Outcome::refused_content),
      share(Outcome::accepted));
  if (options.target->hdf5) {
    std::printf("; the library broke down on %llu in the guarded look, could not make %llu",
                count(shared.guarded), count(shared.unmade));
  }
  std::printf("; %llu ended a worker but are answered alone; %llu faults\n",
              count(shared.not_alone), count(shared.faults));
}

int watch(const Options& options, const std::vector<std::string>& corpus) {
  auto* shared = static_cast<Shared*>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (shared == MAP_FAILED) return 1;
  *shared = {};
  const auto begin = std::chrono::steady_clock::now(),
             end = begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                               std::chrono::duration<double>(options.seconds));
  while (shared->next < options.count && std::chrono::steady_clock::now() < end) {
    const pid_t worker = fork();
    if (worker == 0) _exit(work(options, corpus, *shared, end));
    int status = 0;
    waitpid(worker, &status, 0);
    const bool by_itself =
        WIFEXITED(status) && (WEXITSTATUS(status) == ended || WEXITSTATUS(status) == replace_me);
    if (!by_itself) judge(options, corpus, *shared);
  }
  std::remove(scratch_of(getpid()).c_str());
  summarise(options, *shared,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return shared->faults == 0 && shared->next > 0 ? 0 : 1;
}

int usage() {
  std::fprintf(stderr,
               "usage: fuzz_readers TARGET CORPUS_FOLDER [--seconds S] [--count N] [--seed K] "
               "[--show I]\ntargets:");
  for (const Target& target : targets()) std::fprintf(stderr, " %s", target.name);
  std::fprintf(stderr, "\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (argc < 3 || argc % 2 == 0) return usage();
  for (const Target& target : targets()) {
    if (std::strcmp(target.name, argv[1]) == 0) options.target = &target;
  }
  if (options.target == nullptr) return usage();
  options.corpus = argv[2];
  for (int i = 3; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--seconds")
      options.seconds = std::atof(argv[i + 1]);
    else if (name == "--count")
      options.count = std::strtoull(argv[i + 1], nullptr, 10);
    else if (name == "--seed")
      options.seed = std::strtoull(argv[i + 1], nullptr, 10);
    else if (name == "--show")
      options.show = std::atoll(argv[i + 1]);
    else
      return usage();
  }
  const std::vector<std::string> corpus = read_corpus(options.corpus);
  if (corpus.empty()) return usage();
  if (options.show < 0) return watch(options, corpus);
  const std::string input =
      input_of(options, corpus, static_cast<std::uint64_t>(options.show), scratch_of(getpid()));
  std::remove(scratch_of(getpid()).c_str());
  std::fwrite(input.data(), 1, input.size(), stdout);
  return 0;
}
