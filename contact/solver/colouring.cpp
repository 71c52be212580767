#include "contact/solver/colouring.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "contact/solver/at.hpp"

namespace scree::contact {

namespace {

constexpr std::size_t max_colours = 64;  // one bit each; the last one is the serial tail
constexpr std::size_t tail = max_colours - 1;
constexpr std::int64_t smallest_colour =
    128;  // [contacts] below this a colour is not worth a meeting of the threads

// Chunks are large enough that borders are short and few (what another core has just written costs
// more than to work on it), and many enough to share among threads.
std::int64_t chunk_size(std::int64_t n_contacts) {
  constexpr std::int64_t wanted_chunks = 16, smallest = 768, largest = 2048;
  return std::clamp(n_contacts / wanted_chunks, smallest, largest);
}

std::int32_t other_body(const PairBodies& pair, std::int32_t body) {
  return pair.body_a == body ? pair.body_b : pair.body_a;
}

}  // namespace

void natural_order(const std::vector<PairBodies>& pairs, std::size_t n_bodies, VisitOrder& order) {
  const auto n = static_cast<std::int32_t>(pairs.size());
  order.pair.resize(pairs.size());
  std::iota(order.pair.begin(), order.pair.end(), 0);
  order.body.assign(n_bodies, 0);
  for (const PairBodies& pair : pairs) {
    for (const std::int32_t body : {pair.body_a, pair.body_b}) {
      if (body >= 0) order.body[at(body)] = 1;
    }
  }
  std::size_t n_met = 0;
  for (std::size_t body = 0; body < n_bodies; ++body) {
    if (order.body[body] != 0) order.body[n_met++] = static_cast<std::int32_t>(body);
  }
  order.body.resize(n_met);
  order.block_begin.assign({0, n});
  order.colour_begin.assign({0, 1});
  order.body_begin.assign({0, static_cast<std::int32_t>(n_met)});
}

void Colouring::order(const std::vector<PairBodies>& pairs, std::size_t n_bodies,
                      VisitOrder& order) {
  std::int64_t n_contacts = 0;
  for (const PairBodies& pair : pairs) n_contacts += pair.n_contacts;
  list_pairs_of_bodies(pairs, n_bodies);
  grow_chunks(pairs, chunk_size(n_contacts));
  visit_chunks(pairs, order);
  colour_borders(pairs, order);
  order.body.assign(bodies_.begin(), bodies_.end());
  // What is left over belongs to the last block of the first colour.
  const std::int32_t n_first = order.colour_begin.size() > 1 ? order.colour_begin[1] : 1;
  order.body_begin.assign(chunk_begin_.begin(), chunk_begin_.begin() + n_first);
  order.body_begin.push_back(static_cast<std::int32_t>(bodies_.size()));
}

void Colouring::list_pairs_of_bodies(const std::vector<PairBodies>& pairs, std::size_t n_bodies) {
  begin_.assign(n_bodies + 2, 0);
  for (const PairBodies& pair : pairs) {
    if (pair.body_a >= 0) ++begin_[at(pair.body_a) + 2];
    if (pair.body_b >= 0) ++begin_[at(pair.body_b) + 2];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  pair_of_.resize(at(begin_.back()));
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    for (const std::int32_t body : {pairs[k].body_a, pairs[k].body_b}) {
      if (body >= 0) pair_of_[at(begin_[at(body) + 1]++)] = static_cast<std::int32_t>(k);
    }
  }
}

// The body that a breadth-first search from `start` over bodies without a chunk reaches last.
std::int32_t Colouring::far_end(const std::vector<PairBodies>& pairs, std::int32_t start) {
  ++search_;
  queue_.clear();
  queue_.push_back(start);
  mark_[at(start)] = search_;
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const std::int32_t body = queue_[next];
    for (std::int32_t k = begin_[at(body)]; k < begin_[at(body) + 1]; ++k) {
      const std::int32_t other = other_body(pairs[at(pair_of_[at(k)])], body);
      if (other < 0 || mark_[at(other)] == search_ || chunk_[at(other)] >= 0) continue;
      mark_[at(other)] = search_;
      queue_.push_back(other);
    }
  }
  return queue_.back();
}

// Fills one chunk after another. A full chunk leaves its frontier as seeds; the next one grows from
// the oldest of them, so neighbours in number are neighbours in space. Seeds run out when a part of
// the graph is done.
void Colouring::grow_chunks(const std::vector<PairBodies>& pairs, std::int64_t contacts_per_chunk) {
  const std::size_t n_bodies = begin_.size() - 2;
  chunk_.assign(n_bodies, -1);
  mark_.assign(n_bodies, 0);
  search_ = 0;
  bodies_.clear();
  seeds_.clear();
  n_chunks_ = 0;
  chunk_begin_.assign(1, 0);
  std::size_t next_seed = 0, next_body = 0;
  std::int64_t contacts = 0;
  const auto next_start = [&]() -> std::int32_t {
    while (next_seed < seeds_.size()) {
      const std::int32_t seed = seeds_[next_seed++];
      if (chunk_[at(seed)] < 0) return seed;
    }
    while (next_body < n_bodies &&
           (chunk_[next_body] >= 0 || begin_[next_body] == begin_[next_body + 1]))
      ++next_body;
    return next_body < n_bodies ? far_end(pairs, static_cast<std::int32_t>(next_body)) : -1;
  };
  for (std::int32_t start = next_start(); start >= 0; start = next_start()) {
    ++search_;
    queue_.clear();
    queue_.push_back(start);
    mark_[at(start)] = search_;
    std::size_t next = 0;
    for (; next < queue_.size() && contacts < contacts_per_chunk; ++next) {
      const std::int32_t body = queue_[next];
      chunk_[at(body)] = n_chunks_;
      bodies_.push_back(body);
      for (std::int32_t k = begin_[at(body)]; k < begin_[at(body) + 1]; ++k) {
        const PairBodies& pair = pairs[at(pair_of_[at(k)])];
        const std::int32_t other = other_body(pair, body);
        if (other < 0 || chunk_[at(other)] == n_chunks_) contacts += pair.n_contacts;
        if (other < 0 || mark_[at(other)] == search_ || chunk_[at(other)] >= 0) continue;
        mark_[at(other)] = search_;
        queue_.push_back(other);
      }
    }
    seeds_.insert(seeds_.end(), queue_.begin() + static_cast<std::ptrdiff_t>(next), queue_.end());
    if (contacts >= contacts_per_chunk) {
      ++n_chunks_, contacts = 0;
      chunk_begin_.push_back(static_cast<std::int32_t>(bodies_.size()));
    }
  }
  if (bodies_.empty() || chunk_[at(bodies_.back())] == n_chunks_) ++n_chunks_;
}

// Pairs inside chunks, chunk by chunk, as the first colour; the others are put down as borders.
void Colouring::visit_chunks(const std::vector<PairBodies>& pairs, VisitOrder& order) {
  borders_.clear();
  inside_begin_.assign(at(n_chunks_) + 2, 0);
  const auto chunk_of = [&](const PairBodies& pair) -> std::int32_t {
    const std::int32_t a = pair.body_a < 0 ? -1 : chunk_[at(pair.body_a)],
                       b = pair.body_b < 0 ? -1 : chunk_[at(pair.body_b)];
    if (a < 0 && b < 0) return 0;  // nothing moves: anywhere
    return a < 0 || a == b ? b : b < 0 ? a : -1;
  };
  for (const PairBodies& pair : pairs) {
    const std::int32_t chunk = chunk_of(pair);
    if (chunk >= 0) ++inside_begin_[at(chunk) + 2];
  }
  std::partial_sum(inside_begin_.begin(), inside_begin_.end(), inside_begin_.begin());
  order.pair.resize(at(inside_begin_.back()));
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto index = static_cast<std::int32_t>(k);
    const std::int32_t chunk = chunk_of(pairs[k]);
    if (chunk >= 0) {
      order.pair[at(inside_begin_[at(chunk) + 1]++)] = index;
    } else {
      const std::int32_t a = chunk_[at(pairs[k].body_a)], b = chunk_[at(pairs[k].body_b)];
      borders_.push_back({std::min(a, b), std::max(a, b), index});
    }
  }
  order.block_begin.assign(1, 0);
  order.colour_begin.assign(1, 0);
  for (std::int32_t chunk = 0; chunk < n_chunks_; ++chunk) {
    const std::int32_t end = inside_begin_[at(chunk) + 1];
    if (end > order.block_begin.back()) order.block_begin.push_back(end);
  }
  if (order.block_begin.size() > 1)
    order.colour_begin.push_back(static_cast<std::int32_t>(order.block_begin.size()) - 1);
}

// Each group of pairs between two chunks takes the lowest colour free at all its bodies.
void Colouring::colour_borders(const std::vector<PairBodies>& pairs, VisitOrder& order) {
  std::sort(borders_.begin(), borders_.end());
  used_.assign(chunk_.size(), 0);
  group_begin_.clear();
  group_colour_.clear();
  std::array<std::int64_t, max_colours> contacts{};
  for (std::size_t begin = 0, end = 0; begin < borders_.size(); begin = end) {
    std::uint64_t used = 0;
    std::int64_t in_group = 0;
    for (; end < borders_.size() && borders_[end].chunk_a == borders_[begin].chunk_a &&
           borders_[end].chunk_b == borders_[begin].chunk_b;
         ++end) {
      const PairBodies& pair = pairs[at(borders_[end].pair)];
      used |= used_[at(pair.body_a)] | used_[at(pair.body_b)];
      in_group += pair.n_contacts;
    }
    const std::size_t colour =
        used == ~std::uint64_t{0} ? tail : static_cast<std::size_t>(std::countr_one(used));
    for (std::size_t k = begin; k < end; ++k) {
      const PairBodies& pair = pairs[at(borders_[k].pair)];
      used_[at(pair.body_a)] |= std::uint64_t{1} << colour;
      used_[at(pair.body_b)] |= std::uint64_t{1} << colour;
    }
    group_begin_.push_back(static_cast<std::int32_t>(begin));
    group_colour_.push_back(static_cast<std::uint8_t>(colour));
    contacts[colour] += in_group;
  }
  group_begin_.push_back(static_cast<std::int32_t>(borders_.size()));
  for (std::uint8_t& colour : group_colour_) {
    if (contacts[colour] < smallest_colour) colour = tail;
  }
  for (std::size_t colour = 0; colour < max_colours; ++colour) {
    const std::size_t n_before = order.pair.size();
    for (std::size_t group = 0; group < group_colour_.size(); ++group) {
      if (group_colour_[group] != colour) continue;
      for (std::int32_t k = group_begin_[group]; k < group_begin_[group + 1]; ++k)
        order.pair.push_back(borders_[at(k)].pair);
      if (colour != tail) order.block_begin.push_back(static_cast<std::int32_t>(order.pair.size()));
    }
    if (order.pair.size() == n_before) continue;
    if (colour == tail) order.block_begin.push_back(static_cast<std::int32_t>(order.pair.size()));
    order.colour_begin.push_back(static_cast<std::int32_t>(order.block_begin.size()) - 1);
  }
}

}  // namespace scree::contact
