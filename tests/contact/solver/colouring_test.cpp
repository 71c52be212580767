#include "contact/solver/colouring.hpp"

#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "tests/support/random_problems.hpp"

namespace scree::contact::colouring_test {

TEST_CASE("Colouring visits each pair once and never shares a moving body within a colour",
          "[contact][property]") {
  test::Random random(20);
  constexpr int n_bodies = 3000;
  std::vector<PairBodies> pairs;
  for (int i = 0; i < 9000; ++i) {
    const int a = random.integer(-1, n_bodies - 1), b = random.integer(0, n_bodies - 1);
    if (a != b) pairs.push_back({a, b, random.integer(1, 4)});
  }
  VisitOrder order;
  Colouring().order(pairs, n_bodies, order);
  std::vector<std::int32_t> sorted = order.pair;
  std::sort(sorted.begin(), sorted.end());
  REQUIRE(sorted.size() == pairs.size());
  for (std::size_t k = 0; k < sorted.size(); ++k)
    REQUIRE(sorted[k] == static_cast<std::int32_t>(k));
  int conflicts = 0;
  for (std::size_t colour = 0; colour + 1 < order.colour_begin.size(); ++colour) {
    std::set<std::int32_t> elsewhere;
    for (auto block = order.colour_begin[colour]; block < order.colour_begin[colour + 1]; ++block) {
      std::set<std::int32_t> here;
      for (auto k = order.block_begin[static_cast<std::size_t>(block)];
           k < order.block_begin[static_cast<std::size_t>(block) + 1]; ++k) {
        const PairBodies& pair =
            pairs[static_cast<std::size_t>(order.pair[static_cast<std::size_t>(k)])];
        for (const std::int32_t body : {pair.body_a, pair.body_b}) {
          if (body >= 0 && elsewhere.count(body) != 0) ++conflicts;
          if (body >= 0) here.insert(body);
        }
      }
      elsewhere.insert(here.begin(), here.end());
    }
  }
  CHECK(conflicts == 0);
  CHECK(order.colour_begin.size() > 4);
}

TEST_CASE("Colouring of a lattice has few colours and most pairs in the first", "[contact][unit]") {
  // 20 x 20 x 20 bodies, each with its six neighbours, one contact a pair.
  constexpr std::int32_t n = 20;
  std::vector<PairBodies> pairs;
  for (std::int32_t i = 0; i < n * n * n; ++i) {
    if (i % n < n - 1) pairs.push_back({i, i + 1, 1});
    if (i / n % n < n - 1) pairs.push_back({i, i + n, 1});
    if (i / n / n < n - 1) pairs.push_back({i, i + n * n, 1});
  }
  VisitOrder order;
  Colouring().order(pairs, n * n * n, order);
  const auto in_first =
      static_cast<double>(order.block_begin[static_cast<std::size_t>(order.colour_begin[1])]);
  // Chunks of 1425 pairs inside: cubes with so many have 8 bodies a side and 6 x 64 / 2 pairs on
  // faces, 12 % of theirs.
  CHECK(in_first > 0.75 * static_cast<double>(pairs.size()));
  CHECK(order.colour_begin[1] >= 12);
  CHECK(order.colour_begin.size() <= 12);
  std::vector<std::int32_t> bodies = order.body;
  std::sort(bodies.begin(), bodies.end());
  for (std::int32_t i = 0; i < n * n * n; ++i) REQUIRE(bodies[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("Colouring of a hub ends in serial blocks", "[contact][unit]") {
  std::vector<PairBodies> pairs;
  for (std::int32_t i = 1; i <= 500; ++i) pairs.push_back({0, i, 1});
  VisitOrder order;
  Colouring().order(pairs, 501, order);
  CHECK(order.pair.size() == 500);
  CHECK(order.block_begin.back() == 500);
  // One block a colour: all pairs share the hub.
  CHECK(order.colour_begin.size() == order.block_begin.size());
}

TEST_CASE("Colouring of nothing is empty", "[contact][unit]") {
  VisitOrder order;
  Colouring().order({}, 0, order);
  CHECK(order.pair.empty());
  natural_order({}, 0, order);
  CHECK(order.pair.empty());
}

}  // namespace scree::contact::colouring_test
