#include "contact/solver/worst_contact.hpp"

#include "contact/laws/assemble.hpp"
#include "contact/laws/friction_cone.hpp"

namespace scree::contact {

std::size_t worst_contact(const BodyProblem& problem, std::span<const Vector3> p,
                          std::span<const Vector3> v, std::span<const Vector3> w_W) {
  double worst = -1.0;
  std::size_t found = problem.n_contacts();
  for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
    const auto a = static_cast<std::size_t>(problem.body_a[c]),
               b = static_cast<std::size_t>(problem.body_b[c]);
    const double mobility = problem.inverse_mass[a] + problem.inverse_mass[b];
    const Vector3 w = local_velocity(problem, c, v, w_W) + problem.bias[c] + problem.give(c, p[c]);
    const double distance =
        natural_map(p[c], w, problem.mu[c], mobility > 0.0 ? 1.0 / mobility : 1.0).norm();
    if (distance > worst) worst = distance, found = c;
  }
  return found;
}

}  // namespace scree::contact
