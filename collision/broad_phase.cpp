#include "collision/broad_phase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace scree::collision {
namespace {

constexpr std::size_t n_searches = 32;
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

// A share of the parts of the search: the stack of their traversals and what they found.
struct Search {
  std::vector<NodePair> stack;
  std::vector<BoxPair> found;

  Search() {
    stack.reserve(128);
    found.reserve(128);
  }

  // Keeps room for a quarter more, so that a warm search finds it for the few pairs that come and go.
  void run(std::span<const NodePair> parts, std::span<const FloatBox> boxes) {
    found.clear();
    for (const NodePair& part : parts) run_part(part, boxes);
    if (found.capacity() < found.size() + found.size() / 4) found.reserve(found.size() + found.size() / 2);
  }

  void run_part(const NodePair& part, std::span<const FloatBox> boxes) {
    stack.assign(1, part);
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
  std::size_t n_new = 0;          // inserted in this call
  std::vector<NodePair> parts, rest;
  std::vector<Search> searches;

  // Brings the tree up to date. Bullet's insertion does not balance it, and boxes that come row by row make it lean so much that
  // one part of the search outweighs all others: built anew when many come at once.
  void update(std::span<const FloatBox> boxes, std::span<const std::uint8_t> present) {
    constexpr int leaves_at_bottom = 8;
    n_new = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) update(i, boxes[i], present[i] != 0);
    if (4 * n_new <= boxes.size() || tree.m_root == nullptr) return;
    // Bullet's building relies on sums and halves of coordinates that do not overflow.
    constexpr float largest = 1e37F;
    const btDbvtVolume& all = tree.m_root->volume;
    for (int i = 0; i < 3; ++i) {
      if (!(all.Mins()[i] > -largest && all.Maxs()[i] < largest)) return;
    }
    tree.optimizeTopDown(leaves_at_bottom);
  }

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
    ++n_new;
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
  impl.update(boxes, present);
  impl.part_search();
  const std::size_t n_parts = impl.parts.size(), n = std::min(n_parts, n_searches);
  if (impl.searches.size() < n) impl.searches.resize(n);
  executor.for_each_block(static_cast<int>(n), [&](int k) {
    const std::size_t search = static_cast<std::size_t>(k), begin = search * n_parts / n, end = (search + 1) * n_parts / n;
    impl.searches[search].run(std::span(impl.parts).subspan(begin, end - begin), boxes);
  });
  for (std::size_t k = 0; k < n; ++k) pairs.insert(pairs.end(), impl.searches[k].found.begin(), impl.searches[k].found.end());
}

}  // namespace scree::collision
