#include <png.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>

#include "engine/base/check.hpp"
#include "tools/picture/camera.hpp"
#include "tools/picture/colouring.hpp"
#include "tools/picture/contact_sheet.hpp"
#include "tools/picture/lettering.hpp"
#include "tools/picture/raster.hpp"
#include "tools/picture/render.hpp"
#include "tools/picture/shadows.hpp"

namespace picture_test {

using namespace scree;
using namespace scree::picture;
using Catch::Matchers::WithinAbs;

namespace {

Solid box(const Vector3& sides, const Vector3& centre) {
  Solid solid;
  for (int i = 0; i < 8; ++i)
    solid.vertices.push_back(centre + 0.5 * Vector3((i & 1) != 0 ? sides.x() : -sides.x(),
                                                    (i & 2) != 0 ? sides.y() : -sides.y(),
                                                    (i & 4) != 0 ? sides.z() : -sides.z()));
  solid.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                 {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return solid;
}

Solid ball(double radius, const Vector3& centre) {
  Solid solid;
  solid.radius = radius;
  solid.centre = centre;
  return solid;
}

Eigen::Vector2d project(const Camera& camera, const Vector3& point) {
  const Vector3 at = camera.to_camera(point);
  return {camera.half_width + camera.focal * at.x() / at.z(),
          camera.half_height - camera.focal * at.y() / at.z()};
}

int brightness(const Image& image, int x, int y) {
  const std::uint8_t* pixel = image.pixel(x, y);
  return pixel[0] + pixel[1] + pixel[2];
}

}  // namespace

TEST_CASE("Camera placement touches the margin of the picture in one direction",
          "[tools][analytic]") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-5.0, 5.0);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Framed> framed;
    for (int i = 0; i < 20; ++i)
      framed.push_back({Vector3(uniform(random), uniform(random), uniform(random)), 0.0});
    const View view{.azimuth = 40.0 * uniform(random),
                    .elevation = 10.0 * uniform(random),
                    .look = {},
                    .width = {}};
    const int width = 900, height = 600;
    const Camera camera = place_camera(view, framed, width, height);
    double used = 0.0;
    for (const Framed& point : framed) {
      const Eigen::Vector2d at = project(camera, point.centre);
      REQUIRE(camera.to_camera(point.centre).z() > 0.0);
      used = std::max({used, std::abs(at.x() - 450.0) / 450.0, std::abs(at.y() - 300.0) / 300.0});
    }
    CHECK_THAT(used,
               WithinAbs(0.90, 1e-9));  // the share of the picture that is used; round-off only
  }
}

TEST_CASE("Camera placement keeps a ball inside and obeys a given point and width",
          "[tools][analytic]") {
  const std::vector<Framed> framed = {{Vector3(3.0, 4.0, 5.0), 2.0}};
  const Camera fitted = place_camera({}, framed, 400, 400);
  const double distance = (fitted.eye - framed[0].centre).norm();
  CHECK_THAT(std::tan(std::asin(2.0 / distance)) * fitted.focal, WithinAbs(0.90 * 200.0, 1e-9));

  const View view{.azimuth = 10.0, .elevation = 30.0, .look = Vector3(1.0, 2.0, 3.0), .width = 8.0};
  const Camera camera = place_camera(view, framed, 400, 300);
  CHECK((project(camera, *view.look) - Eigen::Vector2d(200.0, 150.0)).norm() < 1e-9);
  const Vector3 at_the_side = *view.look + 4.0 * camera.R_WC.col(0);
  CHECK_THAT(project(camera, at_the_side).x(), WithinAbs(400.0, 1e-9));
}

TEST_CASE("Camera axes are those of a viewer upright", "[tools][unit]") {
  const Camera camera =
      place_camera({.azimuth = -90.0, .elevation = 0.0, .look = {}, .width = {}}, {}, 100, 100);
  CHECK((camera.R_WC.col(0) - Vector3::UnitX()).norm() < 1e-15);
  CHECK((camera.R_WC.col(1) - Vector3::UnitZ()).norm() < 1e-15);
  CHECK((camera.R_WC.col(2) - Vector3::UnitY()).norm() < 1e-15);
}

TEST_CASE("Rasteriser sees the depth of boxes balls and planes along each ray", "[tools][oracle]") {
  PictureScene scene;
  scene.solids = {box(Vector3(2.0, 1.0, 3.0), Vector3(0.0, 0.0, 1.5)),
                  ball(0.7, Vector3(2.0, -1.0, 0.7))};
  scene.planes = {Plane{}};
  const std::vector<Framed> framed = framed_balls(scene);
  const Camera camera = place_camera({}, framed, 160, 120);
  const Window window{0, 160, 0, 120};
  std::vector<Sample> samples;
  rasterise(scene, camera, window, samples);

  int hits[3] = {0, 0, 0};
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 160; ++x) {
      const Sample& sample = samples[static_cast<std::size_t>(160 * y + x)];
      if (sample.surface == nothing) continue;
      const Vector3 ray((x + 0.5 - 80.0) / camera.focal, (60.0 - y - 0.5) / camera.focal, 1.0);
      const Vector3 point =
          camera.eye + camera.R_WC * ray / static_cast<double>(sample.inverse_depth);
      const double tolerance = 1e-5 * camera.extent;  // depth is kept in single precision
      if (sample.surface == 0) {
        const Vector3 inside = (point - Vector3(0.0, 0.0, 1.5)).cwiseAbs() - Vector3(1.0, 0.5, 1.5);
        CHECK_THAT(inside.maxCoeff(), WithinAbs(0.0, tolerance));
      } else if (sample.surface == 1) {
        CHECK_THAT((point - Vector3(2.0, -1.0, 0.7)).norm(), WithinAbs(0.7, tolerance));
      } else {
        CHECK_THAT(point.z(), WithinAbs(0.0, tolerance));
      }
      CHECK(sample.normal.cast<double>().dot(camera.R_WC * ray) < 1e-6);
      ++hits[sample.surface < nothing ? 2 : sample.surface];
    }
  CHECK(hits[0] > 1000);
  CHECK(hits[1] > 200);
  CHECK(hits[2] > 1000);
}

TEST_CASE("Rasteriser fills each sample of two polygons that share an edge exactly once",
          "[tools][property]") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-4.0, 24.0);
  const Window window{0, 20, 0, 20};
  for (int trial = 0; trial < 200; ++trial) {
    const Eigen::Vector2d a(uniform(random), -30.0), b(uniform(random), 50.0);
    std::vector<int> count(400, 0);
    const auto add = [&](int y, int first, int last) {
      for (int x = first; x < last; ++x) ++count[static_cast<std::size_t>(20 * y + x)];
    };
    const std::vector<Eigen::Vector2d> left = {{-50.0, -30.0}, a, b, {-50.0, 50.0}},
                                       right = {a, {90.0, -30.0}, {90.0, 50.0}, b};
    fill_convex(left, window, add);
    fill_convex(right, window, add);
    CHECK(std::all_of(count.begin(), count.end(), [](int n) { return n == 1; }));
  }
}

TEST_CASE("Rasteriser leaves out what lies behind the camera", "[tools][unit]") {
  PictureScene scene;
  scene.solids = {box(Vector3(1.0, 1.0, 1.0), Vector3::Zero())};
  Camera camera = place_camera({}, framed_balls(scene), 60, 60);
  camera.eye += 30.0 * camera.R_WC.col(2);  // the box is behind now
  std::vector<Sample> samples;
  rasterise(scene, camera, Window{0, 60, 0, 60}, samples);
  CHECK(std::all_of(samples.begin(), samples.end(),
                    [](const Sample& sample) { return sample.surface == nothing; }));
}

TEST_CASE("Depth map puts the ground behind a box into shadow", "[tools][analytic]") {
  PictureScene scene;
  scene.solids = {box(Vector3(1.0, 1.0, 2.0), Vector3(0.0, 0.0, 1.0))};
  const Vector3 sun =
      Vector3(1.0, 0.0, 1.0).normalized();  // the shadow of the top reaches x = -2.5
  const DepthMap map(scene, sun, Vector3(0.0, 0.0, 1.0), 4.0, 800);
  CHECK_FALSE(map.sees_light(Vector3(-1.5, 0.0, 0.0), Vector3::UnitZ()));
  CHECK_FALSE(map.sees_light(Vector3(-2.4, 0.0, 0.0), Vector3::UnitZ()));
  CHECK(map.sees_light(Vector3(-2.6, 0.0, 0.0), Vector3::UnitZ()));
  CHECK(map.sees_light(Vector3(-1.5, 0.6, 0.0), Vector3::UnitZ()));
  CHECK(map.sees_light(Vector3(0.0, 0.0, 2.0), Vector3::UnitZ()));
  CHECK(map.sees_light(Vector3(0.5, 0.0, 1.0), Vector3::UnitX()));
}

TEST_CASE("Renderer shows the body in its colour before a light ground", "[tools][unit]") {
  PictureScene scene;
  scene.solids = {box(Vector3(1.0, 1.0, 1.0), Vector3(0.0, 0.0, 0.5))};
  scene.solids[0].colour = Colour(0.8F, 0.05F, 0.05F);
  scene.planes = {Plane{}};
  const Camera camera = place_camera({}, framed_balls(scene), 120, 90);
  const Image image = render(scene, camera, 120, 90);
  const std::uint8_t* middle = image.pixel(60, 45);
  CHECK(middle[0] > 2 * middle[1]);
  CHECK(brightness(image, 5, 80) > 500);
  CHECK(image.rgb == render(scene, camera, 120, 90).rgb);
}

TEST_CASE("Renderer draws nothing of a plane seen from behind", "[tools][unit]") {
  PictureScene scene;
  scene.solids = {box(Vector3(1.0, 1.0, 1.0), Vector3(0.0, 0.0, 0.5))};
  const View below{.azimuth = 0.0, .elevation = -40.0, .look = {}, .width = {}};
  const Camera camera = place_camera(below, framed_balls(scene), 90, 60);
  const Image without = render(scene, camera, 90, 60);
  scene.planes = {Plane{}};
  CHECK(render(scene, camera, 90, 60).rgb == without.rgb);
}

TEST_CASE("Contact sheet arranges panels and writes captions", "[tools][unit]") {
  CHECK(sheet_columns(1, 600, 400) == 1);
  CHECK(sheet_columns(4, 600, 400) == 2);
  CHECK(sheet_columns(6, 1920, 1200) == 3);
  CHECK(sheet_columns(3, 1800, 400) == 3);

  std::vector<PictureScene> scenes(4);
  for (PictureScene& scene : scenes) scene.solids = {box(Vector3(1.0, 1.0, 1.0), Vector3::Zero())};
  const Image plain = draw_contact_sheet(scenes, {}, 400, 300);
  CHECK(plain.width == 400);
  CHECK(plain.height == 300);
  CHECK(brightness(plain, 200, 100) == 3 * 255);  // the gap between panels
  for (PictureScene& scene : scenes) scene.caption = "t = 0.25 s";
  CHECK(draw_contact_sheet(scenes, {}, 400, 300).rgb != plain.rgb);
  CHECK_THROWS_AS(draw_contact_sheet(scenes, {}, 100, 100), InputError);
}

TEST_CASE("A picture without a body is refused with the place of the bodies", "[tools][unit]") {
  std::vector<PictureScene> scenes(1);
  scenes[0].solids = {box(Vector3(2.0, 2.0, 2.0), Vector3(0.0, 0.0, 1.0)),
                      ball(0.5, Vector3(3.0, 0.0, 0.5))};
  scenes[0].planes.emplace_back();
  const auto refusal = [&](const View& view) -> std::string {
    try {
      draw_contact_sheet(scenes, view, 200, 120);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string away =
      ": no body is in the picture; they lie between (-1, -1, 0) and (3.5, 1, 2) [m]";
  View view;
  CHECK(refusal(view).empty());
  view.look = Vector3(0.0, 0.0, 1.0);
  CHECK(refusal(view).empty());
  for (const double far : {1e3, 1e9, 1e12}) {
    view.look = Vector3(far, 0.0, 0.0);
    CHECK(refusal(view) == "--look" + away);
  }
  view.width = 1.0;
  CHECK(refusal(view) == "--look, --width" + away);
  view.look.reset();
  CHECK(refusal(view).empty());
  for (const double width : {1e9, 1e12}) {
    view.width = width;
    CHECK(refusal(view) == "--width" + away);
  }
}

TEST_CASE("Colour bar runs from pale to dark in the lower left corner", "[tools][unit]") {
  std::vector<PictureScene> scenes(1);
  scenes[0].solids = {box(Vector3(1.0, 1.0, 1.0), Vector3::Zero())};
  const Image plain = draw_contact_sheet(scenes, {}, 400, 300);
  scenes[0].bar = ColourBar{"speed", "m/s", 2.5};
  const Image with_bar = draw_contact_sheet(scenes, {}, 400, 300);
  // Rows of the bar: where all the pixels of 120 columns are the scale's colours.
  int rows = 0;
  for (int y = 0; y < 300; ++y) {
    bool is_bar = true;
    for (int x = 0; x < 120; ++x) {
      const Colour colour = scale_colour((x + 0.5) / 120);
      for (int i = 0; i < 3; ++i)
        is_bar = is_bar && with_bar.pixel(6 + x, y)[i] == to_srgb(colour[i]);
    }
    if (is_bar) CHECK(y > 200);
    rows += is_bar ? 1 : 0;
  }
  CHECK(rows == 6);
  CHECK(std::equal(plain.rgb.begin(), plain.rgb.begin() + 3 * 400 * 200, with_bar.rgb.begin()));
  // Too narrow for its numbers: the caption alone says the range.
  scenes[0].bar->largest = 1.2345e-7;
  const Image narrow = draw_contact_sheet(scenes, {}, 96, 64);
  scenes[0].bar.reset();
  CHECK(narrow.rgb == draw_contact_sheet(scenes, {}, 96, 64).rgb);
}

TEST_CASE("Lettering is as wide as it says and stays inside the image", "[tools][unit]") {
  Image image(40, 9);
  draw_text("1e0", 1, 1, 1, image);
  CHECK(text_width("1e0", 1) == 17);
  CHECK(brightness(image, 1 + 2, 1) < 300);  // the tip of the 1
  for (int y = 0; y < 9; ++y) CHECK(brightness(image, 1 + 17, y) == 3 * 255);
  draw_text("888", 30, 5, 3, image);  // runs over the edge
  CHECK(image.rgb.size() == 40U * 9U * 3U);
}

TEST_CASE("Captions are broken into lines that fit and lose no word", "[tools][property]") {
  const std::string caption = "t = 0.123 s   displacement 0 - 0.0409 m   grid 0.02 m";
  CHECK(broken_lines(caption, text_width(caption, 2), 2) == std::vector<std::string>{caption});
  CHECK(broken_lines(caption, text_width(caption, 2) - 1, 2) ==
        std::vector<std::string>{"t = 0.123 s   displacement 0 - 0.0409 m", "grid 0.02 m"});
  for (int width = text_width("displacement", 1); width < text_width(caption, 1); ++width) {
    std::string words;
    for (const std::string& line : broken_lines(caption, width, 1)) {
      CHECK(text_width(line, 1) <= width);
      for (const char letter : line) {
        if (letter != ' ') words += letter;
      }
    }
    CHECK(words == "t=0.123sdisplacement0-0.0409mgrid0.02m");
  }
}

TEST_CASE("Captions of narrow panels end inside them", "[tools][unit]") {
  // The last word is in the picture, so another last word makes another picture.
  PictureScene scene;
  scene.solids = {box(Vector3(1.0, 1.0, 1.0), Vector3::Zero())};
  scene.caption = "t = 0.25 s   displacement 0 - 0.123 m";
  const Image one = draw_contact_sheet({&scene, 1}, {}, 96, 64);
  scene.caption.back() = 'n';
  CHECK(draw_contact_sheet({&scene, 1}, {}, 96, 64).rgb != one.rgb);
}

TEST_CASE("Colour scale falls in lightness", "[tools][property]") {
  double last = 2.0;
  for (int i = 0; i <= 60; ++i) {
    const Colour colour = scale_colour(i / 60.0);
    const double lightness = static_cast<double>(colour.dot(Colour(0.2126F, 0.7152F, 0.0722F)));
    CHECK(lightness < last);
    last = lightness;
  }
  CHECK(scale_colour(7.0) == scale_colour(1.0));
  CHECK((from_srgb(0xFFFFFF) - Colour::Ones()).norm() < 1e-6F);
}

TEST_CASE("PNG file holds the pixels that were written", "[tools][oracle]") {
  Image image(7, 5);
  for (std::size_t i = 0; i < image.rgb.size(); ++i)
    image.rgb[i] = static_cast<std::uint8_t>(11 * i);
  const std::string bytes = encode_png(image);
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()) != 0);
  CHECK(header.width == 7);
  CHECK(header.height == 5);
  header.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> read(image.rgb.size());
  REQUIRE(png_image_finish_read(&header, nullptr, read.data(), 0, nullptr) != 0);
  CHECK(read == image.rgb);
}

}  // namespace picture_test
