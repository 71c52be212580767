#include "tools/joints/outer_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/base/index.hpp"
#include "tools/joints/polygons.hpp"

namespace scree {
namespace {

using polygons::Polygon;
using Loop = std::vector<std::int32_t>;
using Edge = std::pair<std::int32_t, std::int32_t>;

struct Plane {
  Vector3 point, normal;
  double above(const Vector3& p) const { return normal.dot(p - point); }
};

// A convex part: its faces, and the plane of each.
struct Part {
  std::vector<Polygon> faces;
  std::vector<Plane> planes;
};

std::vector<Part> parts_of(const ResultShape& shape) {
  std::vector<Part> parts;
  const std::size_t n_faces = shape.face_begin.empty() ? 0 : shape.face_begin.size() - 1;
  for (std::size_t f = 0, p = 0; f < n_faces; ++f) {
    while (p < shape.part_face_begin.size() && index(shape.part_face_begin[p]) <= f) {
      parts.emplace_back();
      ++p;
    }
    if (parts.empty()) parts.emplace_back();
    Polygon polygon;
    for (std::int32_t k = shape.face_begin[f]; k < shape.face_begin[f + 1]; ++k)
      polygon.push_back(shape.vertices.at(index(shape.faces.at(index(k)))));
    const Vector3 area = polygons::area_vector(polygon);
    if (!(area.norm() > 0.0)) continue;
    parts.back().planes.push_back({polygons::centre(polygon), area.normalized()});
    parts.back().faces.push_back(std::move(polygon));
  }
  return parts;
}

// The surface at one tolerance.
class SurfaceBuilder {
 public:
  SurfaceBuilder(const std::vector<Part>& parts, double tolerance)
      : parts_(parts), near_(tolerance) {}

  std::optional<OuterSurface> build() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (std::size_t f = 0; f < parts_[i].faces.size(); ++f) add_outside(i, f);
    }
    split_edges();
    drop_slivers();
    if (!closed()) return std::nullopt;
    merge_flat();
    drop_straight();
    if (!closed()) return std::nullopt;
    return compact();
  }

 private:
  // What of a face lies outside of all other parts.
  void add_outside(std::size_t i, std::size_t f) {
    const Plane& own = parts_[i].planes[f];
    std::vector<Polygon> pieces = {parts_[i].faces[f]};
    for (std::size_t j = 0; j < parts_.size(); ++j) {
      if (j == i) continue;
      std::vector<Polygon> left;
      for (const Polygon& piece : pieces) subtract(piece, own, parts_[j], j < i, left);
      pieces = std::move(left);
    }
    for (const Polygon& piece : pieces) {
      Loop loop;
      for (const Vector3& p : piece) {
        const std::int32_t v = vertex(p);
        if (loop.empty() || (loop.back() != v && loop.front() != v)) loop.push_back(v);
      }
      if (loop.size() >= 3) faces_.push_back({loop, own.normal});
    }
  }

  void subtract(const Polygon& piece, const Plane& own, const Part& part, bool earlier,
                std::vector<Polygon>& left) const {
    std::vector<const Plane*> cuts;
    for (const Plane& plane : part.planes) {
      double lowest = 0.0, highest = 0.0;
      for (std::size_t k = 0; k < piece.size(); ++k) {
        const double height = plane.above(piece[k]);
        lowest = k == 0 ? height : std::min(lowest, height);
        highest = k == 0 ? height : std::max(highest, height);
      }
      const bool on_it = highest <= near_ && lowest >= -near_;
      // On the other's face, from the other side, it is within; from the same side one of both is
      // the surface.
      if (on_it && (plane.normal.dot(own.normal) < 0.0 || earlier)) continue;
      if (lowest >= -near_) {
        left.push_back(piece);
        return;
      }
      if (highest > near_) cuts.push_back(&plane);
    }
    Polygon within = piece;
    std::vector<Polygon> outside;
    for (const Plane* const plane : cuts) {
      std::vector<double> height, turned;
      double lowest = near_, highest = -near_;
      for (const Vector3& p : within) {
        const double h = plane->above(p);
        height.push_back(std::abs(h) <= near_ ? 0.0 : h);
        turned.push_back(-height.back());
        lowest = std::min(lowest, h), highest = std::max(highest, h);
      }
      if (highest <= near_) continue;
      if (lowest >= -near_) {
        left.push_back(piece);  // nothing of it is within
        return;
      }
      outside.push_back(polygons::part_below(within, turned));
      within = polygons::part_below(within, height);
    }
    left.insert(left.end(), outside.begin(), outside.end());
  }

  std::int32_t vertex(const Vector3& p) {
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
      if ((vertices_[v] - p).norm() <= near_) return static_cast<std::int32_t>(v);
    }
    vertices_.push_back(p);
    return static_cast<std::int32_t>(vertices_.size()) - 1;
  }
  const Vector3& at(std::int32_t v) const { return vertices_[index(v)]; }

  // Vertices that lie on an edge become vertices of it.
  void split_edges() {
    for (auto& [loop, normal] : faces_) {
      Loop whole;
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const std::int32_t u = loop[k], w = loop[(k + 1) % loop.size()];
        const Vector3 along = at(w) - at(u);
        const double length = along.norm();
        std::vector<std::pair<double, std::int32_t>> on_it;
        for (std::size_t v = 0; v < vertices_.size(); ++v) {
          const double s = along.dot(vertices_[v] - at(u)) / length;
          if (s <= near_ || s >= length - near_) continue;
          const double off = (vertices_[v] - at(u) - s / length * along).norm();
          if (off <= near_) on_it.emplace_back(s, static_cast<std::int32_t>(v));
        }
        std::sort(on_it.begin(), on_it.end());
        whole.push_back(u);
        for (const auto& [s, v] : on_it) whole.push_back(v);
      }
      loop = std::move(whole);
    }
  }

  // Faces whose edges go forth and back.
  void drop_slivers() {
    std::erase_if(faces_, [&](const auto& face) {
      Polygon polygon;
      double around = 0.0;
      for (std::size_t k = 0; k < face.first.size(); ++k) {
        polygon.push_back(at(face.first[k]));
        around += (at(face.first[(k + 1) % face.first.size()]) - at(face.first[k])).norm();
      }
      return polygons::area(polygon) <= 0.5 * near_ * around;
    });
  }

  bool closed() const {
    std::map<Edge, int> count;
    for (const auto& [loop, normal] : faces_) {
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const std::int32_t u = loop[k], w = loop[(k + 1) % loop.size()];
        count[std::minmax(u, w)] += u < w ? 1 : -1;
      }
    }
    return std::all_of(count.begin(), count.end(), [](const auto& e) { return e.second == 0; });
  }

  // One face after the other takes in neighbours of its plane, as long as a single loop is left.
  void merge_flat() {
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      for (bool again = true; again;) {
        again = false;
        for (std::size_t j = i + 1; j < faces_.size(); ++j) {
          std::optional<Loop> loop = union_of(faces_[i], faces_[j]);
          if (!loop) continue;
          faces_[i].first = std::move(*loop);
          faces_.erase(faces_.begin() + static_cast<std::ptrdiff_t>(j));
          again = true;
          break;
        }
      }
    }
  }

  std::optional<Loop> union_of(const std::pair<Loop, Vector3>& one,
                               const std::pair<Loop, Vector3>& other) const {
    if (one.second.dot(other.second) < 1.0 - 1e-10) return std::nullopt;
    const Plane plane = {at(one.first[0]), one.second};
    for (const std::int32_t v : other.first) {
      if (std::abs(plane.above(at(v))) > near_) return std::nullopt;
    }
    std::map<std::int32_t, std::int32_t> next;  // the other's edges
    for (std::size_t k = 0; k < other.first.size(); ++k)
      next[other.first[k]] = other.first[(k + 1) % other.first.size()];
    const std::size_t n = one.first.size();
    std::vector<std::uint8_t> shared(n);
    std::size_t count = 0, begins = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const auto back = next.find(one.first[(k + 1) % n]);
      shared[k] = back != next.end() && back->second == one.first[k] ? 1 : 0;
      count += shared[k];
    }
    for (std::size_t k = 0; k < n; ++k)
      begins += shared[k] != 0 && shared[(k + n - 1) % n] == 0 ? 1U : 0U;
    if (count == 0 || begins != 1) return std::nullopt;
    // Along the one from the end of what is shared to its beginning, and back along the other.
    std::size_t start = 0;
    while (shared[start] != 0 || shared[(start + n - 1) % n] == 0) ++start;
    Loop loop;
    for (std::size_t k = 0; k < n - count; ++k) loop.push_back(one.first[(start + k) % n]);
    const std::int32_t first = one.first[start], last = one.first[(start + n - count) % n];
    for (std::int32_t v = last; v != first; v = next.at(v)) loop.push_back(v);
    Loop sorted = loop;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return std::nullopt;
    return loop;
  }

  // Vertices of two faces that go straight on in both.
  void drop_straight() {
    std::vector<std::size_t> uses(vertices_.size()), straight(vertices_.size());
    for (const auto& [loop, normal] : faces_) {
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const std::int32_t v = loop[k];
        const Vector3 &before = at(loop[(k + loop.size() - 1) % loop.size()]),
                      &after = at(loop[(k + 1) % loop.size()]);
        ++uses[index(v)];
        const bool on = (at(v) - before).dot(after - at(v)) > 0.0;
        if (on && polygons::distance_to_segment(at(v), before, after) <= near_)
          ++straight[index(v)];
      }
    }
    for (auto& [loop, normal] : faces_) {
      std::erase_if(loop,
                    [&](std::int32_t v) { return uses[index(v)] == 2 && straight[index(v)] == 2; });
    }
  }

  OuterSurface compact() const {
    OuterSurface surface;
    std::map<std::int32_t, std::int32_t> number;
    for (const auto& [loop, normal] : faces_) {
      std::vector<std::int32_t>& face = surface.faces.emplace_back();
      for (const std::int32_t v : loop) {
        const auto [known, fresh] =
            number.emplace(v, static_cast<std::int32_t>(surface.vertices.size()));
        if (fresh) surface.vertices.push_back(at(v));
        face.push_back(known->second);
      }
    }
    return surface;
  }

  const std::vector<Part>& parts_;
  double near_;
  std::vector<Vector3> vertices_;
  std::vector<std::pair<Loop, Vector3>> faces_;
};

double volume_of(const OuterSurface& surface) {
  const Vector3& o = surface.vertices[0];
  double six = 0.0;
  for (const std::vector<std::int32_t>& face : surface.faces) {
    for (std::size_t k = 1; k + 1 < face.size(); ++k) {
      const Vector3 a = surface.vertices[index(face[0])] - o,
                    b = surface.vertices[index(face[k])] - o,
                    c = surface.vertices[index(face[k + 1])] - o;
      six += a.dot(b.cross(c));
    }
  }
  return six / 6.0;
}

// How many closed surfaces it is made of: faces hang together across edges that only two have.
std::size_t shells_of(const OuterSurface& surface) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> uses;
  for (std::size_t f = 0; f < surface.faces.size(); ++f) {
    const std::vector<std::int32_t>& face = surface.faces[f];
    for (std::size_t k = 0; k < face.size(); ++k)
      uses[std::minmax(face[k], face[(k + 1) % face.size()])].push_back(f);
  }
  std::vector<std::size_t> root(surface.faces.size());
  std::iota(root.begin(), root.end(), 0U);
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  std::size_t shells = root.size();
  for (const auto& [edge, faces] : uses) {
    if (faces.size() != 2 || find(faces[0]) == find(faces[1])) continue;
    root[find(faces[0])] = find(faces[1]);
    --shells;
  }
  return shells;
}

double area_of(const OuterSurface& surface) {
  double area = 0.0;
  for (const std::vector<std::int32_t>& face : surface.faces) {
    Polygon polygon;
    for (const std::int32_t v : face) polygon.push_back(surface.vertices[index(v)]);
    area += polygons::area(polygon);
  }
  return area;
}

// Without cracks that the other one does not have: their rims are vertices, their walls area.
bool is_as_simple(const OuterSurface& surface, const OuterSurface& other) {
  return surface.shells <= other.shells && surface.vertices.size() <= other.vertices.size() &&
         area_of(surface) <= 1.001 * area_of(other);
}

}  // namespace

OuterSurface outer_surface(const ResultShape& shape) {
  OuterSurface as_is;
  as_is.vertices = shape.vertices;
  for (std::size_t f = 0; f + 1 < shape.face_begin.size(); ++f) {
    as_is.faces.emplace_back(shape.faces.begin() + shape.face_begin[f],
                             shape.faces.begin() + shape.face_begin[f + 1]);
  }
  const std::vector<Part> parts = parts_of(shape);
  if (parts.size() < 2) return as_is;
  Vector3 low = shape.vertices[0], high = low;
  for (const Vector3& p : shape.vertices) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const double volume = volume_of(as_is);
  const auto at_level = [&](double share) {
    const double near = share * (high - low).norm();
    std::optional<OuterSurface> surface = SurfaceBuilder(parts, near).build();
    if (!surface) return surface;
    if (std::abs(volume_of(*surface) - volume) > 1e-6 * volume + near * area_of(*surface))
      surface.reset();
    else
      surface->shells = shells_of(*surface);
    return surface;
  };
  // Parts that miss each other by more than a level leave a crack, of which both walls are surface,
  // or close each for itself. The coarsest level that closes has none, and the finest as simple as
  // that one is nearest to the parts.
  constexpr std::array levels = {1e-9, 1e-8, 3e-8, 1e-7, 3e-7, 1e-6, 3e-6, 1e-5};
  std::size_t coarsest = levels.size();
  std::optional<OuterSurface> whole;
  while (!whole && coarsest > 0) whole = at_level(levels.at(--coarsest));
  for (std::size_t k = 0; whole && k < coarsest; ++k) {
    std::optional<OuterSurface> surface = at_level(levels.at(k));
    if (surface && is_as_simple(*surface, *whole)) return std::move(*surface);
  }
  if (whole) return std::move(*whole);
  as_is.closed = false;
  return as_is;
}

}  // namespace scree
