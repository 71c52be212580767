#include <algorithm>
#include <vector>

#include "contact/fclib/fclib.hpp"
#include "contact/problem/sparse_entries.hpp"
#include "engine/base/check.hpp"

namespace scree::contact {

SolveReport solve_fclib(Solver& solver, const FclibProblem& problem, const SolverOptions& options,
                        const Executor& executor, std::span<Vector3> p) {
  if (!problem.bodies) return solver.solve(problem.problem, options, executor, p);
  std::vector<Vector3> v(problem.bodies->n_bodies()), w_W(v.size());
  SolveReport report = solver.solve(*problem.bodies, options, executor, p, v, w_W);
  const bool met_with_bodies = report.converged;
  report.residual = residuals(*problem.blocks, p);
  report.converged = stop_value(report.residual, options) <= options.tolerance || report.round_off;
  if (report.converged || !met_with_bodies || report.iterations >= options.max_iterations)
    return report;
  try {
    const CondensedProblem condensed =
        condense(problem.blocks->mass_entries(), problem.blocks->jacobian_entries(),
                 problem.blocks->f, problem.blocks->w, max_entries_of_W);
    SolverOptions rest = options;
    rest.max_iterations -= report.iterations;
    SolveReport with_matrix =
        solver.solve(to_blocks(condensed.W, condensed.q, problem.blocks->mu, 3), rest, executor, p);
    with_matrix.iterations += report.iterations;
    return with_matrix;
  } catch (const InputError&) {  // W would be too large
    return report;
  }
}

bool impulses_grow(const FclibProblem& problem, const Residuals& residual) {
  constexpr double small = 1e-4, large = 1e-2, times_scaled = 1e3;
  if (!(residual.scaled <= small)) return false;
  const std::vector<Vector3> none(problem.n_contacts(), Vector3::Zero());
  const Residuals start =
      problem.bodies ? residuals(*problem.blocks, none) : residuals(problem.problem, none);
  // Without impulses `siconos` compares with b.
  const double left = start.siconos * residual.published / start.published;
  return left > std::max(large, times_scaled * residual.scaled);
}

}  // namespace scree::contact
