// Images of a packing in a periodic world, so that regions and fields see through its faces.
#pragma once

#include "tools/analyse/packing.hpp"

namespace scree::analyse {

// The packing with all images of bodies and contacts of which something may lie in the box from
// `low` to `high` [m]: they are bodies and contacts of their own, and whatever lies in the box
// counts as often as it does there. As it is when the world is not periodic.
Packing with_images(const Packing& packing, const Vector3& low, const Vector3& high);

}  // namespace scree::analyse
