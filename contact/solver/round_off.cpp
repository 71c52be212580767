// When is what is left of a residual round-off? Each natural map is compared with eps times the
// magnitudes of what it sums up.
#include "contact/solver/round_off.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "contact/laws/contact_rows.hpp"
#include "contact/problem/contact_problem.hpp"
#include "contact/problem/scaling.hpp"
#include "contact/solver/residual_rows.hpp"
#include "contact/solver/solver.hpp"

namespace scree::contact {

namespace {

constexpr double unit_round_off = 4.0 * std::numeric_limits<double>::epsilon();

void sum_loads(const BodyProblem& problem, std::span<const Vector3> p,
               std::span<const Vector3> moment, std::vector<Load>& load) {
  load.assign(problem.n_bodies(), Load{});
  for (std::size_t i = 0; i < problem.n_contacts(); ++i) {
    const double size = p[i].norm(), turn = moment.empty() ? 0.0 : moment[i].norm();
    Load &a = load[static_cast<std::size_t>(problem.body_a[i])],
         &b = load[static_cast<std::size_t>(problem.body_b[i])];
    a.impulse += size, a.moment += size * problem.r_a_W[i].norm() + turn;
    b.impulse += size, b.moment += size * problem.r_b_W[i].norm() + turn;
  }
}

// Magnitude of the velocity of a body's point at lever arm r, all terms taken with their absolute
// values [m/s].
double speed_terms(const BodyProblem& problem, const std::vector<Load>& load, BodyIndex body,
                   double r) {
  const auto i = static_cast<std::size_t>(body);
  const double spin =
      problem.w_free_W[i].norm() + problem.inverse_inertia_W[i].norm() * load[i].moment;
  return problem.v_free[i].norm() + problem.inverse_mass[i] * load[i].impulse + spin * r;
}

// |r_c| over its floor; `terms` [m/s] are the magnitudes in w_c.
template <class Traits, class Rows>
double ratio(const Traits& traits, double mu, const Rows& p_c, const Rows& w_c, double terms) {
  const double rho = traits.factor * traits.factor;
  const double left = natural_map(traits, p_c, w_c, rho).norm();
  if (left == 0.0) return 0.0;
  const double floor = unit_round_off * (p_c.norm() + rho * (1.0 + mu) * terms);
  return left / floor;
}

}  // namespace

double round_off_ratio(const BodyProblem& problem, std::span<const Vector3> p,
                       std::span<const Vector3> v, std::span<const Vector3> w_W,
                       std::span<const Vector3> moment, std::span<const ContactIndex> part,
                       std::vector<Load>& load) {
  sum_loads(problem, p, moment, load);
  const std::size_t n = part.empty() ? problem.n_contacts() : part.size();
  double largest = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = part.empty() ? k : static_cast<std::size_t>(part[k]);
    double terms = problem.bias[i].norm() +
                   speed_terms(problem, load, problem.body_a[i], problem.r_a_W[i].norm()) +
                   speed_terms(problem, load, problem.body_b[i], problem.r_b_W[i].norm());
    const Vector3 give = problem.give(i, p[i]), w_i = velocity_of(problem, i, v, w_W) + give;
    terms += give.norm();
    const double factor = contact_factor(delassus_trace(problem, i));
    double here = 0.0;
    if (!problem.has_moments()) {
      here = ratio(ContactTraits{Vector3::Zero(), problem.mu[i], factor, 1.0, 0.0}, problem.mu[i],
                   p[i], w_i, terms);
    } else {
      const ConeLimits limits = limits_of(problem, i);
      const double length = problem.length[i];
      terms += length *
               (problem.spin_bias[i].norm() + speed_terms(problem, load, problem.body_a[i], 1.0) +
                speed_terms(problem, load, problem.body_b[i], 1.0));
      here = ratio(RollingTraits{Vector6::Zero(), limits, factor, 1.0, 0.0},
                   limits.mu + limits.mu_spin + limits.mu_roll, six(p[i], moment[i] / length),
                   six(w_i, spin_of(problem, i, limits, w_W)), terms);
    }
    if (!(here <= largest)) largest = here;
  }
  return largest;
}

double round_off_ratio(const BodyProblem& problem, std::span<const Vector3> p,
                       std::span<const Vector3> v, std::span<const Vector3> w_W,
                       std::span<const Vector3> moment, std::span<const ContactIndex> part) {
  std::vector<Load> load;
  return round_off_ratio(problem, p, v, w_W, moment, part, load);
}

double round_off_ratio(const MatrixProblem& problem, std::span<const Vector3> p) {
  double largest = 0.0;
  for (std::size_t i = 0; i < problem.n_contacts(); ++i) {
    Vector3 w = problem.b[i];
    double trace = 0.0, terms = w.norm();
    for (auto at = static_cast<std::size_t>(problem.row_begin[i]);
         at < static_cast<std::size_t>(problem.row_begin[i + 1]); ++at) {
      const Vector3& other = p[static_cast<std::size_t>(problem.column[at])];
      w += problem.block[at] * other;
      terms += problem.block[at].norm() * other.norm();
      if (problem.column[at] == static_cast<ContactIndex>(i)) trace = problem.block[at].trace();
    }
    const ContactTraits traits{problem.b[i], problem.mu[i], contact_factor(trace), 1.0, 0.0};
    const double here = ratio(traits, problem.mu[i], p[i], w, terms);
    if (!(here <= largest)) largest = here;
  }
  return largest;
}

}  // namespace scree::contact
