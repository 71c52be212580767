// Newton's method. A face is flat when the heights h_i of its corners over a plane near it are an
// affine function of their places in that plane. With the tilts and shifts p of the planes of all
// faces with more than three corners as further unknowns, each corner of each of them gives one
// condition  n . dx_i + (1, x_i, y_i) . p = -h_i,  and the least displacements solve  [A A^T  B;
// B^T  0] [l; p] = [-h; 0],  dx = A^T l.  The matrix is sparse, and regular: the polyhedra of one
// topology are a smooth family with as many parameters as edges, and six.
#include "engine/model/shapes/flat_faces.hpp"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "engine/base/index.hpp"

namespace scree {
namespace {

constexpr double round_off = 1e-14;  // [-] of the size: flat, and level

double size_of(std::span<const Vector3> vertices) {
  double size = 0.0;
  for (const Vector3& v : vertices) size = std::max(size, (v - vertices[0]).norm());
  return size;
}

// The face that runs along a directed edge.
class EdgeFaces {
 public:
  explicit EdgeFaces(std::span<const HullLoop> faces) {
    for (std::size_t f = 0; f < faces.size(); ++f) {
      for (std::size_t i = 0; i < faces[f].size(); ++i) {
        edges_.push_back(
            {faces[f][i], faces[f][(i + 1) % faces[f].size()], static_cast<std::int32_t>(f)});
      }
    }
    std::sort(edges_.begin(), edges_.end());
  }
  std::int32_t find(std::int32_t from, std::int32_t to) const {
    const auto at = std::lower_bound(edges_.begin(), edges_.end(), Edge{from, to, -1});
    return at != edges_.end() && at->from == from && at->to == to ? at->face : -1;
  }

 private:
  struct Edge {
    std::int32_t from, to, face;
    auto operator<=>(const Edge&) const = default;
  };
  std::vector<Edge> edges_;
};

struct Plane {
  Vector3 normal, point;
};

Plane plane_of(std::span<const Vector3> vertices, const HullLoop& face) {
  Plane plane{newell_vector(vertices, face).normalized(), Vector3::Zero()};
  for (const std::int32_t v : face)
    plane.point += vertices[index(v)] / static_cast<double>(face.size());
  return plane;
}

double unevenness(std::span<const Vector3> vertices, const HullLoop& face) {
  const Plane plane = plane_of(vertices, face);
  double most = 0.0;
  for (const std::int32_t v : face) {
    most = std::max(most, std::abs(plane.normal.dot(vertices[index(v)] - plane.point)));
  }
  return most;
}

double unevenness(std::span<const Vector3> vertices, std::span<const HullLoop> faces) {
  double most = 0.0;
  for (const HullLoop& face : faces) {
    if (face.size() > 3) most = std::max(most, unevenness(vertices, face));
  }
  return most;
}

// A condition: corner `vertex` of a face with normal `normal`, at `place` in its plane.
struct Condition {
  std::int32_t vertex = 0;
  Vector3 normal = Vector3::Zero(),
          place = Vector3::Zero();  // (1, x, y) in units of the face's extent
  int plane = 0;
  double height = 0.0;
};

std::vector<Condition> conditions_of(std::span<const Vector3> vertices,
                                     std::span<const HullLoop> faces) {
  std::vector<Condition> conditions;
  int n_planes = 0;
  for (const HullLoop& face : faces) {
    if (face.size() <= 3) continue;
    const Plane plane = plane_of(vertices, face);
    const Vector3 t = plane.normal.unitOrthogonal(), s = plane.normal.cross(t);
    double extent = 0.0;
    for (const std::int32_t v : face)
      extent = std::max(extent, (vertices[index(v)] - plane.point).norm());
    for (const std::int32_t v : face) {
      const Vector3 r = vertices[index(v)] - plane.point;
      conditions.push_back({v, plane.normal, Vector3(1.0, t.dot(r) / extent, s.dot(r) / extent),
                            n_planes, plane.normal.dot(r)});
    }
    ++n_planes;
  }
  return conditions;
}

// One step; false when the conditions cannot be solved.
bool newton_step(std::span<const HullLoop> faces, std::vector<Vector3>& vertices) {
  const std::vector<Condition> conditions = conditions_of(vertices, faces);
  const auto n = static_cast<int>(conditions.size());
  const int size = n + 3 * (conditions.back().plane + 1);
  std::vector<std::vector<int>> of_vertex(vertices.size());
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(size);
  for (int i = 0; i < n; ++i) {
    const Condition& c = conditions[index(i)];
    of_vertex[index(c.vertex)].push_back(i);
    right(i) = -c.height;
    for (int k = 0; k < 3; ++k) {
      entries.emplace_back(i, n + 3 * c.plane + k, c.place(k));
      entries.emplace_back(n + 3 * c.plane + k, i, c.place(k));
    }
  }
  for (const std::vector<int>& group : of_vertex) {
    for (const int i : group) {
      for (const int j : group) {
        entries.emplace_back(i, j, conditions[index(i)].normal.dot(conditions[index(j)].normal));
      }
    }
  }
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factor(matrix);
  if (factor.info() != Eigen::Success) return false;
  const Eigen::VectorXd solution = factor.solve(right);
  if (!solution.allFinite()) return false;
  for (int i = 0; i < n; ++i)
    vertices[index(conditions[index(i)].vertex)] += solution(i) * conditions[index(i)].normal;
  return true;
}

}  // namespace

double make_flat(std::span<const HullLoop> faces, std::vector<Vector3>& vertices) {
  const std::vector<Vector3> given = vertices;
  const double flat = round_off * size_of(vertices);
  double uneven = unevenness(vertices, faces);
  constexpr int most_steps = 8;
  for (int step = 0; step < most_steps && uneven > flat; ++step) {
    std::vector<Vector3> next = vertices;
    if (!newton_step(faces, next)) break;
    const double next_uneven = unevenness(next, faces);
    if (!(next_uneven < uneven)) break;
    vertices = std::move(next);
    uneven = next_uneven;
  }
  double moved = 0.0;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    moved = std::max(moved, (vertices[i] - given[i]).norm());
  return moved;
}

bool is_convex(std::span<const HullLoop> faces, std::span<const Vector3> vertices) {
  const double level = round_off * size_of(vertices);
  const EdgeFaces face_of_edge(faces);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Plane plane = plane_of(vertices, faces[f]);
    if (unevenness(vertices, faces[f]) > level) return false;
    for (std::size_t i = 0; i < faces[f].size(); ++i) {
      const std::int32_t u = faces[f][i], v = faces[f][(i + 1) % faces[f].size()];
      const std::int32_t twin = face_of_edge.find(v, u);
      if (twin < 0) return false;
      double lowest = 0.0;
      for (const std::int32_t w : faces[index(twin)]) {
        if (w == u || w == v) continue;
        const double height = plane.normal.dot(vertices[index(w)] - plane.point);
        if (height > level) return false;
        lowest = std::min(lowest, height);
      }
      if (!(lowest < -level)) return false;
    }
  }
  return true;
}

}  // namespace scree
