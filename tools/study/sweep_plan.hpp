// The runs of a sweep: a grid of lists and ranges, and draws from distributions for each sample.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scree::study {

// One --set of a sweep.
struct SweepAxis {
  enum class Kind { list, uniform, normal, uniform_int } kind = Kind::list;
  std::string key;
  std::vector<std::string> values;  // of a list, each in TOML
  double a = 0.0, b = 0.0;   // uniform(a, b), uniform_int(a, b); normal(a, b): mean and deviation
  std::uint32_t stream = 0;  // of the draws: the number of the distribution, from 0
};

struct SweepRun {
  std::int64_t sample = 0;
  std::vector<std::string> values;  // [n_axes] in TOML
};

// Runs are counted through: the first axis changes slowest, the sample fastest.
struct SweepPlan {
  std::vector<SweepAxis> axes;
  std::uint64_t seed = 1;
  std::int64_t samples = 1;

  bool draws() const;
  std::size_t n_runs() const;
  SweepRun run(std::size_t i) const;
  // The grid of the lists alone, in the order of the runs, with the middle of each distribution.
  std::size_t n_choices() const { return n_runs() / static_cast<std::size_t>(samples); }
  SweepRun choice(std::size_t i) const;
  // KEY=VALUE of each axis.
  std::vector<std::string> edits(const SweepRun& run) const;
};

inline constexpr std::size_t most_runs = 1000000;

// `sets` are KEY=LIST: values that commas separate, among them ranges first:last:step and
// linspace(first,last,count), both with their ends; or one uniform(low,high),
// normal(mean,deviation) or uniform_int(low,high), the integers from low to high. Ranges are
// rounded to 15 digits, so that 0.1:0.5:0.1 holds 0.3. `samples` 0: not given. Throws InputError,
// one line with the option.
SweepPlan plan_sweep(const std::vector<std::string>& sets, std::uint64_t seed,
                     std::int64_t samples);

}  // namespace scree::study
