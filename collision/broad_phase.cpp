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

// Two subtrees whose leaves are to be paired; the same one twice: its own leaves.
struct NodePair {
  const btDbvtNode* one;
  const btDbvtNode* other;
};

// Puts the pairs of children of a pair of nodes that are not both leaves on the list.
void split(const NodePair& nodes, std::vector<NodePair>& list) {
  const btDbvtNode *a = nodes.one, *b = nodes.other;
  if (a == b) {
    if (a->isleaf()) return;
    for (const int i : {0, 1}) list.push_back({a->childs[i], a->childs[i]});
    list.push_back({a->childs[0], a->childs[1]});
    return;
  }
  if (!Intersect(a->volume, b->volume)) return;
  if (a->isinternal() && b->isinternal()) {
    for (const int i : {0, 1}) {
      for (const int k : {0, 1}) list.push_back({a->childs[k], b->childs[i]});
    }
  } else if (a->isinternal()) {
    for (const int i : {0, 1}) list.push_back({a->childs[i], b});
  } else {
    for (const int i : {0, 1}) list.push_back({a, b->childs[i]});
  }
}

// One part of the search: a pair of subtrees, the stack of its traversal and what it found.
struct Search {
  std::vector<NodePair> stack;
  std::vector<BoxPair> found;

  Search() {
    stack.reserve(256);
    found.reserve(128);
  }

  // Keeps room for twice as many, so that a warm search finds it for the few pairs that come and go.
  void run(const NodePair& start, std::span<const FloatBox> boxes) {
    found.clear();
    stack.assign(1, start);
    while (!stack.empty()) {
      const NodePair nodes = stack.back();
      stack.pop_back();
      if (nodes.one == nodes.other || nodes.one->isinternal() || nodes.other->isinternal()) {
        split(nodes, stack);
        continue;
      }
      const std::int32_t i = std::min(nodes.one->dataAsInt, nodes.other->dataAsInt);
      const std::int32_t j = std::max(nodes.one->dataAsInt, nodes.other->dataAsInt);
      if (boxes[static_cast<std::size_t>(i)].overlaps(boxes[static_cast<std::size_t>(j)])) found.push_back({i, j});
    }
    if (found.capacity() < 2 * found.size()) found.reserve(4 * found.size());
  }
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
  std::vector<NodePair> parts, rest;
  std::vector<Search> searches;

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

  // Pairs of subtrees that together hold all pairs of leaves, some hundred if there are so many.
  void part_search() {
    constexpr std::size_t wanted = 128, most = 4 * wanted;
    parts.reserve(most), rest.reserve(most);
    constexpr int max_levels = 12;
    parts.clear();
    if (tree.m_root == nullptr) return;
    parts.push_back({tree.m_root, tree.m_root});
    for (int level = 0; level < max_levels && parts.size() < wanted; ++level) {
      rest.clear();
      for (const NodePair& nodes : parts) {
        const bool leaves = nodes.one != nodes.other && nodes.one->isleaf() && nodes.other->isleaf();
        if (leaves) rest.push_back(nodes);
        else split(nodes, rest);
      }
      parts.swap(rest);
    }
  }
};

BroadPhase::BroadPhase() : impl_(std::make_unique<Impl>()) {}
BroadPhase::~BroadPhase() = default;
BroadPhase::BroadPhase(BroadPhase&&) noexcept = default;
BroadPhase& BroadPhase::operator=(BroadPhase&&) noexcept = default;

void BroadPhase::find_pairs(std::span<const FloatBox> boxes, std::span<const std::uint8_t> present,
                            const Executor& executor, std::vector<BoxPair>& pairs) {
  Impl& impl = *impl_;
  if (impl.leaf.size() != boxes.size()) {
    impl.tree.clear();
    impl.leaf.assign(boxes.size(), nullptr);
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) impl.update(i, boxes[i], present[i] != 0);
  impl.part_search();
  if (impl.searches.size() < impl.parts.size()) impl.searches.resize(2 * impl.parts.size());
  executor.for_each_block(static_cast<int>(impl.parts.size()), [&](int k) {
    const auto part = static_cast<std::size_t>(k);
    impl.searches[part].run(impl.parts[part], boxes);
  });
  for (std::size_t part = 0; part < impl.parts.size(); ++part) {
    pairs.insert(pairs.end(), impl.searches[part].found.begin(), impl.searches[part].found.end());
  }
}

}  // namespace scree::collision
