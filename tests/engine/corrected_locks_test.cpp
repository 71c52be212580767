// Position correction of bodies with locks, and of contacts with devices: what a lock holds stays
// where it is, overlaps go down to the slop, and what a device holds is left to it.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/state_hash.hpp"
#include "engine/step.hpp"
#include "engine/workspace.hpp"
#include "scenes/read/scene.hpp"
#include "tests/support/validation_table.hpp"

namespace corrected_locks_test {

using namespace scree;

namespace {

// A bin of boxes and balls, drawn up to 2 mm into each other, of which every third may not turn,
// every fifth only rises and falls, and one slides along the wall only.
std::string crowded_bin(double h, const std::string& correction, const std::string& device) {
  std::string text = "[time]\nend = 1\ndt = " + test::digits(h) + "\n[law]\ncorrection = \"";
  text += correction;
  text +=
      "\"\n[start]\nallow_initial_overlap = true\n[solver]\ntolerance = 1e-10\n[[material]]\n"
      "name = \"s\"\ndensity = 1000\n[[contact]]\nbetween = [\"s\", \"s\"]\nmu = 0.3\ne = 0\n";
  text += device;
  text +=
      "[[body]]\nname = \"floor\"\nkind = \"half_space\"\nnormal = [0, 0, 1]\nmaterial = \"s\"\n"
      "[[body]]\nname = \"wall\"\nkind = \"half_space\"\nnormal = [1, 0, 0]\noffset = -0.11\n"
      "material = \"s\"\n";
  int k = 0;
  for (int layer = 0; layer < 3; ++layer) {
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column, ++k) {
        text += "[[body]]\nmaterial = \"s\"\nname = \"b" + std::to_string(k) + "\"\nposition = [";
        text += test::digits(0.199 * column - 0.001) + ", " + test::digits(0.1985 * row) + ", ";
        text += test::digits(0.198 * layer + 0.099) + "]\n";
        text += k % 2 == 0 ? "kind = \"box\"\nsides = [0.2, 0.2, 0.2]\n"
                           : "kind = \"sphere\"\nradius = 0.1\n";
        if (k == 26)
          text += "free = [\"y\", \"z\", \"rx\", \"ry\", \"rz\"]\n";
        else if (k % 5 == 1)
          text += "free = [\"z\"]\n";
        else if (k % 3 == 0)
          text += "free = [\"x\", \"y\", \"z\"]\n";
      }
    }
  }
  return text;
}

void validation(const std::string& name, double error, double allowed, const char* source) {
  test::add_validation_row({"Position correction", name, "0", test::digits(error, 2),
                            test::digits(error, 2), test::digits(allowed, 2), source});
}

}  // namespace

TEST_CASE("Position correction moves no body where it is locked", "[locks][validation]") {
  for (const std::string correction : {"projection", "repeated"}) {
    for (const double h : {2e-3, 5e-4}) {
      Scene scene = parse_scene(crowded_bin(h, correction, ""), "bin.toml");
      const State start = scene.state;
      Workspace work(scene.model, scene.settings);
      double balance = 0.0, pushed = 0.0, deepest = 0.0;
      for (int k = 0; k < 60; ++k) {
        const StepRecord record = step(scene.model, scene.settings, scene.state, work);
        REQUIRE(record.converged);
        balance = std::max(balance, std::abs(record.ledger.balance));
        pushed += std::abs(record.ledger.projection_work);
        deepest = record.max_penetration;
      }
      double strayed = 0.0;
      for (const SteeredBody& steered : scene.model.steered) {
        const auto i = static_cast<std::size_t>(steered.body);
        const Vector3 way = scene.state.x[i] - start.x[i];
        for (int axis = 0; axis < 3; ++axis) {
          if (steered.freedom.directions[axis] == 0.0)
            strayed = std::max(strayed, std::abs(way[axis]));
        }
        if (steered.freedom.rotations == 0)
          strayed = std::max(strayed, scene.state.q[i].angularDistance(start.q[i]));
      }
      INFO(correction << ", h " << h << ", deepest " << deepest << ", balance "
                      << balance / scene.state.energy_scale);
      CHECK(pushed > 0.0);
      CHECK(strayed == 0.0);
      CHECK(balance <= 1e-12 * scene.state.energy_scale);
      // Nothing is wedged, so that all overlaps go; the slop is a share of the smallest size, 0.2
      // m.
      CHECK(deepest <= 1.5 * scene.settings.step.correction_slop * 0.2);
      validation("27 bodies with locks, " + correction + ", h = " + test::digits(h) +
                     " s: way along what is locked",
                 strayed, 0.0, "what is locked has no mobility");
      validation("27 bodies with locks, " + correction + ", h = " + test::digits(h) + " s: balance",
                 balance / scene.state.energy_scale, 1e-12, "every joule has a name");
    }
  }
}

TEST_CASE("Position correction leaves to a contact device what it holds", "[locks][validation]") {
  // A column of four cubes, drawn 1 mm into each other.
  const double g = 9.81, side = 0.2, mass = 2300.0 * side * side * side;
  for (const std::string correction : {"projection", "repeated"}) {
    for (const double h : {2e-3, 5e-4}) {
      std::string text = "[time]\nend = 1\ndt = " + test::digits(h) + "\n[law]\ncorrection = \"";
      text += correction;
      text +=
          "\"\n[start]\nallow_initial_overlap = true\n[solver]\ntolerance = 1e-12\n[[material]]\n"
          "name = \"s\"\ndensity = 2300\n[[contact]]\nbetween = [\"s\", \"s\"]\nmu = 0.5\ne = 0\n"
          "device = {}\n[[body]]\nname = \"floor\"\nkind = \"half_space\"\nnormal = [0, 0, 1]\n"
          "material = \"s\"\n";
      for (int k = 0; k < 4; ++k) {
        text += "[[body]]\nkind = \"box\"\nsides = [0.2, 0.2, 0.2]\nmaterial = \"s\"\nname = \"c";
        text += std::to_string(k) + "\"\nposition = [0, 0, " + test::digits(0.099 + 0.199 * k, 12);
        text += "]\n";
      }
      Scene scene = parse_scene(text, "column.toml");
      Workspace work(scene.model, scene.settings);
      double balance = 0.0, fastest = 0.0;
      for (int k = 0; k < static_cast<int>(std::lround(0.5 / h)); ++k) {
        const StepRecord record = step(scene.model, scene.settings, scene.state, work);
        REQUIRE(record.converged);
        balance = std::max(balance, std::abs(record.ledger.balance));
        for (const Vector3& v : scene.state.v) fastest = std::max(fastest, v.norm());
      }
      // Forces are those of statics, whatever was pushed before.
      double worst = 0.0;
      for (int below = 0; below < 4; ++below) {
        double force = 0.0;
        for (std::size_t k = 0; k < work.in_problem.size(); ++k) {
          const ContactKey& key = work.contacts.key[static_cast<std::size_t>(work.in_problem[k])];
          if (key.body_a == below && key.body_b == below + 1) force += work.p[k].x() / h;
        }
        worst = std::max(worst, std::abs(force / ((4 - below) * mass * g) - 1.0));
      }
      INFO(correction << ", h " << h << ", fastest " << fastest << " m/s");
      CHECK(fastest <= g * h);  // nothing is kicked off: a step's fall at most
      CHECK(worst <= 1e-6);
      CHECK(balance <= 1e-12 * scene.state.energy_scale);
      validation("column of 4 cubes with devices, " + correction + ", h = " + test::digits(h) +
                     " s: error of a joint's force",
                 worst, 1e-6, "statics");
    }
  }
}

}  // namespace corrected_locks_test
