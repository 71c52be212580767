#include "contact/solver/solver.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "contact/laws/assemble.hpp"
#include "contact/solver/automatic.hpp"
#include "contact/solver/body_operator.hpp"
#include "contact/solver/direct_methods.hpp"
#include "contact/solver/islands.hpp"
#include "contact/solver/matrix_operator.hpp"
#include "contact/solver/round_off.hpp"
#include "engine/base/check.hpp"

namespace scree::contact {

struct Solver::Impl {
  ContactIslands islands;  // of a problem that knows none of its own
  Islands parts;
  std::vector<std::int32_t> apart;   // islands that are wedged,
  std::vector<ContactIndex> wedged;  // and a contact of each that says so
  std::vector<BodyOperator> body;    // one a part
  std::vector<RollingOperator> rolling;
  std::vector<CompliantOperator> compliant;
  std::vector<CompliantRollingOperator> compliant_rolling;
  MatrixOperator matrix;
  IterationVectors vectors;
  std::vector<Load> loads;
  int solves_without_arms = 0;

  // Lets the island of a contact that is wedged be solved apart from the others. Returns whether it
  // was not yet, and can.
  bool set_apart(const ContactIslands& all, ContactIndex contact) {
    if (contact < 0 || all.size() < 2 || apart.size() + 1 >= Islands::most_parts) return false;
    const std::int32_t island = all.of[static_cast<std::size_t>(contact)];
    if (std::find(apart.begin(), apart.end(), island) != apart.end()) return false;
    apart.push_back(island), wedged.push_back(contact);
    return true;
  }

  void forget_arms() {
    for (IterateVectors& arm : vectors.arms) arm.y.clear();
  }

  // The iterates of `auto`'s arms take as much memory as all else of a solve together. They stay as
  // long as they are used, and are given back when that is long ago.
  void release_idle_arms() {
    constexpr int long_ago = 32;  // solves
    const bool used = std::any_of(vectors.arms.begin(), vectors.arms.end(),
                                  [](const IterateVectors& arm) { return !arm.y.empty(); });
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
    case Method::nsgs:
      return run_sweeps(it, n, {});
    case Method::nncg:
      return run_sweeps(it, n, conjugate_sweeps);
    case Method::apgd: {
      GradientState state;
      return run_gradient(it, state, n, 10);
    }
    case Method::interior:
      run_direct(it, 1.0);
      return run_sweeps(it, it.options.max_iterations - it.iterations, conjugate_sweeps);
    case Method::automatic:
      return run_automatic(it);
  }
}

// The contacts whose impulses grow, in the caller's numbering.
template <class Operator>
void name_wedged(const Operator& op, const IterationVectors& vectors, std::size_t n_contacts,
                 SolveReport& report) {
  std::vector<Vector3> growth(n_contacts, Vector3::Zero()), moment(n_contacts);
  op.store(vectors.runaway.growth, growth, moment);
  const auto smaller = [](const Vector3& a, const Vector3& b) { return a.norm() < b.norm(); };
  report.no_solution = true;
  report.wedged = static_cast<ContactIndex>(
      std::max_element(growth.begin(), growth.end(), smaller) - growth.begin());
}

// What a step does without a solution: plain sweeps from p = 0, which give each contact in turn
// what it asks for. Few, as every sweep adds to the impulses; enough for the contacts that have a
// solution.
constexpr int sweeps_without_solution = 20;
template <class Operator>
void answer_without_solution(Operator& op, IterationVectors& vectors) {
  vectors.y.assign(vectors.best.size(), 0.0);
  op.make_image(vectors.y, vectors.image);
  op.set_alpha(0.0);
  for (int k = 0; k < sweeps_without_solution; ++k) op.sweep(vectors.y, vectors.image);
  vectors.best = vectors.y;
}

bool driven_bodies_move(const BodyProblem& problem) {
  for (std::size_t i = 0; i < problem.n_bodies(); ++i) {
    if (!(problem.inverse_mass[i] > 0.0) &&
        !(problem.v_free[i].isZero(0.0) && problem.w_free_W[i].isZero(0.0)))
      return true;
  }
  return false;
}

// Of the heaviest body that moves freely to the lightest.
double mass_ratio(const BodyProblem& problem) {
  double least = std::numeric_limits<double>::infinity(), most = 0.0;  // [1/kg]
  for (const double inverse : problem.inverse_mass) {
    if (!(inverse > 0.0)) continue;
    least = std::min(least, inverse), most = std::max(most, inverse);
  }
  return most > 0.0 ? most / least : 1.0;
}

// Whether impulses that grow without moving anything are asked for by the motion of driven bodies,
// rather than by what the impact law adds.
template <class Operator>
bool driven_bodies_ask(const BodyProblem& problem, const Operator& op, const Numbers& growth) {
  std::vector<Vector3> d(problem.n_contacts(), Vector3::Zero()), moment(problem.n_contacts());
  op.store(growth, d, moment);
  const auto given = [&](BodyIndex body, const Vector3& arm) -> Vector3 {
    const auto i = static_cast<std::size_t>(body);
    if (problem.inverse_mass[i] > 0.0) return Vector3::Zero();
    return problem.v_free[i] + problem.w_free_W[i].cross(arm);
  };
  double driven = 0.0, law = 0.0;
  for (std::size_t c = 0; c < d.size(); ++c) {
    const Vector3 velocity =
        given(problem.body_b[c], problem.r_b_W[c]) - given(problem.body_a[c], problem.r_a_W[c]);
    driven += d[c].dot(problem.R_WC[c].transpose() * velocity);
    law += d[c].dot(problem.bias[c]);
  }
  return driven < 0.0 && -driven >= std::abs(law);
}

// Whether impulses that grow push every body that moves freely as much one way as the other, as
// those of a wedge do. Of a body whose inertia is far too small for its size, sweeps that turn it
// are all that counts: its impulses then grow for long although they push it away.
template <class Operator>
bool growth_is_balanced(const BodyProblem& problem, const Operator& op, const Numbers& growth) {
  constexpr double share = 0.1;
  std::vector<Vector3> d(problem.n_contacts(), Vector3::Zero()), moment(problem.n_contacts());
  op.store(growth, d, moment);
  std::vector<Vector3> sum(problem.n_bodies(), Vector3::Zero());
  std::vector<double> all(problem.n_bodies(), 0.0);
  for (std::size_t c = 0; c < d.size(); ++c) {
    const Vector3 on_b = problem.R_WC[c] * d[c];
    const auto a = static_cast<std::size_t>(problem.body_a[c]),
               b = static_cast<std::size_t>(problem.body_b[c]);
    sum[a] -= on_b, sum[b] += on_b;
    all[a] += on_b.norm(), all[b] += on_b.norm();
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (problem.inverse_mass[i] > 0.0) largest = std::max(largest, all[i]);
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (!(problem.inverse_mass[i] > 0.0)) continue;
    const double pushes = problem.gain(i, sum[i]).norm() / problem.inverse_mass[i];
    if (pushes > share * largest) return false;
  }
  return true;
}

// A contact of the bodies that are known to be wedged; -1: none.
ContactIndex known_wedge(const BodyProblem& problem, const SolverOptions& options) {
  const auto [a, b] = options.wedged;
  if (a < 0 && b < 0) return -1;
  for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
    if (problem.body_a[c] == a && problem.body_b[c] == b) return static_cast<ContactIndex>(c);
  }
  return -1;
}

// Which of the contacts `wedged` is of that part; -1: none.
ContactIndex wedge_of(std::span<const ContactIndex> part, std::span<const ContactIndex> wedged) {
  for (const ContactIndex c : wedged) {
    if (std::binary_search(part.begin(), part.end(), c)) return c;
  }
  return -1;
}

// Iterates until `true_residuals()`, recomputed from the impulses in `p`, meets the tolerance,
// `ratio()` says that what is left is round-off, or the budget is used.
template <class Operator, class TrueResiduals, class RoundOffRatio>
SolveReport iterate(Operator& op, const SolverOptions& options, IterationVectors& vectors,
                    std::span<Vector3> p, std::span<Vector3> moment, TrueResiduals&& true_residuals,
                    RoundOffRatio&& ratio, const BodyProblem* problem = nullptr,
                    ContactIndex wedged = -1) {
  SolveReport report;
  const auto look = [&](bool whether_round_off) {
    op.store(vectors.best, p, moment);
    report.residual = true_residuals();
    const double residual = stop_value(report.residual, options);
    return Verdict{residual, whether_round_off && residual > options.tolerance && ratio() <= 1.0};
  };
  Iteration<Operator> it(op, options, vectors, std::ref(look));
  const auto driven = [&] { return driven_bodies_ask(*problem, op, vectors.runaway.growth); };
  if (problem != nullptr) {
    it.driven_bodies_ask = std::ref(driven);
    it.driven_bodies_move = driven_bodies_move(*problem);
    it.mass_ratio = mass_ratio(*problem);
  }
  op.load(p, moment, vectors.y);
  if (wedged >= 0) {
    vectors.best.assign(vectors.y.size(), 0.0);
    answer_without_solution(op, vectors);
    look(false);
    report.no_solution = true, report.wedged = wedged;
    report.iterations = sweeps_without_solution;
    return report;
  }
  it.start();
  if (options.min_iterations <= 0) it.test();
  if (!it.stop()) run_method(it);
  if (it.runs_away() &&
      (problem == nullptr || growth_is_balanced(*problem, op, vectors.runaway.growth))) {
    name_wedged(op, vectors, p.size(), report);
    // Other islands have a solution: the caller solves them apart.
    if (!op.islands().several()) answer_without_solution(op, vectors);
  }
  report.round_off = it.round_off();
  if (!it.done() && !report.round_off) {
    const Verdict verdict = look(true);
    report.round_off = verdict.round_off;
    report.converged = verdict.residual <= options.tolerance;
  }
  report.converged = report.converged || it.done() || report.round_off;
  report.from_zero = it.from_zero();
  report.iterations = it.iterations;
  return report;
}

// The tolerance of each of n_parts parts, so that the whole meets `tolerance` when they do. Squares
// of `scaled` parts add up to those of the whole, those of `combined` parts to no more, and those
// of `siconos` parts too while the same vector is the largest in all.
double part_tolerance(Measure measure, double tolerance, std::size_t n_parts) {
  return measure == Measure::published ? tolerance / std::sqrt(static_cast<double>(n_parts))
                                       : tolerance;
}

// One operator a part. Every part stops on its own, then the residual of the whole decides.
template <class Operator, class TrueResiduals, class RoundOffRatio>
SolveReport solve_parts(const BodyProblem& problem, const ContactIslands& islands,
                        const Islands& parts, std::vector<Operator>& ops,
                        const SolverOptions& options, const Executor& executor,
                        IterationVectors& vectors, std::span<Vector3> p, std::span<Vector3> moment,
                        std::span<const ContactIndex> wedged, TrueResiduals&& true_residuals,
                        RoundOffRatio&& ratio) {
  for (std::size_t k = 0; k < parts.size(); ++k)
    ops[k].prepare(problem, executor, parts.part(k), &islands);
  SolverOptions of_part = options;
  of_part.tolerance = part_tolerance(options.measure, options.tolerance, parts.size());
  SolveReport report;
  constexpr int max_rounds = 20;
  for (int round = 0;; ++round) {
    bool all_met = true;
    std::int64_t iterations = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      Operator& op = ops[k];
      const auto residual = [&] {
        op.make_image(vectors.best, vectors.image);
        return op.residual(vectors.best, vectors.image, options.measure);
      };
      const auto part_ratio = [&] {
        true_residuals();  // velocities
        return ratio(parts.part(k));
      };
      const SolveReport part = iterate(op, of_part, vectors, p, moment, residual, part_ratio,
                                       &problem, wedge_of(parts.part(k), wedged));
      iterations = std::max(iterations, part.iterations);
      report.round_off = report.round_off || part.round_off;
      report.from_zero = report.from_zero || part.from_zero;
      if (part.no_solution) report.no_solution = true, report.wedged = part.wedged;
      all_met = all_met && part.converged;
    }
    report.iterations += iterations;
    report.residual = true_residuals();
    const bool met = stop_value(report.residual, options) <= options.tolerance;
    report.converged = met || (all_met && report.round_off);
    report.round_off = report.round_off && !met;
    if (report.converged || !all_met || round == max_rounds) return report;
    of_part.tolerance *= 0.5;
    of_part.min_iterations = 0;  // parts that are good enough stay as they are
    of_part.max_iterations = std::max<std::int64_t>(options.max_iterations - report.iterations, 1);
  }
}

}  // namespace

Solver::Solver() : impl_(new Impl) {}
Solver::~Solver() { delete impl_; }
Solver::Solver(Solver&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
Solver& Solver::operator=(Solver&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

SolveReport Solver::solve(const BodyProblem& problem, const SolverOptions& options,
                          const Executor& executor, std::span<Vector3> p, std::span<Vector3> v,
                          std::span<Vector3> w_W, std::span<Vector3> moment) {
  if (!problem.has_islands()) find_islands(problem, impl_->islands);
  const ContactIslands& islands = problem.has_islands() ? problem.islands : impl_->islands;
  const Islands& parts = impl_->parts;
  const auto true_residuals = [&] {
    velocities_with(problem, p, v, w_W, moment, executor);
    return residuals(problem, islands, p, v, w_W, moment, executor);
  };
  const auto ratio = [&](std::span<const ContactIndex> part = {}) {
    return round_off_ratio(problem, p, v, w_W, moment, part, impl_->loads);
  };
  const auto solve_with = [&](auto& ops) {
    if (ops.size() < parts.size()) ops.resize(parts.size());
    if (parts.size() > 1) {
      return solve_parts(problem, islands, parts, ops, options, executor, impl_->vectors, p, moment,
                         impl_->wedged, true_residuals, ratio);
    }
    ops[0].prepare(problem, executor, {}, &islands);
    return iterate(ops[0], options, impl_->vectors, p, moment, true_residuals, ratio, &problem,
                   known_wedge(problem, options));
  };
  SCREE_ASSERT(!problem.has_moments() || moment.size() == p.size());
  const auto solve_once = [&] {
    impl_->parts.find(islands, problem.n_contacts(), impl_->apart);
    impl_->forget_arms();
    const bool moments = problem.has_moments();
    if (problem.has_compliance())
      return moments ? solve_with(impl_->compliant_rolling) : solve_with(impl_->compliant);
    return moments ? solve_with(impl_->rolling) : solve_with(impl_->body);
  };
  impl_->apart.clear(), impl_->wedged.clear();
  impl_->set_apart(islands, known_wedge(problem, options));
  SolveReport report = solve_once();
  while (report.no_solution && impl_->set_apart(islands, report.wedged)) {
    const std::int64_t before = report.iterations;
    report = solve_once();
    report.iterations += before;
  }
  impl_->release_idle_arms();
  return report;
}

SolveReport Solver::solve(const MatrixProblem& problem, const SolverOptions& options,
                          const Executor& executor, std::span<Vector3> p) {
  impl_->matrix.prepare(problem, executor);
  return iterate(
      impl_->matrix, options, impl_->vectors, p, {}, [&] { return residuals(problem, p); },
      [&] { return round_off_ratio(problem, p); });
}

}  // namespace scree::contact
