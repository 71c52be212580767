// Tangential restitution in whole steps, against closed forms of the law and against fremond.
#include <catch2/catch.hpp>

#include <cmath>

#include "tests/support/random_shapes.hpp"
#include "tests/support/world.hpp"

namespace moreau_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

void set_moreau(World& world, double mu, double e, double e_T) {
  world.law() = PairLaw{mu, e, *contact::Laws::named("moreau")};
  contact::Laws::number(world.law(), "e_T") = e_T;
}

struct AfterImpact {
  Vector3 v, w_W;
};

// A ball without spin that meets the ground at (v_t, 0, -v_n), no gravity.
AfterImpact oblique_impact(double mu, double e, double e_T, double v_n, double v_t, double h) {
  constexpr double radius = 0.2;
  World world;
  world.model.gravity.setZero();
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-14;
  set_moreau(world, mu, e, e_T);
  world.add_plane();
  world.add_sphere(radius, Vector3(0.0, 0.0, radius + 3.4 * h * v_n), 1.7, Vector3(v_t, 0.0, -v_n));
  Stepper stepper(world);
  stepper.steps(10);
  return {world.state.v[1], world.state.q[1] * world.state.w[1]};
}

// Boxes thrown together above the ground.
World heap(double h) {
  test::RandomShapes random(11);
  World world;
  world.settings.time.dt = h;
  world.add_plane();
  for (int i = 0; i < 12; ++i) {
    const Vector3 x(0.7 * (i % 3), 0.7 * (i / 3 % 2), 0.6 + 0.7 * (i / 6));
    world.add_box(Vector3(0.5, 0.4, 0.3), Pose{x, random.rotation()}, 1000.0, random.in_cube(0.5),
                  random.in_cube(1.0));
  }
  return world;
}

}  // namespace

TEST_CASE("Ball that strikes the ground askew leaves as e and e_T say", "[engine][analytic]") {
  const double radius = 0.2;
  for (const double h : {1e-3, 1e-4}) {
    for (const double e : {0.0, 0.5, 1.0}) {
      for (const double e_T : {-1.0, -0.3, 0.0, 0.5, 1.0}) {
        for (const double mu : {0.05, 0.5}) {
          const double v_n = 1.0, v_t = 1.0;
          const AfterImpact after = oblique_impact(mu, e, e_T, v_n, v_t, h);
          // Impulses over the mass: what makes the point leave with -e_T v_t, or all of friction.
          const double sticking = 2.0 / 7.0 * (1.0 + e_T) * v_t, most = mu * (1.0 + e) * v_n,
                       taken = std::min(sticking, most);
          INFO("e " << e << ", e_T " << e_T << ", mu " << mu << ", h " << h);
          CHECK(std::abs(after.v.z() - e * v_n) < 1e-13);
          CHECK(std::abs(after.v.x() - (v_t - taken)) < 1e-13);
          CHECK(std::abs(radius * after.w_W.y() - 2.5 * taken) < 1e-13);
        }
      }
    }
  }
}

TEST_CASE("Tangential restitution of one is fremond at theta = 1/2, bit for bit",
          "[engine][property]") {
  for (const double h : {2e-3, 1e-3}) {
    World one = heap(h), other = heap(h);
    one.law() = PairLaw{0.4, 0.3, ImpactLaw::fremond};
    set_moreau(other, 0.4, 0.3, 1.0);
    Stepper of_one(one), of_other(other);
    std::int64_t contacts = 0;
    for (int k = 0; k < static_cast<int>(std::lround(0.6 / h)); ++k) {
      contacts += of_one.step().contacts;
      of_other.step();
      for (std::size_t i = 0; i < one.state.x.size(); ++i) {
        REQUIRE(one.state.x[i] == other.state.x[i]);
        REQUIRE(one.state.q[i].coeffs() == other.state.q[i].coeffs());
        REQUIRE(one.state.v[i] == other.state.v[i]);
        REQUIRE(one.state.w[i] == other.state.w[i]);
      }
    }
    CHECK(contacts > 200);
  }
}

TEST_CASE("Tangential restitution of zero is newton, bit for bit", "[engine][property]") {
  World one = heap(1e-3), other = heap(1e-3);
  one.law() = PairLaw{0.4, 0.3, ImpactLaw::newton};
  set_moreau(other, 0.4, 0.3, 0.0);
  Stepper of_one(one), of_other(other);
  for (int k = 0; k < 600; ++k) {
    of_one.step(), of_other.step();
    for (std::size_t i = 0; i < one.state.x.size(); ++i) {
      REQUIRE(one.state.x[i] == other.state.x[i]);
      REQUIRE(one.state.w[i] == other.state.w[i]);
    }
  }
}

TEST_CASE("Sliding block that comes to rest turns round by e_T of its speed in each step",
          "[engine][analytic]") {
  // A block on the ground with what speed is left: the law reverses e_T of it, step by step, and
  // the block creeps nowhere: it goes (1 - e_T)/2 h u, then -e_T times that, ...
  const double u_0 = 1e-3, side = 0.3;
  for (const double h : {1e-3, 5e-4}) {
    for (const double e_T : {0.0, 0.5, 1.0}) {
      World world;
      world.settings.time.dt = h;
      world.settings.step.solver.tolerance = 1e-13;
      set_moreau(world, 0.6, 0.0, e_T);
      world.add_plane();
      world.add_box(Vector3(side, side, side),
                    Pose{Vector3(0.0, 0.0, 0.5 * side), Quaternion::Identity()}, 1000.0,
                    Vector3(u_0, 0.0, 0.0));
      Stepper stepper(world);
      double u = u_0, x = 0.0;
      for (int k = 0; k < 12; ++k) {
        stepper.step();
        x += 0.5 * h * (u - e_T * u);
        u *= -e_T;
        CHECK(std::abs(world.state.v[1].x() - u) < 1e-10 * u_0);
        CHECK(std::abs(world.state.x[1].x() - x) < 1e-10 * h * u_0);
      }
    }
  }
}

TEST_CASE("Tangential restitution under a law that has none is refused", "[engine][unit]") {
  World world = heap(1e-3);
  set_moreau(world, 0.4, 0.3, 0.5);
  CHECK_NOTHROW(check_settings(world.model, world.settings));
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    world.law().law = law;  // as --law does
    CHECK_THROWS_WITH(check_settings(world.model, world.settings),
                      Catch::Contains("contact.e_T: 0.5 says nothing under the law"));
  }
}

TEST_CASE("Tangential restitution below zero leaves what slides its dry friction",
          "[engine][analytic]") {
  // A block at v on a plane that leans by `angle`, along the fall line: it comes to rest after
  // v^2 / (2 g (mu cos - sin)), at every e_T < 0, to what a step's friction makes of the speed.
  const double v = 1.0, mu = 0.5, side = 0.2;
  for (const double h : {1e-3, 2.5e-4}) {
    for (const Frames frames : {Frames::start, Frames::middle}) {
      for (const double angle : {0.0, 0.35}) {
        for (const double e_T : {-0.5, -0.85, -0.99, -1.0}) {
          World world;
          world.settings.time.dt = h;
          world.settings.step.frames = frames;
          set_moreau(world, mu, 0.0, e_T);
          const Vector3 n(std::sin(angle), 0.0, std::cos(angle)),
              down(std::cos(angle), 0.0, -std::sin(angle));
          world.add_plane(n);
          const Quaternion q(Eigen::AngleAxisd(angle, Vector3::UnitY()));
          const Vector3 x = 0.5 * side * n;
          world.add_box(Vector3::Constant(side), Pose{x, q}, 2300.0, v * down);
          Stepper stepper(world);
          const double slows = 9.81 * (mu * std::cos(angle) - std::sin(angle)),
                       way = v * v / (2.0 * slows);
          stepper.steps(static_cast<int>(std::lround((v / slows + 0.2) / h)));
          INFO("e_T " << e_T << ", h " << h << ", angle " << angle << ", middle "
                      << (frames == Frames::middle));
          const double gone = (world.state.x[1] - x).dot(down);
          CHECK(std::abs(gone - way) < v * h);
          CHECK(world.state.v[1].norm() < 1e-9);
        }
      }
    }
  }
  // The source's form: at e_T = -1 there is no friction.
  World world;
  set_moreau(world, mu, 0.0, -1.0);
  world.law().law = *contact::Laws::named("moreau_published");
  world.add_plane();
  world.add_box(Vector3::Constant(side),
                Pose{Vector3(0.0, 0.0, 0.5 * side), Quaternion::Identity()}, 2300.0,
                Vector3(v, 0.0, 0.0));
  Stepper stepper(world);
  stepper.steps(400);
  CHECK(world.state.v[1].x() > 0.999 * v);
}

}  // namespace moreau_test
