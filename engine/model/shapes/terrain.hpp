// Ground: the solid below a raster of heights, without limit, two triangles a cell. Cells without
// data and what lies beyond the outer nodes are no ground: bodies that come there have left. The
// body that owns it does not turn.
#pragma once

#include <limits>
#include <memory>

#include "engine/base/raster.hpp"
#include "engine/model/shapes/shape.hpp"

namespace scree {

// A raster with what is asked of all of it; shared by all models that are made of it.
struct TerrainRaster {
  Raster raster;
  double lowest = 0.0, highest = 0.0;  // [m]
  double flat = 0.0;                   // [m] what lies so far from a plane lies in it
  bool has_holes = false;
  std::int64_t cells = 0, holes = 0;  // with data at all four nodes, and without
  double steepest = 0.0;              // [-] rise per metre
  double steep = 0.0;                 // [-] share of the triangles that rise by more than 1
  // Of blocks of cells, row by row: 1 where one of them is a hole. Empty without holes.
  std::vector<std::uint8_t> holes_in_block;
  std::string sha256;  // of the grid and its values

  // Whether one of the cells from (west, south) to (east, north), all included, is a hole.
  bool has_hole_in(std::int32_t west, std::int32_t south, std::int32_t east,
                   std::int32_t north) const;
};

// Of a raster with more lines along an axis pictures draw every n-th and the last.
inline constexpr std::int32_t most_drawn_lines = 256;

// Looks through the raster, which must have a cell with data.
std::shared_ptr<const TerrainRaster> make_terrain_raster(Raster raster, std::string sha256 = {});

struct Terrain {
  std::shared_ptr<const TerrainRaster> ground;
  Vector3 shift = Vector3::Zero();  // [m] of the raster's axes in the body's
  std::string file;                 // as the scene names it
  // What files keep for pictures: the surface, or a coarser one of a large raster. Shared by all
  // copies, as the raster is.
  struct Drawn {
    std::vector<Vector3> vertices;  // [m]
    std::vector<std::int32_t> faces, face_begin;
  };
  std::shared_ptr<const Drawn> drawn;

  static constexpr bool wall = true;
  static constexpr const char* as_owner = "a terrain";

  const Raster& raster() const { return ground->raster; }

  const char* kind() const { return "terrain"; }
  std::span<const Vector3> placed_points() const { return {}; }
  std::span<const Vector3> placed_normals() const { return {}; }
  std::span<const Vector3> placed_directions() const { return {}; }
  double rounding() const { return 0.0; }
  double diameter() const { return std::numeric_limits<double>::infinity(); }
  double bounding_radius() const { return std::numeric_limits<double>::infinity(); }
  double thinnest() const { return std::numeric_limits<double>::infinity(); }
  Terrain in_axes(const AxesChange& change) const;
  bool same(const Terrain& other) const {
    return shift == other.shift && file == other.file &&
           (ground == other.ground ||
            (ground != nullptr && other.ground != nullptr && !ground->sha256.empty() &&
             ground->sha256 == other.ground->sha256));
  }
  void check(const std::string& field) const;

  // No file is read into a terrain: its raster is not there.
  template <class Visit>
  static void fields(const Terrain& self, Visit&& visit) {
    visit(ShapeField{"vertices", "m",
                     "nodes in the user's axes, at most 256 along each axis of the raster"},
          self.drawn->vertices);
    visit(ShapeField{"faces", "", "vertex indices of all triangles, counter-clockwise from above"},
          self.drawn->faces);
    visit(ShapeField{"face_begin", "",
                     "face i has the entries [face_begin[i], face_begin[i+1]) of faces"},
          self.drawn->face_begin);
  }
};

// The surface is drawn from all nodes, or from every n-th.
Terrain make_terrain(std::shared_ptr<const TerrainRaster> ground, std::string file = {});

}  // namespace scree
