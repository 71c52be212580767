// From the triangles of a hull to its faces. A face grows from the largest triangle that is left
// over, neighbour by neighbour, as long as all corners stay near one plane. Corners of fewer than
// three faces lie within the tolerance of a face or an edge; they are dropped and the hull of the
// others is taken, until none is left.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/index.hpp"
#include "engine/model/shapes/convex_hull.hpp"

namespace scree {
namespace {

using Points = std::span<const Vector3>;

constexpr std::int32_t no_face = -1;

class FaceGrowth {
 public:
  FaceGrowth(Points points, std::span<const HullTriangle> triangles, double tolerance)
      : points_(points),
        triangles_(triangles),
        tolerance_(tolerance),
        face_(triangles.size(), no_face) {
    for (const HullTriangle& t : triangles) {
      const Vector3& a = point(t.corner[0]);
      area_.push_back(0.5 * (point(t.corner[1]) - a).cross(point(t.corner[2]) - a));
    }
    std::vector<std::int32_t> order(triangles.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t one, std::int32_t other) {
      return area_[index(one)].squaredNorm() > area_[index(other)].squaredNorm();
    });
    for (const std::int32_t seed : order) {
      if (face_[index(seed)] == no_face) grow(seed);
    }
  }

  // Rims of the faces; empty when one is no simple polygon.
  std::vector<HullLoop> loops() const {
    std::vector<HullLoop> loops(n_faces_);
    std::vector<std::int32_t> next(points_.size(), no_face), first(n_faces_, no_face),
        length(n_faces_, 0);
    std::vector<std::vector<std::int32_t>> members(n_faces_);
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      members[index(face_[t])].push_back(static_cast<std::int32_t>(t));
    for (std::size_t f = 0; f < n_faces_; ++f) {
      std::int32_t start = no_face;
      std::size_t n_edges = 0;
      for (const std::int32_t t : members[f]) {
        for (std::size_t k = 0; k < 3; ++k) {
          const HullTriangle& triangle = triangles_[index(t)];
          if (face_[index(triangle.neighbour[k])] == static_cast<std::int32_t>(f)) continue;
          start = triangle.corner[k];
          next[index(start)] = triangle.corner[(k + 1) % 3];
          ++n_edges;
        }
      }
      std::int32_t v = start;
      while (v != no_face && loops[f].size() < n_edges) {
        loops[f].push_back(v);
        v = next[index(v)];
        if (v == start) break;
      }
      if (loops[f].size() != n_edges || n_edges < 3) return {};
      for (const std::int32_t u : loops[f]) next[index(u)] = no_face;
    }
    return loops;
  }

 private:
  const Vector3& point(std::int32_t i) const { return points_[index(i)]; }

  double height(const HullTriangle& t, const Vector3& area) const {
    double longest = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      longest = std::max(longest, (point(t.corner[(k + 1) % 3]) - point(t.corner[k])).norm());
    }
    return 2.0 * area.norm() / longest;
  }

  void grow(std::int32_t seed) {
    const auto number = static_cast<std::int32_t>(n_faces_++);
    spread(seed, number, area_[index(seed)].normalized(), point(triangles_[index(seed)].corner[0]));
    if (members_.size() == 1) return;
    // Once more about the plane of all.
    Vector3 sum = Vector3::Zero(), centre = Vector3::Zero();
    for (const std::int32_t t : members_) {
      sum += area_[index(t)];
      for (const std::int32_t v : triangles_[index(t)].corner) centre += point(v);
      face_[index(t)] = no_face;
    }
    spread(seed, number, sum.normalized(), centre / (3.0 * static_cast<double>(members_.size())));
  }

  void spread(std::int32_t seed, std::int32_t number, const Vector3& n, const Vector3& on_plane) {
    const auto belongs = [&](const HullTriangle& t, std::size_t i) {
      // A sliver narrower than the tolerance has no normal that means anything.
      if (!(n.dot(area_[i]) > 0.0) && height(t, area_[i]) > tolerance_) return false;
      return std::all_of(t.corner.begin(), t.corner.end(), [&](std::int32_t v) {
        return std::abs(n.dot(point(v) - on_plane)) <= tolerance_;
      });
    };
    members_.assign(1, seed);
    face_[index(seed)] = number;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      for (const std::int32_t g : triangles_[index(members_[i])].neighbour) {
        if (face_[index(g)] != no_face || !belongs(triangles_[index(g)], index(g))) continue;
        face_[index(g)] = number;
        members_.push_back(g);
      }
    }
  }

  Points points_;
  std::span<const HullTriangle> triangles_;
  double tolerance_;
  std::vector<std::int32_t> face_;  // [n_triangles]
  std::vector<Vector3> area_;       // [m2, n_triangles] area vectors
  std::vector<std::int32_t> members_;
  std::size_t n_faces_ = 0;
};

// Number of faces about each point.
std::vector<std::int32_t> face_counts(std::size_t n_points, const std::vector<HullLoop>& loops) {
  std::vector<std::int32_t> count(n_points, 0);
  for (const HullLoop& loop : loops) {
    for (const std::int32_t v : loop) ++count[index(v)];
  }
  return count;
}

// One name for a hull, however it was found: loops start at their lowest corner and are sorted.
void put_in_order(std::vector<HullLoop>& loops) {
  for (HullLoop& loop : loops)
    std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  std::sort(loops.begin(), loops.end());
}

}  // namespace

std::vector<HullLoop> merged_faces(Points points, std::span<const HullTriangle> hull,
                                   double tolerance) {
  std::vector<std::int32_t> kept(points.size());
  std::iota(kept.begin(), kept.end(), 0);
  while (kept.size() >= 4) {
    std::vector<Vector3> corners;
    for (const std::int32_t i : kept) corners.push_back(points[index(i)]);
    const bool all = corners.size() == points.size();
    const std::vector<HullTriangle> triangles =
        all ? std::vector<HullTriangle>(hull.begin(), hull.end()) : hull_triangles(corners);
    std::vector<HullLoop> loops = FaceGrowth(corners, triangles, tolerance).loops();
    if (loops.size() < 4) return {};
    const std::vector<std::int32_t> count = face_counts(corners.size(), loops);
    const std::vector<std::int32_t> before = kept;
    kept.clear();
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (count[i] >= 3) kept.push_back(before[i]);
    }
    const bool drops_a_corner =
        std::any_of(count.begin(), count.end(), [](std::int32_t n) { return n > 0 && n < 3; });
    if (drops_a_corner) continue;
    for (HullLoop& loop : loops) {
      for (std::int32_t& v : loop) v = before[index(v)];
    }
    put_in_order(loops);
    return loops;
  }
  return {};
}

}  // namespace scree
