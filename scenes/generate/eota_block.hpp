// The test block of rockfall nets, ETAG 027 and EAD 340059 (EOTA): a box whose twelve edges are cut
// off at a quarter of its sides.
#pragma once

#include <vector>

#include "engine/base/math.hpp"

namespace scree {

// Its 24 corners [m], about the middle: (a/4, b/4, c/2), (a/4, b/2, c/4), (a/2, b/4, c/4) with all
// signs. A cube's has 6 square faces, 12 square facets where edges were, 8 triangles; its volume is
// 17/24 of the box.
std::vector<Vector3> eota_block(const Vector3& sides);

}  // namespace scree
