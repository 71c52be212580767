#include "engine/model/shapes/shapes.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/check.hpp"
#include "engine/base/limits.hpp"

namespace scree {

void require_near(const Vector3& point, const std::string& field, const std::string& what) {
  const bool near = is_admitted_coordinate(point.x()) && is_admitted_coordinate(point.y()) &&
                    is_admitted_coordinate(point.z());
  require(near, field, what + " must have coordinates " + admitted_coordinate);
}

double largest_norm(std::span<const Vector3> points) {
  double largest = 0.0;
  for (const Vector3& p : points) largest = std::max(largest, p.norm());
  return largest;
}

Shape shape_named(const std::string& name) {
  Shape found = Sphere{};
  const auto try_one = [&]<class T>(std::in_place_type_t<T>) {
    if (name == T{}.kind()) found = T{};
  };
  [&]<class... T>(const std::variant<T...>*) {
    (try_one(std::in_place_type<T>), ...);
  }(static_cast<const Shape*>(nullptr));
  return found;
}

Surface surface_of(const Shape& shape) {
  return std::visit(
      []<class T>(const T& s) {
        if constexpr (requires { s.surface(); })
          return s.surface();
        else
          return Surface{};
      },
      shape);
}

void check_shape(const Shape& shape, const std::string& field) {
  std::visit([&](const auto& s) { s.check(field); }, shape);
}

bool same_shape(const Shape& one, const Shape& other) {
  return one.index() == other.index() &&
         std::visit([&]<class T>(const T& s) { return s.same(std::get<T>(other)); }, one);
}

Shape to_axes(const Shape& shape, const Pose& pose_UB) {
  const AxesChange change(pose_UB);
  return std::visit([&](const auto& s) -> Shape { return s.in_axes(change); }, shape);
}

double bounding_radius(const Shape& shape) {
  return std::visit([](const auto& s) { return s.bounding_radius(); }, shape);
}

const char* shape_kind(const Shape& shape) {
  return std::visit([](const auto& s) { return s.kind(); }, shape);
}

}  // namespace scree
