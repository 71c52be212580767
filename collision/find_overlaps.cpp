// The start check: exact depths of all overlaps.
#include <algorithm>

#include "collision/overlap_search.hpp"
#include "collision/pairs/narrow_phase.hpp"
#include "collision/placed_model.hpp"

namespace scree::collision {

struct OverlapSearch::Impl {
  PlacedModel placed;
  BroadPhase broad_phase;
  std::vector<BoxPair> pairs;
  PairWork work;
};

OverlapSearch::OverlapSearch() : impl_(std::make_unique<Impl>()) {}
OverlapSearch::~OverlapSearch() = default;

std::vector<Overlap> OverlapSearch::find(const Model& model, const Poses& poses,
                                         std::span<const std::uint8_t> considered,
                                         double relative_tolerance) {
  auto& [placed, broad_phase, pairs, work] = *impl_;
  const std::vector<double> no_reach(static_cast<std::size_t>(model.n_bodies()), 0.0);
  placed.update(model, poses, considered, no_reach, Executor());
  placed.find_pairs(broad_phase, Executor(), pairs);

  std::vector<Overlap> overlaps;
  for (const BoxPair& pair : pairs) {
    const PairQuery query = placed.query(pair);
    const double depth = overlap_depth(query, work);
    if (depth <= relative_tolerance * query.smaller_size) continue;
    const Overlap overlap{placed.body(pair.first), placed.body(pair.second), depth};
    const bool same_bodies = !overlaps.empty() && overlaps.back().body_a == overlap.body_a &&
                             overlaps.back().body_b == overlap.body_b;
    if (!same_bodies) {
      overlaps.push_back(overlap);
    } else {
      overlaps.back().depth = std::max(overlaps.back().depth, depth);
    }
  }
  std::stable_sort(overlaps.begin(), overlaps.end(), [](const Overlap& one, const Overlap& other) {
    return one.depth > other.depth;
  });
  return overlaps;
}

std::vector<Overlap> find_overlaps(const Model& model, const Poses& poses,
                                   std::span<const std::uint8_t> considered,
                                   double relative_tolerance) {
  return OverlapSearch().find(model, poses, considered, relative_tolerance);
}

}  // namespace scree::collision
