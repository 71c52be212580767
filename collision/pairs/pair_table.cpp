#include "collision/pairs/pair_table.hpp"

#include <algorithm>
#include <string>

#include "engine/base/check.hpp"

namespace scree::collision {

std::optional<std::pair<const char*, const char*>> missing_pair(const Model& model,
                                                                const PairTable& table) {
  std::array<const char*, n_kinds> known = {}, dynamic = {};  // names of the kinds that there are
  // Of bodies that have shapes.
  const auto n_shaped =
      static_cast<BodyIndex>(std::max<std::size_t>(model.part_begin.size(), 1) - 1);
  for (BodyIndex body = 0; body < n_shaped; ++body) {
    const auto i = static_cast<std::size_t>(body);
    for (std::int32_t p = model.part_begin[i]; p < model.part_begin[i + 1]; ++p) {
      const Shape& shape =
          model.shapes[static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(p)])];
      known[shape.index()] = shape_kind(shape);
      if (model.is_dynamic(body)) dynamic[shape.index()] = shape_kind(shape);
    }
  }
  for (std::size_t a = 0; a < n_kinds; ++a) {
    for (std::size_t b = 0; b < n_kinds; ++b) {
      const bool meets = dynamic[a] != nullptr && known[b] != nullptr;
      const PairEntry& entry = table[a][b];
      if (meets && entry.contacts == nullptr && !entry.never) return std::pair(known[a], known[b]);
    }
  }
  return std::nullopt;
}

void require_pairs(const Model& model) {
  const auto missing = missing_pair(model);
  if (!missing) return;
  std::string kinds = missing->first;
  kinds += " and ";
  kinds += missing->second;
  throw InputError("body: no contacts can be found between shapes of the kinds " + kinds +
                   ", and one of them can move; leave one of the two out");
}

}  // namespace scree::collision
