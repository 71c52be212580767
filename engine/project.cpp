#include "engine/project.hpp"

#include <algorithm>
#include <cmath>

#include "contact/local_frame.hpp"
#include "integrators/rotation_update.hpp"

namespace scree {

namespace {

// How far the push may move each body [m]: as far as its own overlaps are deep, and those of its neighbours and of theirs, which push it
// on. `depth(c)` of each contact of `contacts`.
template <class Depth>
void reach_of_push(const Model& model, const ContactSet& contacts, const Depth& depth, double least, std::vector<double>& reach) {
  constexpr int neighbours = 2;
  reach.assign(model.mass.size(), least);
  const auto raise = [&](BodyIndex body, double to) {
    double& mine = reach[static_cast<std::size_t>(body)];
    if (model.is_dynamic(body)) mine = std::max(mine, to);
  };
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    raise(contacts.key[c].body_a, depth(c));
    raise(contacts.key[c].body_b, depth(c));
  }
  for (int round = 0; round < neighbours; ++round) {
    for (const ContactKey& key : contacts.key) {
      const double a = reach[static_cast<std::size_t>(key.body_a)], b = reach[static_cast<std::size_t>(key.body_b)];
      raise(key.body_a, b);
      raise(key.body_b, a);
    }
  }
}

// Whether all pairs within reach now are among those that the step's detection looked at: the bodies have moved so little.
bool are_pairs_known(const Model& model, const Settings& settings, const State& state, const Workspace& work) {
  const double h = settings.time.dt;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (state.active[i] == 0) continue;
    const double theta = work.theta[i], spin = std::max(work.start_w_W[i].norm(), work.end.w_B[i].norm());
    // x_{k+1} - x_k = h v_theta, from v_{k+1} and x_{k+1} - (x_k + h v_k) = h theta (v_{k+1} - v_k).
    const Vector3 shift = h * state.v[i] - (1.0 - theta) / theta * (state.x[i] - work.x_ahead[i]);
    const double moved = shift.norm() + (spin > 0.0 ? h * model.radius[i] * spin : 0.0);
    // Twice: for a neighbour that contacts do not move, whose reach in the step says nothing of the push's.
    if (moved + (model.is_dynamic(static_cast<BodyIndex>(i)) ? 2.0 * work.overlap_reach[i] : 0.0) > work.reach[i]) return false;
  }
  return true;
}

// Contacts at the new poses within reach.
void find_overlaps(const Model& model, const Settings& settings, const State& state, Workspace& work) {
  const collision::Poses poses{state.x, state.q};
  if (are_pairs_known(model, settings, state, work)) {
    work.detector.detect_again(model, poses, state.active, work.overlap_reach, work.executor, work.overlaps);
  } else {
    work.detector.detect(model, poses, poses, state.active, work.overlap_reach, work.executor, work.overlaps);
  }
}

// Bodies at rest at the new poses, contacts without friction, the gap beyond the slop as bias.
void assemble_correction(const Model& model, const State& state, double slop, Workspace& work) {
  contact::BodyProblem& problem = work.correction;
  const std::size_t n_bodies = state.x.size(), n = work.overlaps.size();
  problem.inverse_mass = work.problem.inverse_mass;
  problem.inverse_inertia_W.resize(n_bodies);
  problem.v_free.assign(n_bodies, Vector3::Zero());
  problem.w_free_W.assign(n_bodies, Vector3::Zero());
  for (std::size_t i = 0; i < n_bodies; ++i) {
    const Matrix3 R = state.q[i].toRotationMatrix();
    problem.inverse_inertia_W[i].setZero();
    if (problem.inverse_mass[i] > 0.0) {
      problem.inverse_inertia_W[i] = R * model.inertia[i].cwiseInverse().asDiagonal() * R.transpose();
    }
  }
  problem.body_a.resize(n), problem.body_b.resize(n), problem.R_WC.resize(n);
  problem.r_a_W.resize(n), problem.r_b_W.resize(n), problem.bias.resize(n);
  problem.mu.assign(n, 0.0);
  problem.scale.assign(n, 1.0);
  for (std::size_t c = 0; c < n; ++c) {
    const ContactKey& key = work.overlaps.key[c];
    problem.body_a[c] = key.body_a;
    problem.body_b[c] = key.body_b;
    problem.R_WC[c] = contact::local_frame(work.overlaps.normal[c]);
    problem.r_a_W[c] = work.overlaps.point_a[c] - state.x[static_cast<std::size_t>(key.body_a)];
    problem.r_b_W[c] = work.overlaps.point_b[c] - state.x[static_cast<std::size_t>(key.body_b)];
    problem.bias[c] = Vector3(work.overlaps.gap[c] + slop, 0.0, 0.0);
  }
}

// Moves the bodies by the displacement found. Returns the potential energy added [J].
double displace(const Model& model, State& state, const Workspace& work) {
  double potential = 0.0;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (work.correction.inverse_mass[i] == 0.0) continue;
    const Vector3& shift = work.v_solver[i];
    const Vector3& turn = work.w_solver[i];
    potential -= model.mass[i] * model.gravity.dot(shift);
    state.x[i] += shift;
    if (!turn.isZero(0.0)) state.q[i] = (integrators::cayley(turn) * state.q[i]).normalized();
  }
  return potential;
}

}  // namespace

void project(const Model& model, const Settings& settings, State& state, Workspace& work, StepRecord& record) {
  if (settings.step.correction == PositionCorrection::none) return;
  const double slop = settings.step.correction_slop * work.smallest_size;
  // Overlaps to be expected: candidates of the step at their average velocities, as activation `predict` leaves them.
  const bool predicted = settings.step.activation == Activation::predict;
  const auto expected_depth = [&](std::size_t c) {
    return predicted ? -1.1 * (work.contacts.gap[c] + settings.time.dt * work.u_N_theta[c]) : 0.0;
  };
  reach_of_push(model, work.contacts, expected_depth, slop, work.overlap_reach);
  find_overlaps(model, settings, state, work);
  const std::vector<double>& gap = work.overlaps.gap;
  const double deepest = gap.empty() ? 0.0 : -*std::min_element(gap.begin(), gap.end());
  if (deepest <= slop) return;
  assemble_correction(model, state, slop, work);
  contact::SolverOptions options = settings.step.solver;
  // No finer than the velocities are solved for, and no finer than 1e-6 of the displacements.
  const bool scaled = options.measure == contact::Measure::scaled;
  options.tolerance = scaled ? std::max(1e-6, options.tolerance) : 1e-6;
  options.measure = contact::Measure::scaled;
  work.correction_p.assign(work.overlaps.size(), Vector3::Zero());
  const contact::SolveReport report = work.solver.solve(work.correction, options, work.executor, work.correction_p,
                                                        work.v_solver, work.w_solver);
  record.iterations += report.iterations;
  record.ledger.projection_work = displace(model, state, work);
  state.potential_change += record.ledger.projection_work;
}

}  // namespace scree
