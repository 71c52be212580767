#include "tools/picture/contact_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/base/check.hpp"
#include "tools/picture/colouring.hpp"
#include "tools/picture/lettering.hpp"
#include "tools/picture/render.hpp"

namespace scree::picture {
namespace {

constexpr int gap = 4;  // pixels between panels
// Pixels. A word of a caption fits at the smallest scale, and so do five lines.
constexpr int smallest_width = 96, smallest_height = 64;

void write_caption(const std::string& caption, Image& panel) {
  const int scale = std::clamp(panel.height / 240, 1, 4), inset = 6 * scale;
  int y = inset;
  for (const std::string& line : broken_lines(caption, panel.width - 2 * inset, scale)) {
    draw_text(line, inset, y, scale, panel);
    y += line_height(scale);
  }
}

// Darker for more, with 0, half and the largest value below it, in a lower corner. Panels too
// narrow for the numbers have the range in their caption only.
void draw_colour_bar(const ColourBar& bar, bool on_the_right, Image& panel) {
  const int scale = std::clamp(panel.height / 240, 1, 4), inset = 6 * scale;
  const std::string title = fmt::format("{} ({})", bar.quantity, bar.unit);
  const std::string numbers[] = {"0", fmt::format("{:.3g}", 0.5 * bar.largest),
                                 fmt::format("{:.3g}", bar.largest)};
  const int width = std::min(120 * scale, panel.width - 2 * inset), height = 6 * scale;
  int needed = 6 * scale;
  for (const std::string& number : numbers) needed += text_width(number, scale) + 4 * scale;
  const int total = 2 * line_height(scale) + height + scale;
  if (needed > width || text_width(title, scale) > width || 3 * total > panel.height) return;
  const int top = panel.height - inset - total,
            left = on_the_right ? panel.width - inset - width : inset;
  if (on_the_right && left < 2 * inset + width) return;  // the other one has the room
  draw_text(title, left, top, scale, panel);
  const int begin = top + line_height(scale), below = begin + height + 2 * scale;
  for (int x = 0; x < width; ++x) {
    const Colour colour = scale_colour((x + 0.5) / width);
    for (int y = begin; y < begin + height; ++y)
      for (int i = 0; i < 3; ++i) panel.pixel(left + x, y)[i] = to_srgb(colour[i]);
  }
  // The half has no room between 0 and a long largest value.
  const bool room_for_half =
      text_width(numbers[1], scale) / 2 + text_width(numbers[2], scale) + 4 * scale <= width / 2;
  for (int k = 0; k < 3; k += room_for_half ? 1 : 2) {
    const int place = left + k * width / 2 - k * text_width(numbers[k], scale) / 2;
    draw_text(numbers[k], place, below, scale, panel);
  }
}

// An empty picture is none: what the options name lies elsewhere, or is far too wide.
void require_a_body(std::span<const PictureScene> scenes, const View& view, const Camera& camera,
                    std::span<const Framed> framed, int width, int height) {
  if (!view.look && !view.width) return;  // then all is fitted
  const bool seen = std::ranges::any_of(scenes, [&](const PictureScene& scene) {
    return shows_a_solid(scene, camera, width, height);
  });
  Eigen::AlignedBox3d box;
  for (const Framed& ball : framed) {
    box.extend(ball.centre - Vector3::Constant(ball.radius));
    box.extend(ball.centre + Vector3::Constant(ball.radius));
  }
  if (seen || box.isEmpty()) return;
  const Vector3 &low = box.min(), &high = box.max();
  throw InputError(fmt::format(
      "{}: no body is in the picture; they lie between ({:.4g}, {:.4g}, {:.4g}) and ({:.4g}, "
      "{:.4g}, {:.4g}) [m]",
      !view.width  ? "--look"
      : !view.look ? "--width"
                   : "--look, --width",
      low.x(), low.y(), low.z(), high.x(), high.y(), high.z()));
}

}  // namespace

int sheet_columns(int n, int width, int height) {
  int best = 1;
  double best_error = std::numeric_limits<double>::infinity();
  for (int columns = 1; columns <= n; ++columns) {
    const int rows = (n + columns - 1) / columns;
    const double shape =
        static_cast<double>(width) / columns / (static_cast<double>(height) / rows);
    const double wasted = static_cast<double>(columns * rows - n) / n;
    const double error = std::abs(std::log(shape / 1.5)) + wasted;
    if (error < best_error) {
      best = columns;
      best_error = error;
    }
  }
  return best;
}

Image draw_contact_sheet(std::span<const PictureScene> scenes, const View& view, int width,
                         int height) {
  const int n = static_cast<int>(scenes.size());
  require(n > 0, "frames", "there is nothing to draw");
  const int columns = sheet_columns(n, width, height), rows = (n + columns - 1) / columns;
  const int panel_width = (width - gap * (columns - 1)) / columns,
            panel_height = (height - gap * (rows - 1)) / rows;
  require(panel_width >= smallest_width && panel_height >= smallest_height, "size",
          fmt::format("{} x {} is too small for {} panel{} of at least {} x {} pixels", width,
                      height, n, n == 1 ? "" : "s", smallest_width, smallest_height));
  std::vector<Framed> framed;
  for (const PictureScene& scene : scenes)
    for (const Framed& ball : framed_balls(scene)) framed.push_back(ball);
  const Camera camera = place_camera(view, framed, panel_width, panel_height);
  require_a_body(scenes, view, camera, framed, panel_width, panel_height);
  const std::string grid = fmt::format("grid {:g} m", grid_step(camera.extent));

  Image sheet(width, height);
  for (int i = 0; i < n; ++i) {
    const PictureScene& scene = scenes[static_cast<std::size_t>(i)];
    Image panel = render(scene, camera, panel_width, panel_height);
    const bool has_grid = i == 0 && !scene.planes.empty();
    write_caption(has_grid ? scene.caption + "   " + grid : scene.caption, panel);
    if (scene.bar) draw_colour_bar(*scene.bar, false, panel);
    if (scene.force_bar) draw_colour_bar(*scene.force_bar, scene.bar.has_value(), panel);
    paste(panel, (i % columns) * (panel_width + gap), (i / columns) * (panel_height + gap), sheet);
  }
  return sheet;
}

}  // namespace scree::picture
