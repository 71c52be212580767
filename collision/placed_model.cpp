#include "collision/placed_model.hpp"

#include <algorithm>
#include <numeric>

#include "collision/narrow_phase.hpp"
#include "engine/model/block_loop.hpp"

namespace scree::collision {
namespace {

constexpr std::size_t parts_per_block = 64;

}  // namespace

PlacedModel::Fingerprint PlacedModel::fingerprint(const Shape& shape) {
  if (const auto* solid = std::get_if<ConvexPolyhedron>(&shape)) {
    return {solid->vertices.data(), solid->vertices.size(), solid->size + solid->vertices[0].sum()};
  }
  if (const auto* set = std::get_if<PointSet>(&shape)) {
    return {set->points.data(), set->points.size(), set->points[0].sum()};
  }
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return {nullptr, 1, sphere->radius + sphere->centre.sum()};
  if (const auto* wall = std::get_if<CylinderWall>(&shape)) return {nullptr, 3, wall->radius + wall->point.sum()};
  return {nullptr, 2, std::get_if<HalfSpace>(&shape)->offset};
}

bool PlacedModel::is_known(const Model& model) const {
  if (begin_ != model.part_begin || shape_ != model.part_shape || known_shapes_.size() != model.shapes.size()) return false;
  for (std::size_t s = 0; s < model.shapes.size(); ++s) {
    if (fingerprint(model.shapes[s]) != known_shapes_[s]) return false;
  }
  for (std::size_t p = 0; p < body_.size(); ++p) {
    if ((dynamic_[p] != 0) != model.is_dynamic(body_[p])) return false;
  }
  return true;
}

void PlacedModel::adopt(const Model& model) {
  known_shapes_.clear(), tables_.clear(), body_.clear(), dynamic_.clear(), walls_.clear();
  begin_ = model.part_begin;
  shape_ = model.part_shape;
  largest_ = LargestShape{};
  for (const Shape& shape : model.shapes) {
    include_shape(shape, largest_);
    known_shapes_.push_back(fingerprint(shape));
    tables_.push_back(make_shape_tables(shape));
  }
  memory_begin_.assign(1, 0);
  for (BodyIndex b = 0; b < model.n_bodies(); ++b) {
    const auto body = static_cast<std::size_t>(b);
    for (std::int32_t p = begin_[body]; p < begin_[body + 1]; ++p) {
      const auto shape = static_cast<std::size_t>(shape_[static_cast<std::size_t>(p)]);
      body_.push_back(b);
      dynamic_.push_back(model.is_dynamic(b) ? 1 : 0);
      if (is_wall(tables_[shape].kind)) walls_.push_back(p);
      memory_begin_.push_back(memory_begin_.back() + placed_size(model.shapes[shape]));
    }
  }
  const std::size_t n = body_.size();
  memory_.assign(memory_begin_.back(), Vector3::Zero());
  parts_.assign(n, PlacedPart{});
  bounds_.assign(n, Bounds{});
  boxes_.assign(n, FloatBox{});
  reach_.assign(n, 0.0);
  present_.assign(n, 0);
  in_tree_.assign(n, 0);
}

void PlacedModel::place_one(const Model& model, const Poses& poses, std::span<const double> reach, std::size_t p) {
  const auto body = static_cast<std::size_t>(body_[p]);
  const auto shape = static_cast<std::size_t>(shape_[p]);
  const std::span<Vector3> memory =
      std::span<Vector3>(memory_).subspan(memory_begin_[p], memory_begin_[p + 1] - memory_begin_[p]);
  parts_[p] = place(model.shapes[shape], tables_[shape], poses.x[body], poses.q[body], memory);
  reach_[p] = reach[body];
  bounds_[p] = bounds_of(parts_[p]);
  bounds_[p].low.array() -= reach[body];
  bounds_[p].high.array() += reach[body];
  if (in_tree_[p] == 0) return;
  const Vector3 x = poses.x[body] - centre_;
  // The sums round too; one part in 1e12 covers them.
  const double slack = 1e-12 * (x.cwiseAbs().maxCoeff() + parts_[p].size());
  boxes_[p] = rounded_outward((x + bounds_[p].low).array() - slack, (x + bounds_[p].high).array() + slack);
}

bool PlacedModel::update(const Model& model, const Poses& poses, std::span<const std::uint8_t> present,
                         std::span<const double> reach, const Executor& executor) {
  const bool is_new = body_.empty() || !is_known(model);
  if (is_new) {
    adopt(model);
    if (!poses.x.empty()) centre_ = poses.x[0];
  }
  for (std::size_t p = 0; p < body_.size(); ++p) {
    present_[p] = present[static_cast<std::size_t>(body_[p])];
    const bool bounded = !is_wall(tables_[static_cast<std::size_t>(shape_[p])].kind);
    in_tree_[p] = present_[p] != 0 && bounded ? 1 : 0;
  }
  const std::size_t n = body_.size();
  executor.for_each_block(static_cast<int>((n + parts_per_block - 1) / parts_per_block), [&](int block) {
    const std::size_t begin = static_cast<std::size_t>(block) * parts_per_block;
    for (std::size_t p = begin; p < std::min(n, begin + parts_per_block); ++p) {
      if (present_[p] != 0) place_one(model, poses, reach, p);
    }
  });
  return is_new;
}

bool PlacedModel::may_touch(BoxPair pair) const {
  const auto first = static_cast<std::size_t>(pair.first), second = static_cast<std::size_t>(pair.second);
  return body_[first] != body_[second] && (dynamic_[first] != 0 || dynamic_[second] != 0) &&
         can_touch(parts_[first].kind(), parts_[second].kind());
}

// Whether part p, with its bounds grown by its own reach, may come within the wall's reach; never false for a pair that does.
bool PlacedModel::may_reach(std::int32_t w, std::size_t p) const {
  const PlacedPart& wall = part(w);
  const double reach = reach_[static_cast<std::size_t>(w)];
  const Vector3 d = parts_[p].x - wall.x;
  const double slack = 1e-12 * d.cwiseAbs().maxCoeff() + 1e-12 * parts_[p].size();
  const Vector3& n = wall.normals[0];
  if (wall.kind() == PartKind::half_space) {
    const Vector3 corner = (n.array() > 0.0).select(bounds_[p].low, bounds_[p].high);
    return n.dot(d) + n.dot(corner) - wall.offset() <= reach + slack;
  }
  const Vector3 half = 0.5 * (bounds_[p].high - bounds_[p].low);
  const Vector3 arm = d + 0.5 * (bounds_[p].high + bounds_[p].low) - wall.points[0];
  const double height = n.dot(arm), half_height = half.dot(n.cwiseAbs()) + reach + slack;
  if (height + half_height < wall.wall().bottom || height - half_height > wall.wall().top) return false;
  return (arm - height * n).norm() + half.norm() >= wall.wall().radius - reach - slack;
}

void PlacedModel::find_wall_pairs(std::vector<BoxPair>& pairs) const {
  for (const std::int32_t w : walls_) {
    if (present_[static_cast<std::size_t>(w)] == 0) continue;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (in_tree_[p] == 0) continue;
      const BoxPair pair{std::min(w, static_cast<std::int32_t>(p)), std::max(w, static_cast<std::int32_t>(p))};
      if (may_touch(pair) && may_reach(w, p)) pairs.push_back(pair);
    }
  }
}

bool PlacedModel::comes_before(BoxPair one, BoxPair other) const {
  if (body(one.first) != body(other.first)) return body(one.first) < body(other.first);
  if (body(one.second) != body(other.second)) return body(one.second) < body(other.second);
  return one < other;
}

// In linear time: dealt out by their first bodies, then each body's few are sorted.
void PlacedModel::sort_pairs(const Executor& executor, std::vector<BoxPair>& pairs) {
  const std::size_t n_bodies = begin_.size() - 1;
  const auto first_body = [this](const BoxPair& pair) { return static_cast<std::size_t>(body(pair.first)); };
  pair_begin_.assign(n_bodies + 2, 0);
  for (const BoxPair& pair : pairs) ++pair_begin_[first_body(pair) + 2];
  std::partial_sum(pair_begin_.begin(), pair_begin_.end(), pair_begin_.begin());
  by_body_.reserve(pairs.capacity());
  by_body_.resize(pairs.size());
  for (const BoxPair& pair : pairs) by_body_[static_cast<std::size_t>(pair_begin_[first_body(pair) + 1]++)] = pair;
  for_each_item(n_bodies, executor, [&](std::size_t i) {
    const auto begin = by_body_.begin() + pair_begin_[i], end = by_body_.begin() + pair_begin_[i + 1];
    std::sort(begin, end, [this](const BoxPair& one, const BoxPair& other) { return comes_before(one, other); });
    std::copy(begin, end, pairs.begin() + pair_begin_[i]);
  });
}

void PlacedModel::find_pairs(BroadPhase& broad_phase, const Executor& executor, std::vector<BoxPair>& pairs) {
  pairs.clear();
  broad_phase.find_pairs(boxes_, in_tree_, executor, pairs);
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(), [&](const BoxPair& pair) { return !may_touch(pair); }), pairs.end());
  find_wall_pairs(pairs);
  sort_pairs(executor, pairs);
}

}  // namespace scree::collision
