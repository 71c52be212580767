// Shapes of a scene file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/model/shapes/shapes.hpp"
#include "scenes/read/table_reader.hpp"

namespace scree::scenes {

// A shape in the axes it was drawn in.
struct DrawnShape {
  Shape shape = Sphere{};
  bool centre_is_origin = false;          // the origin of the drawing counts as centre of mass
  std::vector<Shape> further_parts = {};  // of a compound
  double disc_thickness = 0.0;            // [m] > 0: a disc, whose contacts are those of a sphere
};

using ShapeTable = std::map<std::string, DrawnShape>;

// Reads `kind` and the keys that go with it.
DrawnShape read_shape(TableReader& reader);

// Reads every [[shape]] of the file.
ShapeTable read_shapes(TableReader& file);

}  // namespace scree::scenes
