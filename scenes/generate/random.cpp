#include "scenes/generate/random.hpp"

#include <algorithm>

namespace scree {

Vector3 spread_direction(Random& random, const std::vector<Vector3>& so_far) {
  constexpr int candidates = 10;
  Vector3 best = Vector3::Zero();
  double best_nearness = 2.0;
  for (int i = 0; i < candidates; ++i) {
    const Vector3 candidate = random.direction();
    double nearness = -1.0;
    for (const Vector3& other : so_far) nearness = std::max(nearness, candidate.dot(other));
    if (nearness < best_nearness) {
      best_nearness = nearness;
      best = candidate;
    }
  }
  return best;
}

double cube_root(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  // mantissa in [1/2, 1); make the exponent a multiple of 3.
  const int shift = ((exponent % 3) + 3) % 3;
  const double value = std::ldexp(mantissa, shift);  // in [1/2, 4)
  double y = 1.0;
  for (int i = 0; i < 12; ++i) y = (2.0 * y + value / (y * y)) / 3.0;
  return std::ldexp(y, (exponent - shift) / 3);
}

}  // namespace scree
