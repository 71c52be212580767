// Feeds a reader with damaged inputs and counts crashes, hangs and bad answers.
//
//   fuzz_readers TARGET CORPUS_FOLDER [--seconds S] [--count N] [--seed K] [--show I]
//
// The work is done in a process of its own that is replaced when it ends: input number I of a seed
// is the same in every run, and --show I writes it to standard output. Exit code 0: nothing was
// found.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/targets.hpp"

namespace {

using namespace scree::fuzz;

constexpr unsigned hang_seconds = 10;

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

std::string input_of(const Options& options, const std::vector<std::string>& corpus,
                     std::uint64_t index) {
  std::seed_seq seeds{options.seed, index};
  Random random(seeds);
  return options.target->make(corpus, random);
}

void work(const Options& options, const std::vector<std::string>& corpus, Shared& shared,
          std::chrono::steady_clock::time_point end) {
  const std::string file = "/dev/shm/scree_fuzz." + std::to_string(getppid());
  while (shared.next < options.count && std::chrono::steady_clock::now() < end) {
    const std::string input = input_of(options, corpus, shared.next);
    alarm(hang_seconds);
    const std::string fault = options.target->read(input, file);
    alarm(0);
    if (!fault.empty()) {
      ++shared.faults;
      std::fprintf(stderr, "%s, seed %llu, input %llu: %.600s\n", options.target->name,
                   static_cast<unsigned long long>(options.seed),
                   static_cast<unsigned long long>(shared.next), fault.c_str());
    }
    ++shared.next;
  }
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
    if (worker == 0) {
      work(options, corpus, *shared, end);
      _exit(0);
    }
    int status = 0;
    waitpid(worker, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    ++shared->faults;
    std::fprintf(
        stderr, "%s, seed %llu, input %llu: %s (status %d)\n", options.target->name,
        static_cast<unsigned long long>(options.seed),
        static_cast<unsigned long long>(shared->next),
        WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "no answer in 10 s" : "crashed",
        status);
    ++shared->next;
  }
  std::remove(("/dev/shm/scree_fuzz." + std::to_string(getpid())).c_str());
  std::printf("%s: %llu inputs in %.0f s, %llu faults\n", options.target->name,
              static_cast<unsigned long long>(shared->next),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
              static_cast<unsigned long long>(shared->faults));
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
  const std::string input = input_of(options, corpus, static_cast<std::uint64_t>(options.show));
  std::fwrite(input.data(), 1, input.size(), stdout);
  return 0;
}
