#include "engine/project.hpp"

#include <algorithm>
#include <utility>

#include "contact/problem/local_frame.hpp"
#include "engine/base/block_loop.hpp"
#include "integrators/rotation_update.hpp"

namespace scree {

namespace {

// A turn below this changes no gap by more than 1e-6 of a lever arm [rad].
constexpr double least_turn = 1e-3;

// What is left beyond the slop is round-off and no reason for another correction, as a share of the
// smallest size.
constexpr double left_over = 1e-13;

bool has_turned(const Workspace& work, std::size_t body) {
  const Matrix3& turn = work.turn_W[body];
  return (turn - Matrix3::Identity()).squaredNorm() > 2.0 * least_turn * least_turn;
}

const Shape& touching_part(const Model& model, BodyIndex body, std::int32_t part) {
  const auto first = static_cast<std::size_t>(model.part_begin[static_cast<std::size_t>(body)]);
  return model
      .shapes[static_cast<std::size_t>(model.part_shape[first + static_cast<std::size_t>(part)])];
}

// Where a point of a body, as contacts were found, is now. The point of a ball that touches is the
// one that looks that way, whatever the spin: only the core of a rounded shape is carried.
Vector3 carried_point(const Model& model, const State& state, const Workspace& work, BodyIndex body,
                      std::int32_t part, const Vector3& point) {
  const auto i = static_cast<std::size_t>(body);
  const Vector3 arm = point - work.frame_x[i];
  if (has_turned(work, i)) {
    const auto core = std::visit(
        [&](const auto& shape) -> std::optional<Vector3> {
          if constexpr (requires { shape.core(arm); })
            return shape.core(work.free.R_WB[i].transpose() * arm);
          else
            return std::nullopt;
        },
        touching_part(model, body, part));
    if (core) {
      const Vector3 centre = work.free.R_WB[i] * *core;
      return state.x[i] + work.turn_W[i] * centre + (arm - centre);
    }
  }
  return state.x[i] + work.turn_W[i] * arm;
}

Vector3 carried_a(const Model& model, const State& state, const Workspace& work, std::size_t c) {
  const ContactKey& key = work.contacts.key[c];
  return carried_point(model, state, work, key.body_a, key.part_a, work.contacts.point_a[c]);
}

Vector3 carried_b(const Model& model, const State& state, const Workspace& work, std::size_t c) {
  const ContactKey& key = work.contacts.key[c];
  return carried_point(model, state, work, key.body_b, key.part_b, work.contacts.point_b[c]);
}

bool is_face(Feature feature) {
  return feature >> 28 == static_cast<std::uint32_t>(FeatureKind::face);
}

// The normal goes with the body whose face it is, if that has turned.
Vector3 carried_normal(const Model& model, const Workspace& work, std::size_t c) {
  const ContactKey& key = work.contacts.key[c];
  const Vector3& n = work.contacts.normal[c];
  const auto goes_with = [&](BodyIndex body, std::int32_t part, Feature feature) {
    const auto i = static_cast<std::size_t>(body);
    return (is_face(feature) ||
            std::holds_alternative<HalfSpace>(touching_part(model, body, part))) &&
           has_turned(work, i);
  };
  if (goes_with(key.body_a, key.part_a, key.feature_a))
    return work.turn_W[static_cast<std::size_t>(key.body_a)] * n;
  if (goes_with(key.body_b, key.part_b, key.feature_b))
    return work.turn_W[static_cast<std::size_t>(key.body_b)] * n;
  return n;
}

// The step's candidates at the new poses: points carried along by the bodies, normals by those
// whose faces they belong to.
void carry_candidates(const Model& model, const State& state, Workspace& work) {
  for_each_item(state.x.size(), work.executor, [&](std::size_t i) {
    work.turn_W[i] = state.q[i].toRotationMatrix() * work.free.R_WB[i].transpose();
  });
  work.end_gap.resize(work.contacts.size());
  for_each_item(work.contacts.size(), work.executor, [&](std::size_t c) {
    work.end_gap[c] = carried_normal(model, work, c)
                          .dot(carried_b(model, state, work, c) - carried_a(model, state, work, c));
  });
}

// How far the push may move each body [m]: as far as its own overlaps are deep, and those of its
// neighbours and of theirs, which push it on.
void reach_of_push(const Model& model, double least, Workspace& work) {
  constexpr int neighbours = 2;
  std::vector<double>& reach = work.push_reach;
  reach.assign(model.mass.size(), least);
  const auto raise = [&](BodyIndex body, double to) {
    double& mine = reach[static_cast<std::size_t>(body)];
    if (model.is_dynamic(body)) mine = std::max(mine, to);
  };
  const std::vector<ContactKey>& key = work.contacts.key;
  for (std::size_t c = 0; c < key.size(); ++c) {
    raise(key[c].body_a, -work.end_gap[c]);
    raise(key[c].body_b, -work.end_gap[c]);
  }
  for (int round = 0; round < neighbours; ++round) {
    for (const ContactKey& pair : key) {
      const double a = reach[static_cast<std::size_t>(pair.body_a)],
                   b = reach[static_cast<std::size_t>(pair.body_b)];
      raise(pair.body_a, b);
      raise(pair.body_b, a);
    }
  }
}

// Candidates whose gap a push within the reach of one of the two may close.
void choose_overlaps(Workspace& work) {
  work.overlaps.clear();
  for (std::size_t c = 0; c < work.end_gap.size(); ++c) {
    const ContactKey& key = work.contacts.key[c];
    const auto a = static_cast<std::size_t>(key.body_a), b = static_cast<std::size_t>(key.body_b);
    const double reach = std::max(work.push_reach[a], work.push_reach[b]);
    if (work.end_gap[c] <= reach) work.overlaps.push_back(static_cast<ContactIndex>(c));
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
  for_each_item(n_bodies, work.executor, [&](std::size_t i) {
    const Matrix3 R = state.q[i].toRotationMatrix();
    problem.inverse_inertia_W[i].setZero();
    if (problem.inverse_mass[i] > 0.0) {
      problem.inverse_inertia_W[i] =
          R * model.inertia[i].cwiseInverse().asDiagonal() * R.transpose();
    }
  });
  problem.body_a.resize(n), problem.body_b.resize(n), problem.R_WC.resize(n);
  problem.r_a_W.resize(n), problem.r_b_W.resize(n), problem.bias.resize(n);
  problem.mu.assign(n, 0.0);
  problem.scale.assign(n, 1.0);
  for_each_item(n, work.executor, [&](std::size_t i) {
    const auto c = static_cast<std::size_t>(work.overlaps[i]);
    const ContactKey& key = work.contacts.key[c];
    problem.body_a[i] = key.body_a;
    problem.body_b[i] = key.body_b;
    problem.R_WC[i] = contact::local_frame(carried_normal(model, work, c));
    problem.r_a_W[i] =
        carried_a(model, state, work, c) - state.x[static_cast<std::size_t>(key.body_a)];
    problem.r_b_W[i] =
        carried_b(model, state, work, c) - state.x[static_cast<std::size_t>(key.body_b)];
    problem.bias[i] = Vector3(work.end_gap[c] + slop, 0.0, 0.0);
  });
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

// One correction with the candidates as they are now.
void correct(const Model& model, const Settings& settings, double slop, State& state,
             Workspace& work, StepRecord& record) {
  reach_of_push(model, slop, work);
  choose_overlaps(work);
  assemble_correction(model, state, slop, work);
  contact::SolverOptions options = settings.step.solver;
  // No finer than the velocities are solved for, and no finer than 1e-6 of the displacements.
  const bool scaled = options.measure == contact::Measure::scaled;
  options.tolerance = scaled ? std::max(1e-6, options.tolerance) : 1e-6;
  options.measure = contact::Measure::scaled;
  work.correction_p.assign(work.overlaps.size(), Vector3::Zero());
  const contact::SolveReport report = work.solver.solve(
      work.correction, options, work.executor, work.correction_p, work.v_solver, work.w_solver);
  record.iterations += report.iterations;
  record.projection_residual = report.residual.scaled;
  record.projection_converged = report.converged;
  const double lifted = displace(model, state, work);
  record.ledger.projection_work += lifted;
  state.potential_change += lifted;
}

double deepest_of(const std::vector<double>& gap) {
  return gap.empty() ? 0.0 : -*std::min_element(gap.begin(), gap.end());
}

// Contacts at the poses of now in the place of the step's.
void find_again(const Model& model, const State& state, Workspace& work) {
  const collision::Poses now{state.x, state.q};
  work.detector.detect(model, now, now, now, state.active, work.reach, work.executor,
                       work.contacts);
  work.frame_x.assign(state.x.begin(), state.x.end());
  std::fill(work.turn_W.begin(), work.turn_W.end(), Matrix3::Identity());
  work.end_gap.assign(work.contacts.gap.begin(), work.contacts.gap.end());
}

}  // namespace

void project(const Model& model, const Settings& settings, State& state, Workspace& work,
             StepRecord& record) {
  if (settings.step.correction == PositionCorrection::none) return;
  const double slop = settings.step.correction_slop * work.smallest_size;
  carry_candidates(model, state, work);
  if (deepest_of(work.end_gap) > slop) correct(model, settings, slop, state, work, record);
  if (settings.step.correction == PositionCorrection::projection) return;
  constexpr int most_corrections = 10;
  std::swap(work.contacts, work.found_again);
  for (int k = 0; k < most_corrections; ++k) {
    find_again(model, state, work);
    if (!(deepest_of(work.end_gap) > slop + left_over * work.smallest_size)) break;
    correct(model, settings, slop, state, work, record);
  }
  std::swap(work.contacts, work.found_again);
}

}  // namespace scree
