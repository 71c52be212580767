// The islands of an operator's contacts, and sums for the residual of each. Lanes of a batch may
// belong to different islands, so sums are taken lane by lane over runs of batches in which no lane
// changes its island.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/problem/contact_islands.hpp"
#include "contact/solver/lane_contact.hpp"
#include "contact/solver/residual.hpp"
#include "engine/base/lanes.hpp"

namespace scree::contact {

// The larger of each measure, of the whole and of its islands.
inline Residuals largest_measures(const ResidualSums& whole,
                                  std::span<const ResidualSums> islands) {
  Residuals result = whole.measures();
  for (const ResidualSums& sums : islands) result.raise(sums.measures_of_island());
  return result;
}

// Keeps its memory from problem to problem. Two islands or more; with one nothing is kept but its
// number.
class OperatorIslands {
 public:
  // Batches one after another, of one block; a lane without contacts has island -1.
  struct Run {
    std::array<std::int32_t, n_lanes> island;
    std::int32_t begin = 0, end = 0;  // batches
  };

  // Begins anew, for a problem of that many islands.
  void begin(std::size_t n_islands_of_problem);
  void begin_block() { block_begin_.push_back(static_cast<std::int32_t>(runs_.size())); }
  // The next batch of the block; islands as the problem numbers them.
  void add_batch(const std::array<std::int32_t, n_lanes>& island_of_problem);
  void add_unit(std::int32_t island_of_problem, double squared);
  void end(const ContactIslands& of_problem);

  std::size_t size() const { return of_problem_.size(); }
  bool several() const { return size() > 1; }

  // Of the islands here, as ContactIslands has them; may be empty.
  std::span<const double> aims() const { return aims_; }

  std::span<const Run> runs(int block) const {
    const auto first = static_cast<std::size_t>(block_begin_[static_cast<std::size_t>(block)]),
               last = static_cast<std::size_t>(block_begin_[static_cast<std::size_t>(block) + 1]);
    return std::span(runs_).subspan(first, last - first);
  }
  std::span<const Run> runs() const { return runs_; }

  void keep(const Run& run, const LaneResidualSums& sums) const {
    lanes_[static_cast<std::size_t>(&run - runs_.data())] = sums;
  }
  // Sums up what was kept of all runs, in their order; returns the whole.
  ResidualSums sum_up() const;

  // Of the islands; empty with one.
  std::span<const ResidualSums> last_sums() const { return sums_; }

 private:
  std::vector<std::int32_t> here_;        // [n_islands of the problem] number here, or -1
  std::vector<std::int32_t> of_problem_;  // [n_islands here]
  std::vector<double> units_;             // [n_islands here] sums of P_c^2
  std::vector<double> aims_;              // [n_islands here] or empty
  std::vector<Run> runs_;
  std::vector<std::int32_t> block_begin_;        // [n_blocks + 1] into runs_
  mutable std::vector<LaneResidualSums> lanes_;  // [n_runs]
  mutable std::vector<ResidualSums> sums_;       // [n_islands here]
};

}  // namespace scree::contact
