#include "scenes/ensemble/random_rock.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "engine/base/check.hpp"
#include "scenes/generate/eota_block.hpp"
#include "scenes/generate/irregular_rock.hpp"
#include "scenes/generate/random.hpp"

namespace scree::ensemble {
namespace {

double one_of(const site::Distribution& d, Draws& draws) {
  using Kind = site::Distribution::Kind;
  const double u = draws.unit();
  switch (d.kind) {
    case Kind::value:
      return d.median;
    case Kind::uniform:
      return d.low + (d.high - d.low) * u;
    case Kind::lognormal:
      return d.median * portable_exp(d.sigma * normal_quantile(u));
    case Kind::power: {
      // The share above x, (x / low)^-b, runs from 1 to (high / low)^-b.
      const double least = portable_exp(-d.exponent * portable_log(d.high / d.low));
      const double share = 1.0 - u * (1.0 - least);
      return d.low * portable_exp(-portable_log(share) / d.exponent);
    }
    case Kind::table:
      break;
  }
  double left = u * std::accumulate(d.weights.begin(), d.weights.end(), 0.0);
  for (std::size_t i = 0; i < d.values.size(); ++i) {
    left -= d.weights[i];
    if (left < 0.0) return d.values[i];
  }
  return d.values.back();
}

// About the centre of mass, at the volume given.
std::vector<Vector3> scaled_to_volume(const std::vector<Vector3>& points, double volume) {
  const double factor =
      cube_root(volume / mass_properties(Shape(make_convex_polyhedron(points))).volume);
  std::vector<Vector3> scaled;
  for (const Vector3& point : points) scaled.push_back(factor * point);
  return scaled;
}

std::vector<Vector3> points_of(const site::Rock& rock, Draws& form) {
  switch (rock.kind) {
    case site::Rock::Kind::eota:
      return eota_block(rock.sides);
    case site::Rock::Kind::irregular:
      return irregular_rock({form.bits(), rock.corners, rock.irregularity, rock.sides});
    default:
      return rock.cloud;
  }
}

DrawnRock ball_or_box(const site::Rock& rock, double volume) {
  DrawnRock drawn;
  if (rock.kind == site::Rock::Kind::ball) {
    constexpr double pi = 3.141592653589793;
    const double radius = rock.scaled ? cube_root(0.75 * volume / pi) : 0.5 * rock.sides.x();
    drawn.shape = Sphere{radius, Vector3::Zero()};
    return drawn;
  }
  const double factor = rock.scaled ? cube_root(volume / rock.sides.prod()) : 1.0;
  drawn.shape = make_box(factor * rock.sides);
  return drawn;
}

}  // namespace

double portable_exp(double x) {
  constexpr double log_2_high = 0x1.62e42fefa3p-1, log_2_low = 0x1.3de6af278ece6p-42;
  const double k = std::nearbyint(x / (log_2_high + log_2_low));
  const double r = (x - k * log_2_high) - k * log_2_low;  // |r| <= 0.3466
  double series = 1.0;
  for (int n = 18; n >= 1; --n) series = 1.0 + series * r / n;  // r^19 / 19! < 2e-26
  return std::ldexp(series, static_cast<int>(k));
}

double drawn_from(const site::Distribution& distribution, Draws& draws) {
  for (int i = 0; i < 10000; ++i) {
    const double value = one_of(distribution, draws);
    if (value >= distribution.low && value <= distribution.high) return value;
  }
  throw InputError("low: ten thousand draws of this distribution are all outside [low, high]");
}

std::string describe(const site::Distribution& d) {
  using Kind = site::Distribution::Kind;
  switch (d.kind) {
    case Kind::value:
      return fmt::format("{:g}", d.median);
    case Kind::uniform:
      return fmt::format("uniform in [{:g}, {:g}]", d.low, d.high);
    case Kind::lognormal:
      return fmt::format("lognormal, median {:g}, deviation of the logarithm {:g}, in [{:g}, {:g}]",
                         d.median, d.sigma, d.low, d.high);
    case Kind::power:
      return fmt::format("power law, exponent {:g}, in [{:g}, {:g}]", d.exponent, d.low, d.high);
    case Kind::table:
      break;
  }
  return fmt::format("one of {} values", d.values.size());
}

Quaternion drawn_orientation(Draws& draws) {
  for (;;) {
    Eigen::Vector4d q;
    for (int i = 0; i < 4; ++i) q[i] = normal_quantile(draws.unit());
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (norm > 1e-3) return {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
  }
}

DrawnRock drawn_rock(const site::Rock& rock, Draws& size, Draws& form) {
  const double mass = rock.mass ? drawn_from(*rock.mass, size) : 0.0;
  const double volume = rock.volume ? drawn_from(*rock.volume, size) : mass / rock.density;
  DrawnRock drawn;
  if (rock.kind == site::Rock::Kind::ball || rock.kind == site::Rock::Kind::box) {
    drawn = ball_or_box(rock, volume);
  } else {
    drawn.vertices = points_of(rock, form);
    if (rock.scaled) drawn.vertices = scaled_to_volume(drawn.vertices, volume);
    drawn.shape = make_convex_polyhedron(drawn.vertices);
  }
  drawn.density = rock.density;
  if (!rock.scaled) drawn.mass = mass;
  return drawn;
}

}  // namespace scree::ensemble
