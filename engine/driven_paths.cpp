#include "engine/driven_paths.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "collision/overlap_search.hpp"
#include "engine/model/extent.hpp"

namespace scree {
namespace {

constexpr double through_limit = 0.1;  // [-] of the thinner one's thinnest extent

using Pair = std::pair<BodyIndex, BodyIndex>;

// Moving bodies that are locked so that some push would not move them, by number in
// Model::steered; -1: none.
std::vector<std::int32_t> locked_bodies(const Model& model) {
  std::vector<std::int32_t> locked(model.name.size(), -1);
  for (std::size_t k = 0; k < model.steered.size(); ++k) {
    const SteeredBody& steered = model.steered[k];
    if ((steered.freedom.directions.array() == 0.0).any())
      locked[static_cast<std::size_t>(steered.body)] = static_cast<std::int32_t>(k);
  }
  return locked;
}

// Whether body i, driven, moves along directions alone in which the locked body does not give way,
// and without turning.
bool pushes_where_locked(const Model& model, std::size_t i, const Freedom& freedom, double t) {
  if (model.history[i] < 0) return false;
  const PrescribedVelocity now =
      velocity_at(model.histories[static_cast<std::size_t>(model.history[i])], t);
  return now.w_W.isZero(0.0) && !now.v.isZero(0.0) &&
         freedom.directions.cwiseProduct(now.v).isZero(0.0);
}

// Fixed and driven bodies, and those with locked directions, at one moment.
struct Moment {
  std::vector<Vector3> x;
  std::vector<Quaternion> q;
  std::vector<std::uint8_t> present;
};

// Spins that change their axis are turned about the mean one: near enough for a warning.
// Those with locked directions are taken to go on as they start.
void place(const Model& model, const State& state, const std::vector<std::int32_t>& locked,
           double t, Moment& moment) {
  moment.x = state.x, moment.q = state.q;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    moment.present[i] = (model.kind[i] != BodyKind::dynamic || locked[i] >= 0) &&
                                model.appears_at[i] <= t && t < model.vanishes_at[i]
                            ? 1
                            : 0;
    if (locked[i] >= 0) {
      const Freedom& freedom = model.steered[static_cast<std::size_t>(locked[i])].freedom;
      moment.x[i] += t * freedom.directions.cwiseProduct(state.v[i]);
    }
    if (model.history[i] < 0) continue;
    const PrescribedVelocity way =
        way_between(model.histories[static_cast<std::size_t>(model.history[i])], 0.0, t);
    moment.x[i] += way.v;
    const double angle = way.w_W.norm();
    if (angle > 0.0)
      moment.q[i] = Quaternion(Eigen::AngleAxisd(angle, way.w_W / angle)) * moment.q[i];
  }
}

}  // namespace

bool is_driven_to_move(const MotionHistory& history) {
  const auto moves = [](const Vector3& value) { return !value.isZero(0.0); };
  return moves(history.start.v) || moves(history.start.w_W) ||
         std::ranges::any_of(history.linear, moves) || std::ranges::any_of(history.angular, moves);
}

void warn_of_driven_paths(const Model& model, const Settings& settings, const State& state,
                          WarningLog& log) {
  if (std::ranges::none_of(model.histories, is_driven_to_move)) return;
  const std::vector<std::int32_t> locked = locked_bodies(model);
  const auto others = model.n_bodies() - std::ranges::count(model.kind, BodyKind::dynamic) +
                      std::ranges::count_if(locked, [](std::int32_t k) { return k >= 0; });
  if (others < 2) return;
  // Detection leaves out pairs of which neither moves freely: here the driven ones do.
  Model driven = model;
  for (BodyKind& kind : driven.kind)
    kind = kind == BodyKind::driven ? BodyKind::dynamic : BodyKind::fixed;
  driven.stamp.renew();
  constexpr std::int64_t most_looks = 400, most_work = 400'000;
  const std::int64_t looks =
      std::clamp<std::int64_t>(std::min(most_looks, most_work / others), 20,
                               std::max<std::int64_t>(settings.time.last_step(), 20));
  const std::vector<double> thickness = thinnest_extents(model);
  const auto freedom_of_body = [&](std::size_t i) -> const Freedom& {
    return model.steered[static_cast<std::size_t>(locked[i])].freedom;
  };
  std::map<Pair, double> deepest;  // pairs that overlap at the start have none
  collision::OverlapSearch search;
  Moment moment{{}, {}, std::vector<std::uint8_t>(model.name.size(), 0)};
  for (std::int64_t k = 0; k <= looks; ++k) {
    const double t = settings.time.end * static_cast<double>(k) / static_cast<double>(looks);
    place(model, state, locked, t, moment);
    for (const collision::Overlap& overlap :
         search.find(driven, {moment.x, moment.q, state.image_shift}, moment.present,
                     settings.overlap_tolerance)) {
      const auto a = static_cast<std::size_t>(overlap.body_a),
                 b = static_cast<std::size_t>(overlap.body_b);
      const double share = overlap.depth / std::min(thickness[a], thickness[b]);
      double& most = deepest[{overlap.body_a, overlap.body_b}];
      // What overlaps at the start, as walls at their corners do, is meant to.
      if (k == 0) most = -1.0;
      // A push that moves a locked body is none that it lets through.
      if ((locked[a] >= 0 && !pushes_where_locked(model, b, freedom_of_body(a), t)) ||
          (locked[b] >= 0 && !pushes_where_locked(model, a, freedom_of_body(b), t)))
        continue;
      if (most >= 0.0) most = std::max(most, share);
    }
  }
  for (const auto& [pair, share] : deepest) {
    if (share > through_limit) log.raise(Warning::driven_through, share, {pair.first, pair.second});
  }
}

}  // namespace scree
