// An order of visits in which groups of body pairs that share no moving body can run at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::contact {

struct PairBodies {
  std::int32_t body_a = -1, body_b = -1;  // -1: a body that nothing moves; it never conflicts
  std::int32_t n_contacts = 0;
};

// Pairs in the order of visits, cut into colours and these into blocks. Blocks of one colour share no moving body.
struct VisitOrder {
  std::vector<std::int32_t> pair;         // [n_pairs] index of the pair visited k-th
  std::vector<std::int32_t> block_begin;  // [n_blocks + 1] into `pair`
  std::vector<std::int32_t> colour_begin; // [n_colours + 1] into the blocks
};

// The given order, as one block.
void natural_order(const std::vector<PairBodies>& pairs, VisitOrder& order);

// Greedy colouring in the given order: each pair takes the lowest colour free at both bodies. Colours of few contacts are
// joined to a last colour of a single block, visited one after another. Depends on nothing but `pairs`.
void coloured_order(const std::vector<PairBodies>& pairs, std::size_t n_bodies, VisitOrder& order);

}  // namespace scree::contact
