// Generator of loose grains: random convex bodies, turned at random, in the cells of a cubic grid.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/math.hpp"
#include "engine/model/shapes.hpp"

namespace scree {

enum class GrainShape { box, rock };

// In the grains' axes: z up; origin in the middle of the base of the lowest layer.
struct LooseGrains {
  GrainShape shape = GrainShape::box;
  double size = 0.0;       // [m] diameter of the sphere that the largest grain just fits into
  double smallest = 1.0;   // [-] diameter of the smallest as a share of `size`
  double spacing = 0.0;    // [m] side of a cell, >= size
  int count = 0;           // grains
  int along_x = 0, along_y = 0;  // cells of a layer
  int shapes = 16;         // different grains
  std::uint64_t seed = 1;
};

struct Grain {
  int shape = 0;  // into grain_shapes
  Pose pose;      // of the drawing: the sphere around the grain has its centre in the cell's
};

// The different grains; each lies within a sphere about its drawing's origin. The same seed gives the same bits.
std::vector<ConvexPolyhedron> grain_shapes(const LooseGrains& grains);

// Layer by layer upwards, each row by row from -y, each row from -x.
std::vector<Grain> build_loose_grains(const LooseGrains& grains);

}  // namespace scree
