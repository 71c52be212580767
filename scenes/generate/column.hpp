// A column of grains behind a gate: dimensions of its vessel from the grains and the aspect ratio.
#pragma once

#include "scenes/generate/grains.hpp"

namespace scree {

struct ColumnLayout {
  bool round = false;   // axisymmetric; else a slice between two side walls
  double aspect = 1.0;  // [-] height over radius, or over length
  double length = 0.0;  // [m] radius, or length from the back wall to the gate
  double width = 0.0;   // [m] of a slice
  double height = 0.0;  // [m] expected after the filling
};

// The vessel that `volume` [m3] of grains fill to the aspect ratio at the packing fraction
// expected.
ColumnLayout column_layout(bool round, double aspect, double width, double volume, double packing);

// Grains, a whole number from 1, that fill a column of the given radius or length [m] when each has
// `mean_volume` [m3] on average. May be more than an integer holds.
double column_grains(bool round, double aspect, double length, double width, double mean_volume,
                     double packing);

}  // namespace scree
