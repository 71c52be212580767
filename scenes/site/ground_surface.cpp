#include "scenes/site/ground_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/infinity.hpp"

namespace scree::site {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

template <class Use>
void for_each_part(const Model& model, std::size_t i, Use&& use) {
  for (std::int32_t p = model.part_begin[i]; p < model.part_begin[i + 1]; ++p)
    use(model.shapes[static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(p)])]);
}

}  // namespace

bool GroundSurface::can_be(const Model& model, BodyIndex body) {
  const auto i = static_cast<std::size_t>(body);
  if (model.kind[i] != BodyKind::fixed || std::isfinite(model.vanishes_at[i]) ||
      std::isfinite(model.appears_at[i]))
    return false;
  bool all = true;
  for_each_part(model, i, [&](const Shape& shape) {
    all = all && (std::holds_alternative<HalfSpace>(shape) ||
                  std::holds_alternative<ConvexPolyhedron>(shape) ||
                  std::holds_alternative<Terrain>(shape));
  });
  return all;
}

GroundSurface::GroundSurface(const Model& model, const State& state,
                             std::span<const BodyIndex> ground)
    : low_(infinity, infinity, infinity), high_(-infinity, -infinity, -infinity) {
  for (const BodyIndex body : ground) {
    const auto i = static_cast<std::size_t>(body);
    for_each_part(model, i, [&](const Shape& shape) { add(shape, Pose{state.x[i], state.q[i]}); });
  }
}

// The body that owns a terrain does not turn.
void GroundSurface::add(const Terrain& terrain, const Vector3& place) {
  const Raster& raster = terrain.raster();
  const Vector3 shift = terrain.shift + place;
  const Vector3 low = shift + Vector3(raster.x, raster.y, terrain.ground->lowest),
                high = shift + Vector3(raster.x_end(), raster.y_end(), terrain.ground->highest);
  low_ = low_.cwiseMin(low), high_ = high_.cwiseMax(high);
  fields_.push_back({terrain.ground, shift});
}

void GroundSurface::add(const Shape& shape, const Pose& pose) {
  if (const auto* terrain = std::get_if<Terrain>(&shape)) return add(*terrain, pose.x);
  Solid solid;
  const Matrix3 R = pose.q.toRotationMatrix();
  if (const auto* plane = std::get_if<HalfSpace>(&shape)) {
    solid.normal.push_back(R * plane->normal);
    if (!(solid.normal[0].z() > 0.0)) return;  // a wall or a ceiling has no upper surface
    solid.offset.push_back(plane->offset + solid.normal[0].dot(pose.x));
    solid.low.setConstant(-infinity), solid.high.setConstant(infinity);
  } else if (const auto* body = std::get_if<ConvexPolyhedron>(&shape)) {
    solid.low.setConstant(infinity), solid.high.setConstant(-infinity);
    for (const Vector3& vertex : body->vertices) {
      const Vector3 x = R * vertex + pose.x;
      solid.low = solid.low.cwiseMin(x), solid.high = solid.high.cwiseMax(x);
    }
    for (std::size_t f = 0; f < body->face_normal.size(); ++f) {
      solid.normal.push_back(R * body->face_normal[f]);
      solid.offset.push_back(body->face_offset[f] + solid.normal.back().dot(pose.x));
    }
  }
  low_ = low_.cwiseMin(solid.low), high_ = high_.cwiseMax(solid.high);
  solids_.push_back(std::move(solid));
}

void GroundSurface::raise_to_solids(double x, double y, Point& best) const {
  for (const Solid& solid : solids_) {
    if (x < solid.low.x() || x > solid.high.x() || y < solid.low.y() || y > solid.high.y())
      continue;
    // The vertical line through (x, y) is inside between `bottom` and `top`.
    double top = infinity, bottom = -infinity;
    Vector3 normal = Vector3::UnitZ();
    for (std::size_t f = 0; f < solid.normal.size(); ++f) {
      const Vector3& n = solid.normal[f];
      const double rest = solid.offset[f] - n.x() * x - n.y() * y;
      if (n.z() > 0.0 && rest / n.z() < top) {
        top = rest / n.z(), normal = n;
      } else if (n.z() < 0.0) {
        bottom = std::max(bottom, rest / n.z());
      } else if (n.z() == 0.0 && rest < 0.0) {
        top = -infinity;
      }
    }
    if (top < bottom || !std::isfinite(top)) continue;
    if (!(best.height >= top)) best = {top, normal};
  }
}

const GroundSurface::Field* GroundSurface::raise_to_fields(double x, double y, Point& best) const {
  const Field* highest = nullptr;
  for (const Field& field : fields_) {
    const double height =
        ground_height(field.ground->raster, x - field.shift.x(), y - field.shift.y()) +
        field.shift.z();
    if (!std::isnan(height) && !(best.height >= height)) best.height = height, highest = &field;
  }
  return highest;
}

GroundSurface::Point GroundSurface::at(double x, double y) const {
  Point best{nothing, Vector3::UnitZ()};
  raise_to_solids(x, y, best);
  if (const Field* field = raise_to_fields(x, y, best)) {
    best.normal =
        ground_at(field->ground->raster, x - field->shift.x(), y - field->shift.y()).normal;
  }
  return best;
}

double GroundSurface::height(double x, double y) const {
  Point best{nothing, Vector3::UnitZ()};
  raise_to_solids(x, y, best);
  raise_to_fields(x, y, best);
  return best.height;
}

}  // namespace scree::site
