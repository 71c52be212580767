#include "contact/solver/islands.hpp"

#include <algorithm>
#include <numeric>

#include "contact/solver/at.hpp"

namespace scree::contact {

void Islands::find(const ContactIslands& islands, std::size_t n,
                   std::span<const std::int32_t> apart) {
  begin_.clear();
  if (islands.size() < 2 || (n < 2 * smallest && apart.empty())) return;
  const auto is_apart = [&](std::size_t k) {
    return std::find(apart.begin(), apart.end(), static_cast<std::int32_t>(k)) != apart.end();
  };

  // Parts in the order of their islands; the last one takes the small islands.
  std::int32_t n_large = 0;
  std::size_t largest = 0, rest = n;
  for (std::size_t k = 0; k < islands.size(); ++k) {
    const std::size_t in_island = islands.contacts(k).size();
    if (is_apart(k) || in_island < smallest) continue;
    largest = std::max(largest, in_island);
    rest -= in_island;
    ++n_large;
  }
  if (static_cast<double>(std::max(largest, rest)) > largest_share * static_cast<double>(n)) {
    if (apart.empty()) return;
    n_large = 0;
  }
  const auto n_apart = static_cast<std::int32_t>(apart.size());
  const std::int32_t n_own = std::min(n_large + n_apart, static_cast<std::int32_t>(most_parts) - 1);
  std::int32_t n_parts = 0, room_for_large = n_own - std::min(n_own, n_apart);
  begin_.assign(at(n_own) + 2, 0);
  part_of_.resize(islands.size());
  for (std::size_t k = 0; k < islands.size(); ++k) {
    const std::size_t in_island = islands.contacts(k).size();
    const bool named = is_apart(k), large = !named && in_island >= smallest && room_for_large > 0;
    if (large) --room_for_large;
    part_of_[k] = (named || large) && n_parts < n_own ? n_parts++ : n_own;
    begin_[at(part_of_[k]) + 1] += static_cast<std::int32_t>(in_island);
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  contact_.resize(n);
  for (std::size_t c = 0; c < n; ++c)
    contact_[at(begin_[at(part_of_[at(islands.of[c])])]++)] = static_cast<ContactIndex>(c);
  std::rotate(begin_.begin(), begin_.end() - 1,
              begin_.end());  // each begin went on to the next one's
  begin_.front() = 0;
  if (begin_[at(n_own)] == begin_.back()) begin_.pop_back();  // no small islands
}

}  // namespace scree::contact
