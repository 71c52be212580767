#include "contact/colouring.hpp"

#include <array>
#include <bit>
#include <numeric>

namespace scree::contact {

namespace {

constexpr int max_colours = 64;               // one bit each; the last one is the serial tail
constexpr int tail = max_colours - 1;
constexpr std::int32_t contacts_per_block = 256;
constexpr std::int32_t smallest_colour = 512;  // [contacts] below this a colour is not worth a parallel loop

int lowest_free(std::uint64_t used) {
  return used == ~std::uint64_t{0} ? tail : std::countr_one(used);
}

}  // namespace

void natural_order(const std::vector<PairBodies>& pairs, VisitOrder& order) {
  const auto n = static_cast<std::int32_t>(pairs.size());
  order.pair.resize(pairs.size());
  std::iota(order.pair.begin(), order.pair.end(), 0);
  order.block_begin.assign({0, n});
  order.colour_begin.assign({0, 1});
}

void coloured_order(const std::vector<PairBodies>& pairs, std::size_t n_bodies, VisitOrder& order) {
  std::vector<std::uint64_t> used(n_bodies, 0);
  std::vector<std::uint8_t> colour(pairs.size());
  std::array<std::int32_t, max_colours> contacts{};
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    std::uint64_t none = 0;
    std::uint64_t& a = pairs[k].body_a < 0 ? none : used[static_cast<std::size_t>(pairs[k].body_a)];
    std::uint64_t& b = pairs[k].body_b < 0 ? none : used[static_cast<std::size_t>(pairs[k].body_b)];
    const int chosen = lowest_free(a | b);
    a |= std::uint64_t{1} << chosen;
    b |= std::uint64_t{1} << chosen;
    colour[k] = static_cast<std::uint8_t>(chosen);
    contacts[static_cast<std::size_t>(chosen)] += pairs[k].n_contacts;
  }
  for (std::uint8_t& c : colour) {
    if (contacts[c] < smallest_colour) c = tail;
  }
  order.pair.clear();
  order.block_begin.clear();
  order.colour_begin.clear();
  for (int c = 0; c < max_colours; ++c) {
    std::int32_t in_block = 0;
    const std::size_t first_pair = order.pair.size(), first_block = order.block_begin.size();
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (colour[k] != c) continue;
      const bool full = c != tail && in_block >= contacts_per_block;
      if (order.pair.size() == first_pair || full) {
        order.block_begin.push_back(static_cast<std::int32_t>(order.pair.size()));
        in_block = 0;
      }
      order.pair.push_back(static_cast<std::int32_t>(k));
      in_block += pairs[k].n_contacts;
    }
    if (order.pair.size() > first_pair) order.colour_begin.push_back(static_cast<std::int32_t>(first_block));
  }
  order.colour_begin.push_back(static_cast<std::int32_t>(order.block_begin.size()));
  order.block_begin.push_back(static_cast<std::int32_t>(order.pair.size()));
}

}  // namespace scree::contact
