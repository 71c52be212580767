#include "scenes/generate/irregular_rock.hpp"

#include <algorithm>

#include "scenes/generate/random.hpp"

namespace scree {

std::vector<Vector3> irregular_rock(const IrregularRock& rock) {
  Random random(rock.seed);
  std::vector<Vector3> directions, points;
  for (int i = 0; i < rock.corners; ++i) {
    directions.push_back(spread_direction(random, directions));
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
