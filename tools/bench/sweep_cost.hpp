// The cost of a Gauss-Seidel sweep alone.
#pragma once

#include "engine/workspace.hpp"

namespace scree::bench {

// [ns per contact] of one more sweep of `nsgs` over the last problem of `work`, with its executor:
// the difference of two solves of fixed length, so that preparation and residuals cancel. Not a
// number without contacts.
double sweep_cost(Workspace& work);

}  // namespace scree::bench
