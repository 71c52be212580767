// Random small scenes by the thousand: which of them do not converge, take many sweeps, overlap,
// create energy or do not rest?
//
//   build/tests/tools/small_scenes --seeds 1..5000 [--write FOLDER]
//
// One line for each scene with something wrong, then counts; the scene files of those go to FOLDER.
// Exit code 1 if a step of any scene did not converge.
#include <cstdio>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tests/support/campaign.hpp"

int main(int argc, char** argv) {
  using namespace scree::test;
  std::string seeds = "1..200", folder;
  CLI::App app{"Runs random small scenes and lists what goes wrong in them."};
  app.add_option("--seeds", seeds, "First and last seed, A..B")->capture_default_str();
  app.add_option("--write", folder, "Folder for the scene files of the findings");
  CLI11_PARSE(app, argc, argv);
  unsigned long long first = 0, last = 0;
  if (std::sscanf(seeds.c_str(), "%llu..%llu", &first, &last) != 2 || last < first) {
    fmt::print(stderr, "--seeds {}: A..B with A <= B is expected\n", seeds);
    return 2;
  }
  std::map<std::string, std::pair<int, int>> kinds;
  int slow = 0, unconverged = 0, wedged = 0;
  for (unsigned long long seed = first; seed <= last; ++seed) {
    const SmallFinding finding = examine(seed);
    auto& [n, n_wrong] = kinds[finding.scene.kind];
    ++n;
    slow += finding.run.most_sweeps > many_sweeps ? 1 : 0;
    unconverged += finding.run.unconverged > finding.run.wedged ? 1 : 0;
    wedged += finding.run.wedged > 0 ? 1 : 0;
    if (finding.wrong.empty()) continue;
    ++n_wrong;
    fmt::print("{} {}: {}\n", seed, finding.scene.kind, finding.wrong);
    if (!folder.empty())
      std::ofstream(fmt::format("{}/{}_{}.toml", folder, finding.scene.kind, seed))
          << finding.scene.text;
  }
  for (const auto& [kind, count] : kinds)
    fmt::print("{:10} {:5} scenes, {} with something wrong\n", kind, count.first, count.second);
  fmt::print(
      "{} scenes: {} with a step over {} sweeps, {} with an unconverged step, {} without a "
      "solution\n",
      last - first + 1, slow, many_sweeps, unconverged, wedged);
  return unconverged > 0 ? 1 : 0;
}
