#include "collision/polyhedra/overlap_polygon.hpp"

#include <algorithm>
#include <cmath>

namespace scree::collision {
namespace {

// side[v * n_edges + e]: +1 inside, 0 on, -1 outside; `turn` is +1 for a counter-clockwise polygon.
void classify(const std::vector<Vector2>& vertices, const std::vector<Vector2>& polygon,
              double turn, double eps, std::vector<std::int8_t>& side) {
  const std::size_t n = polygon.size();
  side.resize(vertices.size() * n);
  for (std::size_t e = 0; e < n; ++e) {
    const Vector2& from = polygon[e];
    const Vector2 along = polygon[e + 1 < n ? e + 1 : 0] - from;
    const double limit = eps * along.norm();
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      const double scaled = turn * cross(along, vertices[v] - from);
      side[v * n + e] = static_cast<std::int8_t>(scaled > limit ? 1 : scaled < -limit ? -1 : 0);
    }
  }
}

bool nowhere_outside(const std::vector<std::int8_t>& side, std::size_t vertex,
                     std::size_t n_edges) {
  for (std::size_t e = 0; e < n_edges; ++e) {
    if (side[vertex * n_edges + e] < 0) return false;
  }
  return true;
}

void add_vertices(double eps, OverlapPolygon& overlap) {
  const std::size_t n_p = overlap.p.size(), n_q = overlap.q.size();
  for (std::size_t i = 0; i < n_p; ++i) {
    if (!nowhere_outside(overlap.side_p, i, n_q)) continue;
    overlap.corners.push_back({overlap.p[i], static_cast<std::int32_t>(i), -1, -1, -1});
  }
  const std::size_t from_p = overlap.corners.size();
  for (std::size_t j = 0; j < n_q; ++j) {
    if (!nowhere_outside(overlap.side_q, j, n_p)) continue;
    bool known = false;
    for (std::size_t c = 0; c < from_p && !known; ++c) {
      OverlapCorner& corner = overlap.corners[c];
      known = corner.vertex_q < 0 && (corner.at - overlap.q[j]).squaredNorm() <= 9.0 * eps * eps;
      if (known) corner.vertex_q = static_cast<std::int32_t>(j);
    }
    if (!known) overlap.corners.push_back({overlap.q[j], -1, static_cast<std::int32_t>(j), -1, -1});
  }
}

// The ends of edge i of p lie strictly on both sides of edge j of q, and the other way round.
bool cross_properly(const OverlapPolygon& overlap, std::size_t i, std::size_t i_next, std::size_t j,
                    std::size_t j_next) {
  const std::size_t n_p = overlap.p.size(), n_q = overlap.q.size();
  return overlap.side_p[i * n_q + j] * overlap.side_p[i_next * n_q + j] < 0 &&
         overlap.side_q[j * n_p + i] * overlap.side_q[j_next * n_p + i] < 0;
}

void add_crossings(OverlapPolygon& overlap) {
  const std::size_t n_p = overlap.p.size(), n_q = overlap.q.size();
  for (std::size_t i = 0; i < n_p; ++i) {
    const std::size_t i_next = i + 1 < n_p ? i + 1 : 0;
    for (std::size_t j = 0; j < n_q; ++j) {
      const std::size_t j_next = j + 1 < n_q ? j + 1 : 0;
      if (!cross_properly(overlap, i, i_next, j, j_next)) continue;
      const Vector2 along_p = overlap.p[i_next] - overlap.p[i];
      const Vector2 along_q = overlap.q[j_next] - overlap.q[j];
      const double share = cross(overlap.q[j] - overlap.p[i], along_q) / cross(along_p, along_q);
      overlap.corners.push_back({overlap.p[i] + share * along_p, -1, -1,
                                 static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
    }
  }
}

std::size_t farthest(const std::vector<OverlapCorner>& corners, const Vector2& from) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < corners.size(); ++c) {
    if ((corners[c].at - from).squaredNorm() > (corners[best].at - from).squaredNorm()) best = c;
  }
  return best;
}

double width_of(const std::vector<OverlapCorner>& corners) {
  if (corners.size() < 3) return 0.0;
  const Vector2 from = corners[farthest(corners, corners[0].at)].at;
  const Vector2 along = corners[farthest(corners, from)].at - from;
  const double length = along.norm();
  if (length == 0.0) return 0.0;
  double low = 0.0, high = 0.0;
  for (const OverlapCorner& corner : corners) {
    const double across = cross(along, corner.at - from) / length;
    low = std::min(low, across), high = std::max(high, across);
  }
  return high - low;
}

}  // namespace

void find_overlap(double eps, OverlapPolygon& overlap) {
  overlap.corners.clear();
  classify(overlap.p, overlap.q, -1.0, eps, overlap.side_p);
  classify(overlap.q, overlap.p, 1.0, eps, overlap.side_q);
  add_vertices(eps, overlap);
  add_crossings(overlap);
  overlap.width = width_of(overlap.corners);
}

}  // namespace scree::collision
