#include "collision/pairs/narrow_phase.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "collision/pairs/cylinder_wall_pairs.hpp"
#include "collision/pairs/point_set_pairs.hpp"
#include "collision/pairs/polyhedron_half_space.hpp"
#include "collision/pairs/polyhedron_polyhedron.hpp"
#include "collision/pairs/sphere_pairs.hpp"
#include "collision/polyhedra/tolerances.hpp"

namespace scree::collision {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// Kinds in the order in which the pair functions take them; a lower rank is body a.
int rank(PartKind kind) {
  switch (kind) {
    case PartKind::points:
      return 0;
    case PartKind::sphere:
      return 1;
    case PartKind::polyhedron:
      return 2;
    case PartKind::half_space:
      return 3;
    case PartKind::cylinder_wall:
      return 4;
  }
  return 4;
}

void ordered_pair(const PairQuery& query, const Ahead& ahead, CullingHint& hint, PairWork& work) {
  const PartKind a = query.a.kind(), b = query.b.kind();
  work.contacts.clear();
  if (!can_touch(a, b)) return;
  if (b == PartKind::cylinder_wall) {
    return a == PartKind::sphere ? sphere_cylinder_wall(query, work)
                                 : vertices_cylinder_wall(query, work);
  }
  if (a == PartKind::polyhedron) {
    if (b == PartKind::polyhedron) return polyhedron_polyhedron(query, ahead, hint, work);
    return polyhedron_half_space(query, work);
  }
  if (a == PartKind::sphere) {
    if (b == PartKind::sphere) return sphere_sphere(query, work);
    if (b == PartKind::polyhedron) return sphere_polyhedron(query, ahead, work);
    return sphere_half_space(query, work);
  }
  if (b == PartKind::sphere) return points_sphere(query, work);
  if (b == PartKind::polyhedron) return points_polyhedron(query, ahead, work);
  return points_half_space(query, work);
}

}  // namespace

bool can_touch(PartKind a, PartKind b) {
  const bool same_kind = a == b;
  return !(same_kind && a == PartKind::points) && !(is_wall(a) && is_wall(b));
}

PairQuery make_query(const PlacedPart& a, const PlacedPart& b, double reach) {
  PairQuery query{a, b, reach, 0.0, std::min(a.size(), b.size())};
  const double largest = std::max(a.x.cwiseAbs().maxCoeff(), b.x.cwiseAbs().maxCoeff());
  query.eps = pair_tolerance(query.smaller_size, largest);
  return query;
}

void narrow_phase(const PairQuery& query, const Ahead& ahead, CullingHint& hint, PairWork& work) {
  if (rank(query.a.kind()) <= rank(query.b.kind())) {
    ordered_pair(query, ahead, hint, work);
  } else {
    PairQuery swapped = query;
    std::swap(swapped.a, swapped.b);
    ordered_pair(swapped, {ahead.x_b, ahead.x_a, ahead.q_b, ahead.q_a}, hint, work);
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
