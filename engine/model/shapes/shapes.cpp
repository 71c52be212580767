#include "engine/model/shapes/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {
namespace {

bool is_identity(const Quaternion& q) { return q.vec().isZero(0.0); }

// x_B = R^T (x_U - x), with nothing rounded by a rotation that is none.
class AxesChange {
 public:
  explicit AxesChange(const Pose& pose_UB)
      : x_(pose_UB.x),
        R_BU_(pose_UB.q.toRotationMatrix().transpose()),
        rotates_(!is_identity(pose_UB.q)) {}

  Vector3 point(const Vector3& p) const { return direction(p - x_); }
  Vector3 direction(const Vector3& d) const { return rotates_ ? Vector3(R_BU_ * d) : d; }

  Shape operator()(const Sphere& sphere) const {
    return Sphere{sphere.radius, point(sphere.centre)};
  }

  Shape operator()(const HalfSpace& half_space) const {
    return HalfSpace{direction(half_space.normal), half_space.offset - half_space.normal.dot(x_)};
  }

  Shape operator()(const CylinderWall& wall) const {
    CylinderWall moved = wall;
    moved.point = point(wall.point);
    moved.axis = direction(wall.axis);
    return moved;
  }

  Shape operator()(const PointSet& set) const {
    PointSet moved;
    for (const Vector3& p : set.points) moved.points.push_back(point(p));
    return moved;
  }

  Shape operator()(const ConvexPolyhedron& solid) const {
    ConvexPolyhedron moved = solid;
    // Far from the drawing's origin the corners are small numbers about one of their own, and stay
    // so.
    const Vector3 shift = solid.origin - x_;
    for (Vector3& v : moved.vertices) v = direction(v + shift);
    moved.origin.setZero();
    for (Vector3& d : moved.edge_directions) d = direction(d);
    for (std::int32_t f = 0; f < moved.n_faces(); ++f) {
      const auto face = static_cast<std::size_t>(f);
      moved.face_normal[face] = direction(moved.face_normal[face]);
      double offset = 0.0;
      for (const std::int32_t v : moved.face(f)) {
        offset += moved.face_normal[face].dot(moved.vertices[static_cast<std::size_t>(v)]);
      }
      moved.face_offset[face] = offset / static_cast<double>(moved.face(f).size());
    }
    return moved;
  }

 private:
  Vector3 x_;
  Matrix3 R_BU_;
  bool rotates_;
};

double largest_norm(const std::vector<Vector3>& points) {
  double largest = 0.0;
  for (const Vector3& p : points) largest = std::max(largest, p.norm());
  return largest;
}

}  // namespace

Shape to_axes(const Shape& shape, const Pose& pose_UB) {
  return std::visit(AxesChange(pose_UB), shape);
}

double bounding_radius(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape))
    return sphere->centre.norm() + sphere->radius;
  if (const auto* solid = std::get_if<ConvexPolyhedron>(&shape))
    return largest_norm(solid->vertices);
  if (const auto* set = std::get_if<PointSet>(&shape)) return largest_norm(set->points);
  return std::numeric_limits<double>::infinity();
}

const char* shape_kind(const Shape& shape) {
  if (std::holds_alternative<Sphere>(shape)) return "sphere";
  if (const auto* solid = std::get_if<ConvexPolyhedron>(&shape))
    return solid->is_box ? "box" : "polyhedron";
  if (std::holds_alternative<CylinderWall>(shape)) return "cylinder_wall";
  return std::holds_alternative<HalfSpace>(shape) ? "half_space" : "points";
}

}  // namespace scree
