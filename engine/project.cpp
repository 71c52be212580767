#include "engine/project.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "contact/laws/laws.hpp"
#include "contact/problem/local_frame.hpp"
#include "engine/base/block_loop.hpp"
#include "engine/contact_phase.hpp"
#include "engine/model/contact_law.hpp"
#include "integrators/rotation_update.hpp"
#include "integrators/steered_motion.hpp"

namespace scree {

namespace {

// A turn below this changes no gap by more than 1e-6 of a lever arm [rad].
constexpr double least_turn = 1e-3;

// What is left beyond the slop is round-off and no reason for another correction, as a share of the
// smallest size.
constexpr double left_over = 1e-13;

bool has_turned(const Workspace& work, std::size_t body, double least) {
  const Matrix3& turn = work.turn_W[body];
  return (turn - Matrix3::Identity()).squaredNorm() > 2.0 * least * least;
}

const Shape& touching_part(const Model& model, BodyIndex body, std::int32_t part) {
  const auto first = static_cast<std::size_t>(model.part_begin[static_cast<std::size_t>(body)]);
  return model
      .shapes[static_cast<std::size_t>(model.part_shape[first + static_cast<std::size_t>(part)])];
}

const PairLaw& law_of(const Model& model, const ContactKey& key) {
  return law_between(model, key.body_a, key.body_b);
}

// Where a point of a body, as contacts were found, is now. The point of a ball that touches is the
// one that looks that way, whatever the spin: only the core of a rounded shape is carried.
Vector3 carried_point(const Model& model, const State& state, const Workspace& work, BodyIndex body,
                      std::int32_t part, const Vector3& point, double least) {
  const auto i = static_cast<std::size_t>(body);
  const Vector3 arm = point - work.frame_x[i];
  if (has_turned(work, i, least)) {
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

bool is_face(Feature feature) {
  return feature >> 28 == static_cast<std::uint32_t>(FeatureKind::face);
}

// The normal goes with the body whose face it is, if that has turned.
Vector3 carried_normal(const Model& model, const Workspace& work, std::size_t c, double least) {
  const ContactKey& key = work.contacts.key[c];
  const Vector3& n = work.contacts.normal[c];
  const auto goes_with = [&](BodyIndex body, std::int32_t part, Feature feature) {
    const auto i = static_cast<std::size_t>(body);
    return (is_face(feature) ||
            std::holds_alternative<HalfSpace>(touching_part(model, body, part))) &&
           has_turned(work, i, least);
  };
  if (goes_with(key.body_a, key.part_a, key.feature_a))
    return work.turn_W[static_cast<std::size_t>(key.body_a)] * n;
  if (goes_with(key.body_b, key.part_b, key.feature_b))
    return work.turn_W[static_cast<std::size_t>(key.body_b)] * n;
  return n;
}

// Gap of candidate c where the bodies have turned by work.turn_W since contacts were found, and
// have their centres as in State. Turns below `least` are small.
double carried_gap(const Model& model, const State& state, const Workspace& work, std::size_t c,
                   double image_shift, double least) {
  const ContactKey& key = work.contacts.key[c];
  Vector3 apart =
      carried_point(model, state, work, key.body_b, key.part_b, work.contacts.point_b[c], least) -
      carried_point(model, state, work, key.body_a, key.part_a, work.contacts.point_a[c], least);
  if (key.image != 0) apart += work.cell.offset(key.image, image_shift);
  return carried_normal(model, work, c, least).dot(apart);
}

// The step's candidates at the new poses: points carried along by the bodies, normals by those
// whose faces they belong to.
void carry_candidates(const Model& model, double h, const State& state, Workspace& work) {
  const double end_shift = state.image_shift + h * work.cell.image_speed();
  for_each_item(state.x.size(), work.executor, [&](std::size_t i) {
    work.turn_W[i] = state.q[i].toRotationMatrix() * work.free.R_WB[i].transpose();
  });
  work.end_gap.resize(work.contacts.size());
  for_each_item(work.contacts.size(), work.executor, [&](std::size_t c) {
    if (!work.held.empty() && work.held[c] != 0) {
      work.end_gap[c] = std::numeric_limits<double>::infinity();
      return;
    }
    work.end_gap[c] = carried_gap(model, state, work, c, end_shift, least_turn);
  });
}

// Overlaps that laws hold are no reason to push: `gap` [n] of contacts with these keys becomes what
// is beyond them. Both lists are in the order of keys.
void leave_held(const Model& model, const Workspace& work, const ContactSet& contacts,
                std::span<const ContactKey> held, std::vector<double>& gap) {
  std::size_t k = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    while (k < held.size() && held[k] < contacts.key[c]) ++k;
    if (k == held.size()) return;
    if (held[k] != contacts.key[c]) continue;
    gap[c] -= contact::Laws::rest_gap(law_of(model, contacts.key[c]), work.memory_end[k]);
  }
}

// Keys of the contacts whose laws remember.
std::span<const ContactKey> keys_with_memory(Workspace& work) {
  work.memory_key.clear();
  for (std::size_t k = 0; k < work.memory_end.size(); ++k)
    work.memory_key.push_back(work.contacts.key[static_cast<std::size_t>(work.in_problem[k])]);
  return work.memory_key;
}

// The share of each candidate's overlap that its law heals in a step: all of it once it is small.
// False: nowhere more than round-off, or than a millionth of what a law holds, is left to heal.
// `whole_gap`: with what laws hold.
bool find_healing(const Model& model, std::span<const double> whole_gap, Workspace& work) {
  constexpr double last_digits = 64.0 * std::numeric_limits<double>::epsilon();
  constexpr double least_share = 1e-6, small_share = 1e-2, small = 1e-8;
  work.healing.assign(work.contacts.size(), 0.0);
  bool any = false;
  for (std::size_t c = 0; c < work.contacts.size(); ++c) {
    const double over = -work.end_gap[c];
    if (!(over > 0.0)) continue;
    const double share = contact::Laws::healing(law_of(model, work.contacts.key[c]));
    if (share == 0.0) continue;
    const double held = std::max(-whole_gap[c] - over, 0.0);
    const double size = work.smallest_size + work.contacts.point_b[c].norm();
    work.healing[c] = over <= small_share * held + small * work.smallest_size ? 1.0 : share;
    any = any || over > least_share * held + last_digits * size;
  }
  return any;
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
  problem.directions = work.problem.directions;
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
  for (const SteeredBody& steered : model.steered) {
    const auto i = static_cast<std::size_t>(steered.body);
    if (problem.inverse_mass[i] == 0.0) continue;
    problem.inverse_mass[i] = 1.0 / model.mass[i];  // drag takes no part
    problem.inverse_inertia_W[i] =
        integrators::inverse_inertia_W(model, steered, state.q[i].toRotationMatrix());
  }
  for (std::size_t i = 0; i < work.ground_drag.size(); ++i) {
    if (work.ground_drag[i] > 0.0) problem.inverse_mass[i] = 1.0 / model.mass[i];
  }
  problem.body_a.resize(n), problem.body_b.resize(n), problem.R_WC.resize(n);
  problem.r_a_W.resize(n), problem.r_b_W.resize(n), problem.bias.resize(n);
  problem.mu.assign(n, 0.0);
  problem.scale.assign(n, 1.0);
  for_each_item(n, work.executor, [&](std::size_t i) {
    const auto c = static_cast<std::size_t>(work.overlaps[i]);
    const ContactKey& key = work.contacts.key[c];
    problem.body_a[i] = key.body_a;
    problem.body_b[i] = key.body_b;
    problem.R_WC[i] = contact::local_frame(carried_normal(model, work, c, least_turn));
    problem.r_a_W[i] = carried_point(model, state, work, key.body_a, key.part_a,
                                     work.contacts.point_a[c], least_turn) -
                       state.x[static_cast<std::size_t>(key.body_a)];
    problem.r_b_W[i] = carried_point(model, state, work, key.body_b, key.part_b,
                                     work.contacts.point_b[c], least_turn) -
                       state.x[static_cast<std::size_t>(key.body_b)];
    double gap = work.end_gap[c] + slop;
    if (!work.healing.empty() && gap < 0.0) gap *= work.healing[c];
    problem.bias[i] = Vector3(gap, 0.0, 0.0);
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

// [-] of the displacements, of a correction that is to remove all.
constexpr double exact_correction = 1e-6;

// One correction with the candidates as they are now, to `tolerance` of the displacements.
void correct(const Model& model, const Settings& settings, double slop, double tolerance,
             State& state, Workspace& work, StepRecord& record) {
  reach_of_push(model, slop, work);
  choose_overlaps(work);
  assemble_correction(model, state, slop, work);
  contact::SolverOptions options = settings.step.solver;
  // No finer than the velocities are solved for, and no finer than 1e-6 of the displacements.
  const bool scaled = options.measure == contact::Measure::scaled;
  options.tolerance = scaled ? std::max(tolerance, options.tolerance) : tolerance;
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
void find_again(const Model& model, double h, const State& state, Workspace& work) {
  const collision::Poses now{state.x, state.q, state.image_shift + h * work.cell.image_speed()};
  work.detector.detect(model, now, now, now, state.active, work.reach, work.executor,
                       work.contacts);
  find_zones(model, state.x, work.contacts);
  work.frame_x.assign(state.x.begin(), state.x.end());
  find_held(work);
  std::fill(work.turn_W.begin(), work.turn_W.end(), Matrix3::Identity());
  work.end_gap.assign(work.contacts.gap.begin(), work.contacts.gap.end());
}

// Overlaps that no load has made heal at contacts with a device, a share of them in a step, and
// velocities know nothing of it.
void heal(const Model& model, const Settings& settings, std::span<const ContactKey> held,
          State& state, Workspace& work, StepRecord& record) {
  carry_candidates(model, settings.time.dt, state, work);
  work.whole_gap.assign(work.end_gap.begin(), work.end_gap.end());
  leave_held(model, work, work.contacts, held, work.end_gap);
  constexpr double tolerance = 1e-3;  // what is left heals in the next step
  if (find_healing(model, work.whole_gap, work))
    correct(model, settings, 0.0, tolerance, state, work, record);
}

}  // namespace

void find_start_gaps(const Model& model, const Settings& settings, const State& state,
                     Workspace& work) {
  if (settings.step.frames == Frames::start) return;
  for_each_item(state.x.size(), work.executor, [&](std::size_t i) {
    work.turn_W[i] = work.start_q[i].toRotationMatrix() * work.free.R_WB[i].transpose();
  });
  work.start_gap.resize(work.contacts.size());
  for_each_item(work.contacts.size(), work.executor, [&](std::size_t c) {
    work.start_gap[c] = work.contacts.touch[c] < 1.0
                            ? work.contacts.gap[c]  // found at t_k
                            : carried_gap(model, state, work, c, state.image_shift, 0.0);
  });
}

void project(const Model& model, const Settings& settings, State& state, Workspace& work,
             StepRecord& record) {
  const std::span<const ContactKey> held = keys_with_memory(work);
  work.healing.clear();
  if (settings.step.correction == PositionCorrection::none) {
    if (contact::Laws::any_memory(model.materials))
      heal(model, settings, held, state, work, record);
    return;
  }
  const double slop = settings.step.correction_slop * work.smallest_size;
  carry_candidates(model, settings.time.dt, state, work);
  leave_held(model, work, work.contacts, held, work.end_gap);
  if (deepest_of(work.end_gap) > slop)
    correct(model, settings, slop, exact_correction, state, work, record);
  if (settings.step.correction == PositionCorrection::projection) return;
  constexpr int most_corrections = 10;
  std::swap(work.contacts, work.found_again);
  for (int k = 0; k < most_corrections; ++k) {
    find_again(model, settings.time.dt, state, work);
    leave_held(model, work, work.contacts, held, work.end_gap);
    if (!(deepest_of(work.end_gap) > slop + left_over * work.smallest_size)) break;
    correct(model, settings, slop, exact_correction, state, work, record);
  }
  std::swap(work.contacts, work.found_again);
}

}  // namespace scree
