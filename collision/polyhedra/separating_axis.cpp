#include "collision/polyhedra/separating_axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/polyhedra/tolerances.hpp"
#include "engine/base/infinity.hpp"
#include "engine/base/lanes.hpp"

namespace scree::collision {
namespace {

double lowest(std::span<const Vector3> points, const Vector3& n) {
  double low = n.dot(points[0]);
  for (std::size_t i = 1; i < points.size(); ++i) low = std::min(low, n.dot(points[i]));
  return low;
}

// The points of a part, coordinate by coordinate in fours; the last one fills up.
void sort_coordinates(const PlacedPart& part, FaceTable& table) {
  const std::size_t n = part.points.size(), n_fours = (n + n_lanes - 1) / n_lanes;
  table.coordinates.resize(3 * n_lanes * n_fours);
  table.most.resize(n_lanes * n_fours);
  double* to = table.coordinates.data();
  for (std::size_t four = 0; four < n_fours; ++four) {
    for (std::size_t lane = 0; lane < n_lanes; ++lane, ++to) {
      const Vector3& point = part.points[std::min(n_lanes * four + lane, n - 1)];
      to[0] = point.x(), to[n_lanes] = point.y(), to[2 * n_lanes] = point.z();
    }
    to += 2 * n_lanes;
  }
}

// Separations of the sorted points from the faces of `owner`, and the largest signed distance of
// each point; returns the first face that separates by more than the cutoff, else -1.
[[gnu::always_inline]] inline std::int32_t separate(const PlacedPart& owner, const Vector3& d,
                                                    double cutoff, FaceTable& table) {
  const double* offset = owner.solid().face_offset.data();
  const std::size_t n_fours = table.most.size() / n_lanes;
  std::fill(table.most.begin(), table.most.end(), -infinity);
  for (std::size_t f = 0; f < owner.normals.size(); ++f) {
    const Vector3& n = owner.normals[f];
    const double nx = n.x(), ny = n.y(), nz = n.z(), shift = n.dot(d) - offset[f];
    Lanes low = {infinity, infinity, infinity, infinity};
    for (std::size_t four = 0; four < n_fours; ++four) {
      Lanes x, y, z, most;
      const double* from = table.coordinates.data() + 3 * n_lanes * four;
      load_lanes(x, from), load_lanes(y, from + n_lanes), load_lanes(z, from + 2 * n_lanes);
      load_lanes(most, table.most.data() + n_lanes * four);
      const Lanes height = nx * x + ny * y + nz * z, distance = height + shift;
      low = height < low ? height : low;
      most = distance > most ? distance : most;
      store_lanes(table.most.data() + n_lanes * four, most);
    }
    table.separation[f] = std::min(std::min(low[0], low[1]), std::min(low[2], low[3])) + shift;
    if (table.separation[f] > cutoff) return static_cast<std::int32_t>(f);
  }
  return -1;
}

// Separations of `other` from the faces of `owner`; d = x_other - x_owner. Stops at the first above
// the cutoff and returns its index, else -1.
std::int32_t face_separations(const PlacedPart& owner, const PlacedPart& other, const Vector3& d,
                              double cutoff, FaceTable& table) {
  table.separation.resize(owner.normals.size());
  sort_coordinates(other, table);
  std::int32_t apart = -1;
  run_widest([&]() __attribute__((always_inline)) { apart = separate(owner, d, cutoff, table); });
  return apart;
}

// side[k * n_faces + f]: does face normal f of `faces` point along edge direction k of `edges`? For
// the directions and the faces wanted, by their numbers among themselves.
void find_sides(const PlacedPart& edges, const EdgeTable& wanted, const PlacedPart& faces,
                EdgeTable& table) {
  const std::size_t n_faces = table.faces.size();
  table.side.resize(wanted.n_directions * n_faces);
  for (std::size_t k = 0; k < edges.directions.size(); ++k) {
    if (wanted.direction[k] < 0) continue;
    std::uint8_t* side =
        table.side.data() + static_cast<std::size_t>(wanted.direction[k]) * n_faces;
    for (const std::int32_t face : table.faces) {
      *side++ =
          edges.directions[k].dot(faces.normals[static_cast<std::size_t>(face)]) > 0.0 ? 1 : 0;
    }
  }
}

// Marks the edges of `owner` that may part it from `other` by more than `floor`, their directions
// and their faces. The normal of a pair of edges is n = s n_0 + t n_1 with the normals of the
// edge's faces, s, t >= 0 and s + t >= 1, and along it no point q of the other body is nearer than
// the two are apart: separation <= n . (q - p) <= max(n_0 . (q - p), n_1 . (q - p)) for p on the
// edge, when that is negative; these are the heights of q above the two faces. With q the point
// that lies deepest in the owner, few edges are left: those of the faces about it.
void find_facing_edges(const PlacedPart& owner, const PlacedPart& other, const Vector3& d,
                       double floor, FaceTable& faces, EdgeTable& table) {
  const auto first = faces.most.begin(),
             last = first + static_cast<std::ptrdiff_t>(other.points.size());
  const Vector3 q =
      d + other.points[static_cast<std::size_t>(std::min_element(first, last) - first)];
  faces.height.resize(owner.normals.size());
  for (std::size_t f = 0; f < owner.normals.size(); ++f) faces.height[f] = height_over(owner, f, q);
  const auto& edges = owner.solid().edges;
  table.edges.clear(), table.faces.clear();
  table.facing.assign(edges.size(), 0);
  table.n_directions = 0;
  table.direction.assign(owner.directions.size(), -1);
  table.face.assign(owner.normals.size(), -1);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto face_0 = static_cast<std::size_t>(edges[e].face_0),
               face_1 = static_cast<std::size_t>(edges[e].face_1);
    if (std::max(faces.height[face_0], faces.height[face_1]) <= std::min(floor, 0.0)) continue;
    table.facing[e] = 1;
    table.edges.push_back(static_cast<std::int32_t>(e));
    std::int32_t& direction =
        table.direction[static_cast<std::size_t>(owner.tables->edge_direction[e])];
    if (direction < 0) direction = static_cast<std::int32_t>(table.n_directions++);
    for (const std::int32_t face : {edges[e].face_0, edges[e].face_1}) {
      std::int32_t& number = table.face[static_cast<std::size_t>(face)];
      if (number >= 0) continue;
      number = static_cast<std::int32_t>(table.faces.size());
      table.faces.push_back(face);
    }
  }
}

bool is_barred(const Vector3& n, const AxisTable& table) {
  return std::any_of(table.barred.begin(), table.barred.end(),
                     [&](const Vector3& hidden) { return n.dot(hidden) > same_place; });
}

// `sign`: -1 for the faces of b.
void bar_faces(std::span<const Vector3> normals, double sign, const AxisTable& table,
               FaceTable& faces) {
  for (std::size_t f = 0; f < normals.size(); ++f) {
    if (is_barred(sign * normals[f], table))
      faces.separation[f] = -std::numeric_limits<double>::infinity();
  }
}

struct EdgeSearch {
  const PlacedPart& a;
  const PlacedPart& b;
  const Vector3& d;
  double floor;  // an edge pair must separate more than this
  double tie;
  AxisTable& table;

  // A pair of edges is a face of the Minkowski difference when the arc of a's normals crosses that
  // of -b's normals: b's normals lie on both sides of edge a, a's on both sides of edge b, and on
  // the matching sides.
  void run() {
    // A tie lower, so that round-off never decides.
    find_facing_edges(a, b, d, floor - 2.0 * tie, table.faces_a, table.edges_a);
    find_facing_edges(b, a, -d, floor - 2.0 * tie, table.faces_b, table.edges_b);
    find_sides(a, table.edges_a, b, table.edges_b);
    find_sides(b, table.edges_b, a, table.edges_a);
    for (std::size_t k = 0; k < a.directions.size(); ++k) {
      if (table.edges_a.direction[k] < 0) continue;
      const std::uint8_t* side_b = sides_of(table.edges_b, table.edges_a.direction[k]);
      for (const std::int32_t edge_b : table.edges_b.edges) {
        const ConvexPolyhedron::Edge& edge = b.solid().edges[static_cast<std::size_t>(edge_b)];
        const bool positive = side_b[number_of(table.edges_b, edge.face_0)] != 0;
        if (positive != (side_b[number_of(table.edges_b, edge.face_1)] != 0))
          try_group(k, static_cast<std::size_t>(edge_b), positive);
      }
    }
  }

  static const std::uint8_t* sides_of(const EdgeTable& edges, std::int32_t direction) {
    return edges.side.data() + static_cast<std::size_t>(direction) * edges.faces.size();
  }
  static std::size_t number_of(const EdgeTable& edges, std::int32_t face) {
    return static_cast<std::size_t>(edges.face[static_cast<std::size_t>(face)]);
  }

  void try_group(std::size_t k, std::size_t j, bool side_of_b) {
    const ShapeTables& tables = *a.tables;
    const auto l = static_cast<std::size_t>(b.tables->edge_direction[j]);
    const std::uint8_t* side_a = sides_of(table.edges_a, table.edges_b.direction[l]);
    for (std::int32_t g = tables.group_begin[k]; g < tables.group_begin[k + 1]; ++g) {
      const auto i = static_cast<std::size_t>(tables.group_edges[static_cast<std::size_t>(g)]);
      if (table.edges_a.facing[i] == 0) continue;
      const ConvexPolyhedron::Edge& edge = a.solid().edges[i];
      const bool side_of_a = side_a[number_of(table.edges_a, edge.face_1)] != 0;
      if (side_of_a == (side_a[number_of(table.edges_a, edge.face_0)] != 0)) continue;
      const bool flipped = tables.edge_sign[i] * b.tables->edge_sign[j] < 0.0;
      if ((side_of_a == side_of_b) != flipped) continue;
      evaluate(i, j, k, l);
    }
  }

  void evaluate(std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    const Vector3 cross = a.directions[k].cross(b.directions[l]);
    const double square = cross.squaredNorm();
    if (square < parallel_edges * parallel_edges) return;
    const ConvexPolyhedron::Edge& edge_a = a.solid().edges[i];
    const ConvexPolyhedron::Edge& edge_b = b.solid().edges[j];
    const auto face_0 = static_cast<std::size_t>(edge_a.face_0),
               face_1 = static_cast<std::size_t>(edge_a.face_1);
    const double sign = cross.dot(a.normals[face_0] + a.normals[face_1]) < 0.0 ? -1.0 : 1.0;
    const Vector3 between = b.points[static_cast<std::size_t>(edge_b.vertex_0)] + d -
                            a.points[static_cast<std::size_t>(edge_a.vertex_0)];
    const double scaled = sign * cross.dot(between);
    const double limit = std::max(floor, table.edges.separation);
    if (scaled <= 0.0 && limit >= 0.0) return;
    const double length = std::sqrt(square);
    if (scaled <= limit * length) return;
    if (is_barred(cross * (sign / length), table)) return;
    table.edges = {AxisKind::edges, static_cast<std::int32_t>(i), static_cast<std::int32_t>(j),
                   cross * (sign / length), scaled / length};
  }
};

// Which of two bodies gives the face when nothing else decides: symmetric under exchange.
bool a_comes_first(const Vector3& d, double tie) {
  for (int i = 0; i < 3; ++i) {
    if (std::abs(d(i)) > tie) return d(i) > 0.0;
  }
  return d.x() > 0.0 || (d.x() == 0.0 && (d.y() > 0.0 || (d.y() == 0.0 && d.z() >= 0.0)));
}

struct FacePick {
  std::int32_t face = -1;
  double area = 0.0;
};

// Largest of the faces that separate by at least `limit`; the lower index when equal.
FacePick largest_face(const std::vector<double>& separations, const std::vector<double>& areas,
                      double limit) {
  FacePick pick;
  for (std::size_t f = 0; f < separations.size(); ++f) {
    if (separations[f] < limit) continue;
    if (pick.face < 0 || areas[f] > pick.area * (1.0 + same_place))
      pick = {static_cast<std::int32_t>(f), areas[f]};
  }
  return pick;
}

}  // namespace

double separation_along(const PlacedPart& a, const PlacedPart& b, const Vector3& d,
                        const Vector3& n) {
  return n.dot(d) + lowest(b.points, n) + lowest(a.points, -n);
}

Axis face_axis(const PlacedPart& a, const PlacedPart& b, AxisKind kind, std::int32_t face,
               const AxisTable& table) {
  const auto f = static_cast<std::size_t>(face);
  if (kind == AxisKind::face_a) return {kind, face, -1, a.normals[f], table.faces_a.separation[f]};
  return {kind, -1, face, -b.normals[f], table.faces_b.separation[f]};
}

Axis find_axes(const PlacedPart& a, const PlacedPart& b, const Vector3& d, double cutoff,
               double tie, AxisTable& table) {
  table.edges = Axis{};
  if (!table.barred.empty()) cutoff = std::numeric_limits<double>::infinity();
  const std::int32_t apart_a = face_separations(a, b, d, cutoff, table.faces_a);
  if (apart_a >= 0) return face_axis(a, b, AxisKind::face_a, apart_a, table);
  const std::int32_t apart_b = face_separations(b, a, -d, cutoff, table.faces_b);
  if (apart_b >= 0) return face_axis(a, b, AxisKind::face_b, apart_b, table);
  if (!table.barred.empty()) {
    bar_faces(a.normals, 1.0, table, table.faces_a);
    bar_faces(b.normals, -1.0, table, table.faces_b);
  }
  const double best_face = std::max(table.faces_a.largest(), table.faces_b.largest());
  EdgeSearch{a, b, d, best_face + tie, tie, table}.run();
  return table.edges.separation > cutoff ? table.edges : Axis{};
}

void find_face_separations(const PlacedPart& a, const PlacedPart& b, const Vector3& d,
                           AxisTable& table) {
  table.edges = Axis{};
  face_separations(a, b, d, never, table.faces_a);
  face_separations(b, a, -d, never, table.faces_b);
}

Vector3 edge_pair_normal(const PlacedPart& a, std::int32_t edge_a, const PlacedPart& b,
                         std::int32_t edge_b) {
  const auto k =
      static_cast<std::size_t>(a.tables->edge_direction[static_cast<std::size_t>(edge_a)]);
  const auto l =
      static_cast<std::size_t>(b.tables->edge_direction[static_cast<std::size_t>(edge_b)]);
  const Vector3 cross = a.directions[k].cross(b.directions[l]);
  const double length = cross.norm();
  if (length < parallel_edges) return Vector3::Zero();
  const ConvexPolyhedron::Edge& edge = a.solid().edges[static_cast<std::size_t>(edge_a)];
  const Vector3 outward = a.normals[static_cast<std::size_t>(edge.face_0)] +
                          a.normals[static_cast<std::size_t>(edge.face_1)];
  return cross * ((cross.dot(outward) < 0.0 ? -1.0 : 1.0) / length);
}

Axis choose_axis(const PlacedPart& a, const PlacedPart& b, const Vector3& d, double tie,
                 const AxisTable& table) {
  if (table.edges.index_a >= 0) return table.edges;
  const double best = std::max(table.faces_a.largest(), table.faces_b.largest());
  const FacePick pick_a = largest_face(table.faces_a.separation, a.solid().face_area, best - tie);
  const FacePick pick_b = largest_face(table.faces_b.separation, b.solid().face_area, best - tie);
  bool use_a = pick_a.face >= 0;
  if (pick_a.face >= 0 && pick_b.face >= 0) {
    const double margin = same_place * std::max(pick_a.area, pick_b.area);
    use_a = std::abs(pick_a.area - pick_b.area) > margin ? pick_a.area > pick_b.area
                                                         : a_comes_first(d, tie);
  }
  return use_a ? face_axis(a, b, AxisKind::face_a, pick_a.face, table)
               : face_axis(a, b, AxisKind::face_b, pick_b.face, table);
}

}  // namespace scree::collision
