// A loop over items that write nothing of each other's, cut into blocks for an executor.
#pragma once

#include <algorithm>
#include <cstddef>

#include "engine/base/executor.hpp"

namespace scree {

// Calls visit(i) once for each i in [0, n), in blocks of 512 neighbours.
template <class Visit>
void for_each_item(std::size_t n, const Executor& executor, const Visit& visit) {
  constexpr std::size_t items_per_block = 512;
  executor.for_each_block(
      static_cast<int>((n + items_per_block - 1) / items_per_block), [&](int block) {
        const std::size_t begin = static_cast<std::size_t>(block) * items_per_block;
        const std::size_t end = std::min(n, begin + items_per_block);
        for (std::size_t i = begin; i < end; ++i) visit(i);
      });
}

}  // namespace scree
