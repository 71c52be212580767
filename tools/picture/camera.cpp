#include "tools/picture/camera.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree::picture {
namespace {

constexpr double tan_half_angle = 0.22;  // half the angle of view along the shorter side
constexpr double used_share = 0.90;      // of the picture; the rest is margin

Matrix3 axes_of(const View& view) {
  const double degree = std::numbers::pi / 180.0;
  const double a = view.azimuth * degree, e = view.elevation * degree;
  Matrix3 axes;
  axes.col(0) = Vector3(-std::sin(a), std::cos(a), 0.0);
  axes.col(2) = -Vector3(std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e));
  axes.col(1) = axes.col(0).cross(axes.col(2));
  return axes;
}

// One direction of the fit: in the plane (s, depth), seen under the slope t on both sides, the apex
// that touches all balls from outside. Exact: the balls are between the lines through the apex (s0,
// d0) with slopes +t and -t.
struct Fit {
  double centre = 0.0;  // s of the apex
  double depth = 0.0;   // its depth; smaller is farther away
};

Fit fit_axis(std::span<const Framed> framed, const Matrix3& axes, int axis, double t) {
  const double slant = std::sqrt(1.0 + t * t);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Framed& ball : framed) {
    const double s = axes.col(axis).dot(ball.centre), d = axes.col(2).dot(ball.centre);
    low = std::min(low, s + t * d - slant * ball.radius);
    high = std::max(high, s - t * d + slant * ball.radius);
  }
  return {.centre = 0.5 * (low + high), .depth = -0.5 * (high - low) / t};
}

void measure_extent(std::span<const Framed> framed, Camera& camera) {
  Eigen::AlignedBox3d box;
  for (const Framed& ball : framed) {
    box.extend(ball.centre - Vector3::Constant(ball.radius));
    box.extend(ball.centre + Vector3::Constant(ball.radius));
  }
  camera.centre = box.center();
  camera.extent = std::max(0.5 * box.diagonal().norm(), 1e-9);
}

}  // namespace

Camera place_camera(const View& view, std::span<const Framed> framed, int width, int height) {
  const Framed unit{.centre = Vector3::Zero(), .radius = 1.0};
  if (framed.empty()) framed = {&unit, 1};
  Camera camera;
  camera.R_WC = axes_of(view);
  camera.half_width = 0.5 * width;
  camera.half_height = 0.5 * height;
  camera.focal = std::min(camera.half_width, camera.half_height) / tan_half_angle;
  measure_extent(framed, camera);

  const double slope_x = camera.half_width / camera.focal,
               slope_y = camera.half_height / camera.focal;
  const Fit x = fit_axis(framed, camera.R_WC, 0, slope_x * used_share);
  const Fit y = fit_axis(framed, camera.R_WC, 1, slope_y * used_share);
  Vector3 eye(x.centre, y.centre,
              std::min(x.depth, y.depth));  // in camera axes, about the world's origin
  if (view.look) {
    const Vector3 look = camera.R_WC.transpose() * *view.look;
    const double back = look.z() - eye.z();
    eye = Vector3(look.x(), look.y(), look.z() - std::max(back, 0.1 * camera.extent));
  }
  if (view.width) {
    const double depth = camera.R_WC.col(2).dot(view.look.value_or(camera.centre));
    eye.z() = depth - 0.5 * *view.width / slope_x;
  }
  camera.eye = camera.R_WC * eye;
  return camera;
}

}  // namespace scree::picture
