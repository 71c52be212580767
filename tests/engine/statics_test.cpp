// Limit states and impacts with closed forms: tilting stacks, overhangs, cradle, Painleve's rod, a
// lift.
#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace statics_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;
constexpr double degree = M_PI / 180.0;

// Plane through the origin that starts at `angle` about -y (falls towards +x when positive is about
// y) and turns at `rate`.
BodyIndex add_turning_plane(World& world, double angle, double rate) {
  BodyDefinition plane;
  plane.name = "plane";
  plane.kind = BodyKind::driven;
  plane.shape = HalfSpace{Vector3::UnitZ(), 0.0};
  plane.history = {HistoryKind::velocity, {}, {0.0}, {Vector3::Zero()}, {Vector3(0.0, rate, 0.0)}};
  return world.add(plane,
                   Pose{Vector3::Zero(), Quaternion(Eigen::AngleAxisd(angle, Vector3::UnitY()))});
}

// Stack of `n` blocks 1 x 1 x 0.5 on a plane that turns from `from` to `to` degrees. Returns
// whether it fell or slid.
bool moves_away(int n, double mu, double from, double to, double h) {
  constexpr double rate_deg = 1e-2;  // [degrees/s]
  World world;
  world.law() = PairLaw{mu, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = h;
  const double angle = from * degree;
  add_turning_plane(world, angle, rate_deg * degree);
  const Quaternion tilt(Eigen::AngleAxisd(angle, Vector3::UnitY()));
  for (int i = 0; i < n; ++i) {
    world.add_box(Vector3(1.0, 1.0, 0.5), Pose{tilt * Vector3(0.0, 0.0, 0.25 + 0.5 * i), tilt});
  }
  Stepper stepper(world);
  stepper.steps(static_cast<int>(std::lround((to - from) / rate_deg / world.settings.time.dt)));
  const Quaternion end(Eigen::AngleAxisd(to * degree, Vector3::UnitY()));
  double moved = 0.0;
  for (int i = 0; i < n; ++i) {
    const Vector3 carried = end * Vector3(0.0, 0.0, 0.25 + 0.5 * i);
    moved = std::max(moved, (world.state.x[static_cast<std::size_t>(i) + 1] - carried).norm());
  }
  return moved > 0.02;
}

// The limit lies within 0.1 degrees of `limit`: nothing moves up to 0.1 below, and something has by
// 0.1 above.
void check_limit(int n, double mu, double limit, double h, const std::string& source) {
  const bool early = moves_away(n, mu, limit - 0.3, limit - 0.1, h),
             late = moves_away(n, mu, limit - 0.1, limit + 0.1, h);
  CHECK_FALSE(early);
  CHECK(late);
  const std::string what =
      n == 1 ? "block 1 x 0.5" : "stack of " + test::digits(n) + " blocks 1 x 0.5";
  test::add_validation_row({"Statics",
                            what + " on a tilting plane, mu = " + test::digits(mu) +
                                ", h = " + test::digits(h) + " s: limit [degrees]",
                            test::digits(limit),
                            early  ? "below"
                            : late ? "within 0.1"
                                   : "above",
                            "-", "0.1", source});
}

}  // namespace

TEST_CASE("Single block on a turning plane slides or topples at the closed-form angle",
          "[engine][analytic]") {
  // min(atan mu, atan b/h) with b/h = 2: slides first with mu = 0.3, topples first with mu = 2.5
  for (const double h : {5e-3, 2.5e-3}) {
    check_limit(1, 0.3, std::atan(0.3) / degree, h, "atan mu");
    check_limit(1, 2.5, std::atan(2.0) / degree, h, "atan(b / h)");
  }
}

TEST_CASE("Stack of five blocks topples or slides at the closed-form angle", "[engine][analytic]") {
  // atan(b / (n h)) = 21.801 degrees with mu = 0.6; atan mu = 16.699 degrees with mu = 0.3
  for (const double h : {5e-3, 2.5e-3}) {
    check_limit(5, 0.6, 21.801, h, "atan(b / (n h))");
    check_limit(5, 0.3, 16.699, h, "atan mu");
  }
}

TEST_CASE("Overhanging books stand below the harmonic limit and fall above it",
          "[engine][analytic]") {
  for (const int n : {3, 4, 10}) {
    for (const double share : {0.995, 1.005}) {
      for (const double h : {4e-3, 2e-3}) {
        World world;
        world.law() = PairLaw{0.8, 0.0, ImpactLaw::fremond};
        world.settings.time.dt = h;
        BodyDefinition table;
        table.name = "table";
        table.kind = BodyKind::fixed;
        table.shape = make_box(Vector3(4.0, 1.0, 1.0));
        world.add(table,
                  Pose{Vector3(-2.0, 0.0, -0.5), Quaternion::Identity()});  // its edge at x = 0
        double edge = 0.0;                                                  // of the support below
        std::vector<double> start;
        for (int i = 0; i < n;
             ++i) {  // from the bottom; book n - i from the top overhangs by 1/(2 (n - i))
          edge += share * 0.5 / (n - i);
          world.add_box(Vector3(1.0, 0.6, 0.1),
                        Pose{Vector3(edge - 0.5, 0.0, 0.05 + 0.1 * i), Quaternion::Identity()});
          start.push_back(world.state.x.back().z());
        }
        Stepper stepper(world);
        stepper.steps(static_cast<int>(2.5 / h));
        const double sunk = start.back() - world.state.x.back().z();
        INFO(n << " books at " << share << " of the limit");
        if (share < 1.0) CHECK(sunk < 1e-4);
        if (share > 1.0) CHECK(sunk > 0.05);
        test::add_validation_row({"Statics",
                                  test::digits(n) + " overhanging books at " + test::digits(share) +
                                      " of the limit, h = " + test::digits(h) + " s",
                                  share < 1.0 ? "stand" : "fall", sunk > 0.05 ? "fall" : "stand",
                                  "-", share < 1.0 ? "sinks 1e-4 m" : "sinks 0.05 m",
                                  "sum of 1/(2k)"});
      }
    }
  }
}

TEST_CASE("Touching balls of a cradle share the impact as the newton law says",
          "[engine][analytic]") {
  for (const auto& [n, e] :
       {std::pair{3, 1.0}, std::pair{5, 1.0}, std::pair{4, 0.0}, std::pair{5, 0.5}}) {
    for (const double h : {1e-3, 5e-4}) {
      World world;
      world.model.gravity.setZero();
      world.law() = PairLaw{0.0, e, ImpactLaw::newton};
      world.settings.time.dt = h;
      world.settings.step.solver.tolerance = 1e-13;
      for (int i = 0; i < n; ++i) {
        world.add_sphere(0.5, Vector3(i, 0.0, 0.0), 2.0,
                         i == 0 ? Vector3(1.0, 0.0, 0.0) : Vector3(0.0, 0.0, 0.0));
      }
      Stepper stepper(world);
      stepper.step();
      const std::string name = test::case_name("cradle of " + test::digits(n) +
                                                   " touching balls, e = " + test::digits(e),
                                               ImpactLaw::newton, h) +
                               "first ball [m/s]";
      CHECK(test::validated({"Impacts", name, 1.0 - (1.0 + e) * (n - 1) / n, world.state.v[0].x(),
                             1e-9, false, "1 - (1+e)(N-1)/N"}));
      for (int i = 1; i < n; ++i)
        CHECK(std::abs(world.state.v[static_cast<std::size_t>(i)].x() - (1.0 + e) / n) < 1e-9);
    }
  }
}

TEST_CASE("Painleve rod beyond the paradox stays finite and gains no energy",
          "[engine][property]") {
  // 63.435 degrees, tan = 2: paradox beyond mu = 4/3
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const double mu : {1.2, 1.6}) {
      for (const double h : {1e-3, 5e-4}) {
        World world;
        world.law() = PairLaw{mu, 0.0, law};
        world.settings.time.dt = h;
        world.add_plane();
        BodyDefinition rod;
        rod.name = "rod";
        rod.shape = PointSet{{Vector3(0.0, 0.0, -1.0)}};
        rod.mass = 1.0;
        rod.inertia = Matrix3(Vector3::Constant(1.0 / 3.0).asDiagonal());
        const Quaternion lean(Eigen::AngleAxisd(-26.565 * degree, Vector3::UnitY()));
        world.add(rod, Pose{lean * Vector3(0.0, 0.0, 1.0), lean}, Vector3(2.0, 0.0, 0.0));
        Stepper stepper(world);
        double work = 0.0, largest = 0.0, fastest = 0.0, impulse = 0.0, excess = 0.0;
        for (int k = 0; k < static_cast<int>(0.2 / h); ++k) {
          const StepRecord& record = stepper.step();
          REQUIRE(world.state.v[1].allFinite());
          fastest = std::max(fastest, world.state.v[1].norm());
          impulse = std::max(impulse, stepper.impulse_on(1).norm());
          work += record.ledger.contact_normal_work + record.ledger.contact_tangential_work;
          largest =
              std::max({largest, record.ledger.max_normal_work, record.ledger.max_tangential_work});
          const double done =
              record.ledger.contact_normal_work + record.ledger.contact_tangential_work;
          excess = std::max(excess, done - 0.5 * g * h * stepper.impulse_on(1).z());
        }
        CHECK(fastest < 10.0);
        CHECK(work < 0.0);
        // beyond the paradox the rod jams: an impact without a collision, many times the weight's
        // impulse
        if (mu > 4.0 / 3.0) CHECK(impulse > 10.0 * g * h);
        const std::string name =
            test::case_name("Painleve rod at 63.4 degrees, mu = " + test::digits(mu), law, h);
        test::add_validation_row({"Impacts", name + "work of the contact [J]", "< 0, finite",
                                  test::digits(work, 3), "-", "0", "no gain of energy"});
        // `newton` with e = 0 may do work in a step: u_k1 = u_k + W p - h g n gives
        //   p . (u_k + u_k1) / 2 = p . u_k1 - p . W p / 2 + h g p_N / 2,
        // where p . u_k1 <= 0 by the law and W is positive: at most h g p_N / 2, which vanishes
        // with h. (The spin adds nothing: it keeps its axis.) The sum over the slide must stay a
        // loss.
        if (law == ImpactLaw::newton) {
          CHECK(test::validated(
              {"Impacts", name + "work of the contact in a step beyond g h p_N / 2, largest [J]",
               0.0, std::max(0.0, excess), 1e-9, false, "p . (u_k1 - W p / 2 + h g n / 2)"}));
        }
        if (law == ImpactLaw::fremond) {
          // the residual, 1e-8, of an impulse below 2 N s at speeds below 3 m/s
          CHECK(test::validated({"Impacts", name + "largest work of the contact in a step [J]", 0.0,
                                 largest, 1e-9, false, "never positive"}));
        }
      }
    }
  }
}

TEST_CASE("Driven support carries a block and its work is the block's energy",
          "[engine][property]") {
  World world;
  world.law() = PairLaw{0.5, 0.0, ImpactLaw::newton};
  BodyDefinition lift;
  lift.name = "lift";
  lift.kind = BodyKind::driven;
  lift.shape = make_box(Vector3(2.0, 2.0, 1.0));
  lift.history = {HistoryKind::acceleration,
                  {},
                  {0.0, 0.5, 1.0},
                  {Vector3::Zero(), Vector3(0.0, 0.0, 2.0), Vector3::Zero()},
                  {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()}};
  world.add(lift, Pose{Vector3(0.0, 0.0, -0.5), Quaternion::Identity()});
  world.add_box(Vector3::Ones(), Pose{Vector3(0.0, 0.0, 0.5), Quaternion::Identity()});
  Stepper stepper(world);
  double work = 0.0;
  for (int k = 0; k < 1000; ++k) {
    const StepRecord& record = stepper.step();
    work += record.ledger.driven_work;
    REQUIRE(std::abs(record.ledger.balance) <= 1e-9 * record.ledger.energy_scale);
  }
  // Triangle of acceleration, of slope -4 m/s3 at the end: v = 1 m/s after 1 s, rise 0.5 m by
  // symmetry. The lift follows that exactly, so contacts see its velocities shifted until their
  // mean is its displacement over h, by h^2 / 12 of that slope (the error of the trapezium), and
  // the block has that. At the two ends of the slopes it lags by less than h^3.
  const double mass = 2300.0, h = world.settings.time.dt;
  CHECK(test::validated({"Driven supports",
                         "lift accelerates for 1 s: speed of the block on it [m/s]",
                         1.0 + 4.0 * h * h / 12.0, world.state.v[1].z(), 1e-9, false,
                         "integral of the history, seen by its displacements"}));
  CHECK(std::abs(world.state.x[0].z()) < 1e-12);
  CHECK(std::abs(world.state.x[1].z() - 1.0) < 1e-9);
  CHECK(test::validated({"Driven supports", "lift accelerates for 1 s: its work [J]",
                         mass * (0.5 + g * 0.5), work, 1e-5, true,
                         "kinetic and potential energy of the block"}));
}

}  // namespace statics_test
