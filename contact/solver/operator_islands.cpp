#include "contact/solver/operator_islands.hpp"

#include "contact/solver/at.hpp"

namespace scree::contact {

namespace {

// Whether a batch may join a run: a lane without contacts goes with any island.
bool agree(const std::array<std::int32_t, n_lanes>& one,
           const std::array<std::int32_t, n_lanes>& other) {
  for (std::size_t lane = 0; lane < n_lanes; ++lane) {
    if (one[lane] >= 0 && other[lane] >= 0 && one[lane] != other[lane]) return false;
  }
  return true;
}

}  // namespace

void OperatorIslands::begin(std::size_t n_islands_of_problem) {
  here_.assign(n_islands_of_problem, -1);
  of_problem_.clear(), units_.clear(), runs_.clear(), block_begin_.clear();
  aims_.clear(), lanes_.clear(), sums_.clear();
}

void OperatorIslands::add_batch(const std::array<std::int32_t, n_lanes>& island_of_problem) {
  std::array<std::int32_t, n_lanes> island;
  for (std::size_t lane = 0; lane < n_lanes; ++lane) {
    island[lane] = -1;
    if (island_of_problem[lane] < 0) continue;
    std::int32_t& here = here_[at(island_of_problem[lane])];
    if (here < 0) {
      here = static_cast<std::int32_t>(of_problem_.size());
      of_problem_.push_back(island_of_problem[lane]);
    }
    island[lane] = here;
  }
  const std::int32_t batch = runs_.empty() ? 0 : runs_.back().end;
  const bool first_of_block = block_begin_.back() == static_cast<std::int32_t>(runs_.size());
  if (first_of_block || !agree(runs_.back().island, island))
    runs_.push_back({{-1, -1, -1, -1}, batch, batch});
  Run& run = runs_.back();
  ++run.end;
  for (std::size_t lane = 0; lane < n_lanes; ++lane) {
    if (island[lane] >= 0) run.island[lane] = island[lane];
  }
}

void OperatorIslands::add_unit(std::int32_t island_of_problem, double squared) {
  units_.resize(size());
  units_[at(here_[at(island_of_problem)])] += squared;
}

void OperatorIslands::end(const ContactIslands& of_problem) {
  block_begin_.push_back(static_cast<std::int32_t>(runs_.size()));
  units_.resize(size());
  for (std::size_t k = 0; k < size() && !of_problem.aim.empty(); ++k)
    aims_.push_back(of_problem.aim[at(of_problem_[k])]);
  if (!several()) return;
  lanes_.resize(runs_.size());
  sums_.resize(size());
}

ResidualSums OperatorIslands::sum_up() const {
  for (std::size_t k = 0; k < sums_.size(); ++k)
    sums_[k] = ResidualSums{}, sums_[k].unit = units_[k];
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      if (runs_[r].island[lane] >= 0) sums_[at(runs_[r].island[lane])].add(lanes_[r].of(lane));
    }
  }
  ResidualSums total;
  for (const ResidualSums& sums : sums_) total.add(sums);
  return total;
}

}  // namespace scree::contact
