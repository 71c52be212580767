// Colours of bodies.
#pragma once

#include <cstdint>

#include "tools/picture/picture_scene.hpp"

namespace scree::picture {

// A colour of the palette for a group of bodies, a little lighter or darker from body to body so
// that they can be told apart.
Colour group_colour(std::int32_t group, std::int32_t body);

// Pale over orange and red to dark purple for a value in [0, 1] (clamped); darker for more, also in
// grey print.
Colour scale_colour(double value);

// The colour of an sRGB hexadecimal value, linear.
Colour from_srgb(std::uint32_t rgb);

}  // namespace scree::picture
