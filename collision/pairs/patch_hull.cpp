#include "collision/pairs/patch_hull.hpp"

#include <algorithm>
#include <cmath>

#include "collision/pairs/segment.hpp"

namespace scree::collision {
namespace {

using Iterator = std::vector<PairContact>::iterator;

// Sideways of where the contacts are, in the plane of normal n.
struct Plane {
  Vector3 t, s;
  Vector2 place(const PairContact& contact) const {
    return {t.dot(contact.point_b), s.dot(contact.point_b)};
  }
};

double turn(const Vector2& a, const Vector2& b, const Vector2& c) {
  return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
}

// Moves the corners of the hull of [begin, end) to its front, in order along t, and returns where
// they end. What lies on an edge within eps is no corner.
Iterator hull(Iterator begin, Iterator end, const Plane& plane, double eps) {
  std::sort(begin, end, [&](const PairContact& one, const PairContact& other) {
    const Vector2 a = plane.place(one), b = plane.place(other);
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  });
  const auto n = static_cast<std::size_t>(end - begin);
  const Vector2 first = plane.place(*begin), last = plane.place(*(end - 1));
  const double width = (last - first).norm();
  // The chains below and above the line between the two ends; each point of one of them is kept
  // while it bulges from the line between its neighbours.
  std::vector<std::uint8_t> corner(n, 0);
  corner[0] = corner[n - 1] = 1;
  for (const double side : {1.0, -1.0}) {
    std::vector<std::size_t> chain;
    for (std::size_t i = 0; i < n; ++i) {
      const Vector2 c = plane.place(begin[static_cast<std::ptrdiff_t>(i)]);
      while (chain.size() > 1) {
        const Vector2 a = plane.place(begin[static_cast<std::ptrdiff_t>(chain[chain.size() - 2])]),
                      b = plane.place(begin[static_cast<std::ptrdiff_t>(chain.back())]);
        if (side * turn(a, b, c) > eps * std::max(width, (c - a).norm())) break;
        chain.pop_back();
      }
      chain.push_back(i);
    }
    for (const std::size_t i : chain) corner[i] = 1;
  }
  Iterator kept = begin;
  for (std::size_t i = 0; i < n; ++i) {
    if (corner[i] != 0) *kept++ = begin[static_cast<std::ptrdiff_t>(i)];
  }
  return kept;
}

}  // namespace

void reduce_patches(std::size_t first, double eps, PairWork& work) {
  std::vector<PairContact>& contacts = work.contacts;
  const auto start = static_cast<std::ptrdiff_t>(first);
  for (Iterator begin = contacts.begin() + start; begin != contacts.end();) {
    const PairContact model = *begin;
    const Iterator end = std::stable_partition(begin, contacts.end(), [&](const PairContact& c) {
      return (c.normal - model.normal).norm() <= 1e-9 && std::abs(c.gap - model.gap) <= eps;
    });
    Iterator kept = end;
    if (static_cast<std::size_t>(end - begin) > most_of_a_patch) {
      const Vector3 t = any_across(model.normal);
      kept = hull(begin, end, {t, model.normal.cross(t)}, eps);
    }
    const auto at = kept - contacts.begin();
    contacts.erase(kept, end);
    begin = contacts.begin() + at;
  }
}

}  // namespace scree::collision
