#include "collision/broad_phase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace scree::collision {
namespace {

constexpr float tree_margin = 0.1F;  // [-] of a box's mean side: how far it may move before the tree is touched

btDbvtVolume volume_of(const FloatBox& box) {
  return btDbvtVolume::FromMM(btVector3(box.low[0], box.low[1], box.low[2]),
                              btVector3(box.high[0], box.high[1], box.high[2]));
}

float margin_of(const FloatBox& box) {
  return tree_margin / 3.0F * ((box.high[0] - box.low[0]) + (box.high[1] - box.low[1]) + (box.high[2] - box.low[2]));
}

struct PairCollector final : btDbvt::ICollide {
  PairCollector(std::span<const FloatBox> all_boxes, std::vector<BoxPair>& found) : boxes(all_boxes), pairs(found) {}

  using btDbvt::ICollide::Process;
  void Process(const btDbvtNode* one, const btDbvtNode* other) override {
    const std::int32_t i = std::min(one->dataAsInt, other->dataAsInt);
    const std::int32_t j = std::max(one->dataAsInt, other->dataAsInt);
    if (boxes[static_cast<std::size_t>(i)].overlaps(boxes[static_cast<std::size_t>(j)])) pairs.push_back({i, j});
  }

  std::span<const FloatBox> boxes;
  std::vector<BoxPair>& pairs;
};

}  // namespace

FloatBox rounded_outward(const Vector3& low, const Vector3& high) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  FloatBox box;
  for (int i = 0; i < 3; ++i) {
    box.low[i] = static_cast<float>(low(i));
    box.high[i] = static_cast<float>(high(i));
    if (static_cast<double>(box.low[i]) > low(i)) box.low[i] = std::nextafterf(box.low[i], -infinity);
    if (static_cast<double>(box.high[i]) < high(i)) box.high[i] = std::nextafterf(box.high[i], infinity);
  }
  return box;
}

struct BroadPhase::Impl {
  btDbvt tree;
  std::vector<btDbvtNode*> leaf;  // one a box; null while absent

  void update(std::size_t i, const FloatBox& box, bool present) {
    if (!present) {
      if (leaf[i] != nullptr) tree.remove(leaf[i]);
      leaf[i] = nullptr;
      return;
    }
    btDbvtVolume volume = volume_of(box);
    if (leaf[i] != nullptr) {
      tree.update(leaf[i], volume, margin_of(box));
      return;
    }
    const float margin = margin_of(box);
    volume.Expand(btVector3(margin, margin, margin));
    leaf[i] = tree.insert(volume, nullptr);
    leaf[i]->dataAsInt = static_cast<int>(i);
  }
};

BroadPhase::BroadPhase() : impl_(std::make_unique<Impl>()) {}
BroadPhase::~BroadPhase() = default;
BroadPhase::BroadPhase(BroadPhase&&) noexcept = default;
BroadPhase& BroadPhase::operator=(BroadPhase&&) noexcept = default;

void BroadPhase::find_pairs(std::span<const FloatBox> boxes, std::span<const std::uint8_t> present,
                            std::vector<BoxPair>& pairs) {
  if (impl_->leaf.size() != boxes.size()) {
    impl_->tree.clear();
    impl_->leaf.assign(boxes.size(), nullptr);
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) impl_->update(i, boxes[i], present[i] != 0);
  PairCollector collector(boxes, pairs);
  impl_->tree.collideTTpersistentStack(impl_->tree.m_root, impl_->tree.m_root, collector);
}

}  // namespace scree::collision
