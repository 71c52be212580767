// Materials of a ground that change from place to place: the cells of a raster, or polygons, seen
// from above.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/indices.hpp"
#include "engine/base/math.hpp"

namespace scree {

class GroundZones {
 public:
  // Row by row from the south-west; a place has the material of the cell that it lies in, which has
  // its western and southern side.
  struct Cells {
    double west = 0.0, south = 0.0, dx = 1.0, dy = 1.0;  // [m]
    std::int32_t columns = 0, rows = 0;
    std::vector<std::uint8_t> zone;  // into `materials`
  };
  // What an odd number of its rings go around; z is 0.
  struct Polygon {
    std::vector<std::vector<Vector3>> rings;  // [m] the last corner is joined to the first
    MaterialIndex material = 0;
  };

  // `elsewhere`: of places that no cell and no polygon has. At most 256 materials.
  GroundZones(Cells cells, std::vector<MaterialIndex> materials, MaterialIndex elsewhere);
  // Where polygons overlap the first counts.
  GroundZones(const std::vector<Polygon>& polygons, MaterialIndex elsewhere);

  MaterialIndex at(double x, double y) const {
    return edges_.empty() ? of_cell(x, y) : of_polygon(x, y);
  }
  // Those that `at` can give, ascending.
  const std::vector<MaterialIndex>& materials() const { return all_; }

  std::string file;  // as the scene names it

 private:
  // Of a polygon, upward: both that share it tell a place's side alike.
  struct Edge {
    double x_low = 0.0, y_low = 0.0, x_high = 0.0, y_high = 0.0;
    std::int32_t polygon = 0;
  };
  MaterialIndex of_cell(double x, double y) const;
  MaterialIndex of_polygon(double x, double y) const;
  void add_edge(const Vector3& from, const Vector3& to, std::int32_t polygon);
  void sort_into_slabs();
  std::size_t slab_of(double y) const;

  MaterialIndex elsewhere_;
  std::vector<MaterialIndex> all_, materials_;  // of zones, or of polygons
  Cells cells_;
  std::vector<Edge> edges_;
  double low_ = 0.0, high_ = 0.0, per_slab_ = 1.0;  // [m], [m], [1/m]
  std::vector<std::size_t> slab_begin_;             // [n_slabs + 1] into slab_edges_
  std::vector<std::int32_t> slab_edges_;            // of each slab, in the order of the polygons
};

}  // namespace scree
