#include "collision/polyhedra/gjk_axis.hpp"

#include <algorithm>

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btUniformScalingShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include "collision/polyhedra/placed_part.hpp"

namespace scree::collision {
namespace {

struct Direction final : btDiscreteCollisionDetectorInterface::Result {
  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3& normal_on_b, const btVector3&, btScalar distance) override {
    if (distance > 0.0F) from_b_to_a = normal_on_b;
  }
  btVector3 from_b_to_a = btVector3(0.0F, 0.0F, 0.0F);
};

btVector3 to_bullet(const Vector3& v) {
  return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

btTransform transform_of(const Quaternion& q, const Vector3& x) {
  const btQuaternion rotation(static_cast<btScalar>(q.x()), static_cast<btScalar>(q.y()),
                              static_cast<btScalar>(q.z()), static_cast<btScalar>(q.w()));
  return btTransform(rotation, to_bullet(x));
}

}  // namespace

std::shared_ptr<btConvexHullShape> make_unit_hull(const ConvexPolyhedron& solid) {
  if (solid.n_faces() < gjk_min_faces) return nullptr;
  auto hull = std::make_shared<btConvexHullShape>();
  for (const Vector3& v : solid.vertices) hull->addPoint(to_bullet(v / solid.size), false);
  hull->setMargin(0.0F);
  return hull;
}

Vector3 gjk_axis(const PlacedPart& a, const PlacedPart& b, const Vector3& d) {
  const double scale = std::max(a.size(), b.size());
  const btUniformScalingShape shape_a(a.tables->unit_hull.get(),
                                      static_cast<btScalar>(a.size() / scale));
  const btUniformScalingShape shape_b(b.tables->unit_hull.get(),
                                      static_cast<btScalar>(b.size() / scale));
  btVoronoiSimplexSolver simplex;
  btGjkPairDetector detector(&shape_a, &shape_b, &simplex, nullptr);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = transform_of(a.q, Vector3::Zero());
  input.m_transformB = transform_of(b.q, d / scale);
  Direction result;
  detector.getClosestPoints(input, result, nullptr);
  const btVector3& n = result.from_b_to_a;
  const Vector3 axis(-static_cast<double>(n.x()), -static_cast<double>(n.y()),
                     -static_cast<double>(n.z()));
  const double length = axis.norm();
  return length > 0.5 ? Vector3(axis / length) : Vector3(Vector3::Zero());
}

}  // namespace scree::collision
