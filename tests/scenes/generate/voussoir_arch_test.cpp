#include "scenes/generate/voussoir_arch.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "engine/model/shapes/shapes.hpp"
#include "scenes/read/scene.hpp"
#include "tests/scenes/read/scene_texts.hpp"

namespace voussoir_arch_test {

using namespace scree;

namespace {

constexpr VoussoirArch arch = {.voussoirs = 7, .radius = 2.0, .thickness = 0.25, .depth = 0.5};

const std::string seven_voussoirs = R"(
[[arch]]
name = "arch"
material = "stone"
voussoirs = 7
radius = 2
thickness = 0.25
depth = 0.5
position = [10, 0, 0]
)";

}  // namespace

TEST_CASE("Voussoir arch shares the corners of each joint bit for bit", "[scenes][unit]") {
  const auto voussoirs = build_voussoir_arch(arch);
  REQUIRE(voussoirs.size() == 7);
  for (std::size_t i = 0; i + 1 < voussoirs.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k) CHECK(voussoirs[i][4 + k] == voussoirs[i + 1][k]);
  }
}

TEST_CASE("Voussoir arch is a mirror image of itself and stands in the plane of its springings",
          "[scenes][property]") {
  for (const int n : {2, 7, 10, 31}) {
    VoussoirArch other = arch;
    other.voussoirs = n;
    const auto voussoirs = build_voussoir_arch(other);
    for (std::size_t i = 0; i < voussoirs.size(); ++i) {
      const auto& twin = voussoirs[voussoirs.size() - 1 - i];
      for (std::size_t k = 0; k < 8; ++k) {
        const Vector3& corner = twin[(k + 4) % 8];
        CHECK(voussoirs[i][k] == Vector3(-corner.x(), corner.y(), corner.z()));
      }
    }
    for (std::size_t k = 0; k < 4; ++k) CHECK(voussoirs.front()[k].z() == 0.0);
  }
}

TEST_CASE("Voussoirs are equal trapezoidal prisms", "[scenes][analytic]") {
  // Half a voussoir spans the angle a: area sin a cos a (R_o^2 - R_i^2).
  const double a = 0.5 * M_PI / 7, expected = std::sin(a) * std::cos(a) * 2.0 * arch.radius *
                                              arch.thickness * arch.depth;
  for (const auto& corners : build_voussoir_arch(arch)) {
    const ConvexPolyhedron shape = make_convex_polyhedron(corners);
    CHECK(shape.n_faces() == 6);
    CHECK(shape.vertices.size() == 8);
    CHECK(std::abs(mass_properties(shape).volume / expected - 1.0) < 1e-13);  // a hundred roundings
  }
}

TEST_CASE("Arch of a scene stands where it is put and touches from voussoir to voussoir",
          "[scenes][unit]") {
  const Scene scene = parse_scene(test::block_on_ground + seven_voussoirs, "scene.toml");
  REQUIRE(scene.model.n_bodies() == 2 + 7);
  CHECK(scene.model.name[2] == "arch-1");
  CHECK(scene.model.name[8] == "arch-7");
  CHECK(std::abs(scene.state.x[5].x() - 10.0) < 1e-14);  // the keystone's centre is on the axis
  CHECK(scene.state.x[2].x() > 11.0);
  // Heights of the corners of neighbours over the joint between them, in world axes: round-off of
  // lengths of 10 m.
  for (int i = 2; i < 8; ++i) {
    const double angle = M_PI * (i - 1) / 7;
    const Vector3 along(-std::sin(angle), 0.0, std::cos(angle));
    double below = -1e30, above = 1e30;
    for (const int body : {i, i + 1}) {
      const auto at = static_cast<std::size_t>(body);
      const auto part = static_cast<std::size_t>(scene.model.part_begin[at]);
      const auto shape = static_cast<std::size_t>(scene.model.part_shape[part]);
      for (const Vector3& vertex : std::get<ConvexPolyhedron>(scene.model.shapes[shape]).vertices) {
        const double height =
            along.dot(scene.state.q[at] * vertex + scene.state.x[at] - Vector3(10.0, 0.0, 0.0));
        if (body == i) below = std::max(below, height);
        if (body != i) above = std::min(above, height);
      }
    }
    CHECK(std::abs(below) < 1e-14);
    CHECK(std::abs(above) < 1e-14);
  }
}

}  // namespace voussoir_arch_test
