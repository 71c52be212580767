// Groups of things that are joined pair by pair: a forest in which a parent points to itself at the
// root.
#pragma once

#include <cstddef>
#include <vector>

namespace scree {

// Root of the tree that i is in; halves the way to it.
template <class Index>
Index root_of(std::vector<Index>& parent, Index i) {
  const auto up = [&](Index k) -> Index& { return parent[static_cast<std::size_t>(k)]; };
  while (up(i) != i) i = up(i) = up(up(i));
  return i;
}

}  // namespace scree
