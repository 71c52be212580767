// Quickhull (Barber, Dobkin, Huhdanpaa, ACM Trans. Math. Softw. 22 (1996)) with exact signs: the
// triangles that a new point sees are connected and have one rim, whatever the points are, so there
// is nothing to repair. A plane that holds the point does not see it.
#include "engine/model/shapes/convex_hull.hpp"

#include <algorithm>
#include <cmath>

#include "engine/base/exact_orientation.hpp"

namespace scree {
namespace {

using Points = std::span<const Vector3>;

const Vector3& at(Points points, std::int32_t i) { return points[static_cast<std::size_t>(i)]; }

constexpr std::int32_t none = -1;

struct Facet {
  HullTriangle triangle;
  std::int32_t first_outside = none;  // list of points above it, through Quickhull::next_
  std::int32_t farthest = none;       // of these
  double height = 0.0;  // volume of the farthest: the same measure for all points above one facet
  bool alive = true, seen = false;
};

// An edge of the rim of what a point sees, counter-clockwise, and the facet outside.
struct RimEdge {
  std::int32_t from = none, to = none, outside = none;
};

class Quickhull {
 public:
  explicit Quickhull(Points points)
      : points_(points), next_(points.size(), none), starts_at_(points.size(), none) {}

  std::vector<HullTriangle> run() {
    if (!start()) return {};
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      while (facets_[f].alive && facets_[f].farthest != none)
        add_point(static_cast<std::int32_t>(f));
    }
    return result();
  }

 private:
  Facet& facet(std::int32_t f) { return facets_[static_cast<std::size_t>(f)]; }

  Orientation above(std::int32_t f, std::int32_t p) const {
    const HullTriangle& t = facets_[static_cast<std::size_t>(f)].triangle;
    return orientation(at(points_, t.corner[0]), at(points_, t.corner[1]), at(points_, t.corner[2]),
                       at(points_, p));
  }

  // Four points far apart that span a volume.
  bool start() {
    std::array<std::int32_t, 4> corner{};
    const auto farthest = [&](const auto& measure) {
      std::int32_t best = 0;
      double most = -1.0;
      for (std::int32_t i = 0; i < static_cast<std::int32_t>(points_.size()); ++i) {
        const double value = measure(at(points_, i));
        if (value > most) most = value, best = i;
      }
      return best;
    };
    const auto corner_at = [&](std::size_t i) -> const Vector3& { return at(points_, corner[i]); };
    corner[0] = farthest([&](const Vector3& p) { return (p - points_[0]).squaredNorm(); });
    corner[1] = farthest([&](const Vector3& p) { return (p - corner_at(0)).squaredNorm(); });
    const Vector3 along = corner_at(1) - corner_at(0);
    corner[2] =
        farthest([&](const Vector3& p) { return along.cross(p - corner_at(0)).squaredNorm(); });
    const Vector3 normal = along.cross(corner_at(2) - corner_at(0));
    corner[3] = farthest([&](const Vector3& p) { return std::abs(normal.dot(p - corner_at(0))); });
    const int side = orientation(corner_at(0), corner_at(1), corner_at(2), corner_at(3)).sign;
    if (side == 0) return false;
    if (side > 0) std::swap(corner[1], corner[2]);
    // The fourth corner is below the first three.
    const auto [a, b, c, d] = corner;
    facets_.push_back({{{a, b, c}, {1, 2, 3}}});
    facets_.push_back({{{b, a, d}, {0, 3, 2}}});
    facets_.push_back({{{c, b, d}, {0, 1, 3}}});
    facets_.push_back({{{a, c, d}, {0, 2, 1}}});
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(points_.size()); ++i) assign(i, 0);
    return true;
  }

  // Puts a point on the list of the first facet from `first` on that is below it, if there is one.
  void assign(std::int32_t p, std::size_t first) {
    for (std::size_t f = first; f < facets_.size(); ++f) {
      const Orientation o = above(static_cast<std::int32_t>(f), p);
      if (o.sign <= 0) continue;
      Facet& below = facets_[f];
      next_[static_cast<std::size_t>(p)] = below.first_outside;
      below.first_outside = p;
      if (below.farthest == none || o.volume > below.height)
        below.farthest = p, below.height = o.volume;
      return;
    }
  }

  void add_point(std::int32_t first_seen) {
    const std::int32_t p = facet(first_seen).farthest;
    find_seen(first_seen, p);
    const std::size_t first_new = facets_.size();
    for (const RimEdge& edge : rim_) {
      const auto made = static_cast<std::int32_t>(facets_.size());
      facets_.push_back({{{edge.from, edge.to, p}, {edge.outside, none, none}}});
      starts_at_[static_cast<std::size_t>(edge.from)] = made;
      HullTriangle& outside = facet(edge.outside).triangle;
      for (std::size_t i = 0; i < 3; ++i) {
        if (outside.corner[i] == edge.to && outside.corner[(i + 1) % 3] == edge.from)
          outside.neighbour[i] = made;
      }
    }
    for (std::size_t f = first_new; f < facets_.size(); ++f) {
      const std::int32_t after =
          starts_at_[static_cast<std::size_t>(facets_[f].triangle.corner[1])];
      facets_[f].triangle.neighbour[1] = after;
      facet(after).triangle.neighbour[2] = static_cast<std::int32_t>(f);
    }
    for (const std::int32_t f : seen_) {
      std::int32_t q = facet(f).first_outside;
      while (q != none) {
        const std::int32_t following = next_[static_cast<std::size_t>(q)];
        if (q != p) assign(q, first_new);
        q = following;
      }
    }
  }

  // Marks the facets that p is above as dead and collects their rim.
  void find_seen(std::int32_t first, std::int32_t p) {
    seen_.assign(1, first);
    rim_.clear();
    facet(first).seen = true;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const HullTriangle triangle = facet(seen_[i]).triangle;
      facet(seen_[i]).alive = false;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t g = triangle.neighbour[k];
        if (facet(g).seen) continue;
        if (above(g, p).sign > 0) {
          facet(g).seen = true;
          seen_.push_back(g);
        } else {
          rim_.push_back({triangle.corner[k], triangle.corner[(k + 1) % 3], g});
        }
      }
    }
  }

  std::vector<HullTriangle> result() const {
    std::vector<std::int32_t> number(facets_.size(), none);
    std::vector<HullTriangle> triangles;
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      if (!facets_[f].alive) continue;
      number[f] = static_cast<std::int32_t>(triangles.size());
      triangles.push_back(facets_[f].triangle);
    }
    for (HullTriangle& triangle : triangles) {
      for (std::int32_t& g : triangle.neighbour) g = number[static_cast<std::size_t>(g)];
    }
    return triangles;
  }

  Points points_;
  std::vector<Facet> facets_;
  std::vector<std::int32_t> next_;       // [n_points] next one above the same facet
  std::vector<std::int32_t> starts_at_;  // [n_points] new facet whose rim edge starts there
  std::vector<std::int32_t> seen_;
  std::vector<RimEdge> rim_;
};

}  // namespace

Vector3 newell_vector(Points points, std::span<const std::int32_t> loop) {
  Vector3 sum = Vector3::Zero();
  const Vector3& first = at(points, loop[0]);
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    sum += (at(points, loop[i]) - first).cross(at(points, loop[i + 1]) - first);
  }
  return sum;
}

std::vector<HullTriangle> hull_triangles(Points points) {
  if (points.size() < 4) return {};
  return Quickhull(points).run();
}

}  // namespace scree
