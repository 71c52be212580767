#include "contact/solver/pair_batches.hpp"

#include <algorithm>

namespace scree::contact {

namespace {

constexpr std::size_t longest_search = 32;  // [batches] that are asked for room

const PairBodies& at(const std::vector<PairBodies>& pairs, std::int32_t pair) {
  return pairs[static_cast<std::size_t>(pair)];
}

bool share_a_body(const PairBodies& one, const PairBodies& other) {
  const auto is_of_other = [&](std::int32_t body) {
    return body >= 0 && (body == other.body_a || body == other.body_b);
  };
  return is_of_other(one.body_a) || is_of_other(one.body_b);
}

}  // namespace

void PairBatches::group(const std::vector<PairBodies>& pairs, const VisitOrder& order) {
  batches_.clear();
  block_begin_.assign(1, 0);
  for (std::size_t block = 0; block + 1 < order.block_begin.size(); ++block) {
    by_size_.assign(order.pair.begin() + order.block_begin[block],
                    order.pair.begin() + order.block_begin[block + 1]);
    // Within a block the given order ascends, so the index breaks ties.
    std::sort(by_size_.begin(), by_size_.end(), [&](std::int32_t one, std::int32_t other) {
      const std::int32_t n_one = at(pairs, one).n_contacts, n_other = at(pairs, other).n_contacts;
      return n_one != n_other ? n_one > n_other : one < other;
    });
    open_.clear();
    for (const std::int32_t pair : by_size_) place(pairs, pair);
    block_begin_.push_back(static_cast<std::int32_t>(batches_.size()));
  }
}

void PairBatches::place(const std::vector<PairBodies>& pairs, std::int32_t pair) {
  for (auto open = open_.begin(); open != open_.end(); ++open) {
    PairBatch& batch = batches_[static_cast<std::size_t>(*open)];
    const auto room = std::find(batch.pair.begin(), batch.pair.end(), -1);
    const bool conflicts = std::any_of(batch.pair.begin(), room, [&](std::int32_t other) {
      return share_a_body(at(pairs, pair), at(pairs, other));
    });
    if (conflicts) continue;
    *room = pair;
    if (room + 1 == batch.pair.end()) open_.erase(open);
    return;
  }
  if (open_.size() == longest_search) open_.erase(open_.begin());
  open_.push_back(static_cast<std::int32_t>(batches_.size()));
  batches_.push_back({{pair, -1, -1, -1}, at(pairs, pair).n_contacts});
}

}  // namespace scree::contact
