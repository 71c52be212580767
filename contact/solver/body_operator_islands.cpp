// Which islands the lanes of an operator belong to.
#include <array>
#include <cstdint>

#include "contact/solver/body_operator.hpp"

namespace scree::contact {

// The problem's number of the island that a lane of a batch belongs to; -1: it has no contacts.
template <int rows_of_contact, bool gives_way>
std::int32_t BodyOperatorOf<rows_of_contact, gives_way>::island_of(
    std::size_t batch, std::size_t lane, const ContactIslands& islands) const {
  const auto first = static_cast<std::size_t>(batches_[batch].begin);
  const std::int32_t source = source_[n_lanes * first + lane];
  return source < 0 ? -1 : islands.of[static_cast<std::size_t>(source)];
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::place_islands(const ContactIslands* islands) {
  islands_.begin(islands == nullptr ? 1 : islands->size());
  if (islands == nullptr || islands->size() < 2) return;
  for (std::size_t block = 0; block + 1 < grouping_.block_begin().size(); ++block) {
    islands_.begin_block();
    for (auto batch = static_cast<std::size_t>(grouping_.block_begin()[block]);
         batch < static_cast<std::size_t>(grouping_.block_begin()[block + 1]); ++batch) {
      std::array<std::int32_t, n_lanes> island;
      for (std::size_t lane = 0; lane < n_lanes; ++lane)
        island[lane] = island_of(batch, lane, *islands);
      islands_.add_batch(island);
    }
  }
  for (std::size_t place = 0; place < source_.size(); ++place) {
    const double inverse = inverse_unit_[place / n_lanes][place % n_lanes];
    if (source_[place] >= 0 && inverse > 0.0) {
      islands_.add_unit(islands->of[static_cast<std::size_t>(source_[place])],
                        1.0 / (inverse * inverse));
    }
  }
  islands_.end(*islands);
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::clear_island(std::size_t island,
                                                              Numbers& y) const {
  for (const OperatorIslands::Run& run : islands_.runs()) {
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      if (run.island[lane] != static_cast<std::int32_t>(island)) continue;
      const auto first =
                     static_cast<std::size_t>(batches_[static_cast<std::size_t>(run.begin)].begin),
                 last =
                     static_cast<std::size_t>(batches_[static_cast<std::size_t>(run.end) - 1].end);
      for (std::size_t four = first; four < last; ++four) {
        for (std::size_t k = 0; k < n_rows; ++k) y[entry(n_lanes * four + lane, k)] = 0.0;
      }
    }
  }
}

#define SCREE_INSTANTIATE(rows, gives_way)                                             \
  template void BodyOperatorOf<rows, gives_way>::place_islands(const ContactIslands*); \
  template void BodyOperatorOf<rows, gives_way>::clear_island(std::size_t, Numbers&) const
SCREE_INSTANTIATE(3, false);
SCREE_INSTANTIATE(6, false);
SCREE_INSTANTIATE(3, true);
SCREE_INSTANTIATE(6, true);
#undef SCREE_INSTANTIATE

}  // namespace scree::contact
