// Finds a direction among many that are the same but for their sign.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/base/math.hpp"

namespace scree {

class DirectionIndex {
 public:
  // The direction nearest to `direction` or its opposite among those added, within `tolerance`
  // [rad]; -1: none.
  std::int32_t find(const Vector3& direction, double tolerance) const {
    std::int32_t best = -1;
    double least = tolerance;
    const double key = key_of(direction);
    for (auto at = by_key_.lower_bound(key - 2.0 * tolerance);
         at != by_key_.end() && at->first <= key + 2.0 * tolerance; ++at) {
      const double angle =
          directions_[static_cast<std::size_t>(at->second)].cross(direction).norm();
      if (angle < least || (angle == least && at->second < best)) least = angle, best = at->second;
    }
    return best;
  }

  void add(const Vector3& direction) {
    by_key_.emplace(key_of(direction), static_cast<std::int32_t>(directions_.size()));
    directions_.push_back(direction);
  }

 private:
  // A component that few directions share unless they are the same: along no axis that a drawing
  // has.
  static double key_of(const Vector3& direction) {
    return std::abs(
        direction.dot(Vector3(0.5377394361820551, 0.6237612148394093, 0.5672190375014093)));
  }

  std::multimap<double, std::int32_t> by_key_;
  std::vector<Vector3> directions_;
};

}  // namespace scree
