// A problem in body velocities, solved from zero.
#pragma once

#include <vector>

#include "contact/solver/solver.hpp"

namespace scree::test {

struct BodySolution {
  contact::SolveReport report;
  std::vector<Vector3> p, v, w_W;
};

inline BodySolution solve(contact::Solver& solver, const contact::BodyProblem& problem,
                          const contact::SolverOptions& options, const Executor& executor = {}) {
  BodySolution s;
  s.p.assign(problem.n_contacts(), Vector3::Zero());
  s.v.assign(problem.n_bodies(), Vector3::Zero());
  s.w_W.assign(problem.n_bodies(), Vector3::Zero());
  s.report = solver.solve(problem, options, executor, s.p, s.v, s.w_W);
  return s;
}

inline BodySolution solve(const contact::BodyProblem& problem,
                          const contact::SolverOptions& options, const Executor& executor = {}) {
  contact::Solver solver;
  return solve(solver, problem, options, executor);
}

}  // namespace scree::test
