#include "collision/broad/broad_phase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace scree::collision {
namespace {

constexpr std::size_t n_searches = 32;
constexpr float tree_margin =
    0.1F;  // [-] of a box's mean side: how far it may move before the tree is touched

btDbvtVolume volume_of(const FloatBox& box) {
  return btDbvtVolume::FromMM(btVector3(box.low[0], box.low[1], box.low[2]),
                              btVector3(box.high[0], box.high[1], box.high[2]));
}

float margin_of(const FloatBox& box) {
  return tree_margin / 3.0F *
         ((box.high[0] - box.low[0]) + (box.high[1] - box.low[1]) + (box.high[2] - box.low[2]));
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
struct BlockSearch {
  std::vector<NodePair> stack;
  std::vector<BoxPair> found;

  BlockSearch() {
    stack.reserve(128);
    found.reserve(128);
  }

  // Keeps room for a quarter more, so that a warm search finds it for the few pairs that come and
  // go.
  void run(std::span<const NodePair> parts, std::span<const FloatBox> boxes) {
    found.clear();
    constexpr std::size_t depth = 128;
    stack.reserve(depth);
    for (const NodePair& part : parts) run_part(part, boxes);
    keep_room();
  }

  void keep_room() {
    constexpr std::size_t least = 32;
    if (found.capacity() < found.size() + found.size() / 4)
      found.reserve(found.size() + found.size() / 2);
    if (found.capacity() < found.size() + least) found.reserve(found.size() + 2 * least);
  }

  // Leaves that queries [begin, end) overlap.
  void run_queries(const btDbvtNode* root, std::span<const FloatBox> boxes,
                   std::span<const FloatBox> queries, std::size_t begin, std::size_t end) {
    for (std::size_t q = begin; root != nullptr && q < end; ++q) {
      const btDbvtVolume volume = volume_of(queries[q]);
      stack.assign(1, {root, nullptr});
      while (!stack.empty()) {
        const btDbvtNode* node = stack.back().one;
        stack.pop_back();
        if (!Intersect(node->volume, volume)) continue;
        if (node->isinternal()) {
          for (const int i : {0, 1}) stack.push_back({node->childs[i], nullptr});
        } else if (boxes[static_cast<std::size_t>(node->dataAsInt)].overlaps(queries[q])) {
          found.push_back({node->dataAsInt, static_cast<std::int32_t>(q), 0});
        }
      }
    }
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
      if (boxes[static_cast<std::size_t>(i)].overlaps(boxes[static_cast<std::size_t>(j)]))
        found.push_back({i, j, 0});
    }
  }
};

}  // namespace

FloatBox rounded_outward(const Vector3& low, const Vector3& high) {
  constexpr float beyond = std::numeric_limits<float>::infinity();
  // Bullet multiplies the three sides of boxes, margins included, and reads what overflows as no
  // box at all. Boxes that overlap still do when all are cut off at the same place.
  constexpr double farthest = 1e12;  // [m]
  FloatBox box;
  for (int i = 0; i < 3; ++i) {
    const double from = std::clamp(low(i), -farthest, farthest),
                 to = std::clamp(high(i), -farthest, farthest);
    box.low[i] = static_cast<float>(from);
    box.high[i] = static_cast<float>(to);
    if (static_cast<double>(box.low[i]) > from) box.low[i] = std::nextafterf(box.low[i], -beyond);
    if (static_cast<double>(box.high[i]) < to) box.high[i] = std::nextafterf(box.high[i], beyond);
  }
  return box;
}

namespace {

// One of the two trees. Bullet's insertion does not balance it, and boxes that come row by row make
// it lean until an insertion walks past all the others. So many new boxes enter in the order of
// their reversed numbers, which halves rows again and again, and the tree is built anew when a
// quarter of it has come since it was last built.
class BoxTree {
 public:
  const btDbvtNode* root() const { return tree_.m_root; }
  void remove(btDbvtNode* leaf) {
    tree_.remove(leaf);
    --n_leaves_;
  }
  void move(btDbvtNode* leaf, const FloatBox& box) {
    btDbvtVolume volume = volume_of(box);
    tree_.update(leaf, volume, margin_of(box));
  }
  btDbvtNode* insert(std::int32_t number, const FloatBox& box) {
    btDbvtVolume volume = volume_of(box);
    const float margin = margin_of(box);
    volume.Expand(btVector3(margin, margin, margin));
    btDbvtNode* leaf = tree_.insert(volume, nullptr);
    leaf->dataAsInt = number;
    ++n_new_, ++n_leaves_;
    return leaf;
  }

  void rebuild_if_leaning() {
    constexpr int leaves_at_bottom = 8;
    if (4 * n_new_ <= n_leaves_ || tree_.m_root == nullptr) return;
    n_new_ = 0;
    tree_.optimizeTopDown(leaves_at_bottom);
  }

 private:
  btDbvt tree_;
  std::size_t n_new_ = 0, n_leaves_ = 0;  // inserted since the tree was last built; in it now
};

std::uint32_t reversed_bits(std::uint32_t number) {
  std::uint32_t reversed = 0;
  for (int bit = 0; bit < 32; ++bit) reversed = (reversed << 1U) | ((number >> bit) & 1U);
  return reversed;
}

}  // namespace

struct BroadPhase::Impl {
  BoxTree mobile, passive;
  std::vector<btDbvtNode*> leaf;  // one a box; null while absent
  std::vector<BoxRole> in_tree;   // [n_boxes] role at the last call
  std::vector<std::int32_t> entering;
  std::vector<NodePair> parts, rest;
  std::vector<BlockSearch> searches;

  BoxTree& tree(BoxRole role) { return role == BoxRole::mobile ? mobile : passive; }

  void update(std::span<const FloatBox> boxes, std::span<const BoxRole> role,
              std::span<const std::int32_t> changed) {
    entering.clear();
    for (const std::int32_t number : changed) {
      const auto i = static_cast<std::size_t>(number);
      if (leaf[i] != nullptr && in_tree[i] != role[i]) {
        tree(in_tree[i]).remove(leaf[i]);
        leaf[i] = nullptr;
      }
      in_tree[i] = role[i];
      if (leaf[i] != nullptr)
        tree(role[i]).move(leaf[i], boxes[i]);
      else if (role[i] != BoxRole::absent)
        entering.push_back(number);
    }
    constexpr std::size_t many = 64;
    if (entering.size() > many) {
      std::sort(entering.begin(), entering.end(), [](std::int32_t one, std::int32_t other) {
        return reversed_bits(static_cast<std::uint32_t>(one)) <
               reversed_bits(static_cast<std::uint32_t>(other));
      });
    }
    for (const std::int32_t number : entering) {
      const auto i = static_cast<std::size_t>(number);
      leaf[i] = tree(role[i]).insert(number, boxes[i]);
    }
    mobile.rebuild_if_leaning();
    passive.rebuild_if_leaning();
  }

  // Pairs of subtrees that together hold all pairs of leaves, some hundred if there are so many.
  void part_search() {
    constexpr std::size_t wanted = 128, most = 4 * wanted;
    parts.reserve(most), rest.reserve(most);
    constexpr int max_levels = 12;
    parts.clear();
    if (mobile.root() == nullptr) return;
    parts.push_back({mobile.root(), mobile.root()});
    if (passive.root() != nullptr) parts.push_back({mobile.root(), passive.root()});
    for (int level = 0; level < max_levels && parts.size() < wanted; ++level) {
      rest.clear();
      for (const NodePair& nodes : parts) {
        const bool leaves =
            nodes.one != nodes.other && nodes.one->isleaf() && nodes.other->isleaf();
        if (leaves)
          rest.push_back(nodes);
        else
          split(nodes, rest);
      }
      parts.swap(rest);
    }
  }
};

BroadPhase::BroadPhase() : impl_(std::make_unique<Impl>()) {}
BroadPhase::~BroadPhase() = default;
BroadPhase::BroadPhase(BroadPhase&&) noexcept = default;
BroadPhase& BroadPhase::operator=(BroadPhase&&) noexcept = default;

void BroadPhase::find_pairs(std::span<const FloatBox> boxes, std::span<const BoxRole> role,
                            std::span<const std::int32_t> changed, const Executor& executor,
                            std::vector<BoxPair>& pairs) {
  Impl& impl = *impl_;
  if (impl.leaf.empty()) {
    impl.leaf.assign(boxes.size(), nullptr);
    impl.in_tree.assign(boxes.size(), BoxRole::absent);
    impl.entering.reserve(boxes.size());
  }
  impl.update(boxes, role, changed);
  impl.part_search();
  const std::size_t n_parts = impl.parts.size(), n = std::min(n_parts, n_searches);
  if (impl.searches.size() < n) impl.searches.resize(n);
  executor.for_each_block(static_cast<int>(n), [&](int k) {
    const std::size_t search = static_cast<std::size_t>(k);
    const std::size_t begin = search * n_parts / n, end = (search + 1) * n_parts / n;
    impl.searches[search].run(std::span(impl.parts).subspan(begin, end - begin), boxes);
  });
  for (std::size_t k = 0; k < n; ++k) {
    pairs.insert(pairs.end(), impl.searches[k].found.begin(), impl.searches[k].found.end());
  }
}

void BroadPhase::find_hits(std::span<const FloatBox> boxes, std::span<const FloatBox> queries,
                           const Executor& executor, std::vector<BoxPair>& hits) {
  Impl& impl = *impl_;
  const std::size_t n = std::min(queries.size(), n_searches);
  if (impl.searches.size() < n) impl.searches.resize(n);
  executor.for_each_block(static_cast<int>(n), [&](int k) {
    const std::size_t search = static_cast<std::size_t>(k);
    const std::size_t begin = search * queries.size() / n, end = (search + 1) * queries.size() / n;
    BlockSearch& mine = impl.searches[search];
    mine.found.clear();
    for (const BoxTree* tree : {&impl.mobile, &impl.passive})
      mine.run_queries(tree->root(), boxes, queries, begin, end);
    mine.keep_room();
  });
  for (std::size_t k = 0; k < n; ++k)
    hits.insert(hits.end(), impl.searches[k].found.begin(), impl.searches[k].found.end());
}

}  // namespace scree::collision
