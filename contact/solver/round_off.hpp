// Is what is left of a residual round-off? As in solver.hpp, with memory that is kept between
// solves.
#pragma once

#include <span>
#include <vector>

#include "contact/problem/contact_problem.hpp"

namespace scree::contact {

// Magnitudes that a body's velocity is summed up from: of the impulses on it, and of their moments.
struct Load {
  double impulse = 0.0;  // [N s]
  double moment = 0.0;   // [N m s]
};

double round_off_ratio(const BodyProblem& problem, std::span<const Vector3> p,
                       std::span<const Vector3> v, std::span<const Vector3> w_W,
                       std::span<const Vector3> moment, std::span<const ContactIndex> part,
                       std::vector<Load>& scratch);

}  // namespace scree::contact
