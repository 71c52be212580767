#include "scenes/blocks/drawn_joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/base/check.hpp"
#include "engine/base/index.hpp"
#include "engine/base/printable.hpp"
#include "scenes/blocks/triangulate.hpp"

namespace scree::blocks {
namespace {

constexpr double same_corner = 1e-6;   // [-] of the smaller block: corners of polygons that meet
constexpr double least_area = 1e-12;   // [-] of its size squared
constexpr double thickest = 0.3;       // [-] of the widest polygon of a pair
constexpr double share_of_size = 0.1;  // [-] of the smaller block
constexpr double same_side = 0.5;  // cosine: polygons that meet at less than 60 degrees are bent

// One flat convex polygon, seen from block a: its normal points to b.
struct DrawnPolygon {
  std::vector<Vector3> corners, normals;  // [m], and unit: of the surface at each corner
  Vector3 centre, normal;
  double width = 0.0;  // [m] area over the longest edge
};

struct Pair {
  std::int32_t a = -1, b = -1;
  std::vector<DrawnPolygon> polygons;
};

class Builder {
 public:
  Builder(const std::vector<Solid>& solids, double scale) : solids_(solids), scale_(scale) {
    for (std::size_t s = 0; s < solids.size(); ++s) {
      if (!solids[s].key.empty()) by_key_[solids[s].key].push_back(static_cast<std::int32_t>(s));
      by_name_[solids[s].name].push_back(static_cast<std::int32_t>(s));
    }
  }

  JointPieces build(const std::vector<DrawnJoint>& joints) {
    JointPieces pieces;
    for (const DrawnJoint& joint : joints) {
      if (!add(joint)) ++pieces.without_area;
    }
    std::vector<std::optional<ConvexParts>>& parts = pieces.parts;
    parts.resize(solids_.size());
    pieces.pairs = pairs_.size();
    for (auto& [key, pair] : pairs_) {
      pieces.polygons += pair.polygons.size();
      const double depth = orient(pair);
      bend(pair);
      for (const DrawnPolygon& polygon : pair.polygons) {
        add_piece(parts[index(pair.a)], polygon, -depth);
        add_piece(parts[index(pair.b)], polygon, depth);
      }
    }
    return pieces;
  }

 private:
  std::string text_of(std::int32_t a, std::int32_t b) const {
    return fmt::format("joint of '{}' and '{}'", printable(solids_[index(a)].name),
                       printable(solids_[index(b)].name));
  }

  std::int32_t block(const DrawnJoint& joint, const std::string& name) const {
    const std::string field =
        fmt::format("joint of '{}' and '{}'", printable(joint.a), printable(joint.b));
    for (const auto* known : {&by_key_, &by_name_}) {
      const auto found = known->find(name);
      if (found == known->end()) continue;
      require(found->second.size() == 1, field,
              fmt::format("'{}' is made of {} closed pieces; must be one", printable(name),
                          found->second.size()));
      return found->second.front();
    }
    throw InputError(fmt::format("{}: there is no block '{}'", field, printable(name)));
  }

  // False: it has no area.
  bool add(const DrawnJoint& joint) {
    std::int32_t a = block(joint, joint.a), b = block(joint, joint.b);
    require(a != b, text_of(a, b), "is one of a block with itself");
    if (a > b) std::swap(a, b);
    std::vector<Vector3> corners;
    const double size = std::min(solids_[index(a)].size, solids_[index(b)].size);
    for (const Vector3& corner : joint.corners) {
      const Vector3 p = scale_ * corner;
      if (corners.empty() || (p - corners.back()).norm() > same_corner * size) corners.push_back(p);
    }
    while (corners.size() > 1 && (corners.front() - corners.back()).norm() <= same_corner * size)
      corners.pop_back();
    Face loop(corners.size());
    for (std::size_t k = 0; k < loop.size(); ++k) loop[k] = static_cast<std::int32_t>(k);
    if (corners.size() < 3 || !(plane_of(corners, loop).area > least_area * size * size))
      return false;
    Pair& pair = pairs_[{a, b}];
    pair.a = a, pair.b = b;
    const bool whole = off_plane(corners, loop) <= 1e-5 * size && is_convex_face(corners, loop);
    for (const Face& face : whole ? std::vector<Face>{loop} : shortest_triangulation(corners, loop))
      add_polygon(pair, corners, face);
    return true;
  }

  static void add_polygon(Pair& pair, const std::vector<Vector3>& corners, const Face& face) {
    const FacePlane plane = plane_of(corners, face);
    if (!(plane.area > 0.0)) return;
    DrawnPolygon polygon;
    double longest = 0.0;
    for (std::size_t k = 0; k < face.size(); ++k) {
      const Vector3 &p = corners[index(face[k])], &q = corners[index(face[(k + 1) % face.size()])];
      polygon.corners.push_back(p);
      longest = std::max(longest, (q - p).norm());
    }
    polygon.centre = plane.point, polygon.normal = plane.normal;
    polygon.width = plane.area / longest;
    pair.polygons.push_back(std::move(polygon));
  }

  // Turns the polygons so that a lies behind and b before them. Returns the depth of the pieces
  // [m].
  double orient(Pair& pair) const {
    const Solid &a = solids_[index(pair.a)], &b = solids_[index(pair.b)];
    double depth = 0.0;
    for (const DrawnPolygon& polygon : pair.polygons)
      depth = std::max(depth, thickest * polygon.width);
    depth = std::min(depth, share_of_size * std::min(a.size, b.size));
    for (DrawnPolygon& polygon : pair.polygons) {
      const Vector3 step = depth * polygon.normal;
      const double behind_a = winding(a.vertices, a.faces, polygon.centre - step),
                   before_a = winding(a.vertices, a.faces, polygon.centre + step),
                   behind_b = winding(b.vertices, b.faces, polygon.centre - step),
                   before_b = winding(b.vertices, b.faces, polygon.centre + step);
      const double as_drawn = behind_a + before_b, turned = before_a + behind_b;
      require(std::abs(as_drawn - turned) > 0.5, text_of(pair.a, pair.b),
              fmt::format("at ({:.6g}, {:.6g}, {:.6g}) the blocks are not on two sides of it",
                          polygon.centre.x(), polygon.centre.y(), polygon.centre.z()));
      if (as_drawn > turned) continue;
      polygon.normal = -polygon.normal;
      std::reverse(polygon.corners.begin(), polygon.corners.end());
    }
    return depth;
  }

  // Normals at corners where polygons meet, so that their pieces share their sides: inner sides of
  // one body make no contacts.
  void bend(Pair& pair) const {
    const double near =
        same_corner * std::min(solids_[index(pair.a)].size, solids_[index(pair.b)].size);
    for (DrawnPolygon& polygon : pair.polygons) {
      for (const Vector3& corner : polygon.corners) {
        Vector3 sum = Vector3::Zero();
        for (const DrawnPolygon& other : pair.polygons) {
          if (other.normal.dot(polygon.normal) < same_side) continue;
          const bool meets = std::ranges::any_of(
              other.corners, [&](const Vector3& p) { return (p - corner).norm() <= near; });
          if (meets) sum += other.normal;
        }
        polygon.normals.push_back(sum.normalized());
      }
    }
  }

  static void add_piece(std::optional<ConvexParts>& parts, const DrawnPolygon& polygon,
                        double depth) {
    if (!parts) parts.emplace();
    std::vector<Vector3> corners = polygon.corners;
    for (std::size_t k = 0; k < polygon.corners.size(); ++k)
      corners.push_back(polygon.corners[k] + depth * polygon.normals[k]);
    parts->corners.push_back(std::move(corners));
  }

  const std::vector<Solid>& solids_;
  double scale_;
  std::map<std::string, std::vector<std::int32_t>> by_key_, by_name_;
  std::map<std::pair<std::int32_t, std::int32_t>, Pair> pairs_;
};

}  // namespace

JointPieces pieces_at_joints(const std::vector<Solid>& solids,
                             const std::vector<DrawnJoint>& joints, double scale) {
  return Builder(solids, scale).build(joints);
}

}  // namespace scree::blocks
