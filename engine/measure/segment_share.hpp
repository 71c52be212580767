// How much of a straight segment lies in a box. Coarse graining gives each piece of the way from a
// mass centre to a contact its share of the contact's stress.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "engine/base/math.hpp"
#include "engine/model/cell.hpp"

namespace scree::measure {

// Cells of equal size that fill a box; cell (i, j, k) holds what is at or above its low faces and
// below its high ones.
struct CellGrid {
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();  // [m]
  std::array<std::int32_t, 3> cells = {1, 1, 1};

  Vector3 size() const { return (high - low).cwiseQuotient(Vector3(cells[0], cells[1], cells[2])); }
  double cell_volume() const { return size().prod(); }
  std::size_t count() const {
    return static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]) *
           static_cast<std::size_t>(cells[2]);
  }
  // x runs slowest.
  std::size_t index(const std::array<std::int32_t, 3>& at) const {
    return (static_cast<std::size_t>(at[0]) * static_cast<std::size_t>(cells[1]) +
            static_cast<std::size_t>(at[1])) *
               static_cast<std::size_t>(cells[2]) +
           static_cast<std::size_t>(at[2]);
  }
  std::array<std::int32_t, 3> place(std::size_t index) const {
    const auto z = static_cast<std::size_t>(cells[2]), y = static_cast<std::size_t>(cells[1]);
    return {static_cast<std::int32_t>(index / (y * z)), static_cast<std::int32_t>(index / z % y),
            static_cast<std::int32_t>(index % z)};
  }
  // Low face of cell number i along an axis; the number of cells gives the last high one.
  double face(int axis, std::int32_t i) const {
    const double share = static_cast<double>(i) / cells[static_cast<std::size_t>(axis)];
    return i == cells[static_cast<std::size_t>(axis)]
               ? high[axis]
               : low[axis] + share * (high[axis] - low[axis]);
  }
  Vector3 middle(std::size_t index) const {
    const auto at = place(index);
    return low + size().cwiseProduct(Vector3(at[0] + 0.5, at[1] + 0.5, at[2] + 0.5));
  }
  // The cell along an axis that holds a coordinate inside the grid, by its faces.
  std::int32_t cell_of(int axis, double x) const {
    const std::int32_t n = cells[static_cast<std::size_t>(axis)];
    auto i = static_cast<std::int32_t>(
        std::clamp((x - low[axis]) / (high[axis] - low[axis]) * n, 0.0, n - 1.0));
    while (i > 0 && x < face(axis, i)) --i;
    while (i + 1 < n && x >= face(axis, i + 1)) ++i;
    return i;
  }
  bool holds(const Vector3& x) const {
    return (x.array() >= low.array()).all() && (x.array() < high.array()).all();
  }
};

// The part [first, last] of the way [0, 1] from x to x + way along one axis between two faces.
struct Part {
  double first = 0.0, last = 1.0;

  void clip(double x, double way, double low, double high) {
    if (way == 0.0) {
      if (!(x >= low && x < high)) last = first;
      return;
    }
    const double a = (low - x) / way, b = (high - x) / way;
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  }
  double length() const { return std::max(0.0, last - first); }
};

// Calls visit(cell, share) for the cells that the segment from x to x + way passes, in order of
// their numbers; shares add up to the part of it in the grid.
template <class Visit>
void for_each_share(const CellGrid& grid, const Vector3& x, const Vector3& way, Visit&& visit) {
  Part whole;
  for (int axis = 0; axis < 3; ++axis)
    whole.clip(x[axis], way[axis], grid.low[axis], grid.high[axis]);
  const bool stands = way.isZero(0.0);
  if (stands ? !grid.holds(x) : !(whole.length() > 0.0)) return;
  std::array<std::int32_t, 3> begin = {}, end = {};
  for (int axis = 0; axis < 3; ++axis) {
    const double from = x[axis] + whole.first * way[axis], to = x[axis] + whole.last * way[axis];
    const auto k = static_cast<std::size_t>(axis);
    begin[k] = grid.cell_of(axis, std::min(from, to));
    end[k] = grid.cell_of(axis, std::max(from, to));
    // Round-off of the ends must not lose a cell that has a share.
    begin[k] = std::max(begin[k] - 1, 0), end[k] = std::min(end[k] + 1, grid.cells[k] - 1);
  }
  for (std::int32_t i = begin[0]; i <= end[0]; ++i) {
    Part in_x = {};
    in_x.clip(x.x(), way.x(), grid.face(0, i), grid.face(0, i + 1));
    if (!stands && !(in_x.length() > 0.0)) continue;
    for (std::int32_t j = begin[1]; j <= end[1]; ++j) {
      Part in_y = in_x;
      in_y.clip(x.y(), way.y(), grid.face(1, j), grid.face(1, j + 1));
      if (!stands && !(in_y.length() > 0.0)) continue;
      for (std::int32_t k = begin[2]; k <= end[2]; ++k) {
        Part part = in_y;
        part.clip(x.z(), way.z(), grid.face(2, k), grid.face(2, k + 1));
        const double share = part.length();
        if (share > 0.0) visit(grid.index({i, j, k}), share);
      }
    }
  }
}

// The same in a periodic world, of all images of the segment; `shift` is of the images above.
template <class Visit>
void for_each_share(const CellGrid& grid, const Cell& cell, double shift, const Vector3& x,
                    const Vector3& way, Visit&& visit) {
  if (!cell.is_periodic()) return for_each_share(grid, x, way, visit);
  const Vector3 low = x.cwiseMin(x + way), high = x.cwiseMax(x + way);
  // Periods along an axis that may bring the segment into the grid.
  const auto range = [&](int axis, double moved) {
    const double length = cell.length[axis];
    if (length == 0.0) return std::array<std::int32_t, 2>{0, 0};
    return std::array<std::int32_t, 2>{
        static_cast<std::int32_t>(std::ceil((grid.low[axis] - high[axis] - moved) / length)),
        static_cast<std::int32_t>(std::floor((grid.high[axis] - low[axis] - moved) / length))};
  };
  const auto up = range(2, 0.0), along = range(1, 0.0);
  for (std::int32_t k = up[0]; k <= up[1]; ++k) {
    const auto across = range(0, static_cast<double>(k) * shift);
    for (std::int32_t j = along[0]; j <= along[1]; ++j) {
      for (std::int32_t i = across[0]; i <= across[1]; ++i)
        for_each_share(grid, x + cell.offset(PeriodCount{i, j, k}, shift), way, visit);
    }
  }
}

// The image of a point of a periodic world that is at or above the low faces of a grid and nearest
// to them.
inline Vector3 image_at(const CellGrid& grid, const Cell& cell, double shift, Vector3 x) {
  for (const int axis : {2, 1, 0}) {
    const double length = cell.length[axis];
    if (length == 0.0) continue;
    const double low = grid.low[axis], periods = std::floor((x[axis] - low) / length);
    x[axis] -= periods * length;
    if (axis == 2) x.x() -= periods * shift;
    // By round-off it may stand at the next low face, or below this one.
    if (!(x[axis] >= low && x[axis] < low + length)) x[axis] = low;
  }
  return x;
}

}  // namespace scree::measure
