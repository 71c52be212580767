// Groups of four body pairs that share no moving body, so that their contacts can be visited at the
// same time, lane by lane.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "contact/solver/colouring.hpp"
#include "engine/base/lanes.hpp"

namespace scree::contact {

struct PairBatch {
  std::array<std::int32_t, n_lanes> pair = {-1, -1, -1, -1};  // indices of pairs; -1: none
  std::int32_t n_contacts = 0;                                // of the pair that has most
};

// Keeps its memory from call to call.
class PairBatches {
 public:
  // Groups the pairs of each block of `order`: pairs of many contacts first, each in the first
  // group that has room and none of its bodies. Depends on nothing but its arguments.
  void group(const std::vector<PairBodies>& pairs, const VisitOrder& order);

  const std::vector<PairBatch>& batches() const { return batches_; }
  const std::vector<std::int32_t>& block_begin() const {
    return block_begin_;
  }  // [n_blocks + 1] into the batches

 private:
  void place(const std::vector<PairBodies>& pairs, std::int32_t pair);

  std::vector<PairBatch> batches_;
  std::vector<std::int32_t> block_begin_;
  std::vector<std::int32_t> by_size_;  // pairs of a block
  std::vector<std::int32_t> open_;     // batches of a block that have room
};

}  // namespace scree::contact
