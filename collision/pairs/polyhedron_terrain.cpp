#include "collision/pairs/polyhedron_terrain.hpp"

#include "collision/pairs/closest_point.hpp"
#include "collision/pairs/patch_hull.hpp"
#include "collision/pairs/round_terrain.hpp"
#include "collision/polyhedra/tolerances.hpp"
#include "engine/base/index.hpp"
#include "engine/base/infinity.hpp"

namespace scree::collision {
namespace {

constexpr double cone_edge = 1e-9;  // [-] sines: round-off of cones
constexpr double nearly = 0.199;    // [-] sine of the angle whose cosine is same_direction

class GroundSearch {
 public:
  GroundSearch(const PairQuery& query, const Ahead& ahead, PairWork& work)
      : query_(query),
        view_(query.b, query.d()),
        solid_(query.a.solid()),
        points_(query.a.points),
        way_(way_over(query, ahead)),
        work_(work) {}

  void run() {
    work_.contacts.clear();
    find_window();
    if (low_.z() - query_.reach > view_.highest() || window_.empty()) return;
    choose_direction();
    measure_ground();
    if (!(body_low_ - query_.reach <= ground_high_)) return;
    corners();
    if (!mark_near_nodes()) return;
    const std::size_t first_of_faces = work_.contacts.size();
    list_near_edges();
    nodes_and_edges();
    if (work_.contacts.size() - first_of_faces > most_of_a_patch)
      reduce_patches(first_of_faces, query_.eps, work_);
  }

 private:
  void find_window() {
    low_ = high_ = points_[0];
    for (const Vector3& point : points_) low_ = low_.cwiseMin(point), high_ = high_.cwiseMax(point);
    const double margin = query_.reach + query_.eps;
    window_ =
        view_.cells(low_.x() - margin, low_.y() - margin, high_.x() + margin, high_.y() + margin);
    low_.array() -= margin, high_.array() += margin;
  }

  // Along which body and ground are told apart: upward from the slope of the window. Any direction
  // does; this one leaves least of a slope to be looked at.
  void choose_direction() {
    const Vector3 sw = view_.node(window_.west, window_.south),
                  se = view_.node(window_.east + 1, window_.south),
                  nw = view_.node(window_.west, window_.north + 1),
                  ne = view_.node(window_.east + 1, window_.north + 1);
    const Vector3 across = (se - nw).cross(ne - sw);
    up_ = across.allFinite() && across.z() > 0.0 ? Vector3(across.normalized()) : Vector3::UnitZ();
    body_low_ = infinity;
    for (const Vector3& point : points_) body_low_ = std::min(body_low_, up_.dot(point));
  }

  template <class Use>
  void for_each_node(Use use) const {
    for (std::int32_t i = window_.south; i <= window_.north + 1; ++i) {
      for (std::int32_t j = window_.west; j <= window_.east + 1; ++j) use(j, i);
    }
  }

  void measure_ground() {
    ground_high_ = -infinity;
    for_each_node([&](std::int32_t j, std::int32_t i) {
      const double height = up_.dot(view_.node(j, i));
      if (height > ground_high_) ground_high_ = height;
    });
  }

  bool is_near(const Vector3& point) const {
    return up_.dot(point) - query_.reach <= ground_high_ + query_.eps;
  }

  void corners() {
    for (std::size_t v = 0; v < points_.size(); ++v) {
      if (!is_near(points_[v])) continue;
      const auto number = static_cast<std::int32_t>(v);
      const std::size_t first = work_.contacts.size();
      ball_on_terrain(query_, view_, points_[v], 0.0, way_, vertex_feature(number), work_);
      // Edges and nodes of the ground are touched by a corner along the cone of both only.
      std::size_t kept = first;
      for (std::size_t k = 0; k < work_.touches.size(); ++k) {
        if (!work_.touches[k].is_face() && !corner_looks(number, work_.touches[k].n)) continue;
        work_.contacts[kept++] = work_.contacts[first + k];
      }
      work_.contacts.resize(kept);
    }
  }

  // Whether the body has nothing beyond the corner along -n.
  bool corner_looks(std::int32_t v, const Vector3& n) const {
    for (const ConvexPolyhedron::Edge& edge : solid_.edges) {
      if (edge.vertex_0 != v && edge.vertex_1 != v) continue;
      const Vector3 along =
          points_[index(edge.vertex_0 == v ? edge.vertex_1 : edge.vertex_0)] - points_[index(v)];
      if (n.dot(along) < -cone_edge * along.norm()) return false;
    }
    return true;
  }

  std::size_t place(std::int32_t j, std::int32_t i) const {
    return index((i - window_.south) * (window_.east - window_.west + 2) + j - window_.west);
  }

  bool mark_near_nodes() {
    work_.near_ground.assign(place(window_.east + 1, window_.north + 1) + 1, 0);
    const double level = body_low_ - query_.reach - query_.eps;
    bool any = false;
    for_each_node([&](std::int32_t j, std::int32_t i) {
      if (!(up_.dot(view_.node(j, i)) >= level)) return;
      work_.near_ground[place(j, i)] = 1;
      any = true;
    });
    return any;
  }

  bool is_near(std::int32_t j, std::int32_t i) const {
    return j <= window_.east + 1 && i <= window_.north + 1 && work_.near_ground[place(j, i)] != 0;
  }

  void list_near_edges() {
    work_.near_edges.clear();
    for (std::size_t e = 0; e < solid_.edges.size(); ++e) {
      const ConvexPolyhedron::Edge& edge = solid_.edges[e];
      if (is_near(points_[index(edge.vertex_0)]) || is_near(points_[index(edge.vertex_1)]))
        work_.near_edges.push_back(static_cast<std::int32_t>(e));
    }
  }

  void nodes_and_edges() {
    for_each_node([&](std::int32_t j, std::int32_t i) {
      const bool near = is_near(j, i), east = is_near(j + 1, i), north = is_near(j, i + 1);
      if (near) node_contact(j, i);
      if (near || east) edge_contacts(j, i, EdgeWay::along_x);
      if (near || north) edge_contacts(j, i, EdgeWay::along_y);
      if (near || east || north || is_near(j + 1, i + 1)) edge_contacts(j, i, EdgeWay::diagonal);
    });
  }

  bool outside_box(const Vector3& from, const Vector3& to) const {
    return (from.array() < low_.array() && to.array() < low_.array()).any() ||
           (from.array() > high_.array() && to.array() > high_.array()).any();
  }

  // m: unit, out of the ground, along which they are apart by `gap`.
  void add(Feature body, Feature ground, const Vector3& m, const Vector3& on_ground, double gap) {
    PairContact contact;
    contact.feature_a = body;
    contact.feature_b = ground;
    contact.normal = -m;
    contact.gap = gap;
    contact.point_b = on_ground;
    contact.point_a = on_ground + gap * m;
    work_.contacts.push_back(contact);
  }

  void node_contact(std::int32_t j, std::int32_t i) {
    const Vector3 at = view_.node(j, i);
    if (outside_box(at, at) || !view_.is_peaked(j, i)) return;
    double highest = -infinity;
    for (std::size_t f = 0; f < query_.a.normals.size(); ++f)
      highest = std::max(highest, height_over(query_.a, f, at));
    if (highest > query_.reach) return;
    if (highest <= query_.eps) {
      node_in_body(j, i, at);
      return;
    }
    const SurfacePoint nearest = closest_point(query_.a, at, query_.eps);
    if (nearest.distance > query_.reach) return;
    const auto kind = static_cast<FeatureKind>(nearest.feature >> 28);
    if (kind == FeatureKind::vertex) return;  // seen from the corner
    if (!view_.looks_along(j, i, -nearest.normal, kind == FeatureKind::face ? nearly : cone_edge))
      return;
    add(nearest.feature, view_.node_feature(j, i), -nearest.normal, at, nearest.distance);
  }

  // The face of least depth towards which the node looks.
  void node_in_body(std::int32_t j, std::int32_t i, const Vector3& at) {
    double highest = -infinity;
    std::size_t best = query_.a.normals.size();
    for (std::size_t f = 0; f < query_.a.normals.size(); ++f) {
      const double height = height_over(query_.a, f, at);
      if (height <= highest + query_.eps && best < query_.a.normals.size()) continue;
      if (!view_.looks_along(j, i, -query_.a.normals[f], nearly)) continue;
      highest = height, best = f;
    }
    if (best == query_.a.normals.size()) return;
    add(face_feature(static_cast<std::int32_t>(best)), view_.node_feature(j, i),
        -query_.a.normals[best], at, highest);
  }

  void edge_contacts(std::int32_t j, std::int32_t i, EdgeWay way) {
    if (!view_.has_both_sides(j, i, way)) return;
    const std::array<Vector3, 2> ends = view_.ends(j, i, way);
    if (outside_box(ends[0], ends[1]) || !view_.is_convex(j, i, way)) return;
    const GroundEdge edge = view_.edge(j, i, way);
    const Vector3 t = edge.along();
    const double t_length = t.norm();
    for (const std::int32_t e : work_.near_edges) crossing(edge, t, t_length, e);
  }

  // Where two edges cross, seen along m.
  struct Crossing {
    Vector3 m = Vector3::Zero();
    double gap = -infinity;
    double share_ground = 0.0, share_body = 0.0;
  };

  bool crosses_along(const GroundEdge& ground, const Vector3& start, const Vector3& b,
                     const Vector3& c, const Vector3& m, Crossing& found) const {
    const Vector3 t = ground.along(), from = start - ground.from;
    const double volume = m.dot(c);
    const double s = from.dot(b.cross(m)) / volume, r = from.dot(t.cross(m)) / volume;
    const double margin_s = query_.eps / t.norm(), margin_r = query_.eps / b.norm();
    if (!(s > margin_s && s < 1.0 - margin_s && r > margin_r && r < 1.0 - margin_r)) return false;
    const double gap = from.dot(c) / volume;
    if (gap > query_.reach || gap <= found.gap) return false;
    found = {m, gap, s, r};
    return true;
  }

  // Whether the ground has nothing beyond the edge along m, but for what lies along it.
  static bool ground_looks(const GroundEdge& ground, const Vector3& m) {
    const Vector3 t = ground.along();
    const Vector3 across = m - m.dot(t) / t.squaredNorm() * t;
    return across.dot(ground.side_1) <= cone_edge * ground.side_1.norm() &&
           across.dot(ground.side_2) <= cone_edge * ground.side_2.norm();
  }

  // Whether the body has nothing beyond its edge along -m. Its face 0 runs along the edge, face 1
  // against it.
  bool body_looks(const ConvexPolyhedron::Edge& edge, const Vector3& b, const Vector3& m) const {
    const double limit = -cone_edge * b.norm();
    return m.dot(query_.a.normals[index(edge.face_0)].cross(b)) >= limit &&
           m.dot(b.cross(query_.a.normals[index(edge.face_1)])) >= limit;
  }

  // Whether the lines of two edges, with c = t x b, are too far apart, or cross too far beyond an
  // end, for any direction that is told as near to c. `apart`: from . c, positive apart.
  bool is_far(const Vector3& from, const Vector3& t, double t_length, const Vector3& b,
              const Vector3& c, double c_2, double apart) const {
    // A gap along another direction is larger than that along c.
    if (apart > 0.0 && apart * apart > query_.reach * query_.reach * c_2) return true;
    constexpr double tangent = 0.25;  // [-] more than that of the angle whose cosine is
                                      // same_direction
    const double slack = tangent * std::abs(apart), slack_s = slack * b.norm(),
                 slack_r = slack * t_length;
    const double s = from.dot(b.cross(c)), r = from.dot(t.cross(c));  // times c_2
    return s < -slack_s || s > c_2 + slack_s || r < -slack_r || r > c_2 + slack_r;
  }

  void crossing(const GroundEdge& ground, const Vector3& t, double t_length, std::int32_t e) {
    const ConvexPolyhedron::Edge& edge = solid_.edges[index(e)];
    const Vector3& start = points_[index(edge.vertex_0)];
    const Vector3 b = points_[index(edge.vertex_1)] - start, from = start - ground.from;
    const Vector3 c = t.cross(b);
    const double c_2 = c.squaredNorm(), along = from.dot(c);
    if (is_far(from, t, t_length, b, c, c_2, c.z() > 0.0 ? along : -along)) return;
    const double size = c.norm();
    if (size <= parallel_edges * t_length * b.norm()) return;
    const Vector3 m = c.z() > 0.0 ? Vector3(c / size) : Vector3(-c / size);
    Crossing found;
    if (ground_looks(ground, m) && body_looks(edge, b, m)) {
      if (!crosses_along(ground, start, b, c, m, found)) return;
    } else {
      along_faces(ground, edge, start, b, c, m, found);
      if (found.gap == -infinity) return;
    }
    const Vector3 on_ground = ground.from + found.share_ground * t;
    // An edge of the ground that is deep in an edge of the body is in the body. Beyond a ridge that
    // is steep on both sides, lines cross far off along a way that neither of the two fills.
    if (found.gap < -query_.eps && !is_within(query_.a, on_ground, query_.eps)) return;
    add(edge_feature(e), ground.feature, found.m, on_ground, found.gap);
  }

  // No end of the two wedges is nearest here, but it is within reach of a face of one of them that
  // lies nearly along the other's edge.
  void along_faces(const GroundEdge& ground, const ConvexPolyhedron::Edge& edge,
                   const Vector3& start, const Vector3& b, const Vector3& c, const Vector3& m,
                   Crossing& found) const {
    for (const std::int32_t f : {edge.face_0, edge.face_1}) {
      const Vector3 n = -query_.a.normals[index(f)];
      if (n.dot(m) >= same_direction && ground_looks(ground, n))
        crosses_along(ground, start, b, c, n, found);
    }
    for (const Vector3& side : {ground.side_1, ground.side_2}) {
      Vector3 n = ground.along().cross(side).normalized();
      if (n.z() < 0.0) n = -n;
      if (n.dot(m) >= same_direction && body_looks(edge, b, n))
        crosses_along(ground, start, b, c, n, found);
    }
  }

  const PairQuery& query_;
  TerrainView view_;
  const ConvexPolyhedron& solid_;
  std::span<const Vector3> points_;
  Vector3 way_;
  PairWork& work_;
  CellWindow window_;
  Vector3 low_, high_, up_;
  double body_low_ = 0.0, ground_high_ = 0.0;
};

}  // namespace

void polyhedron_terrain(const PairQuery& query, const Ahead& ahead, CullingHint&, PairWork& work) {
  GroundSearch(query, ahead, work).run();
}

}  // namespace scree::collision
