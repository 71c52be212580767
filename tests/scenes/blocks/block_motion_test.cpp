// Blocks move as the bodies that they are: a convex one from a file, whose faces are drawn in
// pieces, and one that is cut in two, against the hull of the same corners.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "engine/model/shapes/convex_hull.hpp"
#include "engine/model/shapes/shapes.hpp"
#include "engine/step.hpp"
#include "engine/workspace.hpp"
#include "scenes/read/scene.hpp"
#include "tests/support/validation_table.hpp"

namespace block_motion_test {

using namespace scree;

namespace {

struct Moment {
  Vector3 x;                // [m] of the centre of mass after the step
  std::int64_t n_contacts;  // in the problem of the step
};

// Runs a rock that falls askew onto a plane.
std::vector<Moment> path_of(const std::string& shape, double h, const std::string& obj = {}) {
  std::string text = "[time]\nend = 1\ndt = " + test::digits(h);
  text +=
      "\n[solver]\ntolerance = 1e-12\n[[material]]\nname = \"s\"\ndensity = 2500\n[[contact]]\n"
      "between = [\"s\", \"s\"]\nmu = 0\ne = 0.3\n[[body]]\nname = \"plane\"\nkind = "
      "\"half_space\"\nnormal = [0.1, 0, 1]\nmaterial = \"s\"\n";
  text += shape;
  Scene scene = parse_scene(text, "rock.toml", [&](const std::string&) { return obj; });
  Workspace work(scene.model, scene.settings);
  const std::size_t rock = scene.model.kind[0] == BodyKind::dynamic ? 0 : 1;
  std::vector<Moment> path;
  for (int k = 0; k < static_cast<int>(std::lround(0.8 / h)); ++k) {
    const StepRecord record = step(scene.model, scene.settings, scene.state, work);
    REQUIRE(record.converged);
    path.push_back({scene.state.x[rock], record.contacts});
  }
  return path;
}

std::string corners_of(const std::vector<Vector3>& points) {
  std::string text = "[";
  for (const Vector3& p : points) text += fmt::format("[{}, {}, {}], ", p.x(), p.y(), p.z());
  return text + "]";
}

}  // namespace

TEST_CASE("A convex block from a file, and one that is cut, move as the convex body does",
          "[blocks]") {
  std::mt19937_64 random(21);
  std::normal_distribution<double> normal;
  double drawn = 0.0, cut = 0.0;
  std::int64_t compared = 0;
  for (const double h : {2e-3, 5e-4}) {
    for (int i = 0; i < 10; ++i) {
      std::vector<Vector3> points;
      for (int k = 0; k < 14; ++k)
        points.emplace_back(0.3 *
                            Vector3(normal(random), normal(random), normal(random)).normalized());
      const ConvexPolyhedron hull = make_convex_polyhedron(points);
      const std::string place =
          "material = \"s\"\nname = \"rock\"\nposition = [0, 0, 0.5]\nreference = \"drawing\"\n";
      const std::vector<Moment> whole = path_of(
          "[[body]]\nkind = \"convex\"\nvertices = " + corners_of(hull.vertices) + "\n" + place, h);

      // The surface as triangles about the middle of each face.
      std::string obj = "o rock\n", faces;
      for (const Vector3& v : hull.vertices)
        obj += fmt::format("v {} {} {}\n", v.x(), v.y(), v.z() + 0.5);
      auto n = static_cast<std::int32_t>(hull.vertices.size());
      for (std::int32_t f = 0; f < hull.n_faces(); ++f) {
        const auto loop = hull.face(f);
        Vector3 middle = Vector3::Zero();
        for (const auto v : loop)
          middle += hull.vertices[static_cast<std::size_t>(v)] / static_cast<double>(loop.size());
        obj += fmt::format("v {} {} {}\n", middle.x(), middle.y(), middle.z() + 0.5);
        ++n;
        for (std::size_t k = 0; k < loop.size(); ++k)
          faces += fmt::format("f {} {} {}\n", loop[k] + 1, loop[(k + 1) % loop.size()] + 1, n);
      }
      obj += faces;
      const std::vector<Moment> block = path_of(
          "[[blocks]]\nfile = \"rock.obj\"\nmaterial = \"s\"\nsupports = [\"none\"]\n", h, obj);

      // The same cut in two by a plane through its middle.
      const Vector3 across = Vector3(normal(random), normal(random), normal(random)).normalized();
      std::vector<Vector3> side[2];
      for (const Vector3& v : hull.vertices) side[across.dot(v) > 0.0 ? 1 : 0].push_back(v);
      for (std::int32_t f = 0; f < hull.n_faces(); ++f) {
        const auto loop = hull.face(f);
        for (std::size_t k = 0; k < loop.size(); ++k) {
          const std::int32_t a = loop[k], b = loop[(k + 1) % loop.size()];
          if (a > b) continue;  // each edge once
          const Vector3 p = hull.vertices[static_cast<std::size_t>(a)],
                        q = hull.vertices[static_cast<std::size_t>(b)];
          const double s = across.dot(p), t = across.dot(q);
          if ((s > 0.0) == (t > 0.0)) continue;
          for (auto& points_of_side : side)
            points_of_side.emplace_back(p + (q - p) * (s / (s - t)));
        }
      }
      const std::vector<Moment> pieces =
          path_of("[[body]]\nkind = \"compound\"\nparts = [{ kind = \"convex\", vertices = " +
                      corners_of(side[0]) +
                      "}, { kind = \"convex\", vertices = " + corners_of(side[1]) + "}]\n" + place,
                  h);
      REQUIRE(block.size() == whole.size());
      bool same = true, touched = false;
      for (std::size_t k = 0; k < whole.size(); ++k) {
        drawn = std::max(drawn, (block[k].x - whole[k].x).norm());
        // Where an edge or face lands, the corners of the cut are further points of the contact,
        // and the impact is another one within the order of the step.
        same = same && pieces[k].n_contacts == whole[k].n_contacts;
        touched = touched || whole[k].n_contacts > 0;
        if (same) cut = std::max(cut, (pieces[k].x - whole[k].x).norm());
        if (same && touched) ++compared;
      }
    }
  }
  INFO("drawn in pieces " << drawn << " m, cut " << cut << " m over " << compared << " steps");
  CHECK(compared > 1000);
  CHECK(drawn <= 1e-11);  // [m] round-off of the centre of mass, over some impacts
  CHECK(cut <= 1e-11);
}

}  // namespace block_motion_test
