// A ball rolls to and fro in a valley and in a bowl of cells. Its run is held against the closed
// form of the facets (straight ways, and an impact at each kink), and the facets against the curve
// z = x^2 / (2 R) through their nodes.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tests/support/raster_ground.hpp"
#include "tests/support/validation_table.hpp"

namespace terrain_rolling_test {

using namespace scree;
using test::add_validation_row;
using test::digits;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81, R = 2.0, r = 0.05;  // [m/s2], [m] of the bowl and of the ball

// Two swings: from the first to the third passage of the middle, and where the centre turned.
struct Swings {
  double period = 0.0;           // [s]
  std::array<double, 2> turn{};  // [m]
};

// Period [s] of a ball that rolls on the curve, with its centre turning at |x| = amplitude: of the
// energy 7/10 m v^2 + m g z. The way of the contact is x = X sin t; the midpoint rule of a periodic
// function leaves round-off.
double period_on_curve(double amplitude) {
  const auto width = [](double x) { return std::hypot(1.0, x / R); };
  const auto height = [&](double x) { return x * x / (2.0 * R) + r / width(x); };
  double X = amplitude;  // [m] of the contact
  for (int k = 0; k < 60; ++k) X = amplitude + r * (X / R) / width(X);
  constexpr int n = 200;
  double sum = 0.0;
  for (int k = 0; k < n; ++k) {
    const double t = 0.5 * std::numbers::pi * (k + 0.5) / n, x = X * std::sin(t), w = width(x);
    const double ds = w - r / (R * w * w);  // of the centre's way, by x
    sum += ds * X * std::cos(t) / std::sqrt(10.0 / 7.0 * g * (height(X) - height(x)));
  }
  return 2.0 * std::numbers::pi * sum / n;
}

// The ground below the way: the facet k lies between the nodes k and k + 1. In the bowl the ball
// lies in a groove of two facets.
struct Facets {
  double cell = 0.02;
  double groove = 0.0;  // [-] slope across

  explicit Facets(double size, bool bowl) : cell(size), groove(bowl ? size / (2.0 * R) : 0.0) {}

  double slope(int k) const { return (2 * k + 1) * cell / (2.0 * R); }
  double width(int k) const { return std::sqrt(1.0 + slope(k) * slope(k) + groove * groove); }
  // Distance of the centre from the line through what it touches, over r.
  double arm(int k) const { return std::hypot(1.0, slope(k)) / width(k); }
  double inertia(int k) const { return 1.0 + 0.4 / (arm(k) * arm(k)); }  // over the mass
  // Of the centre where it touches the facets k - 1 and k.
  double kink(int k) const {
    return k * cell - r * (width(k) - width(k - 1)) / (slope(k) - slope(k - 1));
  }
  double height(int k, double x) const {
    return k * cell * k * cell / (2.0 * R) + slope(k) * (x - k * cell) + r * width(k);
  }
};

// A share of the way of the centre over the facet that holds the place 0.2 m.
double start_on(const Facets& facets, double share) {
  const int k = static_cast<int>(std::floor(0.2 / facets.cell));
  return facets.kink(k) + share * (facets.kink(k + 1) - facets.kink(k));
}

// From rest at `start` on, as long as it takes. At a kink the angular momentum about what it now
// touches stays.
Swings on_facets(const Facets& facets, double start) {
  int k = static_cast<int>(std::floor(0.2 / facets.cell));
  double x = start, v = 0.0, time = 0.0, first = 0.0;  // v along the facet, positive to larger x
  Swings swings;
  for (int passages = 0;;) {
    const double angle = std::atan(facets.slope(k)), a = -g * std::sin(angle) / facets.inertia(k);
    // Downhill from rest; uphill to where it turns or to the kink.
    const double sign = v == 0.0 ? std::copysign(1.0, a) : std::copysign(1.0, v);
    const auto way_to = [&](double side) {
      return (facets.kink(side > 0.0 ? k + 1 : k) - x) / std::cos(angle);
    };
    double side = sign;
    double square = v * v + 2.0 * a * way_to(side);
    if (square < 0.0) {
      swings.turn[static_cast<std::size_t>(std::clamp(passages - 1, 0, 1))] =
          std::abs(x - 0.5 * v * v / a * std::cos(angle));
      side = -sign, square = v * v + 2.0 * a * way_to(side);
    }
    const double u = side * std::sqrt(square);
    time += (u - v) / a;
    const int next = side > 0.0 ? k + 1 : k - 1, node = std::max(k, next);
    x = facets.kink(node);
    const double bend = std::cos(std::atan(facets.slope(next)) - angle);
    v = u * (bend + 0.4 / (facets.arm(k) * facets.arm(next))) / facets.inertia(next);
    k = next;
    if (node != 0) continue;
    if (++passages == 1) first = time;
    swings.period = time - first;
    if (passages == 3) return swings;
  }
}

Swings of_run(const Facets& facets, double start, double h) {
  World world;
  world.law() = PairLaw{0.8, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-13;
  world.settings.step.solver.max_iterations = 20000;
  const bool bowl = facets.groove > 0.0;
  test::add_terrain(world,
                    test::terrain_of(test::grid_about(0.4, facets.cell), [&](double x, double y) {
                      return (x * x + (bowl ? y * y : 0.0)) / (2.0 * R);
                    }));
  const int k = static_cast<int>(std::floor(0.2 / facets.cell));
  world.add_sphere(r, Vector3(start, 0.0, facets.height(k, start)), 1.0);
  Stepper stepper(world);
  Swings swings;
  double first = 0.0;
  for (int passages = 0, step = 1;; ++step) {
    const double before = world.state.x[1].x();
    stepper.step();
    const double now = world.state.x[1].x();
    if (passages > 0) {
      double& turn = swings.turn[static_cast<std::size_t>(passages - 1)];
      turn = std::max(turn, std::abs(now));
    }
    if ((before > 0.0) == (now > 0.0)) continue;
    const double time = h * (step - 1 + before / (before - now));
    if (++passages == 1) first = time;
    swings.period = time - first;
    if (passages == 3) return swings;
  }
}

double error_to_curve(const Swings& swings) {
  return 2.0 * swings.period / (period_on_curve(swings.turn[0]) + period_on_curve(swings.turn[1])) -
         1.0;
}

void note(const std::string& name, const std::string& expected, double found, double allowed,
          const std::string& source) {
  add_validation_row(
      {"Terrain", name, expected, "deviation", digits(found, 2), digits(allowed, 2), source});
}

// Of the relative errors of periods, started at places spread evenly over a facet.
struct Errors {
  double largest = 0.0, mean = 0.0;
};

template <class Period>
Errors over_starts(const Facets& facets, int n, Period period) {
  Errors errors;
  for (int k = 0; k < n; ++k) {
    const double error = error_to_curve(period(start_on(facets, (k + 0.5) / n)));
    errors.largest = std::max(errors.largest, std::abs(error));
    errors.mean += error / n;
  }
  return errors;
}

std::string of_cells(double cell) { return "cells of " + digits(cell) + " m"; }

}  // namespace

// At a kink the ball may fly for a step, in which it does not roll: the error is of h over the
// cell.
TEST_CASE("A ball rolls over facets with their period as the step goes to zero") {
  for (const bool bowl : {false, true}) {
    for (const double cell : {0.04, 0.02}) {
      const Facets facets(cell, bowl);
      const double start = start_on(facets, 0.4);
      const double exact = on_facets(facets, start).period;
      for (const double h : {1.0 / 1024.0, 1.0 / 4096.0, 1.0 / 16384.0}) {
        const double error = std::abs(of_run(facets, start, h).period / exact - 1.0);
        const double allowed = 0.03 * h / cell;
        CAPTURE(bowl, cell, h, exact);
        CHECK(error < allowed);
        note(std::string("ball rolling in a ") + (bowl ? "bowl" : "valley") + ", " +
                 of_cells(cell) + ", h = " + digits(h) + " s, period (relative)",
             digits(exact), error, allowed, "straight ways and impacts at the kinks");
      }
    }
  }
}

// It turns within a facet, near whose end the slope is that of the curve at another place by half a
// cell: an error of cell^(3/2), of either sign. Its mean over all places to turn at is of cell^2.
TEST_CASE("The period of facets tends to that of the curve") {
  for (const double cell : {0.08, 0.04, 0.02, 0.01, 0.005}) {
    const Facets facets(cell, false);
    const Errors errors =
        over_starts(facets, 64, [&](double start) { return on_facets(facets, start); });
    CAPTURE(cell);
    CHECK(errors.largest < 2.5 * std::pow(cell, 1.5));
    CHECK(std::abs(errors.mean) < 0.1 * cell * cell);
    const char* source = "2 pi sqrt(7/5 (R - r) / g), of finite amplitude by quadrature";
    note("facets instead of the valley, " + of_cells(cell) + ", period (relative), largest of 64",
         "closed forms, cell^(3/2)", errors.largest, 2.5 * std::pow(cell, 1.5), source);
    note("facets instead of the valley, " + of_cells(cell) + ", period (relative), mean of 64",
         "closed forms, cell^2", std::abs(errors.mean), 0.1 * cell * cell, source);
  }
}

TEST_CASE("A ball rolls in a valley with the period of the curve to the cell squared") {
  for (const double cell : {0.08, 0.04, 0.02}) {
    const double h = 7.62939453125 * cell * cell * cell;  // 1/256 s at 0.08 m
    const Facets facets(cell, false);
    const Errors errors =
        over_starts(facets, 16, [&](double start) { return of_run(facets, start, h); });
    CAPTURE(cell, h);
    CHECK(errors.largest < 2.5 * std::pow(cell, 1.5));
    CHECK(std::abs(errors.mean) < 0.3 * cell * cell);
    const std::string name = "ball rolling in a valley, " + of_cells(cell) + ", h = " + digits(h) +
                             " s, period (relative), ";
    note(name + "largest of 16", "cell^(3/2)", errors.largest, 2.5 * std::pow(cell, 1.5),
         "the curve");
    note(name + "mean of 16", "cell^2", std::abs(errors.mean), 0.3 * cell * cell, "the curve");
  }
}

}  // namespace terrain_rolling_test
