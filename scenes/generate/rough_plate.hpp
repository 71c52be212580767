// Generator of a plate of glued grains, whole in a world that is periodic along x and y.
#pragma once

#include <cstdint>
#include <vector>

#include "scenes/generate/grain_shapes.hpp"

namespace scree {

struct RoughPlate {
  double length = 1.0, width = 1.0;  // [m] along x and y
  double grain = 1.0;                // [m] diameter of the ball around each of its grains
  double roughness = 0.2;            // [-] grains lie up to so many diameters above and below
  std::uint64_t seed = 1;
};

// Grains of a plate along x, and its rows along y, an even number: the rows stand over the gaps of
// each other, also through the faces of a cell with the plate's length and width. At least one
// and two.
struct PlateRows {
  int along = 0, rows = 0;
};
PlateRows plate_rows(const RoughPlate& plate);

// Corners of the grains, icosahedra turned at random, about the centre of mass of the plate: a
// triangular lattice, stretched to fill length and width. The balls around them do not overlap.
// The same seed gives the same bits on every machine.
std::vector<Corners> rough_plate(const RoughPlate& plate);

}  // namespace scree
