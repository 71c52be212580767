// Pairs of boxes that overlap: Bullet's dynamic tree on float boxes that are rounded outward.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/model/executor.hpp"
#include "engine/model/math.hpp"

namespace scree::collision {

// Axis-aligned box in floats.
struct FloatBox {
  float low[3] = {0.0F, 0.0F, 0.0F};
  float high[3] = {0.0F, 0.0F, 0.0F};

  bool overlaps(const FloatBox& other) const {
    for (int i = 0; i < 3; ++i) {
      if (low[i] > other.high[i] || other.low[i] > high[i]) return false;
    }
    return true;
  }
};

// The smallest float box that holds [low, high] (doubles): nothing is lost by single precision.
FloatBox rounded_outward(const Vector3& low, const Vector3& high);

// Two box numbers, first < second.
struct BoxPair {
  std::int32_t first = 0, second = 0;

  auto operator<=>(const BoxPair&) const = default;
};

// The tree is kept between steps; a box enters it enlarged and is moved only when it leaves the enlarged one. The pairs depend
// on the boxes alone, not on the history of the tree.
class BroadPhase {
 public:
  BroadPhase();
  ~BroadPhase();
  BroadPhase(BroadPhase&&) noexcept;
  BroadPhase& operator=(BroadPhase&&) noexcept;

  // Appends to `pairs`, unsorted, all pairs of boxes with present[i] != 0 that overlap, each once.
  void find_pairs(std::span<const FloatBox> boxes, std::span<const std::uint8_t> present, const Executor& executor,
                  std::vector<BoxPair>& pairs);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scree::collision
