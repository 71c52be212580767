#include "scenes/irregular_rock.hpp"

#include <algorithm>

#include "scenes/random.hpp"

namespace scree {
namespace {

// Candidates of which the one farthest from the points so far is taken, so that corners spread out.
constexpr int candidates = 10;

Vector3 farthest_direction(SeededRandom& random, std::span<const Vector3> directions) {
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
  SeededRandom random(rock.seed);
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
