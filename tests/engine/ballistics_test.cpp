// Single bodies against closed forms of the scheme and of the motion.
#include <catch2/catch.hpp>

#include <cmath>

#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace ballistics_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;

// A plane that falls towards +x at `angle`; the normal of the slope is (sin, 0, cos) of it.
World inclined_plane(double angle, const PairLaw& law, double h) {
  World world;
  world.law() = law;
  world.settings.time.dt = h;
  world.add_plane(Vector3(std::sin(angle), 0.0, std::cos(angle)));
  return world;
}

}  // namespace

TEST_CASE("Block sliding to rest stops at the Coulomb distance", "[engine][analytic]") {
  const double v0 = 5.0, mu = 0.3;
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const double h : {2e-3, 1e-3}) {
      World world;
      world.law() = PairLaw{mu, 0.0, law};
      world.settings.time.dt = h;
      world.add_plane();
      world.add_box(Vector3(1.0, 1.0, 0.2), Pose{Vector3(0.0, 0.0, 0.1), Quaternion::Identity()},
                    1000.0, Vector3(v0, 0.0, 0.0));
      Stepper stepper(world);
      stepper.steps(static_cast<int>(2.0 / h));
      // exact deceleration between steps; the last partial step is off by mu g h^2
      const std::string name =
          test::case_name("block sliding from 5 m/s, mu = 0.3", law, h) + "distance [m]";
      CHECK(
          test::validated({"Sliding and rolling", name, v0 * v0 / (2.0 * mu * g),
                           world.state.x[1].x(), mu * g * h * h + 1e-6, false, "v^2 / (2 mu g)"}));
      CHECK(std::abs(world.state.x[1].y()) < 1e-9);
      CHECK(world.state.v[1].norm() <=
            0.51 * mu * g * h);  // `fremond`: a stopped body keeps at most mu g h / 2
    }
  }
}

TEST_CASE("Block that a moving table catches errs in position by the second order of h",
          "[engine][analytic]") {
  // A block at rest on a table that moves at V: friction carries it along with mu g until t = V /
  // (mu g); then it is V t - V^2 / (2 mu g) far. The only error is that of the step in which it is
  // caught, a third or two thirds into the step, so that halving h halves its share.
  const double V = 1.0, mu = 0.3, caught = V / (mu * g);
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    double error[3] = {}, step[3] = {};
    for (int level = 0; level < 3; ++level) {
      World world;
      world.law() = PairLaw{mu, 0.0, law};
      const double h = caught / (40.0 + 1.0 / 3.0) / (1 << level);
      world.settings.time.dt = step[level] = h;
      world.settings.step.solver.tolerance = 1e-13;
      BodyDefinition table;
      table.name = "table";
      table.kind = BodyKind::driven;
      table.shape = make_box(Vector3(10.0, 10.0, 1.0));
      table.history = {HistoryKind::velocity, {}, {0.0}, {Vector3(V, 0.0, 0.0)}, {Vector3::Zero()}};
      world.add(table, Pose{Vector3(0.0, 0.0, -0.5), Quaternion::Identity()}, Vector3(V, 0.0, 0.0));
      world.add_box(Vector3(1.0, 1.0, 0.4), Pose{Vector3(0.0, 0.0, 0.2), Quaternion::Identity()});
      Stepper stepper(world);
      stepper.steps(60 << level);
      error[level] =
          std::abs(world.state.x[1].x() - (V * world.state.time - 0.5 * V * V / (mu * g)));
    }
    for (int level = 0; level < 2; ++level) {
      const std::string name = "block caught by a moving table, " +
                               std::string(law == ImpactLaw::newton ? "newton" : "fremond") +
                               ", h = " + test::digits(step[level], 4) +
                               " s and half: order of the error of its position";
      // the share of the step, 1/3 or 2/3, is off by round-off only
      CHECK(test::validated({"Sliding and rolling", name, 2.0,
                             std::log2(error[level] / error[level + 1]), 0.01, false,
                             "order of the scheme"}));
    }
  }
}

TEST_CASE("Block on an incline sticks below the friction angle and slides above it",
          "[engine][analytic]") {
  const double mu = 0.5, limit = std::atan(mu);
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const double offset : {-0.05, 0.05}) {
      for (const double h : {2e-3, 1e-3}) {
        const double angle = limit + offset * M_PI / 180.0;
        World world = inclined_plane(angle, PairLaw{mu, 0.0, law}, h);
        const Quaternion tilt(Eigen::AngleAxisd(angle, Vector3::UnitY()));
        world.add_box(Vector3(1.0, 1.0, 0.5), Pose{tilt * Vector3(0.0, 0.0, 0.25), tilt});
        Stepper stepper(world);
        stepper.steps(static_cast<int>(1.0 / h));
        const double moved = (world.state.x[1] - tilt * Vector3(0.0, 0.0, 0.25)).norm();
        // exact for constant force at theta = 1/2
        const double acceleration =
            offset < 0.0 ? 0.0 : g * (std::sin(angle) - mu * std::cos(angle));
        const std::string side = offset < 0.0 ? "below" : "above";
        const std::string name =
            test::case_name("block 0.05 degrees " + side + " the friction angle", law, h) +
            "way in 1 s [m]";
        CHECK(test::validated({"Sliding and rolling", name, 0.5 * acceleration, moved,
                               offset < 0.0 ? 1e-8 : 1e-6, false,
                               offset < 0.0 ? "sticks" : "g (sin a - mu cos a) / 2"}));
      }
    }
  }
}

namespace {

// A round body that slides at v0 and then rolls: shares k of m r^2 that its inertia is, of the
// closed form
//   v = v0 / (1 + k),  t = k v0 / ((1 + k) mu g),  x(t) = v0 t - mu g t^2 / 2.
// A cylinder that rolls on its side touches the ground in a line whose contact points share one
// velocity: the sphere with k = 1/2 about the axis moves as it does. (A solid of facets would rock
// over its edges.)
struct Roller {
  const char* name;
  double k;
  const char *speed, *time;
};

}  // namespace

TEST_CASE("Sliding sphere and cylinder begin to roll at the closed-form speed, time and way",
          "[engine][analytic]") {
  const double v0 = 5.0, mu = 0.2, r = 0.5, m = 3.0;
  for (const Roller& roller : {Roller{"sphere", 0.4, "5/7 v", "2 v / (7 mu g)"},
                               Roller{"cylinder", 0.5, "2/3 v", "v / (3 mu g)"}}) {
    for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
      for (const double h : {2e-3, 1e-3}) {
        World world;
        world.law() = PairLaw{mu, 0.0, law};
        world.settings.time.dt = h;
        world.add_plane();
        BodyDefinition body;
        body.name = roller.name;
        body.shape = Sphere{r, Vector3::Zero()};
        body.mass = m;
        // of the cylinder, 2 m r long: m (3 r^2 + l^2) / 12 across its axis
        const double across = roller.k == 0.5 ? 7.0 / 12.0 : roller.k;
        body.inertia = m * r * r * Vector3(across, roller.k, across).asDiagonal().toDenseMatrix();
        world.add(body, Pose{Vector3(0.0, 0.0, r), Quaternion::Identity()}, Vector3(v0, 0.0, 0.0));
        Stepper stepper(world);
        const double rolling_at = roller.k * v0 / ((1.0 + roller.k) * mu * g),
                     rolling_v = v0 / (1.0 + roller.k);
        // It rolls once the velocity of the contact point is gone: the line through two velocities
        // of the slide says when that is.
        const auto slip = [&] {
          return world.state.v[1].x() - r * (world.state.q[1] * world.state.w[1]).y();
        };
        stepper.steps(static_cast<int>(0.5 * rolling_at / h));
        const double half_way = world.state.time, slip_half_way = slip();
        double before = slip_half_way, reached = 0.0, way = 0.0;
        while (world.state.time < 1.5 * rolling_at) {
          const double x = world.state.x[1].x(), v = world.state.v[1].x();
          stepper.step();
          const double after = slip();
          if (reached == 0.0 && after < 1e-6 * v0) {  // the step in which it begins to roll: the
                                                      // slide goes on for a share of it
            const double start = world.state.time - h;
            const double rest = before * (start - half_way) / (slip_half_way - before);
            reached = start + rest;
            way = x + v * rest - 0.5 * mu * g * rest * rest;
          }
          before = after;
        }
        const double t = world.state.time;
        const double x =
            v0 * rolling_at - 0.5 * mu * g * rolling_at * rolling_at + rolling_v * (t - rolling_at);
        // `fremond` turns what is left of the slip in the last step of the slide around (theta =
        // 1/2): up to mu g h of speed
        const double floor = law == ImpactLaw::fremond ? mu * g * h : 0.0;
        const std::string name =
            test::case_name(std::string(roller.name) + " sliding from 5 m/s, mu = 0.2", law, h);
        const char* section = "Sliding and rolling";
        // The slide is exact at theta = 1/2 up to the solver's 1e-8 of each impulse, and what the
        // last step leaves is gone after it. Without reversal the speed is exact too: the angular
        // momentum about the ground is kept.
        CHECK(test::validated({section, name + "speed when it rolls [m/s]", rolling_v,
                               world.state.v[1].x(), 1e-6 * v0 + floor, false, roller.speed}));
        CHECK(test::validated({section, name + "time when it begins to roll [s]", rolling_at,
                               reached, 1e-6, true, roller.time}));
        CHECK(test::validated({section, name + "way when it begins to roll [m]",
                               v0 * rolling_at - 0.5 * mu * g * rolling_at * rolling_at, way, 1e-6,
                               true, "v t - mu g t^2 / 2"}));
        // the step in which the slide ends moves it by mu g h^2 too far or too short
        CHECK(
            test::validated({section, name + "way at 1.5 of that time [m]", x, world.state.x[1].x(),
                             mu * g * h * h, false, "v t - mu g t^2 / 2, then at constant speed"}));
      }
    }
  }
}

TEST_CASE(
    "Sphere on an incline rolls with five sevenths of gravity or slides when friction is short",
    "[engine][analytic]") {
  const double angle = M_PI / 6.0;
  const struct {
    double mu, acceleration;
  } cases[] = {{0.5, 5.0 / 7.0 * g * std::sin(angle)},
               {0.1, g * (std::sin(angle) - 0.1 * std::cos(angle))}};
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const auto& expected : cases) {
      for (const double h : {2e-3, 1e-3}) {
        World world = inclined_plane(angle, PairLaw{expected.mu, 0.0, law}, h);
        const Vector3 start(0.5 * std::sin(angle), 0.0, 0.5 * std::cos(angle));
        world.add_sphere(0.5, start, 3.0);
        Stepper stepper(world);
        stepper.steps(static_cast<int>(std::lround(1.0 / h)));
        // constant forces: the scheme is exact at theta = 1/2, and what is left is the solver's
        // 1e-8 of each impulse
        const double acceleration =
            2.0 * (world.state.x[1] - start).norm() / (world.state.time * world.state.time);
        const std::string name =
            test::case_name("sphere on 30 degrees, mu = " + test::digits(expected.mu), law, h) +
            "acceleration [m/s2]";
        CHECK(
            test::validated({"Sliding and rolling", name, expected.acceleration, acceleration, 1e-6,
                             true, expected.mu > 0.2 ? "5/7 g sin a" : "g (sin a - mu cos a)"}));
      }
    }
  }
}

TEST_CASE(
    "Sphere on an incline rolls up to seven halves of the friction coefficient and slips beyond",
    "[engine][analytic]") {
  // Rolling takes 2/7 m g sin a of friction, and mu m g cos a is there: the limit is tan a = 7/2
  // mu. 0.05 degrees beyond it the two closed forms differ by a thousandth, a thousand times what
  // is allowed.
  const double mu = 0.1, limit = std::atan(3.5 * mu), r = 0.5;
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const double offset : {-0.05, 0.05}) {
      for (const double h : {2e-3, 1e-3}) {
        const double angle = limit + offset * M_PI / 180.0;
        World world = inclined_plane(angle, PairLaw{mu, 0.0, law}, h);
        const Vector3 start = r * Vector3(std::sin(angle), 0.0, std::cos(angle)),
                      down(std::cos(angle), 0.0, -std::sin(angle));
        world.add_sphere(r, start, 3.0);
        Stepper stepper(world);
        stepper.steps(static_cast<int>(std::lround(1.0 / h)));
        const double t = world.state.time;
        const double way = (world.state.x[1] - start).dot(down);
        const double slip =
            world.state.v[1].dot(down) - r * (world.state.q[1] * world.state.w[1]).y();
        const double slides = g * (std::sin(angle) - mu * std::cos(angle)),
                     spins = 2.5 * mu * g * std::cos(angle);
        const bool rolls = offset < 0.0;
        const std::string name =
            test::case_name(std::string("sphere 0.05 degrees ") + (rolls ? "below" : "above") +
                                " the slope of 7/2 mu",
                            law, h);
        // constant forces: the scheme is exact at theta = 1/2, and what is left is the solver's
        // 1e-8 of each impulse, m g h
        CHECK(
            test::validated({"Sliding and rolling", name + "acceleration [m/s2]",
                             rolls ? 5.0 / 7.0 * g * std::sin(angle) : slides, 2.0 * way / (t * t),
                             1e-6, true, rolls ? "5/7 g sin a" : "g (sin a - mu cos a)"}));
        CHECK(test::validated({"Sliding and rolling", name + "slip after 1 s [m/s]",
                               rolls ? 0.0 : (slides - spins) * t, slip, 1e-6, false,
                               rolls ? "rolls" : "g (sin a - 7/2 mu cos a) t"}));
      }
    }
  }
}

TEST_CASE("Oblique impact of a sphere follows the closed form of each law", "[engine][analytic]") {
  // v_n = v_t = 1, e = 1/2, no gravity; columns: mu, law, v_t', spin
  const struct {
    double mu;
    ImpactLaw law;
    double v_t, w;
  } cases[] = {{0.1, ImpactLaw::newton, 0.85, 0.375},
               {0.1, ImpactLaw::fremond, 0.85, 0.375},
               {0.5, ImpactLaw::newton, 5.0 / 7.0, 5.0 / 7.0},
               {0.5, ImpactLaw::fremond, 3.0 / 7.0, 10.0 / 7.0}};
  for (const auto& expected : cases) {
    for (const double h : {1e-2, 5e-3}) {
      World world;
      world.model.gravity.setZero();
      world.law() = PairLaw{expected.mu, 0.5, expected.law};
      world.settings.time.dt = h;
      world.settings.step.solver.tolerance = 1e-13;
      world.add_plane();
      world.add_sphere(1.0, Vector3(0.0, 0.0, 1.0), 2.0, Vector3(1.0, 0.0, -1.0));
      Stepper stepper(world);
      stepper.step();
      const std::string name = test::case_name(
          "oblique sphere impact, mu = " + test::digits(expected.mu), expected.law, h);
      CHECK(test::validated({"Impacts", name + "tangential speed [m/s]", expected.v_t,
                             world.state.v[1].x(), 1e-10, false, "closed form of the law"}));
      CHECK(std::abs(world.state.v[1].z() - 0.5) < 1e-10);
      CHECK(std::abs(world.state.w[1].y() - expected.w) < 1e-10);
    }
  }
}

}  // namespace ballistics_test
