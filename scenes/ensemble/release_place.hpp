// Where a run of a release starts, seen from above.
#pragma once

#include "scenes/ensemble/ensemble.hpp"

namespace scree::ensemble {

struct ReleasePlace {
  double x = 0.0, y = 0.0;                  // [m]
  const site::StartPoint* point = nullptr;  // of a release of points
};

ReleasePlace release_place(const site::Site& site, const RunId& id);

// The draws of a run that one quantity makes.
Draws draws_of(const site::Site& site, const RunId& id, Stream stream);

// The rock of the run.
const site::Rock& rock_of(const site::Site& site, const RunId& id, const ReleasePlace& place);

}  // namespace scree::ensemble
