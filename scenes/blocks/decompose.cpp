#include "scenes/blocks/decompose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "engine/base/check.hpp"
#include "engine/base/index.hpp"
#include "engine/base/printable.hpp"
#include "engine/model/shapes/convex_hull.hpp"
#include "engine/model/shapes/convex_polyhedron.hpp"
#include "scenes/blocks/triangulate.hpp"

namespace scree::blocks {
namespace {

constexpr double on_plane = 1e-9;  // [-] of the size: a corner this near a cut lies on it
// [-] of the size: float coordinates; no edge is reflex by less.
constexpr double drawn_rounding = 2e-7;
constexpr int deepest_cut = 400;  // cuts in one another
constexpr std::size_t most_parts = 20000;
constexpr std::size_t most_candidates = 48;              // planes looked at for one cut
constexpr std::size_t most_cut = 20000;                  // faces of a solid that is not convex
constexpr std::size_t many_pieces = 500;                 // from here on they are sorted by place
constexpr double sliver_angle = std::numbers::pi / 3.0;  // [rad] parts with thinner edges cost

struct Plane {
  Vector3 normal = Vector3::Zero();
  double offset = 0.0;  // [m]
  double height(const Vector3& p) const { return normal.dot(p) - offset; }
};

// A flat convex piece of the surface.
struct Polygon {
  std::vector<Vector3> corners;
  Plane plane;
};

using Polygons = std::vector<Polygon>;
using Loop = std::vector<Vector3>;

// Convex region bounded by loops, for the corners that cuts make inside the solid.
using Cell = std::vector<Loop>;

Plane plane_of_loop(const Loop& loop) {
  Vector3 twice = Vector3::Zero(), mean = Vector3::Zero();
  for (std::size_t i = 1; i + 1 < loop.size(); ++i)
    twice += (loop[i] - loop[0]).cross(loop[i + 1] - loop[0]);
  for (const Vector3& p : loop) mean += p / static_cast<double>(loop.size());
  Plane plane;
  if (twice.norm() > 0.0) plane.normal = twice.normalized();
  plane.offset = plane.normal.dot(mean);
  return plane;
}

// The side of a convex loop above (`sign` 1) or below (-1) a plane; corners within `eps` are on it.
Loop clipped(const Loop& loop, const Plane& plane, double sign, double eps) {
  Loop part;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vector3 &p = loop[i], &q = loop[(i + 1) % loop.size()];
    const double hp = sign * plane.height(p), hq = sign * plane.height(q);
    if (hp >= -eps) part.push_back(p);
    if ((hp > eps && hq < -eps) || (hp < -eps && hq > eps)) {
      // The same point for both sides and both directions of the edge.
      const bool forward = hp > hq;
      const Vector3 &a = forward ? p : q, &b = forward ? q : p;
      const double ha = std::abs(forward ? hp : hq), hb = std::abs(forward ? hq : hp);
      part.push_back((a * hb + b * ha) / (ha + hb));
    }
  }
  return part;
}

bool is_above(const Loop& loop, const Plane& plane, double sign, double eps) {
  return std::any_of(loop.begin(), loop.end(),
                     [&](const Vector3& p) { return sign * plane.height(p) > eps; });
}

// The part of a cell on one side of a plane, with the cut as a loop.
Cell side_of(const Cell& cell, const Plane& plane, double sign, double eps) {
  Cell part;
  std::vector<Vector3> on;
  for (const Loop& loop : cell) {
    if (!is_above(loop, plane, sign, eps)) continue;
    Loop piece = clipped(loop, plane, sign, eps);
    for (const Vector3& p : piece) {
      if (std::abs(plane.height(p)) > eps) continue;
      const bool known = std::any_of(on.begin(), on.end(), [&](const Vector3& other) {
        return (other - p).norm() <= 4.0 * eps;
      });
      if (!known) on.push_back(p);
    }
    if (piece.size() >= 3) part.push_back(std::move(piece));
  }
  if (on.size() < 3) return part;
  Vector3 middle = Vector3::Zero();
  for (const Vector3& p : on) middle += p / static_cast<double>(on.size());
  const Vector3 t = plane.normal.unitOrthogonal(), s = plane.normal.cross(t);
  std::sort(on.begin(), on.end(), [&](const Vector3& a, const Vector3& b) {
    return std::atan2(s.dot(a - middle), t.dot(a - middle)) <
           std::atan2(s.dot(b - middle), t.dot(b - middle));
  });
  part.push_back(std::move(on));
  return part;
}

// Winding of the surface around a point: the solid angle over 4 pi.
double winding_of(const Polygons& surface, const Vector3& o) {
  double angle = 0.0;
  for (const Polygon& polygon : surface) {
    const Vector3 a = polygon.corners[0] - o;
    for (std::size_t i = 1; i + 1 < polygon.corners.size(); ++i) {
      angle += solid_angle(a, polygon.corners[i] - o, polygon.corners[i + 1] - o);
    }
  }
  return angle / (4.0 * std::numbers::pi);
}

struct Reflex {
  Vector3 from = Vector3::Zero(), along = Vector3::Zero();  // a point of the edge, unit
  Vector3 inward = Vector3::Zero();                         // in the first face, away from the edge
  Vector3 down = Vector3::Zero();                           // against its normal
  double inside = 0.0;  // [rad] angle of the solid, more than pi
};

class Decomposition {
 public:
  // Of the faces from `begin` to `end`.
  Decomposition(const Solid& solid, std::size_t begin, std::size_t end)
      : name_(solid.name), size_(solid.size) {
    eps_ = on_plane * size_;
    // Corners of a face that is flat within the drawing's rounding do not make it a reflex one.
    flatness_ = solid.flatness;
    convex_eps_ = std::max(drawn_rounding * size_, 1.5 * flatness_);
    for (std::size_t f = begin; f < end; ++f) {
      const Face& face = solid.faces[f];
      if (is_convex_face(solid.vertices, face)) {
        add(solid, face);
      } else {
        for (const Face& triangle : shortest_triangulation(solid.vertices, face))
          add(solid, triangle);
      }
    }
    if (solid.flat > 0.0) flatten(solid);
    for (const Polygon& polygon : surface_) {
      for (const Vector3& v : polygon.corners) low_ = low_.cwiseMin(v), high_ = high_.cwiseMax(v);
    }
  }

  std::vector<std::vector<Vector3>> run() {
    split(surface_, box(), 0);
    merge();
    return std::move(parts_);
  }

 private:
  void add(const Solid& solid, const Face& face) {
    Polygon polygon;
    for (const std::int32_t v : face) polygon.corners.push_back(solid.vertices[index(v)]);
    polygon.plane = plane_of_loop(polygon.corners);
    if (polygon.plane.normal.isZero(0.0)) return;
    surface_.push_back(std::move(polygon));
    loops_.push_back(face);
  }

  // Triangles of a face that was flat before it was rounded have one plane, that of the largest.
  void flatten(const Solid& solid) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> sides;
    std::vector<double> area;
    for (std::size_t f = 0; f < loops_.size(); ++f) {
      for (std::size_t i = 0; i < loops_[f].size(); ++i)
        sides[std::minmax(loops_[f][i], loops_[f][(i + 1) % loops_[f].size()])].push_back(f);
      area.push_back(scree::blocks::plane_of(solid.vertices, loops_[f]).area);
    }
    std::vector<std::size_t> order(loops_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return area[a] > area[b]; });
    std::vector<std::uint8_t> done(loops_.size(), 0);
    double off = 0.0;
    for (const std::size_t seed : order) {
      if (done[seed] != 0) continue;
      done[seed] = 1;
      const Plane plane = surface_[seed].plane;
      std::vector<std::size_t> todo = {seed};
      while (!todo.empty()) {
        const std::size_t f = todo.back();
        todo.pop_back();
        for (std::size_t i = 0; i < loops_[f].size(); ++i) {
          for (const std::size_t g :
               sides[std::minmax(loops_[f][i], loops_[f][(i + 1) % loops_[f].size()])]) {
            if (done[g] != 0 || surface_[g].plane.normal.dot(plane.normal) < 0.99) continue;
            double most = 0.0;
            for (const Vector3& p : surface_[g].corners)
              most = std::max(most, std::abs(plane.height(p)));
            if (most > solid.flat) continue;
            off = std::max(off, most);
            surface_[g].plane = plane;
            done[g] = 1;
            todo.push_back(g);
          }
        }
      }
    }
    flatness_ = std::max(solid.flatness, off);
    convex_eps_ = std::max(drawn_rounding * size_, 1.5 * flatness_);
  }

  Cell box() const {
    const Vector3 margin = Vector3::Constant(0.5 * size_), a = low_ - margin, b = high_ + margin;
    const auto corner = [&](int i) {
      return Vector3((i & 1) != 0 ? b.x() : a.x(), (i & 2) != 0 ? b.y() : a.y(),
                     (i & 4) != 0 ? b.z() : a.z());
    };
    Cell cell;
    for (const auto& f : box_faces) {
      Loop loop;
      for (const std::int32_t v : f) loop.push_back(corner(v));
      cell.push_back(std::move(loop));
    }
    return cell;
  }

  double above(const Polygon& base, const Polygon& other) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const Vector3& p : other.corners) most = std::max(most, base.plane.height(p));
    return most;
  }

  void split(const Polygons& polygons, const Cell& cell, int depth) {
    if (parts_.size() > most_parts || depth > deepest_cut) return;
    if (polygons.empty()) return add_inner_cell(cell);
    const std::vector<Plane> cuts = find_cuts(polygons);
    if (!cuts.empty() && polygons.size() > most_cut) {
      throw InputError(printable(fmt::format(
          "block '{}': is not convex and has {} faces; at most {} can be cut into convex "
          "parts: simplify its mesh",
          name_, polygons.size(), most_cut)));
    }
    for (const Plane& cut : cuts) {
      Polygons below = part_of(polygons, cut, -1.0), above_cut = part_of(polygons, cut, 1.0);
      if (below.empty() || above_cut.empty()) continue;  // nothing is gained
      split(below, side_of(cell, cut, -1.0, eps_), depth + 1);
      split(above_cut, side_of(cell, cut, 1.0, eps_), depth + 1);
      return;
    }
    add_leaf(polygons, cell);
  }

  // The pieces on one side of a cut.
  Polygons part_of(const Polygons& polygons, const Plane& cut, double sign) const {
    Polygons side;
    for (const Polygon& polygon : polygons) {
      const bool up = is_above(polygon.corners, cut, 1.0, eps_),
                 down = is_above(polygon.corners, cut, -1.0, eps_);
      if (!up && !down) {
        // In the cut: the solid is behind it.
        if ((polygon.plane.normal.dot(cut.normal) > 0.0) == (sign < 0.0)) side.push_back(polygon);
        continue;
      }
      if (!(sign > 0.0 ? up : down)) continue;
      if (!(up && down)) {
        side.push_back(polygon);
        continue;
      }
      Polygon piece{clipped(polygon.corners, cut, sign, eps_), polygon.plane};
      if (piece.corners.size() >= 3) side.push_back(std::move(piece));
    }
    return side;
  }

  // A cell without surface is inside or outside as a whole.
  void add_inner_cell(const Cell& cell) {
    std::vector<Vector3> corners;
    Vector3 middle = Vector3::Zero();
    for (const Loop& loop : cell) corners.insert(corners.end(), loop.begin(), loop.end());
    if (corners.size() < 4) return;
    for (const Vector3& p : corners) middle += p / static_cast<double>(corners.size());
    if (winding_of(surface_, middle) > 0.5) parts_.push_back(std::move(corners));
  }

  void add_leaf(const Polygons& polygons, const Cell& cell) {
    std::vector<Vector3> corners;
    for (const Polygon& polygon : polygons)
      corners.insert(corners.end(), polygon.corners.begin(), polygon.corners.end());
    Vector3 middle = Vector3::Zero();
    for (const Vector3& p : corners) middle += p / static_cast<double>(corners.size());
    // Where cuts cross inside the solid, also in the plane of a face that a cut goes on from; those
    // on the surface are corners of its pieces already.
    for (const Loop& loop : cell) {
      for (const Vector3& p : loop) {
        const bool inside = std::all_of(polygons.begin(), polygons.end(), [&](const Polygon& q) {
          return q.plane.height(p) <= eps_;
        });
        const bool known = std::any_of(corners.begin(), corners.end(), [&](const Vector3& other) {
          return (other - p).norm() <= 10.0 * eps_;
        });
        if (inside && !known && is_inside(p, middle)) corners.push_back(p);
      }
    }
    if (corners.size() >= 4) parts_.push_back(std::move(corners));
  }

  // Whether the way from p to a point of a leaf begins inside the solid.
  bool is_inside(const Vector3& p, const Vector3& middle) const {
    if ((p.array() < low_.array() - eps_).any() || (p.array() > high_.array() + eps_).any())
      return false;
    return winding_of(surface_, p + 1e-3 * (middle - p)) > 0.5;
  }

  // The hull of the corners of many pieces, to be climbed over.
  struct Climb {
    std::vector<Vector3> corners;                 // each place once
    std::vector<std::size_t> first;               // [n_polygons] a corner of each
    std::vector<std::vector<std::int32_t>> next;  // [n_corners] along the hull's edges
    std::int32_t some = -1;                       // one on the hull; -1: all lie in one plane
  };

  static Climb climb_over(const Polygons& polygons) {
    Climb climb;
    std::map<std::array<double, 3>, std::size_t> known;
    for (const Polygon& polygon : polygons) {
      for (const Vector3& p : polygon.corners) {
        const auto [place, is_new] =
            known.emplace(std::array{p.x(), p.y(), p.z()}, climb.corners.size());
        if (is_new) climb.corners.push_back(p);
        if (&p == &polygon.corners[0]) climb.first.push_back(place->second);
      }
    }
    climb.next.resize(climb.corners.size());
    for (const HullTriangle& triangle : hull_triangles(climb.corners)) {
      climb.some = triangle.corner[0];
      for (std::size_t k = 0; k < 3; ++k)
        climb.next[index(triangle.corner.at(k))].push_back(triangle.corner.at((k + 1) % 3));
    }
    return climb;
  }

  // How far any corner is above the plane of a piece.
  static double highest_over(const Climb& climb, std::size_t piece, const Plane& plane) {
    const std::size_t first = climb.first[piece];
    std::size_t at = climb.next[first].empty() ? index(climb.some) : first;
    double height = plane.height(climb.corners[at]);
    for (bool climbed = true; climbed;) {
      climbed = false;
      for (const std::int32_t to : climb.next[at]) {
        if (plane.height(climb.corners[index(to)]) <= height) continue;
        at = index(to), height = plane.height(climb.corners[at]), climbed = true;
        break;
      }
    }
    return height;
  }

  // Of two pieces that share some of an edge, the sharper turn back.
  void find_turn(const Polygon& base, const Polygon& other, double& largest, Reflex& reflex) const {
    for (std::size_t i = 0; i < base.corners.size(); ++i) {
      const Vector3 &a = base.corners[i], &b = base.corners[(i + 1) % base.corners.size()];
      const Vector3 along = b - a;
      const double length = along.norm();
      if (length <= 2.0 * eps_) continue;
      const Vector3 e = along / length;
      // The other's edge runs back along it, over some of its length.
      double from = length, to = 0.0;
      for (std::size_t k = 0; k < other.corners.size(); ++k) {
        const Vector3 &p = other.corners[k], &q = other.corners[(k + 1) % other.corners.size()];
        const double sp = e.dot(p - a), sq = e.dot(q - a);
        if (sp <= sq || (p - a - sp * e).norm() > 4.0 * eps_ ||
            (q - a - sq * e).norm() > 4.0 * eps_)
          continue;
        from = std::max(sq, 0.0), to = std::min(sp, length);
      }
      if (to - from <= 2.0 * eps_) continue;
      const double turn = std::atan2(e.dot(base.plane.normal.cross(other.plane.normal)),
                                     base.plane.normal.dot(other.plane.normal));
      if (turn >= -largest) continue;
      largest = -turn;
      reflex = {a, e, base.plane.normal.cross(e), -base.plane.normal, std::numbers::pi - turn};
    }
  }

  // The edge that turns back most, of pairs of pieces that share one.
  bool find_reflex(const Polygons& polygons, Reflex& reflex, const Polygon*& worst_base) const {
    if (polygons.size() >= many_pieces) return find_reflex_of_many(polygons, reflex, worst_base);
    double largest = 0.0, highest = convex_eps_;
    for (const Polygon& base : polygons) {
      for (const Polygon& other : polygons) {
        if (&base == &other) continue;
        const double height = above(base, other);
        if (height <= convex_eps_) continue;
        if (height > highest) highest = height, worst_base = &base;
        find_turn(base, other, largest, reflex);
      }
    }
    return largest > 0.0;
  }

  // The same, with pieces that share an edge looked for among those whose boxes meet.
  bool find_reflex_of_many(const Polygons& polygons, Reflex& reflex,
                           const Polygon*& worst_base) const {
    const Climb climb = climb_over(polygons);
    if (climb.some < 0) return false;
    std::vector<Vector3> low, high;
    for (const Polygon& polygon : polygons) {
      low.push_back(polygon.corners[0]), high.push_back(polygon.corners[0]);
      for (const Vector3& p : polygon.corners)
        low.back() = low.back().cwiseMin(p), high.back() = high.back().cwiseMax(p);
      low.back().array() -= 4.0 * eps_, high.back().array() += 4.0 * eps_;
    }
    std::vector<std::size_t> by_low(polygons.size());
    std::iota(by_low.begin(), by_low.end(), 0U);
    std::ranges::sort(by_low, [&](std::size_t i, std::size_t j) {
      return std::pair(low[i].x(), i) < std::pair(low[j].x(), j);
    });
    double widest = 0.0;
    for (std::size_t f = 0; f < polygons.size(); ++f)
      widest = std::max(widest, high[f].x() - low[f].x());
    double largest = 0.0, highest = convex_eps_;
    std::vector<std::size_t> near;
    for (std::size_t f = 0; f < polygons.size(); ++f) {
      const Polygon& base = polygons[f];
      const double height = highest_over(climb, f, base.plane);
      if (height <= convex_eps_) continue;
      if (height > highest) highest = height, worst_base = &base;
      near.clear();
      const auto begin = std::ranges::lower_bound(by_low, low[f].x() - widest, {},
                                                  [&](std::size_t i) { return low[i].x(); });
      for (auto other = begin; other != by_low.end() && low[*other].x() <= high[f].x(); ++other) {
        if (*other != f && (low[*other].array() <= high[f].array()).all() &&
            (high[*other].array() >= low[f].array()).all())
          near.push_back(*other);
      }
      std::ranges::sort(near);
      for (const std::size_t other : near) {
        if (above(base, polygons[other]) > convex_eps_)
          find_turn(base, polygons[other], largest, reflex);
      }
    }
    return largest > 0.0;
  }

  // What a plane costs: the pieces it cuts, and slivers.
  double cost(const Polygons& polygons, const Plane& plane, double thinnest) const {
    double cuts = 0.0;
    for (const Polygon& polygon : polygons) {
      if (is_above(polygon.corners, plane, 1.0, eps_) &&
          is_above(polygon.corners, plane, -1.0, eps_))
        cuts += 1.0;
    }
    return cuts + 8.0 * std::max(0.0, 1.0 - thinnest / sliver_angle);
  }

  // Planes that may cut, the cheapest first; none where all is convex.
  std::vector<Plane> find_cuts(const Polygons& polygons) const {
    Reflex reflex;
    const Polygon* worst = nullptr;
    const bool has_edge = find_reflex(polygons, reflex, worst);
    if (!has_edge) {
      // Pieces that do not meet, one in front of the other: between them.
      return worst == nullptr ? std::vector<Plane>() : std::vector<Plane>{worst->plane};
    }
    const double pi = std::numbers::pi, first = reflex.inside - pi, last = pi;
    std::vector<double> angles = {first, last, 0.5 * reflex.inside};
    for (const Polygon& polygon : polygons) {
      for (const Vector3& p : polygon.corners) {
        const Vector3 to = p - reflex.from;
        const Vector3 across = to - to.dot(reflex.along) * reflex.along;
        if (across.norm() <= 1e-6 * size_) continue;
        double angle = std::atan2(reflex.down.dot(across), reflex.inward.dot(across));
        if (angle < 0.0) angle += 2.0 * pi;
        if (angle > first && angle < last) angles.push_back(angle);
      }
    }
    std::sort(angles.begin() + 3, angles.end());
    angles.erase(std::unique(angles.begin() + 3, angles.end(),
                             [](double a, double b) { return b - a < 1e-9; }),
                 angles.end());
    const std::size_t stride = 1 + angles.size() / most_candidates;
    std::vector<std::pair<double, Plane>> planes;
    for (std::size_t i = 0; i < angles.size(); i += i < 3 ? 1 : stride) {
      const double angle = angles[i], thinnest = std::min(angle, reflex.inside - angle);
      const Vector3 direction = std::cos(angle) * reflex.inward + std::sin(angle) * reflex.down;
      Plane plane{reflex.along.cross(direction).normalized(), 0.0};
      plane.offset = plane.normal.dot(reflex.from);
      planes.emplace_back(cost(polygons, plane, thinnest), plane);
    }
    std::stable_sort(planes.begin(), planes.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    std::vector<Plane> cuts;
    for (const auto& [price, plane] : planes) cuts.push_back(plane);
    if (worst != nullptr) cuts.push_back(worst->plane);
    return cuts;
  }

  static double hull_volume(const std::vector<Vector3>& points) {
    const Vector3 o = points[0];
    double volume = 0.0;
    for (const HullTriangle& t : hull_triangles(points)) {
      const auto at = [&](std::size_t k) { return points[index(t.corner.at(k))] - o; };
      volume += at(0).dot(at(1).cross(at(2))) / 6.0;
    }
    return volume;
  }

  // Two parts whose hull has no more volume than both are one.
  void merge() {
    constexpr std::size_t most_merged = 60;
    for (std::vector<Vector3>& part : parts_) keep_hull(part);
    std::erase_if(parts_, [](const std::vector<Vector3>& part) { return part.size() < 4; });
    if (parts_.size() > most_merged) return;
    std::vector<double> volume;
    for (const std::vector<Vector3>& part : parts_) volume.push_back(hull_volume(part));
    const double round_off = 1e-13 * size_ * size_ * size_;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (std::size_t j = i + 1; j < parts_.size(); ++j) {
        std::vector<Vector3> both = parts_[i];
        both.insert(both.end(), parts_[j].begin(), parts_[j].end());
        const double whole = hull_volume(both);
        if (whole > volume[i] + volume[j] + round_off) continue;
        keep_hull(both);
        parts_[i] = std::move(both);
        volume[i] = whole;
        parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(j));
        volume.erase(volume.begin() + static_cast<std::ptrdiff_t>(j));
        j = i;  // what it has become may take others
      }
    }
  }

  // Its corners alone; points within round-off of one another once.
  void keep_hull(std::vector<Vector3>& points) const {
    std::vector<Vector3> apart;
    for (const Vector3& p : points) {
      const bool known = std::any_of(apart.begin(), apart.end(), [&](const Vector3& other) {
        return (other - p).norm() <= 1e-12 * size_;
      });
      if (!known) apart.push_back(p);
    }
    const std::vector<HullTriangle> triangles = hull_triangles(apart);
    std::vector<std::uint8_t> used(apart.size(), 0);
    for (const HullTriangle& t : triangles) {
      for (const std::int32_t v : t.corner) used[index(v)] = 1;
    }
    points.clear();
    for (std::size_t i = 0; i < apart.size(); ++i) {
      if (used[i] != 0) points.push_back(apart[i]);
    }
  }

  std::string name_;
  double size_, eps_ = 0.0, convex_eps_ = 0.0, flatness_ = 0.0;
  std::vector<Face> loops_;  // [n_surface] vertices of the solid
  Polygons surface_;
  Vector3 low_ = Vector3::Constant(std::numeric_limits<double>::infinity()), high_ = -low_;
  std::vector<std::vector<Vector3>> parts_;

 public:
  double flatness() const { return flatness_; }
  static double volume_of(const std::vector<Vector3>& points) { return hull_volume(points); }
};

}  // namespace

ConvexParts decompose(const Solid& solid, double volume_tolerance) {
  ConvexParts parts;
  double flatness = 0.0;
  std::size_t begin = 0;
  for (const std::size_t end :
       solid.piece_end.empty() ? std::vector<std::size_t>{solid.faces.size()} : solid.piece_end) {
    Decomposition decomposition(solid, begin, end);
    for (std::vector<Vector3>& part : decomposition.run()) parts.corners.push_back(std::move(part));
    flatness = std::max(flatness, decomposition.flatness());
    begin = end;
  }
  double volume = 0.0;
  for (const std::vector<Vector3>& part : parts.corners) volume += Decomposition::volume_of(part);
  parts.volume_error = std::abs(volume / solid.integrals.volume - 1.0);
  // Faces that are flat within the drawing's rounding only leave as much of the volume open.
  const double rounding = 8.0 * flatness * solid.size * solid.size / solid.integrals.volume;
  if (!(parts.volume_error <= volume_tolerance + rounding)) {
    throw InputError(printable(fmt::format(
        "block '{}': its surface encloses {:.6g} m3, but {} convex parts of it have {:.6g}: it "
        "crosses itself",
        solid.name, solid.integrals.volume, parts.corners.size(), volume)));
  }
  // Splinters that rounding leaves between cuts carry nothing.
  std::erase_if(parts.corners, [&](const std::vector<Vector3>& part) {
    return Decomposition::volume_of(part) < 1e-13 * std::pow(solid.size, 3);
  });
  return parts;
}

}  // namespace scree::blocks
