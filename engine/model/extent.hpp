// How thin bodies are: what overlaps and motions in a step are compared with.
#pragma once

#include <vector>

#include "engine/model/bodies.hpp"

namespace scree {

// Smallest distance [m] between two parallel planes that hold the shape, over its faces' normals
// and its principal axes; the diameter of balls and point sets; infinite for walls.
double thinnest_extent(const Shape& shape);

// [n_bodies, m] of the thinnest part of each body, but for parts thinner than 1e-4 of it.
std::vector<double> thinnest_extents(const Model& model);

// The least over the bodies that move freely [m]; infinite: there are none.
double smallest_thickness(const Model& model);

}  // namespace scree
