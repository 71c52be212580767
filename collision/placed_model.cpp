#include "collision/placed_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "collision/pairs/narrow_phase.hpp"
#include "engine/base/block_loop.hpp"

namespace scree::collision {
namespace {

constexpr std::size_t parts_per_block = 64;

// The middle of the bodies with bounds, each coordinate for itself: the median, which a few that
// lie far off leave alone. Of those that contacts move and that are present, else of any.
Vector3 middle_of(const Model& model, const Poses& poses, std::span<const std::uint8_t> present) {
  std::vector<double> values;
  Vector3 middle = Vector3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool any : {false, true}) {
      values.clear();
      for (std::size_t i = 0; i < poses.x.size(); ++i) {
        const bool wanted = any || (present[i] != 0 && model.kind[i] == BodyKind::dynamic);
        if (wanted && std::isfinite(model.radius[i]) && std::isfinite(poses.x[i](axis))) {
          values.push_back(poses.x[i](axis));
        }
      }
      if (!values.empty()) break;
    }
    if (values.empty()) continue;
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    middle(axis) = *half;
  }
  return middle;
}

}  // namespace

bool PlacedModel::is_known(const Model& model) const {
  return known_model_ == model.stamp.value() && kind_ == model.kind;
}

void PlacedModel::adopt(const Model& model, const Poses& poses,
                        std::span<const std::uint8_t> present) {
  tables_.clear(), body_.clear(), dynamic_.clear(), dynamic_parts_.clear(), walls_.clear();
  known_model_ = model.stamp.value();
  kind_ = model.kind;
  begin_ = model.part_begin;
  shape_ = model.part_shape;
  largest_ = LargestShape{};
  for (const Shape& shape : model.shapes) {
    include_shape(shape, largest_);
    tables_.push_back(make_shape_tables(shape));
  }
  memory_begin_.assign(1, 0);
  for (BodyIndex b = 0; b < model.n_bodies(); ++b) {
    const auto body = static_cast<std::size_t>(b);
    for (std::int32_t p = begin_[body]; p < begin_[body + 1]; ++p) {
      const auto shape = static_cast<std::size_t>(shape_[static_cast<std::size_t>(p)]);
      body_.push_back(b);
      dynamic_.push_back(model.is_dynamic(b) ? 1 : 0);
      if (model.is_dynamic(b)) dynamic_parts_.push_back(p);
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
  role_.assign(n, BoxRole::absent);
  placed_.assign(static_cast<std::size_t>(model.n_bodies()), Placed{});
  changed_.reserve(n);
  find_joints(model);
  centre_ = middle_of(model, poses, present);
}

void PlacedModel::find_joints(const Model& model) {
  const auto joint_of = [&](BodyIndex b) {
    return model.kind[static_cast<std::size_t>(b)] == BodyKind::fixed ? 0 : b + 1;
  };
  std::vector<std::int32_t> n_of(static_cast<std::size_t>(model.n_bodies()) + 1, 0);
  for (const BodyIndex b : body_) ++n_of[static_cast<std::size_t>(joint_of(b))];
  joint_.clear();
  has_joints_ = false;
  for (const BodyIndex b : body_) {
    const bool joined = n_of[static_cast<std::size_t>(joint_of(b))] > 1;
    joint_.push_back(joined ? joint_of(b) : -1);
    has_joints_ = has_joints_ || joined;
  }
}

void PlacedModel::place_one(const Model& model, const Poses& poses, std::span<const double> reach,
                            std::size_t p) {
  const auto body = static_cast<std::size_t>(body_[p]);
  const auto shape = static_cast<std::size_t>(shape_[p]);
  const std::span<Vector3> memory = std::span<Vector3>(memory_).subspan(
      memory_begin_[p], memory_begin_[p + 1] - memory_begin_[p]);
  parts_[p] = place(model.shapes[shape], tables_[shape], poses.x[body], poses.q[body], memory);
  reach_[p] = reach[body];
  bounds_[p] = bounds_of(parts_[p]);
  bounds_[p].low.array() -= reach[body];
  bounds_[p].high.array() += reach[body];
  if (role_[p] == BoxRole::absent) return;
  const Vector3 x = poses.x[body] - centre_;
  // The sums round too; one part in 1e12 covers them.
  const double slack = 1e-12 * (x.cwiseAbs().maxCoeff() + parts_[p].size());
  boxes_[p] =
      rounded_outward((x + bounds_[p].low).array() - slack, (x + bounds_[p].high).array() + slack);
}

// Lists the parts of the bodies that contacts move, and of others that came, went, were driven or
// have another reach.
void PlacedModel::find_changed(const Poses& poses, std::span<const std::uint8_t> present,
                               std::span<const double> reach) {
  changed_.clear();
  for (std::size_t body = 0; body < placed_.size(); ++body) {
    Placed& last = placed_[body];
    const bool same_place = last.present == present[body] && last.reach == reach[body] &&
                            last.x == poses.x[body] && last.q.coeffs() == poses.q[body].coeffs();
    if (same_place && (kind_[body] != BodyKind::dynamic || present[body] == 0)) continue;
    last = {poses.x[body], poses.q[body], reach[body], present[body]};
    for (std::int32_t part = begin_[body]; part < begin_[body + 1]; ++part) {
      const auto p = static_cast<std::size_t>(part);
      const bool bounded = !is_wall(tables_[static_cast<std::size_t>(shape_[p])].kind);
      role_[p] = !bounded || present[body] == 0 ? BoxRole::absent
                 : dynamic_[p] != 0             ? BoxRole::mobile
                                                : BoxRole::passive;
      changed_.push_back(part);
    }
  }
}

bool PlacedModel::update(const Model& model, const Poses& poses,
                         std::span<const std::uint8_t> present, std::span<const double> reach,
                         const Executor& executor) {
  const bool is_new = body_.empty() || !is_known(model);
  if (is_new) adopt(model, poses, present);
  find_changed(poses, present, reach);
  const std::size_t n = changed_.size();
  executor.for_each_block(
      static_cast<int>((n + parts_per_block - 1) / parts_per_block), [&](int block) {
        const std::size_t begin = static_cast<std::size_t>(block) * parts_per_block;
        for (std::size_t i = begin; i < std::min(n, begin + parts_per_block); ++i) {
          const auto p = static_cast<std::size_t>(changed_[i]);
          if (present[static_cast<std::size_t>(body_[p])] != 0) place_one(model, poses, reach, p);
        }
      });
  return is_new;
}

bool PlacedModel::may_touch(BoxPair pair) const {
  const auto first = static_cast<std::size_t>(pair.first),
             second = static_cast<std::size_t>(pair.second);
  return body_[first] != body_[second] && (dynamic_[first] != 0 || dynamic_[second] != 0) &&
         can_touch(parts_[first].kind(), parts_[second].kind());
}

// Whether part p, with its bounds grown by its own reach, may come within the wall's reach; never
// false for a pair that does.
bool PlacedModel::may_reach(std::int32_t w, std::size_t p) const {
  const PlacedPart& wall = part(w);
  if (wall.kind() == PartKind::terrain) return may_reach_terrain(w, p);
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
  if (height + half_height < wall.wall().bottom || height - half_height > wall.wall().top)
    return false;
  return (arm - height * n).norm() + half.norm() >= wall.wall().radius - reach - slack;
}

// The box against that of all of the ground; what is below it counts.
bool PlacedModel::may_reach_terrain(std::int32_t w, std::size_t p) const {
  const PlacedPart& wall = part(w);
  const TerrainRaster& ground = *wall.terrain().ground;
  const double reach = reach_[static_cast<std::size_t>(w)];
  const Vector3 at = parts_[p].x - wall.x - wall.terrain().shift;
  const double slack = reach + 1e-12 * at.cwiseAbs().maxCoeff() + 1e-12 * parts_[p].size();
  const Vector3 low = (at + bounds_[p].low).array() - slack,
                high = (at + bounds_[p].high).array() + slack;
  const Raster& raster = ground.raster;
  return low.z() <= ground.highest && low.x() <= raster.x_end() && low.y() <= raster.y_end() &&
         high.x() >= raster.x && high.y() >= raster.y;
}

void PlacedModel::find_wall_pairs(std::vector<BoxPair>& pairs) const {
  for (const std::int32_t w : walls_) {
    if (placed_[static_cast<std::size_t>(body(w))].present == 0) continue;
    for (const std::int32_t part : dynamic_parts_) {
      const auto p = static_cast<std::size_t>(part);
      if (role_[p] == BoxRole::absent) continue;
      const BoxPair pair{std::min(w, part), std::max(w, part)};
      if (may_touch(pair) && may_reach(w, p)) pairs.push_back(pair);
    }
  }
}

bool PlacedModel::comes_before(BoxPair one, BoxPair other) const {
  if (body(one.first) != body(other.first)) return body(one.first) < body(other.first);
  if (body(one.second) != body(other.second)) return body(one.second) < body(other.second);
  return one < other;
}

// In linear time: dealt out by their first bodies, then each body's few are sorted. Few pairs of
// many bodies are sorted at once.
void PlacedModel::sort_pairs(const Executor& executor, std::vector<BoxPair>& pairs) {
  const std::size_t n_bodies = begin_.size() - 1;
  const auto before = [this](const BoxPair& one, const BoxPair& other) {
    return comes_before(one, other);
  };
  if (16 * pairs.size() < n_bodies) {
    std::sort(pairs.begin(), pairs.end(), before);
    return;
  }
  const auto first_body = [this](const BoxPair& pair) {
    return static_cast<std::size_t>(body(pair.first));
  };
  pair_begin_.assign(n_bodies + 2, 0);
  for (const BoxPair& pair : pairs) ++pair_begin_[first_body(pair) + 2];
  std::partial_sum(pair_begin_.begin(), pair_begin_.end(), pair_begin_.begin());
  by_body_.reserve(pairs.capacity());
  by_body_.resize(pairs.size());
  for (const BoxPair& pair : pairs)
    by_body_[static_cast<std::size_t>(pair_begin_[first_body(pair) + 1]++)] = pair;
  for_each_item(n_bodies, executor, [&](std::size_t i) {
    const auto begin = by_body_.begin() + pair_begin_[i],
               end = by_body_.begin() + pair_begin_[i + 1];
    std::sort(begin, end, before);
    std::copy(begin, end, pairs.begin() + pair_begin_[i]);
  });
}

void PlacedModel::find_pairs(BroadPhase& broad_phase, const Executor& executor,
                             std::vector<BoxPair>& pairs) {
  pairs.clear();
  broad_phase.find_pairs(boxes_, role_, changed_, executor, pairs);
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(),
                             [&](const BoxPair& pair) { return !may_touch(pair); }),
              pairs.end());
  find_wall_pairs(pairs);
  sort_pairs(executor, pairs);
}

}  // namespace scree::collision
