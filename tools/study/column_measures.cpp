#include "tools/study/column_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "engine/base/check.hpp"
#include "engine/base/forest.hpp"

namespace scree::study {
namespace {

double distance_of(const Vector3& x, const ColumnFrame& frame) {
  return frame.round ? std::hypot(x.x(), x.y()) : x.x();
}

GrainPlace place_of(const Model& model, const State& state, std::size_t i,
                    const ColumnFrame& frame) {
  GrainPlace place{distance_of(state.x[i], frame), -std::numeric_limits<double>::infinity(),
                   -std::numeric_limits<double>::infinity()};
  for (std::int32_t p = model.part_begin[i]; p < model.part_begin[i + 1]; ++p) {
    const Shape& shape =
        model.shapes[static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(p)])];
    if (const auto* ball = std::get_if<Sphere>(&shape)) {
      const Vector3 centre = state.q[i] * ball->centre + state.x[i];
      place.out = std::max(place.out, distance_of(centre, frame) + ball->radius);
      place.top = std::max(place.top, centre.z() + ball->radius);
    } else if (const auto* solid = std::get_if<ConvexPolyhedron>(&shape)) {
      const Matrix3 R = state.q[i].toRotationMatrix();
      for (const Vector3& vertex : solid->vertices) {
        const Vector3 x = R * vertex + state.x[i];
        place.out = std::max(place.out, distance_of(x, frame));
        place.top = std::max(place.top, x.z());
      }
    }
  }
  return place;
}

// Index of each body among the grains, or -1.
std::vector<std::int32_t> index_of(const Model& model, const GrainTable& grains) {
  std::vector<std::int32_t> index(model.name.size(), -1);
  for (std::size_t k = 0; k < grains.body.size(); ++k)
    index[grains.body[k]] = static_cast<std::int32_t>(k);
  return index;
}

// Calls use(k, l) for each pair of grains with an impulse between them, once.
template <class Use>
void for_each_loaded_pair(const StepView& view, const std::vector<std::int32_t>& index, Use&& use) {
  BodyIndex last_a = -1, last_b = -1;
  for (std::size_t c = 0; c < view.in_problem.size(); ++c) {
    if (view.reaction[c].x() <= 0.0) continue;
    const ContactKey& key = view.contacts.key[static_cast<std::size_t>(view.in_problem[c])];
    if (key.body_a == last_a && key.body_b == last_b) continue;
    last_a = key.body_a, last_b = key.body_b;
    const std::int32_t k = index[static_cast<std::size_t>(key.body_a)],
                       l = index[static_cast<std::size_t>(key.body_b)];
    if (k >= 0 && l >= 0) use(static_cast<std::size_t>(k), static_cast<std::size_t>(l));
  }
}

}  // namespace

double ColumnFrame::area(double from, double to) const {
  return round ? std::numbers::pi * (to * to - from * from) : width * (to - from);
}

ColumnFrame column_frame(const Model& model, const State& state) {
  ColumnFrame frame;
  bool found = false;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    const Shape& shape = model.shapes[static_cast<std::size_t>(
        model.part_shape[static_cast<std::size_t>(model.part_begin[i])])];
    const auto* plane = std::get_if<HalfSpace>(&shape);
    if (model.name[i] == "side-1" && plane != nullptr) frame.width = -2.0 * plane->offset;
    if (model.name[i] != "gate") continue;
    found = true;
    if (const auto* wall = std::get_if<CylinderWall>(&shape)) {
      frame.round = true;
      frame.length = wall->radius;
    } else if (plane != nullptr) {
      frame.length = -plane->offset;
    } else {
      frame.length = state.x[i].x() - 0.5 * frame.width;
    }
  }
  require(found, "study", "the scene makes no gate; must have a [column]");
  return frame;
}

GrainTable::GrainTable(const Model& model) {
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (model.kind[i] != BodyKind::dynamic) continue;
    body.push_back(i);
    volume.push_back(0.0);
    for (std::int32_t p = model.part_begin[i]; p < model.part_begin[i + 1]; ++p) {
      volume.back() +=
          mass_properties(
              model.shapes[static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(p)])])
              .volume;
    }
  }
}

double GrainTable::total_volume() const {
  return std::accumulate(volume.begin(), volume.end(), 0.0);
}

double GrainTable::mean_size() const {
  return std::cbrt(6.0 / M_PI * total_volume() / static_cast<double>(volume.size()));
}

std::vector<GrainPlace> grain_places(const Model& model, const State& state,
                                     const GrainTable& grains, const ColumnFrame& frame) {
  std::vector<GrainPlace> places;
  for (const std::size_t i : grains.body) places.push_back(place_of(model, state, i, frame));
  return places;
}

std::vector<std::uint8_t> in_pile(const StepView& view, const GrainTable& grains) {
  const std::size_t n = grains.body.size();
  if (view.in_problem.empty()) return std::vector<std::uint8_t>(n, 1);
  std::vector<std::size_t> parent(n);
  std::iota(parent.begin(), parent.end(), 0U);
  for_each_loaded_pair(view, index_of(view.model, grains), [&](std::size_t k, std::size_t l) {
    parent[root_of(parent, l)] = root_of(parent, k);
  });
  std::vector<double> volume(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) volume[root_of(parent, k)] += grains.volume[k];
  const auto largest =
      static_cast<std::size_t>(std::max_element(volume.begin(), volume.end()) - volume.begin());
  std::vector<std::uint8_t> pile(n);
  for (std::size_t k = 0; k < n; ++k) pile[k] = root_of(parent, k) == largest ? 1 : 0;
  return pile;
}

double coordination_number(const StepView& view, const GrainTable& grains) {
  std::size_t pairs = 0;
  for_each_loaded_pair(view, index_of(view.model, grains),
                       [&](std::size_t, std::size_t) { ++pairs; });
  return 2.0 * static_cast<double>(pairs) / static_cast<double>(grains.body.size());
}

double volume_radius(const std::vector<GrainPlace>& places, const GrainTable& grains,
                     double share) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return places[a].centre < places[b].centre; });
  const double wanted = share * grains.total_volume();
  double sum = 0.0;
  for (const std::size_t k : order) {
    sum += grains.volume[k];
    if (sum >= wanted) return places[k].centre;
  }
  return places[order.back()].centre;
}

double column_height(const Model& model, const State& state, const GrainTable& grains) {
  double mass = 0.0, moment = 0.0;
  for (const std::size_t i : grains.body)
    mass += model.mass[i], moment += model.mass[i] * state.x[i].z();
  return 2.0 * moment / mass;
}

DepositProfile deposit_profile(const std::vector<GrainPlace>& places, const GrainTable& grains,
                               const std::vector<std::uint8_t>& pile, const ColumnFrame& frame,
                               double bin, double packing) {
  DepositProfile profile;
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (pile[k] == 0) continue;
    const auto at = static_cast<std::size_t>(std::max(0.0, places[k].centre) / bin);
    if (at >= profile.top.size())
      profile.top.resize(at + 1, 0.0), profile.filled.resize(at + 1, 0.0);
    profile.top[at] = std::max(profile.top[at], places[k].top);
    profile.filled[at] += grains.volume[k];
  }
  for (std::size_t i = 0; i < profile.top.size(); ++i) {
    const double from = bin * static_cast<double>(i);
    profile.distance.push_back(from + 0.5 * bin);
    profile.filled[i] /= packing * frame.area(from, from + bin);
  }
  return profile;
}

double slope_degrees(const DepositProfile& profile, double from, double to) {
  LineFit line;
  for (std::size_t i = 0; i < profile.distance.size(); ++i) {
    const double r = profile.distance[i];
    if (r >= from && r <= to) line.add(r, profile.filled[i]);
  }
  if (line.count() < 2.0) return std::numeric_limits<double>::quiet_NaN();
  return -std::atan(line.slope()) * 180.0 / std::numbers::pi;
}

}  // namespace scree::study
