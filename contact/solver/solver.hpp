// Entry point of the contact solver: one call, two operators, several methods.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/problem/contact_problem.hpp"
#include "engine/base/executor.hpp"

namespace scree::contact {

enum class Measure { combined, scaled, published, siconos };

enum class Method { nsgs, nncg, apgd, interior, automatic };

// The residuals of one iterate (contact/README.md): of all contacts together, or of the island
// where they are largest.
struct Residuals {
  double impulse = 0.0;   // of `combined`: A / (|p| + |P|)
  double velocity = 0.0;  // of `combined`: the largest |r_c| / P_c of a contact
  double scaled = 0.0, published = 0.0, siconos = 0.0;

  // The part that is a norm over all contacts; stop_value has what is compared with the tolerance.
  double of(Measure measure) const {
    switch (measure) {
      case Measure::scaled:
        return scaled;
      case Measure::published:
        return published;
      case Measure::siconos:
        return siconos;
      case Measure::combined:
        break;
    }
    return impulse;
  }

  // The larger of each. What is not a number stays.
  void raise(const Residuals& other) {
    impulse = std::max(impulse, other.impulse), velocity = std::max(velocity, other.velocity);
    scaled = std::max(scaled, other.scaled), published = std::max(published, other.published);
    siconos = std::max(siconos, other.siconos);
  }
};

struct SolverOptions {
  Method method = Method::automatic;
  Measure measure = Measure::scaled;
  double tolerance = 1e-6;           // [-] on `measure`, > 0
  double velocity_tolerance = 1e-3;  // [-] least bound on the velocity of each contact, > 0;
                                     // `combined` only
  double aim = 1.0;  // [-] in (0, 1]: goes on to this share of the tolerance while that costs no
                     // 1000 iterations more
  std::int64_t max_iterations = 50000;  // sweeps (or gradient steps); > 0
  std::int64_t min_iterations =
      1;  // sweeps done even when the warm start already meets the tolerance
  // Bodies that a problem with fewer contacts has shown to be wedged: more contacts do not help
  // them. -1: none known.
  std::array<BodyIndex, 2> wedged = {-1, -1};
};

// Bound on the velocity error of a contact, over P_c (contact/README.md, Residuals).
double velocity_bound(const SolverOptions& options);

// What is compared with the tolerance.
double stop_value(const Residuals& residual, const SolverOptions& options);

struct SolveReport {
  bool converged = false;       // the tolerance is met, or what is left is round-off
  bool round_off = false;       // the tolerance is not met, and what is left is round-off
  bool from_zero = false;       // the start was of no use: the impulses were found from p = 0
  bool no_solution = false;     // impulses grow for ever: bodies are wedged. What is returned for
                                // their island are 20 plain sweeps from p = 0
  ContactIndex wedged = -1;     // without solution: the contact whose impulse grows most
  std::int64_t iterations = 0;  // sweeps plus gradient steps
  Residuals residual;           // of the impulses returned, recomputed from scratch
};

// Scratch memory and body velocities; nothing here is needed by the next solve.
class Solver {
 public:
  Solver();
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  // `p` [n_contacts, N s]: warm start in, solution out. `v`, `w_W` [n_bodies]: velocities with p
  // applied, out. `moment` [n_contacts, N m s, (n,t,s)]: the same for the moments on b, if the
  // problem has them. Returns the best iterate with its true residual; never reports convergence
  // that is not there.
  [[nodiscard]] SolveReport solve(const BodyProblem& problem, const SolverOptions& options,
                                  const Executor& executor, std::span<Vector3> p,
                                  std::span<Vector3> v, std::span<Vector3> w_W,
                                  std::span<Vector3> moment = {});
  [[nodiscard]] SolveReport solve(const MatrixProblem& problem, const SolverOptions& options,
                                  const Executor& executor, std::span<Vector3> p);

 private:
  struct Impl;
  Impl* impl_ = nullptr;
};

// Residuals of impulses p at given body velocities (not necessarily z_free + M^-1 H^T p: the engine
// asks with the velocities that include the gyroscopic term). Where the problem's islands are
// known, the largest of the whole and of each. `of_islands` [n_islands]: those of each, if there
// are two or more and it is not empty.
Residuals residuals(const BodyProblem& problem, std::span<const Vector3> p,
                    std::span<const Vector3> v, std::span<const Vector3> w_W,
                    std::span<const Vector3> moment = {}, const Executor& executor = {},
                    std::span<Residuals> of_islands = {});
// The same with islands that were found apart.
Residuals residuals(const BodyProblem& problem, const ContactIslands& islands,
                    std::span<const Vector3> p, std::span<const Vector3> v,
                    std::span<const Vector3> w_W, std::span<const Vector3> moment,
                    const Executor& executor, std::span<Residuals> of_islands = {});
Residuals residuals(const MatrixProblem& problem, std::span<const Vector3> p);

// Largest |r_c| / floor_c of a contact: at most 1 when what is left of its natural map r_c is
// round-off. The floor is 4 eps times the magnitudes of all that is summed up to r_c: |p_c| + rho_c
// (1 + mu) (terms of b_c + terms of (W p)_c). `part`: of these only.
double round_off_ratio(const BodyProblem& problem, std::span<const Vector3> p,
                       std::span<const Vector3> v, std::span<const Vector3> w_W,
                       std::span<const Vector3> moment = {},
                       std::span<const ContactIndex> part = {});
double round_off_ratio(const MatrixProblem& problem, std::span<const Vector3> p);

}  // namespace scree::contact
