#include "tools/picture/raster.hpp"

namespace scree::picture {
namespace {

// Samples of a window, with the nearest surface kept.
struct Buffer {
  const Camera& camera;
  const Window& window;
  std::vector<Sample>& samples;

  Sample& at(int x, int y) const {
    const auto columns = static_cast<std::size_t>(window.x1 - window.x0);
    return samples[static_cast<std::size_t>(y - window.y0) * columns +
                   static_cast<std::size_t>(x - window.x0)];
  }
  void keep_nearest(int x, int y, double inverse_depth, std::int32_t surface,
                    const Eigen::Vector3f& normal) const {
    Sample& sample = at(x, y);
    const auto value = static_cast<float>(inverse_depth);
    if (value > sample.inverse_depth)
      sample = {.inverse_depth = value, .surface = surface, .normal = normal};
  }
  // Ray through a sample in camera axes, with unit depth.
  Vector3 ray(double x, double y) const {
    return {(x + 0.5 - camera.half_width) / camera.focal,
            (camera.half_height - y - 0.5) / camera.focal, 1.0};
  }
};

// 1/depth of the plane normal . X = distance (camera axes) is affine in the sample's coordinates.
struct InverseDepth {
  double constant = 0.0, per_x = 0.0, per_y = 0.0;

  InverseDepth(const Buffer& buffer, const Vector3& normal, double distance) {
    const double focal = buffer.camera.focal;
    constant = normal.dot(buffer.ray(0.0, 0.0)) / distance;
    per_x = normal.x() / focal / distance;
    per_y = -normal.y() / focal / distance;
  }
  double operator()(int x, int y) const { return constant + per_x * x + per_y * y; }
};

// The part of a polygon (camera axes) in front of depth `nearest`, projected.
void project_in_front(std::span<const Vector3> polygon, double nearest, const Camera& camera,
                      std::vector<Eigen::Vector2d>& projected) {
  projected.clear();
  const auto add = [&](const Vector3& point) {
    const double scale = camera.focal / point.z();
    projected.emplace_back(camera.half_width + scale * point.x(),
                           camera.half_height - scale * point.y());
  };
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector3 &from = polygon[i], &to = polygon[(i + 1) % polygon.size()];
    if (from.z() >= nearest) add(from);
    if ((from.z() >= nearest) != (to.z() >= nearest))
      add(from + (nearest - from.z()) / (to.z() - from.z()) * (to - from));
  }
}

void draw_polyhedron(const Buffer& buffer, const Solid& solid, std::int32_t surface) {
  const double nearest = 1e-3 * buffer.camera.extent;
  std::vector<Vector3> polygon;
  std::vector<Eigen::Vector2d> projected;
  for (const std::vector<std::int32_t>& face : solid.faces) {
    polygon.clear();
    for (const std::int32_t vertex : face)
      polygon.push_back(buffer.camera.to_camera(solid.vertices[static_cast<std::size_t>(vertex)]));
    const Vector3 area_W = area_vector(solid, face);
    const Vector3 normal = buffer.camera.R_WC.transpose() * area_W;
    const double distance = normal.dot(polygon[0]);
    if (!(distance < 0.0)) continue;  // seen from behind, or without area
    project_in_front(polygon, nearest, buffer.camera, projected);
    if (projected.size() < 3) continue;
    const InverseDepth inverse_depth(buffer, normal, distance);
    const Eigen::Vector3f normal_W = area_W.normalized().cast<float>();
    fill_convex(projected, buffer.window, [&](int y, int first, int last) {
      for (int x = first; x < last; ++x)
        buffer.keep_nearest(x, y, inverse_depth(x, y), surface, normal_W);
    });
  }
}

void draw_ball(const Buffer& buffer, const Solid& ball, std::int32_t surface) {
  const Vector3 centre = buffer.camera.to_camera(ball.centre);
  const double nearest = centre.z() - ball.radius;
  if (nearest <= 1e-3 * buffer.camera.extent) return;
  const auto bound = [&](double c, double sign) {  // extreme of c / depth over the ball's box
    const double edge = c + sign * ball.radius;
    return edge * sign > 0.0 ? edge / nearest : edge / (centre.z() + ball.radius);
  };
  const Camera& camera = buffer.camera;
  const Window& window = buffer.window;
  const auto clamp_to = [](double value, int low, int high) {
    return static_cast<int>(std::clamp(value, static_cast<double>(low), static_cast<double>(high)));
  };
  const int x0 = clamp_to(camera.half_width + camera.focal * bound(centre.x(), -1.0) - 1.0,
                          window.x0, window.x1);
  const int x1 = clamp_to(camera.half_width + camera.focal * bound(centre.x(), 1.0) + 2.0,
                          window.x0, window.x1);
  const int y0 = clamp_to(camera.half_height - camera.focal * bound(centre.y(), 1.0) - 1.0,
                          window.y0, window.y1);
  const int y1 = clamp_to(camera.half_height - camera.focal * bound(centre.y(), -1.0) + 2.0,
                          window.y0, window.y1);
  const double c = centre.squaredNorm() - ball.radius * ball.radius;
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      const Vector3 ray = buffer.ray(x, y);
      const double a = ray.squaredNorm(), b = ray.dot(centre), discriminant = b * b - a * c;
      if (discriminant < 0.0) continue;
      const double depth = (b - std::sqrt(discriminant)) / a;
      const Vector3 normal = camera.R_WC * (depth * ray - centre).normalized();
      buffer.keep_nearest(x, y, 1.0 / depth, surface, normal.cast<float>());
    }
}

void draw_plane(const Buffer& buffer, const Plane& plane, std::int32_t surface) {
  const Camera& camera = buffer.camera;
  const double distance = plane.offset - plane.normal.dot(camera.eye);
  if (distance >= 0.0) return;  // the camera is behind it: left out, so that one can look in
  const InverseDepth inverse_depth(buffer, camera.R_WC.transpose() * plane.normal, distance);
  const Eigen::Vector3f normal = plane.normal.cast<float>();
  for (int y = buffer.window.y0; y < buffer.window.y1; ++y)
    for (int x = buffer.window.x0; x < buffer.window.x1; ++x)
      buffer.keep_nearest(x, y, inverse_depth(x, y), surface, normal);
}

}  // namespace

Vector3 area_vector(const Solid& solid, std::span<const std::int32_t> face) {
  const Vector3& first = solid.vertices[static_cast<std::size_t>(face[0])];
  Vector3 area = Vector3::Zero();
  for (std::size_t i = 1; i + 1 < face.size(); ++i) {
    const Vector3 a = solid.vertices[static_cast<std::size_t>(face[i])] - first;
    const Vector3 b = solid.vertices[static_cast<std::size_t>(face[i + 1])] - first;
    area += 0.5 * a.cross(b);
  }
  return area;
}

Span row_span(std::span<const Eigen::Vector2d> points, int y, const Window& window) {
  const double row = y + 0.5;
  double left = std::numeric_limits<double>::infinity(), right = -left;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Eigen::Vector2d &from = points[i], &to = points[(i + 1) % points.size()];
    if ((from.y() <= row) == (to.y() <= row)) continue;
    const double x = from.x() + (row - from.y()) / (to.y() - from.y()) * (to.x() - from.x());
    left = std::min(left, x);
    right = std::max(right, x);
  }
  if (!(left <= right)) return {};
  const double first = std::clamp<double>(std::ceil(left - 0.5), window.x0, window.x1);
  const double last = std::clamp<double>(std::ceil(right - 0.5), window.x0, window.x1);
  return {.first = static_cast<int>(first), .last = static_cast<int>(last)};
}

void rasterise(const PictureScene& scene, const Camera& camera, const Window& window,
               std::vector<Sample>& samples) {
  const auto columns = static_cast<std::size_t>(window.x1 - window.x0);
  samples.assign(columns * static_cast<std::size_t>(window.y1 - window.y0), Sample{});
  const Buffer buffer{camera, window, samples};
  for (std::size_t i = 0; i < scene.planes.size(); ++i)
    draw_plane(buffer, scene.planes[i], -2 - static_cast<std::int32_t>(i));
  for (std::size_t i = 0; i < scene.solids.size(); ++i) {
    const Solid& solid = scene.solids[i];
    const auto surface = static_cast<std::int32_t>(i);
    solid.radius > 0.0 ? draw_ball(buffer, solid, surface)
                       : draw_polyhedron(buffer, solid, surface);
  }
}

}  // namespace scree::picture
