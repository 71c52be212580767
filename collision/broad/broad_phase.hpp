// Pairs of boxes that overlap: Bullet's dynamic tree on float boxes that are rounded outward.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/executor.hpp"
#include "engine/base/math.hpp"
#include "engine/model/cell.hpp"

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

// Two box numbers, first < second, and the image of the second that meets the first.
struct BoxPair {
  std::int32_t first = 0, second = 0;
  ImageCode image = 0;

  auto operator<=>(const BoxPair&) const = default;
};

// Boxes of mobile parts are paired with each other and with passive ones; two passive ones make no
// pair.
enum class BoxRole : std::uint8_t { absent, passive, mobile };

// Two trees, of the mobile and of the passive boxes, kept between steps: a box enters enlarged and
// is moved only when it leaves the enlarged one. A search costs what is mobile and what it meets,
// however much else lies about. The pairs depend on the boxes alone, not on the history of the
// trees.
class BroadPhase {
 public:
  BroadPhase();
  ~BroadPhase();
  BroadPhase(BroadPhase&&) noexcept;
  BroadPhase& operator=(BroadPhase&&) noexcept;

  // Appends to `pairs`, unsorted, all pairs of boxes that overlap and of which one at least is
  // mobile, each once. `changed`: numbers of the boxes that are new since the last call, or have
  // another place or role.
  void find_pairs(std::span<const FloatBox> boxes, std::span<const BoxRole> role,
                  std::span<const std::int32_t> changed, const Executor& executor,
                  std::vector<BoxPair>& pairs);

  // Appends {box, query} for each box, as of the last call, that overlaps a query box which no box
  // is entered for.
  void find_hits(std::span<const FloatBox> boxes, std::span<const FloatBox> queries,
                 const Executor& executor, std::vector<BoxPair>& hits);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scree::collision
