// Which contact of an unfinished solve is farthest from its law: for messages.
#pragma once

#include <cstddef>
#include <span>

#include "contact/problem/contact_problem.hpp"

namespace scree::contact {

// The contact with the largest natural map at impulses p and body velocities v, w_W, its velocity
// weighed with the masses of the pair; moments are left out. The first of equals; the number of
// contacts when there are none.
std::size_t worst_contact(const BodyProblem& problem, std::span<const Vector3> p,
                          std::span<const Vector3> v, std::span<const Vector3> w_W);

}  // namespace scree::contact
