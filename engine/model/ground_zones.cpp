#include "engine/model/ground_zones.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree {
namespace {

constexpr std::size_t most_slabs = 4096;

}  // namespace

GroundZones::GroundZones(Cells cells, std::vector<MaterialIndex> materials, MaterialIndex elsewhere)
    : elsewhere_(elsewhere), materials_(std::move(materials)), cells_(std::move(cells)) {
  std::vector<std::uint8_t> used(materials_.size(), 0);
  for (const std::uint8_t zone : cells_.zone) used[zone] = 1;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] != 0) all_.push_back(materials_[i]);
  }
  std::sort(all_.begin(), all_.end());
  all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
}

GroundZones::GroundZones(const std::vector<Polygon>& polygons, MaterialIndex elsewhere)
    : elsewhere_(elsewhere), all_{elsewhere} {
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    materials_.push_back(polygons[p].material), all_.push_back(polygons[p].material);
    for (const std::vector<Vector3>& ring : polygons[p].rings) {
      for (std::size_t i = 0; i < ring.size(); ++i)
        add_edge(ring[i], ring[i + 1 < ring.size() ? i + 1 : 0], static_cast<std::int32_t>(p));
    }
  }
  std::sort(all_.begin(), all_.end());
  all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
  sort_into_slabs();
}

// A level edge bounds nothing from left or right.
void GroundZones::add_edge(const Vector3& from, const Vector3& to, std::int32_t polygon) {
  if (from.y() == to.y()) return;
  const Vector3 &low = from.y() < to.y() ? from : to, &high = from.y() < to.y() ? to : from;
  edges_.push_back({low.x(), low.y(), high.x(), high.y(), polygon});
}

std::size_t GroundZones::slab_of(double y) const {
  const double at = (y - low_) * per_slab_;
  if (!(at > 0.0)) return 0;
  return std::min(static_cast<std::size_t>(at), slab_begin_.size() - 2);
}

void GroundZones::sort_into_slabs() {
  if (edges_.empty()) return;
  low_ = edges_[0].y_low, high_ = edges_[0].y_high;
  for (const Edge& edge : edges_)
    low_ = std::min(low_, edge.y_low), high_ = std::max(high_, edge.y_high);
  const std::size_t slabs = std::min(edges_.size(), most_slabs);
  per_slab_ = static_cast<double>(slabs) / (high_ - low_);
  slab_begin_.assign(slabs + 1, 0);
  const auto for_each_slab = [&](const Edge& edge, auto&& use) {
    for (std::size_t s = slab_of(edge.y_low); s <= slab_of(edge.y_high); ++s) use(s);
  };
  for (const Edge& edge : edges_) for_each_slab(edge, [&](std::size_t s) { ++slab_begin_[s + 1]; });
  for (std::size_t s = 0; s < slabs; ++s) slab_begin_[s + 1] += slab_begin_[s];
  slab_edges_.resize(slab_begin_.back());
  std::vector<std::size_t> next(slab_begin_.begin(), slab_begin_.end() - 1);
  for (std::size_t e = 0; e < edges_.size(); ++e)
    for_each_slab(edges_[e],
                  [&](std::size_t s) { slab_edges_[next[s]++] = static_cast<std::int32_t>(e); });
}

MaterialIndex GroundZones::of_cell(double x, double y) const {
  const double u = (x - cells_.west) / cells_.dx, v = (y - cells_.south) / cells_.dy;
  if (!(u >= 0.0 && v >= 0.0 && u <= cells_.columns && v <= cells_.rows)) return elsewhere_;
  // The outermost sides belong to the last cells.
  const auto column = std::min(static_cast<std::int32_t>(u), cells_.columns - 1),
             row = std::min(static_cast<std::int32_t>(v), cells_.rows - 1);
  return materials_[cells_.zone[static_cast<std::size_t>(row) *
                                    static_cast<std::size_t>(cells_.columns) +
                                static_cast<std::size_t>(column)]];
}

// Of each polygon, whether an odd number of its edges pass on the right.
MaterialIndex GroundZones::of_polygon(double x, double y) const {
  if (!(y >= low_ && y < high_)) return elsewhere_;
  const std::size_t slab = slab_of(y);
  bool inside = false;
  std::int32_t polygon = -1;
  for (std::size_t i = slab_begin_[slab]; i < slab_begin_[slab + 1]; ++i) {
    const Edge& edge = edges_[static_cast<std::size_t>(slab_edges_[i])];
    if (edge.polygon != polygon) {
      if (inside) break;
      polygon = edge.polygon;
    }
    if (!(y >= edge.y_low && y < edge.y_high)) continue;
    const double at =
        edge.x_low + (y - edge.y_low) * (edge.x_high - edge.x_low) / (edge.y_high - edge.y_low);
    if (x < at) inside = !inside;
  }
  return inside ? materials_[static_cast<std::size_t>(polygon)] : elsewhere_;
}

}  // namespace scree
