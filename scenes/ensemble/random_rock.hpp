// What a run draws: a size, an orientation, a rock of its population.
#pragma once

#include <string>
#include <vector>

#include "engine/model/bodies.hpp"
#include "scenes/draws.hpp"
#include "scenes/site/site.hpp"

namespace scree::ensemble {

// exp(x), |x| < 700, to 1e-15 (1 + |x|), with the same bits on every machine
// (scenes/draws.hpp says why): x = k log 2 + r, and the series of r.
double portable_exp(double x);

// One value of a distribution. Throws InputError when ten thousand draws all fell outside its
// limits.
double drawn_from(const site::Distribution& distribution, Draws& draws);

// "lognormal, median 500, deviation 0.5".
std::string describe(const site::Distribution& distribution);

// Uniform over all rotations (Shoemake 1992) by four normal numbers: a direction in four dimensions
// has no preferred one.
Quaternion drawn_orientation(Draws& draws);

// A rock as [[body]] of a scene would draw it: `kind`, and its points or lengths.
struct DrawnRock {
  Shape shape = Sphere{};
  std::vector<Vector3> vertices;  // [m] that the hull was made of; empty for a ball or box
  double mass = 0.0;              // [kg] given; 0: from the density
  double density = 0.0;           // [kg/m3]
};
DrawnRock drawn_rock(const site::Rock& rock, Draws& size, Draws& form);

// Names of the streams of draws: a new one never shifts the others.
enum class Stream : std::uint32_t { place = 0, rock = 1, size = 2, form = 3, orientation = 4 };

}  // namespace scree::ensemble
