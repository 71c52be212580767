#include "collision/pairs/narrow_phase.hpp"

#include <algorithm>
#include <utility>

#include "collision/pairs/pair_table.hpp"
#include "collision/polyhedra/tolerances.hpp"

namespace scree::collision {
namespace {

const PairEntry& entry_of(PartKind a, PartKind b) {
  return pair_table[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

}  // namespace

bool can_touch(PartKind a, PartKind b) { return entry_of(a, b).contacts != nullptr; }

PairQuery make_query(const PlacedPart& a, const PlacedPart& b, double reach) {
  PairQuery query{a, b, reach, 0.0, std::min(a.size(), b.size())};
  const double largest = std::max(a.x.cwiseAbs().maxCoeff(), b.x.cwiseAbs().maxCoeff());
  query.eps = pair_tolerance(query.smaller_size, largest);
  return query;
}

void narrow_phase(const PairQuery& query, const Ahead& ahead, CullingHint& hint, PairWork& work) {
  const PairEntry& entry = entry_of(query.a.kind(), query.b.kind());
  work.contacts.clear();
  if (entry.contacts == nullptr) return;
  if (!entry.mirrored) {
    entry.contacts(query, ahead, hint, work);
  } else {
    PairQuery swapped = query;
    std::swap(swapped.a, swapped.b);
    entry.contacts(swapped, {ahead.x_b, ahead.x_a, ahead.q_b, ahead.q_a}, hint, work);
    mirror_contacts(work.contacts, swapped.d());
  }
  sort_by_features(work.contacts);
}

// Insertion sort: a manifold has a handful of points.
void sort_by_features(std::vector<PairContact>& contacts) {
  const auto before = [](const PairContact& one, const PairContact& other) {
    return one.feature_a != other.feature_a ? one.feature_a < other.feature_a
                                            : one.feature_b < other.feature_b;
  };
  for (std::size_t i = 1; i < contacts.size(); ++i) {
    for (std::size_t j = i; j > 0 && before(contacts[j], contacts[j - 1]); --j)
      std::swap(contacts[j], contacts[j - 1]);
  }
}

double overlap_depth(const PairQuery& query, PairWork& work) {
  if (query.a.kind() == PartKind::polyhedron && query.b.kind() == PartKind::polyhedron) {
    const Vector3 d = query.d();
    find_axes(query.a, query.b, d, never, query.eps, work.axes);
    return -choose_axis(query.a, query.b, d, query.eps, work.axes).separation;
  }
  PairQuery touching = query;
  touching.reach = 0.0;
  CullingHint no_hint;
  narrow_phase(touching, {query.a.x, query.b.x, query.a.q, query.b.q}, no_hint, work);
  double depth = 0.0;
  for (const PairContact& contact : work.contacts) depth = std::max(depth, -contact.gap);
  return depth;
}

}  // namespace scree::collision
