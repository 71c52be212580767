// Contact problems in files of the FCLIB collection (HDF5), as other programs write them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "contact/fclib/rigid_blocks.hpp"
#include "contact/problem/contact_problem.hpp"
#include "contact/solver/solver.hpp"
#include "engine/base/executor.hpp"

namespace scree::contact {

enum class FclibForm {
  matrix,  // always W
  bodies,  // body velocities where the file is a global problem of rigid bodies, otherwise W
};

struct FclibProblem {
  MatrixProblem
      problem;  // global problems condensed to W = H^T M^-1 H; empty when `bodies` is there
  std::optional<BodyProblem> bodies;
  std::optional<RigidBlocks>
      blocks;  // what the file has and `bodies` agrees with to 1e-12; there when `bodies` is
  std::int64_t dofs =
      0;  // degrees of freedom of the bodies; of the contacts when the file does not say
  bool global = false;  // the file held M and H
  std::string title;

  std::size_t n_contacts() const { return bodies ? bodies->n_contacts() : problem.n_contacts(); }
};

// Reads a local or global problem in two or three dimensions (plane problems get a third, unloaded
// direction). Throws InputError, one line that begins with `path`, for a damaged file and for
// bilateral or rolling constraints.
FclibProblem read_fclib(const std::string& path, FclibForm form = FclibForm::matrix);

// Solves it in the form that it was read in. `p` [n_contacts, N s]: warm start in, solution out.
// The residuals reported, and `converged`, are those of the file's own data: if bodies meet the
// tolerance and M and H of the file do not, which they agree with to 1e-12 only, the solver goes on
// with W.
[[nodiscard]] SolveReport solve_fclib(Solver& solver, const FclibProblem& problem,
                                      const SolverOptions& options, const Executor& executor,
                                      std::span<Vector3> p);

// Whether impulses make a residual small by their size alone, as they do where a problem has no
// solution: `scaled` at most 1e-4, while the rho = 1 map is still more than |b| / 100, and more
// than 1000 `scaled` |b| (a column of n bodies at rest keeps n / 1.7 of it).
bool impulses_grow(const FclibProblem& problem, const Residuals& residual);

// Writes a local problem: W as triplets, b as q. Replaces `path`. Throws InputError when it cannot
// be written.
void write_fclib(const std::string& path, const MatrixProblem& problem, const std::string& title);

// Writes a global problem: M and H of the bodies that can move, f = M v_free, w = bias and the
// velocities of bodies that are driven. The format has no place for `scale`. With impulses `p`
// [n_contacts], N s in (n, t, s), also what they make of it as its solution: r = p, u = W p + b,
// and v of the bodies. Throws InputError when it cannot be written, or for rolling or spinning
// resistance.
void write_fclib(const std::string& path, const BodyProblem& problem, const std::string& title,
                 std::span<const Vector3> p = {});

}  // namespace scree::contact
