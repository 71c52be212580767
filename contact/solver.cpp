#include "contact/solver.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "contact/assemble.hpp"
#include "contact/automatic.hpp"
#include "contact/body_operator.hpp"
#include "contact/direct_methods.hpp"
#include "contact/islands.hpp"
#include "contact/matrix_operator.hpp"
#include "engine/model/check.hpp"

namespace scree::contact {

struct Solver::Impl {
  Islands islands;
  std::vector<BodyOperator> body;        // one a part
  std::vector<RollingOperator> rolling;
  MatrixOperator matrix;
  IterationVectors vectors;
  int solves_without_arms = 0;

  void forget_arms() {
    for (IterateVectors& arm : vectors.arms) arm.y.clear();
  }

  // The iterates of `auto`'s arms take as much memory as all else of a solve together. They stay as long as they are used, and are
  // given back when that is long ago.
  void release_idle_arms() {
    constexpr int long_ago = 32;  // solves
    const bool used = std::any_of(vectors.arms.begin(), vectors.arms.end(), [](const IterateVectors& arm) { return !arm.y.empty(); });
    solves_without_arms = used ? 0 : solves_without_arms + 1;
    if (solves_without_arms != long_ago) return;
    for (IterateVectors& arm : vectors.arms) arm = IterateVectors{};
  }
};

namespace {

template <class Operator>
void run_method(Iteration<Operator>& it) {
  const std::int64_t n = it.options.max_iterations - it.iterations;
  switch (it.options.method) {
    case Method::nsgs: return run_sweeps(it, n, {});
    case Method::nncg: return run_sweeps(it, n, conjugate_sweeps);
    case Method::apgd: {
      GradientState state;
      return run_gradient(it, state, n, 10);
    }
    case Method::interior:
      run_direct(it, 1.0);
      return run_sweeps(it, it.options.max_iterations - it.iterations, conjugate_sweeps);
    case Method::automatic: return run_automatic(it);
  }
}

// Replaces what is not finite, so that a bad warm start or problem cannot spread.
template <int rows>
void clean(Numbers& y) {
  for (std::size_t i = 0; i + rows <= y.size(); i += rows) {
    Eigen::Map<Eigen::Matrix<double, rows, 1>> contact(y.data() + i);
    if (!std::isfinite(contact.sum())) contact.setZero();
  }
}

// Iterates until `true_residuals(p)`, recomputed from scratch, meets the tolerance or the budget is used.
template <class Operator, class TrueResiduals>
SolveReport iterate(Operator& op, const SolverOptions& options, IterationVectors& vectors, std::span<Vector3> p,
                    std::span<Vector3> moment, TrueResiduals&& true_residuals) {
  SolveReport report;
  const auto residual_of_best = [&] {
    op.store(vectors.best, p, moment);
    report.residual = true_residuals();
    return report.residual.of(options.measure);
  };
  Iteration<Operator> it(op, options, vectors, std::ref(residual_of_best));
  op.load(p, moment, vectors.y);
  clean<Operator::rows>(vectors.y);
  it.start();
  if (options.min_iterations <= 0) it.test();
  if (!it.stop()) run_method(it);
  report.converged = it.done() || residual_of_best() <= options.tolerance;
  report.iterations = it.iterations;
  return report;
}

// The tolerance of each of n_parts parts, so that the whole meets `tolerance` when they do. Squares of `scaled` parts add up to
// those of the whole, and so do those of `siconos` parts while the same vector is the largest in all.
double part_tolerance(Measure measure, double tolerance, std::size_t n_parts) {
  return measure == Measure::published ? tolerance / std::sqrt(static_cast<double>(n_parts)) : tolerance;
}

// One operator a part. Every part stops on its own, then the residual of the whole decides.
template <class Operator, class TrueResiduals>
SolveReport solve_parts(const BodyProblem& problem, const Islands& islands, std::vector<Operator>& ops,
                        const SolverOptions& options, const Executor& executor, IterationVectors& vectors,
                        std::span<Vector3> p, std::span<Vector3> moment, TrueResiduals&& true_residuals) {
  for (std::size_t k = 0; k < islands.size(); ++k) ops[k].prepare(problem, executor, islands.part(k));
  SolverOptions of_part = options;
  of_part.tolerance = part_tolerance(options.measure, options.tolerance, islands.size());
  SolveReport report;
  constexpr int max_rounds = 20;
  for (int round = 0;; ++round) {
    bool all_met = true;
    std::int64_t iterations = 0;
    for (std::size_t k = 0; k < islands.size(); ++k) {
      Operator& op = ops[k];
      const SolveReport part = iterate(op, of_part, vectors, p, moment, [&] {
        op.make_image(vectors.best, vectors.image);
        return op.residual(vectors.best, vectors.image, options.measure);
      });
      iterations = std::max(iterations, part.iterations);
      all_met = all_met && part.converged;
    }
    report.iterations += iterations;
    report.residual = true_residuals();
    report.converged = report.residual.of(options.measure) <= options.tolerance;
    if (report.converged || !all_met || round == max_rounds) return report;
    of_part.tolerance *= 0.5;
    of_part.min_iterations = 0;  // parts that are good enough stay as they are
    of_part.max_iterations = std::max<std::int64_t>(options.max_iterations - report.iterations, 1);
  }
}

Vector6 six(const Vector3& head, const Vector3& tail) {
  Vector6 result;
  result << head, tail;
  return result;
}

// Trace of the impulse's block of W_cc. The frame drops out: tr(R^T S^T I S R) = |r|^2 tr I - r . I r, with S = skew(r).
double delassus_trace(const BodyProblem& problem, std::size_t contact) {
  const auto spin_part = [&](std::size_t body, const Vector3& r) {
    const Matrix3& inverse_inertia = problem.inverse_inertia_W[body];
    return r.squaredNorm() * inverse_inertia.trace() - r.dot(inverse_inertia * r);
  };
  const auto a = static_cast<std::size_t>(problem.body_a[contact]);
  const auto b = static_cast<std::size_t>(problem.body_b[contact]);
  return 3.0 * (problem.inverse_mass[a] + problem.inverse_mass[b]) + spin_part(a, problem.r_a_W[contact]) +
         spin_part(b, problem.r_b_W[contact]);
}

}  // namespace

Solver::Solver() : impl_(new Impl) {}
Solver::~Solver() { delete impl_; }
Solver::Solver(Solver&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
Solver& Solver::operator=(Solver&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

SolveReport Solver::solve(const BodyProblem& problem, const SolverOptions& options, const Executor& executor,
                          std::span<Vector3> p, std::span<Vector3> v, std::span<Vector3> w_W,
                          std::span<Vector3> moment) {
  const Islands& islands = impl_->islands;
  const auto true_residuals = [&] {
    velocities_with(problem, p, v, w_W, moment, executor);
    return residuals(problem, p, v, w_W, moment, executor);
  };
  const auto solve_with = [&](auto& ops) {
    if (ops.size() < islands.size()) ops.resize(islands.size());
    if (islands.size() > 1) {
      return solve_parts(problem, islands, ops, options, executor, impl_->vectors, p, moment, true_residuals);
    }
    ops[0].prepare(problem, executor);
    return iterate(ops[0], options, impl_->vectors, p, moment, true_residuals);
  };
  impl_->islands.find(problem);
  SCREE_ASSERT(!problem.has_moments() || moment.size() == p.size());
  impl_->forget_arms();
  const SolveReport report = problem.has_moments() ? solve_with(impl_->rolling) : solve_with(impl_->body);
  impl_->release_idle_arms();
  return report;
}

SolveReport Solver::solve(const MatrixProblem& problem, const SolverOptions& options, const Executor& executor,
                          std::span<Vector3> p) {
  impl_->matrix.prepare(problem, executor);
  return iterate(impl_->matrix, options, impl_->vectors, p, {}, [&] { return residuals(problem, p); });
}

Residuals residuals(const BodyProblem& problem, std::span<const Vector3> p, std::span<const Vector3> v,
                    std::span<const Vector3> w_W, std::span<const Vector3> moment, const Executor& executor) {
  const auto add_contact = [&](std::size_t i, ResidualSums& sums) {
    const auto a = static_cast<std::size_t>(problem.body_a[i]), b = static_cast<std::size_t>(problem.body_b[i]);
    const auto relative = [&](std::span<const Vector3> linear, std::span<const Vector3> spin) -> Vector3 {
      return problem.R_WC[i].transpose() * (linear[b] + spin[b].cross(problem.r_b_W[i]) - linear[a] -
                                            spin[a].cross(problem.r_a_W[i])) +
             problem.bias[i];
    };
    const double factor = contact_factor(delassus_trace(problem, i));
    const Vector3 b_i = relative(problem.v_free, problem.w_free_W), w_i = relative(v, w_W);
    if (!problem.has_moments()) {
      sums.add(ContactTraits{b_i, problem.mu[i], factor, problem.scale[i]}, p[i], w_i);
      return;
    }
    const double length = problem.length[i];
    const ConeLimits limits{problem.mu[i], problem.mu_spin[i], problem.mu_roll[i]};
    const auto spin = [&](std::span<const Vector3> spins) -> Vector3 {
      if (!resists(limits)) return Vector3::Zero();
      return length * (problem.R_WC[i].transpose() * (spins[b] - spins[a]) + problem.spin_bias[i]);
    };
    sums.add(RollingTraits{six(b_i, spin(problem.w_free_W)), limits, factor, problem.scale[i]},
             six(p[i], moment[i] / length), six(w_i, spin(w_W)));
  };
  return residual_sums(problem.n_contacts(), executor, add_contact).measures();
}

Residuals residuals(const MatrixProblem& problem, std::span<const Vector3> p) {
  ResidualSums total;
  for (std::size_t i = 0; i < problem.n_contacts(); ++i) {
    Vector3 w = problem.b[i];
    double trace = 0.0;
    const auto end = static_cast<std::size_t>(problem.row_begin[i + 1]);
    for (auto at = static_cast<std::size_t>(problem.row_begin[i]); at < end; ++at) {
      w += problem.block[at] * p[static_cast<std::size_t>(problem.column[at])];
      if (problem.column[at] == static_cast<ContactIndex>(i)) trace = problem.block[at].trace();
    }
    total.add(ContactTraits{problem.b[i], problem.mu[i], contact_factor(trace), 1.0}, p[i], w);
  }
  return total.measures();
}

}  // namespace scree::contact
