// Entry point of the contact solver: one call, two operators, several methods.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_problem.hpp"
#include "engine/model/executor.hpp"

namespace scree::contact {

enum class Measure { scaled, published, siconos };

enum class Method { nsgs, nncg, apgd, interior, automatic };

// The three residual measures of one iterate (contact/README.md).
struct Residuals {
  double scaled = 0.0, published = 0.0, siconos = 0.0;

  double of(Measure measure) const {
    return measure == Measure::scaled ? scaled : measure == Measure::published ? published : siconos;
  }
};

struct SolverOptions {
  Method method = Method::automatic;
  Measure measure = Measure::scaled;
  double tolerance = 1e-6;            // [-] on `measure`, > 0
  double aim = 1.0;                   // [-] in (0, 1]: goes on to this share of the tolerance while that costs no 1000 iterations more
  std::int64_t max_iterations = 50000;  // sweeps (or gradient steps); > 0
  std::int64_t min_iterations = 1;      // sweeps done even when the warm start already meets the tolerance
};

struct SolveReport {
  bool converged = false;
  std::int64_t iterations = 0;        // sweeps plus gradient steps
  Residuals residual;                 // of the impulses returned, recomputed from scratch
};

// Scratch memory and body velocities; nothing here is needed by the next solve.
class Solver {
 public:
  Solver();
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  // `p` [n_contacts, N s]: warm start in, solution out. `v`, `w_W` [n_bodies]: velocities with p applied, out.
  // `moment` [n_contacts, N m s, (n,t,s)]: the same for the moments on b, if the problem has them. Returns the best iterate with
  // its true residual; never reports convergence that is not there.
  [[nodiscard]] SolveReport solve(const BodyProblem& problem, const SolverOptions& options, const Executor& executor,
                                  std::span<Vector3> p, std::span<Vector3> v, std::span<Vector3> w_W,
                                  std::span<Vector3> moment = {});
  [[nodiscard]] SolveReport solve(const MatrixProblem& problem, const SolverOptions& options, const Executor& executor,
                                  std::span<Vector3> p);

 private:
  struct Impl;
  Impl* impl_ = nullptr;
};

// Residuals of impulses p at given body velocities (not necessarily z_free + M^-1 H^T p: the engine asks with the
// velocities that include the gyroscopic term).
Residuals residuals(const BodyProblem& problem, std::span<const Vector3> p, std::span<const Vector3> v,
                    std::span<const Vector3> w_W, std::span<const Vector3> moment = {}, const Executor& executor = {});
Residuals residuals(const MatrixProblem& problem, std::span<const Vector3> p);

}  // namespace scree::contact
