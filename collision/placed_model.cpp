#include "collision/placed_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

FloatBox moved_box(const FloatBox& box, const Vector3& by) {
  const auto corner = [&](const float* of) -> Vector3 {
    return Vector3(static_cast<double>(of[0]), static_cast<double>(of[1]),
                   static_cast<double>(of[2])) +
           by;
  };
  const double slack = 1e-12 * by.cwiseAbs().maxCoeff();
  return rounded_outward(corner(box.low).array() - slack, corner(box.high).array() + slack);
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
  cell_ = model.cell;
  cells_.assign(cell_.is_periodic() ? n : 0, 0);
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
  if (!cells_.empty()) bring_into_cell(p);
}

// The box of part p becomes that of its image in the cell.
void PlacedModel::bring_into_cell(std::size_t p) {
  const Vector3 middle = parts_[p].x + 0.5 * (bounds_[p].low + bounds_[p].high);
  const PeriodCount n = cell_.cell_of(middle, image_shift_);
  cells_[p] = image_code(n[0], n[1], n[2]);
  boxes_[p] = moved_box(boxes_[p], -offset(cells_[p]));
}

// Images of part p, whose box is in the cell, that overlap the box about all that are there.
void PlacedModel::list_images_of(std::int32_t p, const FloatBox& all) {
  const FloatBox& box = boxes_[static_cast<std::size_t>(p)];
  struct Range {
    std::int32_t first = 0, last = 0;
  };
  const auto range = [&](int axis, double gone) {
    const double length = cell_.length[axis];
    if (length == 0.0) return Range{};
    const auto low = static_cast<double>(all.low[axis]) - static_cast<double>(box.high[axis]),
               high = static_cast<double>(all.high[axis]) - static_cast<double>(box.low[axis]);
    return Range{static_cast<std::int32_t>(std::ceil((low - gone) / length)),
                 static_cast<std::int32_t>(std::floor((high - gone) / length))};
  };
  const Range over_z = range(2, 0.0), over_y = range(1, 0.0);
  for (std::int32_t k = over_z.first; k <= over_z.last; ++k) {
    const Range over_x = range(0, k * image_shift_);
    for (std::int32_t j = over_y.first; j <= over_y.last; ++j) {
      for (std::int32_t i = over_x.first; i <= over_x.last; ++i) {
        const ImageCode image = image_code(i, j, k);
        if (image == 0) continue;
        further_.push_back({p, image});
        further_boxes_.push_back(moved_box(box, offset(image)));
      }
    }
  }
}

void PlacedModel::list_images() {
  constexpr float beyond = std::numeric_limits<float>::infinity();
  FloatBox all{{beyond, beyond, beyond}, {-beyond, -beyond, -beyond}};
  for (std::size_t p = 0; p < boxes_.size(); ++p) {
    if (role_[p] == BoxRole::absent) continue;
    for (int axis = 0; axis < 3; ++axis) {
      all.low[axis] = std::min(all.low[axis], boxes_[p].low[axis]);
      all.high[axis] = std::max(all.high[axis], boxes_[p].high[axis]);
    }
  }
  further_.clear(), further_boxes_.clear();
  if (further_.capacity() == 0)
    further_.reserve(2 * boxes_.size()), further_boxes_.reserve(2 * boxes_.size());
  for (std::size_t p = 0; p < boxes_.size(); ++p) {
    if (role_[p] == BoxRole::mobile) list_images_of(static_cast<std::int32_t>(p), all);
  }
}

// Pairs that were found in the cell are told from the places of their bodies; then those of images
// outside of it. Of two mobile parts each image pair is met twice, and kept once.
void PlacedModel::find_image_pairs(BroadPhase& broad_phase, const Executor& executor,
                                   std::vector<BoxPair>& pairs) {
  const auto cell_of = [&](std::int32_t p) { return cells_[static_cast<std::size_t>(p)]; };
  for (BoxPair& pair : pairs) pair.image = cell_of(pair.first) - cell_of(pair.second);
  list_images();
  hits_.clear(), hits_.reserve(4 * boxes_.size());
  broad_phase.find_hits(boxes_, further_boxes_, executor, hits_);
  for (const BoxPair& hit : hits_) {
    const FurtherImage& image = further_[static_cast<std::size_t>(hit.second)];
    const std::int32_t p = image.part, r = hit.first;
    const bool both_mobile = role_[static_cast<std::size_t>(r)] == BoxRole::mobile;
    if (p == r || (both_mobile && p < r)) continue;
    const ImageCode of_p = image.image - cell_of(p) + cell_of(r);  // as r in its place meets it
    pairs.push_back(r < p ? BoxPair{r, p, of_p} : BoxPair{p, r, -of_p});
  }
}

PairQuery PlacedModel::query(const BoxPair& pair) const {
  PairQuery query =
      make_query(part(pair.first), part(pair.second), reach(pair.first) + reach(pair.second));
  if (pair.image != 0) query.b.x += offset(pair.image);
  return query;
}

Ahead PlacedModel::ahead(const BoxPair& pair, const Poses& poses) const {
  const auto a = static_cast<std::size_t>(body(pair.first)),
             b = static_cast<std::size_t>(body(pair.second));
  Ahead ahead{poses.x[a], poses.x[b], poses.q[a], poses.q[b]};
  if (pair.image != 0) ahead.x_b += cell_.offset(pair.image, poses.image_shift);
  return ahead;
}

// Lists the parts of the bodies that contacts move, and of others that came, went, were driven or
// have another reach.
void PlacedModel::find_changed(const Poses& poses, std::span<const std::uint8_t> present,
                               std::span<const double> reach) {
  changed_.clear();
  for (std::size_t body = 0; body < placed_.size(); ++body) {
    Placed& last = placed_[body];
    const bool unmoved = last.present == present[body] && last.reach == reach[body] &&
                         last.x == poses.x[body] && last.q.coeffs() == poses.q[body].coeffs();
    if (unmoved && (kind_[body] != BodyKind::dynamic || present[body] == 0)) continue;
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
  image_shift_ = poses.image_shift;
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
      const BoxPair pair{std::min(w, part), std::max(w, part), 0};
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
  if (cell_.is_periodic()) find_image_pairs(broad_phase, executor, pairs);
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(),
                             [&](const BoxPair& pair) { return !may_touch(pair); }),
              pairs.end());
  find_wall_pairs(pairs);
  sort_pairs(executor, pairs);
}

}  // namespace scree::collision
