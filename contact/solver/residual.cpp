// Residuals of impulses at given velocities, for the caller's problems; the operators have their
// own.
#include "contact/solver/residual.hpp"

#include <array>

#include "contact/laws/assemble.hpp"
#include "contact/problem/contact_problem.hpp"
#include "contact/solver/residual_rows.hpp"
#include "engine/base/check.hpp"

namespace scree::contact {

namespace {

// Speeds of a problem that names none.
double common_speed(const BodyProblem& problem) {
  double largest = 0.0;
  if (!problem.speed.empty()) return largest;
  for (std::size_t i = 0; i < problem.n_contacts(); ++i) {
    double squares = velocity_of(problem, i, problem.v_free, problem.w_free_W).squaredNorm();
    if (problem.has_moments())
      squares += spin_of(problem, i, limits_of(problem, i), problem.w_free_W).squaredNorm();
    largest = std::max(largest, std::sqrt(squares));
  }
  return largest;
}

}  // namespace

// A solve that is asked for fewer digits may leave larger errors, but none of the size of P_c:
// those are left by impulses that carry nothing, and by those that grow for ever.
double velocity_bound(const SolverOptions& options) {
  constexpr double of_tolerance = 1000.0, largest = 0.3;
  return std::max(options.velocity_tolerance, std::min(largest, of_tolerance * options.tolerance));
}

double stop_value(const Residuals& residual, const SolverOptions& options) {
  if (options.measure != Measure::combined) return residual.of(options.measure);
  return std::max(residual.impulse,
                  residual.velocity * (options.tolerance / velocity_bound(options)));
}

Residuals residuals(const BodyProblem& problem, const ContactIslands& islands,
                    std::span<const Vector3> p, std::span<const Vector3> v,
                    std::span<const Vector3> w_W, std::span<const Vector3> moment,
                    const Executor& executor, std::span<Residuals> of_islands) {
  const double common = common_speed(problem);
  const auto add_contact = [&](std::size_t i, ResidualSums& sums) {
    const double factor = contact_factor(delassus_trace(problem, i));
    const double unit = factor * factor * (problem.speed.empty() ? common : problem.speed[i]);
    const Vector3 b_i = velocity_of(problem, i, problem.v_free, problem.w_free_W),
                  w_i = velocity_of(problem, i, v, w_W) + problem.give(i, p[i]);
    if (!problem.has_moments()) {
      sums.add(ContactTraits{b_i, problem.mu[i], factor, problem.scale[i], unit}, p[i], w_i);
      return;
    }
    const ConeLimits limits = limits_of(problem, i);
    sums.add(RollingTraits{six(b_i, spin_of(problem, i, limits, problem.w_free_W)), limits, factor,
                           problem.scale[i], unit},
             six(p[i], moment[i] / problem.length[i]), six(w_i, spin_of(problem, i, limits, w_W)));
  };
  if (islands.size() < 2)
    return residual_sums(problem.n_contacts(), executor, add_contact).measures();
  SCREE_ASSERT(islands.n_contacts == problem.n_contacts());
  std::array<Residuals, most_sum_blocks> largest;
  const std::size_t n_blocks = n_sum_blocks(problem.n_contacts());
  const auto of_island = [&](std::size_t block, std::size_t k, const ResidualSums& sums) {
    const Residuals here = sums.measures_of_island();
    largest[block].raise(here);
    if (!of_islands.empty()) of_islands[k] = here;
  };
  Residuals result = residual_sums(islands, executor, add_contact, of_island).measures();
  for (std::size_t block = 0; block < n_blocks; ++block) result.raise(largest[block]);
  return result;
}

Residuals residuals(const BodyProblem& problem, std::span<const Vector3> p,
                    std::span<const Vector3> v, std::span<const Vector3> w_W,
                    std::span<const Vector3> moment, const Executor& executor,
                    std::span<Residuals> of_islands) {
  static const ContactIslands one;
  return residuals(problem, problem.has_islands() ? problem.islands : one, p, v, w_W, moment,
                   executor, of_islands);
}

Residuals residuals(const MatrixProblem& problem, std::span<const Vector3> p) {
  ResidualSums total;
  const double speed = largest_bias(problem);
  for (std::size_t i = 0; i < problem.n_contacts(); ++i) {
    Vector3 w = problem.b[i];
    double trace = 0.0;
    const auto end = static_cast<std::size_t>(problem.row_begin[i + 1]);
    for (auto at = static_cast<std::size_t>(problem.row_begin[i]); at < end; ++at) {
      w += problem.block[at] * p[static_cast<std::size_t>(problem.column[at])];
      if (problem.column[at] == static_cast<ContactIndex>(i)) trace = problem.block[at].trace();
    }
    const double factor = contact_factor(trace);
    total.add(ContactTraits{problem.b[i], problem.mu[i], factor, 1.0, factor * factor * speed},
              p[i], w);
  }
  return total.measures();
}

}  // namespace scree::contact
