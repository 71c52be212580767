#include "scenes/irregular_rock.hpp"

#include <algorithm>

namespace scree {
namespace {

// Candidates of which the one farthest from the points so far is taken, so that corners spread out.
constexpr int candidates = 10;

// SplitMix64 (Steele, Lea, Flood 2014): integer arithmetic only, the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }

  // Uniform on the unit sphere, by rejection: no trigonometry, whose last bit differs between libraries.
  Vector3 direction() {
    while (true) {
      const double x = 2.0 * uniform() - 1.0;
      const double y = 2.0 * uniform() - 1.0;
      const double z = 2.0 * uniform() - 1.0;
      const Vector3 point(x, y, z);
      const double square = point.squaredNorm();
      if (square <= 1.0 && square > 0.01) return point / std::sqrt(square);
    }
  }

 private:
  std::uint64_t state_;
};

Vector3 farthest_direction(Random& random, std::span<const Vector3> directions) {
  Vector3 best = Vector3::Zero();
  double best_nearness = 2.0;
  for (int i = 0; i < candidates; ++i) {
    const Vector3 candidate = random.direction();
    double nearness = -1.0;
    for (const Vector3& other : directions) nearness = std::max(nearness, candidate.dot(other));
    if (nearness < best_nearness) {
      best_nearness = nearness;
      best = candidate;
    }
  }
  return best;
}

}  // namespace

std::vector<Vector3> irregular_rock(const IrregularRock& rock) {
  Random random(rock.seed);
  std::vector<Vector3> directions, points;
  for (int i = 0; i < rock.corners; ++i) {
    directions.push_back(farthest_direction(random, directions));
    const double radius = 1.0 - rock.irregularity * random.uniform();
    points.push_back(radius * directions.back().cwiseProduct(rock.proportions));
  }
  return points;
}

std::vector<Vector3> scaled_to(std::span<const Vector3> points, double size) {
  Vector3 low = points.front(), high = points.front();
  for (const Vector3& point : points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  const double factor = size / (high - low).maxCoeff();
  std::vector<Vector3> result;
  for (const Vector3& point : points) result.push_back(factor * point);
  return result;
}

}  // namespace scree
