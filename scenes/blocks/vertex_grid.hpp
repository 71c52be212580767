// Points found again by place, within a tolerance.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/base/math.hpp"

namespace scree::blocks {

class VertexGrid {
 public:
  // `tolerance` [m] > 0: a point within it is the same one.
  explicit VertexGrid(double tolerance) : tolerance_(tolerance), cell_(4.0 * tolerance) {}

  // The first point within the tolerance; -1: none.
  std::int32_t find(const Vector3& p) const {
    const std::array<std::int64_t, 3> low = cell_of(p - Vector3::Constant(tolerance_)),
                                      high = cell_of(p + Vector3::Constant(tolerance_));
    std::int32_t found = -1;
    for (std::int64_t i = low[0]; i <= high[0]; ++i) {
      for (std::int64_t j = low[1]; j <= high[1]; ++j) {
        for (std::int64_t k = low[2]; k <= high[2]; ++k) {
          const auto cell = cells_.find(hash({i, j, k}));
          if (cell == cells_.end()) continue;
          for (const std::int32_t v : cell->second) {
            if ((found < 0 || v < found) &&
                (points_[static_cast<std::size_t>(v)] - p).norm() <= tolerance_)
              found = v;
          }
        }
      }
    }
    return found;
  }

  std::int32_t add(const Vector3& p) {
    const auto number = static_cast<std::int32_t>(points_.size());
    points_.push_back(p);
    cells_[hash(cell_of(p))].push_back(number);
    return number;
  }

  const std::vector<Vector3>& points() const { return points_; }

 private:
  // Far apart or tiny cells wrap round; a hash that is shared only costs time.
  std::array<std::int64_t, 3> cell_of(const Vector3& p) const {
    std::array<std::int64_t, 3> cell{};
    for (int i = 0; i < 3; ++i)
      cell[static_cast<std::size_t>(i)] =
          static_cast<std::int64_t>(std::floor(std::fmod(p(i) / cell_, 1e15)));
    return cell;
  }
  static std::uint64_t hash(const std::array<std::int64_t, 3>& cell) {
    std::uint64_t h = 1469598103934665603U;
    for (const std::int64_t c : cell) {
      h ^= static_cast<std::uint64_t>(c) + 0x9e3779b97f4a7c15U + (h << 6) + (h >> 2);
      h *= 1099511628211U;
    }
    return h;
  }

  double tolerance_, cell_;
  std::vector<Vector3> points_;
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> cells_;
};

}  // namespace scree::blocks
