#include "contact/solver/pair_batches.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/random_problems.hpp"

namespace scree::contact::pair_batches_test {
namespace {

// Pairs of a random pile: each body meets a few of lower number, and the ground (-1).
std::vector<PairBodies> random_pairs(test::Random& random, int n_bodies) {
  std::vector<PairBodies> pairs;
  for (int body = 0; body < n_bodies; ++body) {
    if (random.integer(0, 5) == 0) pairs.push_back({-1, body, random.integer(1, 4)});
    for (int k = random.integer(0, 4); k > 0 && body > 0; --k) {
      const PairBodies pair{random.integer(std::max(0, body - 20), body - 1), body,
                            random.integer(1, 4)};
      const bool is_new = std::none_of(pairs.begin(), pairs.end(), [&](const PairBodies& other) {
        return other.body_a == pair.body_a && other.body_b == pair.body_b;
      });
      if (is_new) pairs.push_back(pair);
    }
  }
  return pairs;
}

}  // namespace

TEST_CASE("Batches hold every pair of a block once and no body twice", "[contact][property]") {
  test::Random random(99);
  for (const int n_bodies : {1, 3, 40, 900}) {
    const std::vector<PairBodies> pairs = random_pairs(random, n_bodies);
    for (const bool coloured : {false, true}) {
      VisitOrder order;
      Colouring colouring;
      if (coloured)
        colouring.order(pairs, static_cast<std::size_t>(n_bodies), order);
      else
        natural_order(pairs, static_cast<std::size_t>(n_bodies), order);
      PairBatches grouping;
      grouping.group(pairs, order);
      REQUIRE(grouping.block_begin().size() == order.block_begin.size());
      std::size_t n_lanes_used = 0;
      for (std::size_t block = 0; block + 1 < order.block_begin.size(); ++block) {
        std::multiset<std::int32_t> expected(order.pair.begin() + order.block_begin[block],
                                             order.pair.begin() + order.block_begin[block + 1]);
        std::multiset<std::int32_t> met;
        for (auto k = grouping.block_begin()[block]; k < grouping.block_begin()[block + 1]; ++k) {
          const PairBatch& batch = grouping.batches()[static_cast<std::size_t>(k)];
          std::set<std::int32_t> bodies;
          std::int32_t most = 0;
          for (const std::int32_t pair : batch.pair) {
            if (pair < 0) continue;
            met.insert(pair);
            const PairBodies& one = pairs[static_cast<std::size_t>(pair)];
            most = std::max(most, one.n_contacts);
            for (const std::int32_t body : {one.body_a, one.body_b})
              CHECK((body < 0 || bodies.insert(body).second));
          }
          CHECK(batch.n_contacts == most);
        }
        CHECK(met == expected);
        n_lanes_used += met.size();
      }
      CHECK(n_lanes_used == pairs.size());
      // Large piles fill the lanes, else four at a time would not pay.
      if (n_bodies == 900)
        CHECK(static_cast<double>(n_lanes_used) >
              0.85 * static_cast<double>(n_lanes * grouping.batches().size()));
    }
  }
}

}  // namespace scree::contact::pair_batches_test
