#include "tools/picture/shadows.hpp"

#include <numbers>

#include "tools/picture/raster.hpp"

namespace scree::picture {
namespace {

constexpr int sun_resolution = 1400, sky_resolution = 420;
constexpr int sky_directions_per_set = 5;
constexpr double sun_radius = 0.035;  // [rad] wider than the real one: softer shadows
constexpr double golden_angle = 2.399963229728653;

Vector3 any_normal_to(const Vector3& axis) {
  const Vector3 helper = std::abs(axis.z()) < 0.9 ? Vector3::UnitZ() : Vector3::UnitX();
  return axis.cross(helper).normalized();
}

}  // namespace

DepthMap::DepthMap(const PictureScene& scene, const Vector3& towards_light, const Vector3& centre,
                   double extent, int resolution)
    : centre_(centre),
      cells_per_metre_(0.5 * resolution / extent),
      resolution_(resolution),
      height_(static_cast<std::size_t>(resolution) * static_cast<std::size_t>(resolution),
              -std::numeric_limits<float>::infinity()) {
  axes_[2] = towards_light;
  axes_[0] = any_normal_to(towards_light);
  axes_[1] = axes_[2].cross(axes_[0]);
  for (const Solid& solid : scene.solids)
    solid.radius > 0.0 ? add_ball(solid) : add_polyhedron(solid);
}

Eigen::Vector2d DepthMap::to_cell(const Vector3& point) const {
  const Vector3 arm = point - centre_;
  const double half = 0.5 * resolution_;
  return {half + cells_per_metre_ * axes_[0].dot(arm), half + cells_per_metre_ * axes_[1].dot(arm)};
}

void DepthMap::keep_highest(int x, int y, double height) {
  float& cell = height_[static_cast<std::size_t>(y) * static_cast<std::size_t>(resolution_) +
                        static_cast<std::size_t>(x)];
  cell = std::max(cell, static_cast<float>(height));
}

void DepthMap::add_polyhedron(const Solid& solid) {
  const Window window{0, resolution_, 0, resolution_};
  std::vector<Eigen::Vector2d> polygon;
  for (const std::vector<std::int32_t>& face : solid.faces) {
    const Vector3 normal = area_vector(solid, face);
    const double facing = normal.dot(axes_[2]);
    if (!(facing > 0.0)) continue;
    polygon.clear();
    for (const std::int32_t vertex : face)
      polygon.push_back(to_cell(solid.vertices[static_cast<std::size_t>(vertex)]));
    // On the face, the height is affine in the cell's coordinates.
    const Vector3& on_face = solid.vertices[static_cast<std::size_t>(face[0])];
    const double per_x = -normal.dot(axes_[0]) / facing / cells_per_metre_;
    const double per_y = -normal.dot(axes_[1]) / facing / cells_per_metre_;
    const double base =
        axes_[2].dot(on_face - centre_) - per_x * polygon[0].x() - per_y * polygon[0].y();
    fill_convex(polygon, window, [&](int y, int first, int last) {
      for (int x = first; x < last; ++x)
        keep_highest(x, y, base + per_x * (x + 0.5) + per_y * (y + 0.5));
    });
  }
}

void DepthMap::add_ball(const Solid& ball) {
  const Eigen::Vector2d middle = to_cell(ball.centre);
  const double reach = ball.radius * cells_per_metre_, top = axes_[2].dot(ball.centre - centre_);
  const auto clamp_cell = [this](double value) {
    return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(resolution_)));
  };
  for (int y = clamp_cell(middle.y() - reach); y < clamp_cell(middle.y() + reach + 1.0); ++y)
    for (int x = clamp_cell(middle.x() - reach); x < clamp_cell(middle.x() + reach + 1.0); ++x) {
      const Eigen::Vector2d offset =
          (Eigen::Vector2d(x + 0.5, y + 0.5) - middle) / cells_per_metre_;
      const double rest = ball.radius * ball.radius - offset.squaredNorm();
      if (rest > 0.0) keep_highest(x, y, top + std::sqrt(rest));
    }
}

bool DepthMap::sees_light(const Vector3& point, const Vector3& normal) const {
  const double cell = 1.0 / cells_per_metre_;
  const Vector3 lifted = point + 1.5 * cell * normal;  // off its own surface
  const Eigen::Vector2d at = to_cell(lifted);
  if (!(at.x() >= 0.0 && at.y() >= 0.0 && at.x() < resolution_ && at.y() < resolution_))
    return true;
  const auto x = static_cast<std::size_t>(at.x()), y = static_cast<std::size_t>(at.y());
  return height_[y * static_cast<std::size_t>(resolution_) + x] <=
         axes_[2].dot(lifted - centre_) + 0.5 * cell;
}

std::vector<LightSet> make_lights(const PictureScene& scene, const Camera& camera,
                                  const Vector3& sun, int n_sets) {
  const double reach = 1.02 * camera.extent;
  const Vector3 across = any_normal_to(sun), along = sun.cross(across);
  const int n_sky = n_sets * sky_directions_per_set;
  std::vector<LightSet> lights;
  lights.reserve(static_cast<std::size_t>(n_sets));
  for (int set = 0; set < n_sets; ++set) {
    const double r = sun_radius * std::sqrt((set + 0.5) / n_sets), angle = golden_angle * set;
    const Vector3 towards =
        (sun + r * std::cos(angle) * across + r * std::sin(angle) * along).normalized();
    LightSet light{.sun = DepthMap(scene, towards, camera.centre, reach, sun_resolution),
                   .sky = {}};
    for (int i = 0; i < sky_directions_per_set; ++i) {
      const int k = i * n_sets + set;  // spread over the sky within each set as well
      const double up = (k + 0.5) / n_sky, flat = std::sqrt(1.0 - up * up), turn = golden_angle * k;
      light.sky.emplace_back(scene, Vector3(flat * std::cos(turn), flat * std::sin(turn), up),
                             camera.centre, reach, sky_resolution);
    }
    lights.push_back(std::move(light));
  }
  return lights;
}

}  // namespace scree::picture
