// What the methods with factorisations keep from solve to solve.
#pragma once

#include <cstdint>
#include <vector>

#include "contact/solver/interior_point.hpp"
#include "contact/solver/proximal_newton.hpp"

namespace scree::contact {

template <class Coupling>
struct DirectWorkspace {
  Coupling coupling;
  std::vector<std::int32_t> place;  // of each contact of the coupling in the operator's order
  bool filled = false;              // with the problem of this solve
  InteriorPoint<Coupling> interior;
  ProximalNewton<Coupling> newton;
  Numbers y, trial, end;   // impulses, contact after contact
  std::vector<double> mu;  // the coupling's, while it is asked without friction
};

}  // namespace scree::contact
