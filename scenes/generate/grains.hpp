// Sets of grains: shapes, sizes and a place for each, ready to be let fall.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/shapes/shapes.hpp"
#include "scenes/generate/grain_shapes.hpp"
#include "scenes/generate/size_distribution.hpp"

namespace scree {

struct GrainRecipe {
  std::string shape = "sphere";  // sphere, hull, one of platonic_solid, cross, voronoi, or drawn
  std::vector<Shape> drawn;      // parts of a shape of the scene, for shape = "drawn"
  AngularHull hull;
  double thickness = 0.4;  // [-] of a cross
  int count = 0;
  std::uint64_t seed = 1;
  double low = 0.0, high = 0.0;  // [m] sizes are spread evenly over [low, high] by number, unless
                                 // there is a grading
  std::optional<GradingCurve> grading;
};

// One grain in its own axes, the centre of mass in the origin.
struct Grain {
  std::vector<Shape> parts;
  double size = 0.0;    // [m] diameter of the ball of the same volume
  double radius = 0.0;  // [m] of the smallest ball about the centre of mass that holds it

  double volume() const;  // [m3]
};

// The same recipe gives the same bits on every machine. Throws InputError.
std::vector<Grain> make_grains(const GrainRecipe& recipe);

// Cells of a tessellation have edges of any length: of corners closer than 1e-3 of the cell one is
// kept.
Corners without_short_edges(const Corners& cell);

double volume_of(const std::vector<Grain>& grains);  // [m3] together

// Where grains may be put: above the middle of its base, up to `height`.
struct FillRegion {
  bool round = false;
  double radius = 0.0;               // [m] of a round one
  double length = 0.0, width = 0.0;  // [m] along x and y, of a box
  double height = 0.0;               // [m] may be infinite
};

// Throws InputError ("region: ...") when there are more grains than balls of the largest size that
// the region's volume holds: fill_positions gives each the room of the largest. Costs the sizes
// only, before any shape is made.
void require_room(const GrainRecipe& recipe, const FillRegion& region);

// A centre for each grain [m], measured from the middle of the base: layers of a dense lattice of
// balls that hold the largest grain, filled from below, each grain at random within what its ball
// leaves. No two grains overlap, whatever their orientations. Throws InputError ("region: ...")
// when they do not fit.
std::vector<Vector3> fill_positions(const std::vector<Grain>& grains, const FillRegion& region,
                                    Random& random);

}  // namespace scree
