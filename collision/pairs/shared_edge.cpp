#include "collision/pairs/shared_edge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "collision/polyhedra/tolerances.hpp"
#include "engine/base/index.hpp"

namespace scree::collision {
namespace {

// [-] Edges with less in common, of the size, meet in a corner.
constexpr double common_share = 1e-3;

// A face that parts the two, or nearly.
struct Side {
  bool of_a = true;
  std::int32_t face = -1;
  Vector3 n = Vector3::Zero();  // from a to b
  double separation = -never;   // [m]
};

template <class Use>
void for_each_face(const PairQuery& query, const AxisTable& table, Use use) {
  for (std::size_t f = 0; f < query.a.normals.size(); ++f) {
    use(Side{true, static_cast<std::int32_t>(f), query.a.normals[f], table.faces_a.separation[f]});
  }
  for (std::size_t f = 0; f < query.b.normals.size(); ++f) {
    use(Side{false, static_cast<std::int32_t>(f), -query.b.normals[f],
             table.faces_b.separation[f]});
  }
}

// The two faces, of different directions, that part the two most.
std::pair<Side, Side> best_sides(const PairQuery& query, const AxisTable& table) {
  Side best, second;
  for_each_face(query, table, [&](const Side& side) {
    if (side.separation > best.separation) best = side;
  });
  for_each_face(query, table, [&](const Side& side) {
    if (side.separation > second.separation && std::abs(side.n.dot(best.n)) <= same_direction)
      second = side;
  });
  return {best, second};
}

// The edge whose both ends reach farthest along n; -1: the body ends in a corner.
std::int32_t farthest_edge(const PlacedPart& part, const Vector3& n) {
  const auto& edges = part.solid().edges;
  double best = -never;
  std::int32_t farthest = -1;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const double reached = std::min(n.dot(part.points[index(edges[e].vertex_0)]),
                                    n.dot(part.points[index(edges[e].vertex_1)]));
    if (reached > best) best = reached, farthest = static_cast<std::int32_t>(e);
  }
  return farthest;
}

bool has_face(const ConvexPolyhedron::Edge& edge, std::int32_t face) {
  return edge.face_0 == face || edge.face_1 == face;
}

// An edge along the common direction: ends in that order, about the centre of a.
struct Line {
  std::int32_t edge = -1;
  std::array<std::int32_t, 2> vertex{};
  std::array<Vector3, 2> end{Vector3::Zero(), Vector3::Zero()};
  std::array<double, 2> along{};  // [m] of the ends, along the common direction

  Vector3 way() const { return end[1] - end[0]; }
  void order(const Vector3& t) {
    along = {t.dot(end[0]), t.dot(end[1])};
    if (along[0] <= along[1]) return;
    std::swap(along[0], along[1]), std::swap(end[0], end[1]), std::swap(vertex[0], vertex[1]);
  }
  Vector3 at(double place) const {
    return end[0] + (place - along[0]) / (along[1] - along[0]) * way();
  }
  // The corner at a place, or the edge between.
  Feature feature(double place, double tolerance) const {
    for (const std::size_t i : {0U, 1U}) {
      if (std::abs(place - along.at(i)) <= tolerance) return vertex_feature(vertex.at(i));
    }
    return edge_feature(edge);
  }
};

Line line_of(const PlacedPart& part, std::int32_t e, const Vector3& shift) {
  const ConvexPolyhedron::Edge& edge = part.solid().edges[index(e)];
  return {e,
          {edge.vertex_0, edge.vertex_1},
          {part.points[index(edge.vertex_0)] + shift, part.points[index(edge.vertex_1)] + shift},
          {}};
}

// The two edges along their common length [from, to]. Vectors from the one to the other are told
// across the common direction.
class Meeting {
 public:
  Meeting(const PairQuery& query, const Side& one, const Side& other)
      : query_(query),
        one_(one),
        other_(other),
        middle_((one_.n + other_.n).normalized()),
        // As far as faces tell corners apart (flush_distance).
        blunt_(flush_corners * query.smaller_size + (query.eps - same_place * query.smaller_size)) {
  }

  bool find() {
    const std::int32_t edge_a = farthest_edge(query_.a, middle_),
                       edge_b = farthest_edge(query_.b, -middle_);
    if (!bounds(one_, edge_a, edge_b) || !bounds(other_, edge_a, edge_b)) return false;
    a_ = line_of(query_.a, edge_a, Vector3::Zero());
    b_ = line_of(query_.b, edge_b, query_.d());
    const Vector3 u_a = a_.way().normalized();
    Vector3 u_b = b_.way().normalized();
    if (u_a.dot(u_b) < 0.0) u_b = -u_b;
    if (u_a.cross(u_b).norm() > face_for_edges) return false;
    along_ = (u_a + u_b).normalized();
    a_.order(along_), b_.order(along_);
    from_ = std::max(a_.along[0], b_.along[0]), to_ = std::min(a_.along[1], b_.along[1]);
    if (to_ - from_ < common_share * query_.smaller_size) return false;
    return set_normal();
  }

  // Whether the two are far deeper along the normal than below one of the faces: what has slid off
  // the edge, over that face.
  bool has_slid_off() const {
    constexpr double far = 5.0;
    const double face = std::max(one_.separation, other_.separation);
    const double gap = std::min({gap_at(from_), gap_at(to_), gap_at(nearest_)});
    return gap < far * (std::min(face, 0.0) - blunt_);
  }

  void add_contacts(PairWork& work) const {
    work.contacts.clear();
    add(from_, work);
    add(to_, work);
    // Where the two cross they may be nearer than at the ends.
    const double gap = gap_at(nearest_);
    if (gap_at(from_) > gap + query_.eps && gap_at(to_) > gap + query_.eps) add(nearest_, work);
  }

 private:
  bool bounds(const Side& side, std::int32_t edge_a, std::int32_t edge_b) const {
    return side.of_a ? has_face(query_.a.solid().edges[index(edge_a)], side.face)
                     : has_face(query_.b.solid().edges[index(edge_b)], side.face);
  }

  Vector3 across(const Vector3& r) const { return r - along_.dot(r) * along_; }
  Vector3 between(double place) const { return across(b_.at(place) - a_.at(place)); }

  // Where two nearly parallel edges are nearest, their distance has the direction of the touch, as
  // long as the faces about them admit it; nearer than edges are blunt, and where they overlap, it
  // is the middle between the faces when they are parallel, and the normal of their crossing
  // otherwise. A direction of the overlap itself would let one edge go round the other.
  bool set_normal() {
    const Vector3 spread = between(to_) - between(from_);
    const double square = spread.squaredNorm();
    const double share = square > 0.0 ? -spread.dot(between(from_)) / square : 0.5;
    nearest_ = from_ + std::clamp(share, 0.0, 1.0) * (to_ - from_);
    const Vector3 r = between(nearest_);
    const bool apart = std::max(one_.n.dot(r), other_.n.dot(r)) >= 0.0;
    if (outside(apart ? r : Vector3(-r)) > blunt_) return false;
    Vector3 crossing = along_.cross(spread);
    if (crossing.dot(middle_) < 0.0) crossing = -crossing;
    const double sideways = std::min(0.5 * std::sqrt(square) / blunt_, 1.0);
    normal_ = blunt_ * (1.0 - sideways) * middle_ + 0.5 * sideways * crossing;
    if (apart) normal_ += r;
    bring_between_faces();
    return (spread - normal_.dot(spread) * normal_).norm() <= 2.0 * blunt_;
  }

  // Of the directions between those of the two faces: one + w (other - one), 0 <= w <= 1.
  void bring_between_faces() {
    const Vector3 towards = along_.cross(middle_);
    const double up = middle_.dot(normal_), side = towards.dot(normal_);
    const double to_one = towards.dot(one_.n) / middle_.dot(one_.n),
                 to_other = towards.dot(other_.n) / middle_.dot(other_.n);
    const double least = std::min(to_one, to_other), most = std::max(to_one, to_other);
    const double slope = up > 0.0 ? std::clamp(side / up, least, most) : side < 0.0 ? least : most;
    normal_ = (middle_ + slope * towards).normalized();
  }

  // [m] By how much a way lies beside the directions between those of the two faces.
  double outside(const Vector3& way) const {
    double most = 0.0;
    for (const Vector3& n : {one_.n, other_.n}) {
      Vector3 beside = along_.cross(n);
      if (beside.dot(middle_) > 0.0) beside = -beside;
      most = std::max(most, beside.dot(way));
    }
    return most;
  }

  // [m] Along the normal, to the face that bounds the two there.
  double gap_at(double place) const {
    const Vector3 r = b_.at(place) - a_.at(place);
    return std::max(one_.n.dot(r) / one_.n.dot(normal_), other_.n.dot(r) / other_.n.dot(normal_));
  }

  void add(double place, PairWork& work) const {
    PairContact contact;
    contact.gap = gap_at(place);
    if (contact.gap > query_.reach) return;
    contact.feature_a = a_.feature(place, blunt_), contact.feature_b = b_.feature(place, blunt_);
    contact.normal = normal_;
    const Vector3 between = 0.5 * (a_.at(place) + b_.at(place));
    contact.point_a = between - 0.5 * contact.gap * normal_;
    contact.point_b = between + 0.5 * contact.gap * normal_;
    work.contacts.push_back(contact);
  }

  const PairQuery& query_;
  const Side& one_;
  const Side& other_;
  Vector3 middle_;  // between the faces
  double blunt_;    // [m]
  Line a_, b_;
  Vector3 along_ = Vector3::Zero(), normal_ = Vector3::Zero();
  double from_ = 0.0, to_ = 0.0, nearest_ = 0.0;  // [m] along the common direction
};

}  // namespace

bool shared_edge_contacts(const PairQuery& query, PairWork& work) {
  // Deeper, or farther apart along one of the two, edges do not lie along each other.
  constexpr double deepest = 1e-2, unevenness = 1e-2;
  const auto [one, other] = best_sides(query, work.axes);
  if (one.face < 0 || other.face < 0) return false;
  if (one.separation < -deepest * query.smaller_size ||
      other.separation < one.separation - unevenness * query.smaller_size)
    return false;
  Meeting meeting(query, one, other);
  if (!meeting.find() || meeting.has_slid_off()) return false;
  if (are_flush_neighbours(query, work.axes, other.separation)) return false;
  meeting.add_contacts(work);
  return true;
}

bool are_flush_neighbours(const PairQuery& query, const AxisTable& table, double limit) {
  bool flush = true;
  for_each_face(query, table, [&](const Side& side) {
    if (side.separation < limit || !flush) return;
    const std::span<const Vector3> others = side.of_a ? query.b.normals : query.a.normals;
    const double sign = side.of_a ? -1.0 : 1.0;
    flush = std::any_of(others.begin(), others.end(), [&](const Vector3& m) {
      return (sign * m - side.n).squaredNorm() <= face_for_edges * face_for_edges;
    });
  });
  return flush;
}

}  // namespace scree::collision
