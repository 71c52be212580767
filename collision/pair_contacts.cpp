#include "collision/pair_contacts.hpp"

#include <utility>

namespace scree::collision {

void mirror_contacts(std::vector<PairContact>& contacts, const Vector3& d) {
  for (PairContact& contact : contacts) {
    std::swap(contact.feature_a, contact.feature_b);
    std::swap(contact.point_a, contact.point_b);
    contact.normal = -contact.normal;
    contact.point_a -= d;
    contact.point_b -= d;
  }
}

PairQuery place_ahead(const PairQuery& now, const Ahead& ahead, std::vector<Vector3>& memory) {
  const std::size_t size_a = placed_size(*now.a.shape), size_b = placed_size(*now.b.shape);
  if (memory.size() < size_a + size_b) memory.resize(size_a + size_b);
  const std::span<Vector3> all(memory);
  PairQuery query = now;
  query.a = place(*now.a.shape, *now.a.tables, ahead.x_a, ahead.q_a, all.first(size_a));
  query.b = place(*now.b.shape, *now.b.tables, ahead.x_b, ahead.q_b, all.subspan(size_a, size_b));
  return query;
}

}  // namespace scree::collision
