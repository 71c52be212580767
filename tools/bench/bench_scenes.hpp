// Scenes of `scree bench`, as scene files of about a given number of bodies.
#pragma once

#include <string>
#include <vector>

namespace scree::bench {

struct BenchScene {
  std::string name, what;
  int warm_up = 0;                          // steps before measuring begins
  std::vector<int> own_sizes = {};          // instead of those asked for
  std::string (*text)(int size) = nullptr;  // TOML
};

const std::vector<BenchScene>& bench_scenes();
const BenchScene& bench_scene(const std::string& name);  // must exist

}  // namespace scree::bench
