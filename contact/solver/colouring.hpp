// An order of visits in which blocks of body pairs that share no moving body can run at the same
// time.
//
// Bodies are gathered in compact chunks, grown breadth-first over the graph of pairs. All pairs
// inside a chunk make one block, visited in the given order, and all chunks make the first colour.
// Pairs between two chunks make a block each, and these blocks are coloured greedily. So most pairs
// are visited in the given order, there are few colours, and a thread that always begins with the
// same chunks finds their bodies in its own cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::contact {

struct PairBodies {
  std::int32_t body_a = -1, body_b = -1;  // -1: a body that nothing moves; it never conflicts
  std::int32_t n_contacts = 0;

  bool operator==(const PairBodies&) const = default;
};

// Pairs in the order of visits, cut into colours and these into blocks. Blocks of one colour share
// no moving body.
struct VisitOrder {
  std::vector<std::int32_t> pair;          // [n_pairs] index of the pair visited k-th
  std::vector<std::int32_t> block_begin;   // [n_blocks + 1] into `pair`
  std::vector<std::int32_t> colour_begin;  // [n_colours + 1] into the blocks
  std::vector<std::int32_t> body;  // bodies of the pairs that something moves, chunk by chunk
  std::vector<std::int32_t>
      body_begin;  // [blocks of the first colour + 1] into `body`: whose bodies are whose
};

// The given order, as one block.
void natural_order(const std::vector<PairBodies>& pairs, std::size_t n_bodies, VisitOrder& order);

// Keeps its memory from call to call.
class Colouring {
 public:
  // Depends on nothing but `pairs`. Colours of few contacts are joined to a last one of a single
  // block.
  void order(const std::vector<PairBodies>& pairs, std::size_t n_bodies, VisitOrder& order);

 private:
  struct Border {
    std::int32_t chunk_a = 0, chunk_b = 0, pair = 0;
    auto operator<=>(const Border&) const = default;
  };

  void list_pairs_of_bodies(const std::vector<PairBodies>& pairs, std::size_t n_bodies);
  std::int32_t far_end(const std::vector<PairBodies>& pairs, std::int32_t start);
  void grow_chunks(const std::vector<PairBodies>& pairs, std::int64_t contacts_per_chunk);
  void visit_chunks(const std::vector<PairBodies>& pairs, VisitOrder& order);
  void colour_borders(const std::vector<PairBodies>& pairs, VisitOrder& order);

  std::vector<std::int32_t> begin_,
      pair_of_;                      // pairs of each body between moving bodies, compressed rows
  std::vector<std::int32_t> chunk_;  // [n_bodies] -1: not yet
  std::vector<std::int32_t> queue_, seeds_, mark_;  // breadth-first search
  std::vector<std::int32_t> bodies_, chunk_begin_;  // bodies chunk by chunk
  std::vector<std::int32_t> inside_begin_;
  std::int32_t n_chunks_ = 0, search_ = 0;
  std::vector<Border> borders_;
  std::vector<std::int32_t> group_begin_;  // into borders_: one group a pair of chunks
  std::vector<std::uint8_t> group_colour_;
  std::vector<std::uint64_t> used_;  // [n_bodies] colours taken
};

}  // namespace scree::contact
