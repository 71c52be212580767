#include "tools/picture/render.hpp"

#include <algorithm>
#include <cmath>

#include "engine/base/executor.hpp"
#include "tools/picture/raster.hpp"
#include "tools/picture/shadows.hpp"

namespace scree::picture {
namespace {

constexpr int n_sub = 3;        // samples per pixel in each direction
constexpr int strip_rows = 24;  // pixel rows rendered together
constexpr int margin = 2;       // samples around a strip, for outlines
constexpr float sun_strength = 1.02F, sky_strength = 0.62F, bounce_strength = 0.13F;
constexpr float crease_cosine = 0.90F;  // normals farther apart than this make an outline

struct Painter {
  const PictureScene& scene;
  const Camera& camera;  // in samples
  const std::vector<LightSet>& lights;
  double step;                 // [m] grid
  std::vector<float> outline;  // [n_solids] factor on the colour of outlines
  PictureScene bars;           // those of the scene, as solids of another one
};

float smooth(double low, double high, double value) {
  const double t = std::clamp((value - low) / (high - low), 0.0, 1.0);
  return static_cast<float>(t * t * (3.0 - 2.0 * t));
}

Colour background(const Painter& painter, int y) {
  const float t = static_cast<float>(std::clamp(y / (2.0 * painter.camera.half_height), 0.0, 1.0));
  return Colour(0.72F, 0.81F, 0.91F) * (1.0F - t) + Colour(0.93F, 0.94F, 0.94F) * t;
}

// Light that arrives: sun, the part of the sky that is seen, and a little from the ground.
Colour arriving_light(const LightSet& light, const Vector3& point, const Vector3& normal) {
  const double facing = normal.dot(light.sun.towards_light());
  float sun = 0.0F;
  if (facing > 0.0 && light.sun.sees_light(point, normal))
    sun = static_cast<float>(facing) * sun_strength;
  double seen = 0.0, weight = 0.0;
  for (const DepthMap& sky : light.sky) {
    const double share = normal.dot(sky.towards_light());
    weight += std::abs(share);
    if (share > 0.0 && sky.sees_light(point, normal)) seen += share;
  }
  const auto sky = static_cast<float>(seen / std::max(weight, 1e-9)) * sky_strength;
  const auto bounce = static_cast<float>(0.5 - 0.5 * normal.z()) * bounce_strength;
  return sun * Colour(1.0F, 0.95F, 0.86F) + sky * Colour(0.86F, 0.94F, 1.05F) +
         bounce * Colour(1.0F, 0.94F, 0.86F);
}

// Lines every `step` along the plane's two axes; `footprint` is the size of a sample on the plane
// [m].
float grid_factor(const Plane& plane, const Vector3& point, double step, double footprint) {
  const Vector3 level = Vector3::UnitZ().cross(plane.normal);
  const Vector3 across = level.norm() > 1e-6 ? level.normalized() : Vector3::UnitX();
  const double half = std::max(0.012 * step, 0.5 * footprint);
  const double fading = smooth(0.25, 0.03, footprint / step);
  for (const Vector3& axis : {across, Vector3(plane.normal.cross(across))}) {
    const double s = axis.dot(point) / step;
    if (std::abs(s - std::round(s)) * step < half) return 1.0F - 0.16F * static_cast<float>(fading);
  }
  return 1.0F;
}

Colour paint_plane(const Painter& painter, const Plane& plane, const Vector3& point, double depth,
                   const LightSet& light, const Colour& behind) {
  const double slant =
      std::max(0.05, std::abs(plane.normal.dot((point - painter.camera.eye).normalized())));
  const float grid = grid_factor(plane, point, painter.step, depth / painter.camera.focal / slant);
  const Colour lit = plane.colour.cwiseProduct(arriving_light(light, point, plane.normal)) * grid;
  const double away = (point - painter.camera.centre).norm() / painter.camera.extent;
  const float kept = 1.0F - smooth(1.1, 2.6, away);
  return kept * lit + (1.0F - kept) * behind;
}

// True at samples on the rim of a body, and where its faces meet. Bodies draw their rim, planes do
// not.
bool on_outline(const std::vector<Sample>& samples, std::size_t at, std::size_t columns,
                const PictureScene& scene) {
  const Sample& here = samples[at];
  const std::int32_t body = scene.solids[static_cast<std::size_t>(here.surface)].body;
  for (const std::size_t other : {at - 1, at + 1, at - columns, at + columns}) {
    const Sample& there = samples[other];
    if (there.surface < 0) return true;
    const bool same_body = scene.solids[static_cast<std::size_t>(there.surface)].body == body;
    if (!same_body ||
        (there.surface == here.surface && here.normal.dot(there.normal) < crease_cosine))
      return true;
  }
  return false;
}

Colour paint_sample(const Painter& painter, const std::vector<Sample>& samples, std::size_t at,
                    std::size_t columns, int x, int y) {
  const Sample& sample = samples[at];
  Colour behind = background(painter, y);
  if (sample.surface == nothing) return behind;
  const Camera& camera = painter.camera;
  const double depth = 1.0 / static_cast<double>(sample.inverse_depth);
  const Vector3 ray((x + 0.5 - camera.half_width) / camera.focal,
                    (camera.half_height - y - 0.5) / camera.focal, 1.0);
  const Vector3 point = camera.eye + depth * (camera.R_WC * ray);
  const LightSet& light = painter.lights[static_cast<std::size_t>((y % n_sub) * n_sub + x % n_sub)];
  if (sample.surface < nothing)
    return paint_plane(painter, painter.scene.planes[static_cast<std::size_t>(-2 - sample.surface)],
                       point, depth, light, behind);
  const auto index = static_cast<std::size_t>(sample.surface);
  const Colour lit = painter.scene.solids[index].colour.cwiseProduct(
      arriving_light(light, point, sample.normal.cast<double>()));
  return on_outline(samples, at, columns, painter.scene) ? Colour(lit * painter.outline[index])
                                                         : lit;
}

// What lies behind bars is pale, so that these are seen.
Colour faded(const Colour& colour, float kept) {
  return kept * colour + (1.0F - kept) * Colour::Ones();
}

// Bodies behind bars have no shadows, which would take their colours away.
Colour paint_behind_bars(const Painter& painter, const std::vector<Sample>& samples, std::size_t at,
                         std::size_t columns, int x, int y) {
  const Sample& sample = samples[at];
  if (sample.surface < 0) {
    constexpr float of_ground = 0.5F;
    return faded(paint_sample(painter, samples, at, columns, x, y).cwiseMin(1.0F), of_ground);
  }
  constexpr float of_body = 0.68F;
  const auto index = static_cast<std::size_t>(sample.surface);
  const float facing = std::abs(sample.normal.dot(painter.camera.R_WC.col(2).cast<float>()));
  const Colour colour = faded(painter.scene.solids[index].colour * (0.6F + 0.4F * facing), of_body);
  return on_outline(samples, at, columns, painter.scene)
             ? Colour(colour * std::max(painter.outline[index], 0.6F))
             : colour;
}

// Bars have no shadows: light comes from the eye.
Colour paint_bar(const Painter& painter, const Sample& bar) {
  const float facing = std::abs(bar.normal.dot(painter.camera.R_WC.col(2).cast<float>()));
  return painter.bars.solids[static_cast<std::size_t>(bar.surface)].colour *
         (0.45F + 0.55F * facing);
}

// Outlines of bodies that are only a few pixels large would turn the picture black.
float outline_factor(const Solid& solid, const Camera& camera) {
  double size = 2.0 * solid.radius;
  const Vector3& somewhere = solid.radius > 0.0 ? solid.centre : solid.vertices.front();
  for (const Vector3& vertex : solid.vertices) size = std::max(size, (vertex - somewhere).norm());
  const double pixels =
      size * camera.focal / std::max(camera.to_camera(somewhere).z(), 1e-9) / n_sub;
  return 1.0F - 0.62F * smooth(4.0, 40.0, pixels);
}

// Samples of some rows of pixels, with `margin` around them.
Window strip_window(int first_row, int width, int height) {
  const int last_row = std::min(first_row + strip_rows, height);
  return {-margin, width * n_sub + margin, first_row * n_sub - margin, last_row * n_sub + margin};
}

Camera sampled(Camera camera) {
  camera.focal *= n_sub;
  camera.half_width *= n_sub;
  camera.half_height *= n_sub;
  return camera;
}

void render_strip(const Painter& painter, int first_row, Image& image) {
  const int last_row = std::min(first_row + strip_rows, image.height);
  const Window window = strip_window(first_row, image.width, image.height);
  std::vector<Sample> samples;
  rasterise(painter.scene, painter.camera, window, samples);
  const bool has_bars = !painter.bars.solids.empty();
  std::vector<Sample> bars;
  if (has_bars) rasterise(painter.bars, painter.camera, window, bars);
  const auto columns = static_cast<std::size_t>(window.x1 - window.x0);
  for (int row = first_row; row < last_row; ++row)
    for (int column = 0; column < image.width; ++column) {
      Colour sum = Colour::Zero();
      for (int y = row * n_sub; y < (row + 1) * n_sub; ++y)
        for (int x = column * n_sub; x < (column + 1) * n_sub; ++x) {
          const auto at = static_cast<std::size_t>(y - window.y0) * columns +
                          static_cast<std::size_t>(x - window.x0);
          if (has_bars && bars[at].surface >= 0) {
            sum += paint_bar(painter, bars[at]).cwiseMin(1.0F);
            continue;
          }
          sum += has_bars
                     ? paint_behind_bars(painter, samples, at, columns, x, y)
                     : Colour(paint_sample(painter, samples, at, columns, x, y).cwiseMin(1.0F));
        }
      sum /= static_cast<float>(n_sub * n_sub);
      std::uint8_t* pixel = image.pixel(column, row);
      for (int i = 0; i < 3; ++i) pixel[i] = to_srgb(sum[i]);
    }
}

// Over the viewer's left shoulder, but never behind a plane.
Vector3 sun_direction(const PictureScene& scene, const Camera& camera) {
  Vector3 back = -camera.R_WC.col(2);
  back.z() = 0.0;
  if (back.norm() < 1e-6) back = camera.R_WC.col(1);
  back.normalize();
  const Vector3 left = Vector3::UnitZ().cross(-back);
  Vector3 sun = (0.45 * back + 0.75 * left + 0.95 * Vector3::UnitZ()).normalized();
  for (const Plane& plane : scene.planes)
    if (sun.dot(plane.normal) < 0.3)
      sun = (sun + (0.4 - sun.dot(plane.normal)) * plane.normal).normalized();
  return sun;
}

}  // namespace

Image render(const PictureScene& scene, const Camera& camera, int width, int height) {
  const Camera fine = sampled(camera);
  const std::vector<LightSet> lights =
      make_lights(scene, camera, sun_direction(scene, camera), n_sub * n_sub);
  Painter painter{scene, fine, lights, grid_step(camera.extent), {}, {}};
  painter.bars.solids = scene.bars;
  for (const Solid& solid : scene.solids) painter.outline.push_back(outline_factor(solid, fine));
  Image image(width, height);
  const Executor executor(Backend::openmp, 0);
  executor.for_each_block((height + strip_rows - 1) / strip_rows,
                          [&](int strip) { render_strip(painter, strip * strip_rows, image); });
  return image;
}

bool shows_a_solid(const PictureScene& scene, const Camera& camera, int width, int height) {
  const Camera fine = sampled(camera);
  std::vector<Sample> samples;
  for (int row = 0; row < height; row += strip_rows) {
    rasterise(scene, fine, strip_window(row, width, height), samples);
    if (std::ranges::any_of(samples, [](const Sample& sample) { return sample.surface >= 0; }))
      return true;
  }
  return false;
}

std::vector<Framed> framed_balls(const PictureScene& scene) {
  std::vector<Framed> balls;
  for (const Solid& solid : scene.solids) {
    if (!solid.framed) continue;
    if (solid.radius > 0.0) balls.push_back({.centre = solid.centre, .radius = solid.radius});
    for (const Vector3& vertex : solid.vertices) balls.push_back({.centre = vertex, .radius = 0.0});
  }
  return balls;
}

double grid_step(double extent) {
  const double wanted = extent / 12.0, power = std::pow(10.0, std::floor(std::log10(wanted)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= wanted) return factor * power;
  return 10.0 * power;
}

}  // namespace scree::picture
