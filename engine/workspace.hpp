// Scratch memory of a step. It may be deleted between steps with no change in results: all that
// matters is in State.
#pragma once

#include <span>
#include <vector>

#include "collision/detect.hpp"
#include "contact/laws/assemble.hpp"
#include "contact/solver/solver.hpp"
#include "contact/solver/warm_start.hpp"
#include "engine/base/executor.hpp"
#include "engine/departures.hpp"
#include "engine/model/bodies.hpp"
#include "engine/model/contact_set.hpp"
#include "engine/model/free_motion.hpp"
#include "engine/run.hpp"
#include "engine/settings.hpp"

namespace scree {

// Damped rest: whether the bodies of a group that touch each other all move slowly, and whether the
// group went back to the published law in this step.
enum class GroupState : std::uint8_t { slow, fast, slow_reverted, fast_reverted };

struct Workspace {
  Workspace(const Model& model, const Settings& settings);

  Executor executor;

  // Constants of the run, from Model and Settings.
  std::vector<double> body_size;  // [m] twice the bounding radius; infinite for half-spaces
  std::vector<double>
      rolling_radius;  // [m] of moving bodies and balls the bounding radius; else infinite (flat)
  std::vector<double> thickness;      // [m] of the thinnest part (thinnest_extents)
  double smallest_size = 0.0;         // [m] of the dynamic bodies
  double smallest_thickness = 0.0;    // [m] of all bodies
  double weight = 0.0;                // [N] mass of the dynamic bodies times `pull`
  std::vector<TerrainPart> terrains;  // that bodies can leave
  Cell cell;                          // periodic directions
  double rest_theta = 0.5;            // [-] the largest theta that the pairs' restitutions admit

  // [m/s2] What counts as a usual acceleration in this step: |g|, the size of the field besides
  // it, and what all loads together would give all bodies together.
  double pull = 0.0;

  double image_shift = 0.0;  // [m] of the images above at t_k (cell.hpp)

  // Detection.
  collision::Detector detector;
  std::vector<Vector3> frame_x;     // [m, n_bodies] centres where contacts are found
  std::vector<Quaternion> start_q;  // [n_bodies] at t_k; empty: State has them still
  // [-, n_bodies] of the step at which each body's contacts are found: 1 - theta, or where what it
  // strikes is fixed the share at which it touches; empty: 0 (contact_frames.hpp).
  std::vector<double> frame_share;
  std::vector<double> touch_share, turn_time;  // [-], [s], [n_bodies] scratch
  std::vector<Vector3> x_ahead;                // [n_bodies] poses after h (v_k, w_k)
  std::vector<Quaternion> q_ahead;
  std::vector<double> reach;  // [m, n_bodies]
  ContactSet contacts;        // candidates

  // Contacts with driven bodies that turn, while the step is solved (driven_contacts.hpp).
  std::vector<Vector3> ride_change;  // [m/s, n_candidates] as in contact::BodyTable; empty unless
                                     // some driven body turns
  struct CarriedContact {
    std::size_t candidate = 0;
    Vector3 point_a = Vector3::Zero(), point_b = Vector3::Zero(),
            normal = Vector3::Zero();  // at t_k
  };
  std::vector<CarriedContact> carried;

  // Motion.
  std::vector<double>
      theta;  // [-, n_bodies] weight of each body in this step: the scene's, or rest_theta
  std::vector<Vector3> start_w_W;  // [rad/s, n_bodies] spins at t_k, world axes
  FreeMotion free;
  Velocities end;                                   // at t_{k+1}
  std::vector<Vector3> impulse, angular_impulse_W;  // [n_bodies] sums of contact impulses
  std::vector<double> ground_drag;          // [kg/s, n_bodies] of ground that is scarred, in
                                            // this step; empty unless some pair has it
  std::vector<double> drag_theta;           // [-, n_bodies] weight with which that drag is implicit
  std::vector<double> slip_here;            // [1/s, n_bodies] scratch
  std::vector<std::uint8_t> spin_unsolved;  // [n_bodies] 1: of a free turn

  std::vector<double>
      way_share;  // [-, n_bodies] of the step that each body goes (caught_bodies.hpp); 1: all of it
  std::vector<std::size_t>
      touch_group;                // [n_bodies] forest of bodies that push each other; scratch
  std::vector<Vector3> caught_x;  // [m, n_bodies] where their way ends, and how they lie there
  std::vector<Quaternion> caught_q;
  std::int64_t n_caught = 0;

  // Contacts.
  std::vector<ContactIndex> match;         // [n_candidates] index into State::kept, or -1
  std::vector<contact::LostContact> lost;  // scratch
  std::vector<std::uint8_t> held;          // [n_candidates] 1: both bodies are locked along the
                                           // normal, so it is no contact; empty: none are
  // Of laws that remember; empty when none does.
  std::vector<ContactMemory> memory;    // [n_candidates] from the last step
  std::vector<ContactIndex> memory_of;  // [n_candidates] index into State::kept of it, or -1
  std::vector<std::uint8_t> goes_on;    // [n_kept] 1: some contact has its memory; scratch
  std::vector<ContactMemory> memory_start,
      memory_end;                      // [n_contacts] of the step
  std::vector<Vector3> yield;          // [m/s, n_contacts] what of u_theta such laws take
  std::vector<double> u_N, u_N_theta;  // [n_candidates] normal velocities
  std::vector<std::uint8_t> damped;    // [n_candidates] 1: w_T = u_T,k1 in this step
  bool any_damped = false;             // some were, in this step
  std::vector<std::uint8_t> turning;   // [n_bodies] 1: to be stopped (turning_back.hpp); scratch
  std::vector<std::size_t>
      group;  // [n_bodies] forest of bodies that may touch, rooted at the lowest; scratch
  std::vector<GroupState> group_state;  // [n_bodies] of a group, at its root
  double aim = 1.0;  // [-] share of the tolerance that the contacts that went back ask for
  std::vector<ContactIndex> in_problem, missed;
  std::vector<contact::Residuals> of_islands, of_islands_before;  // [n_islands] of the two starts
  bool ran_out = false;                                           // of sweeps, in this step
  bool stopped_short = false;  // of the tolerance, as contacts were still being found
  contact::BodyProblem problem;
  contact::Solver solver;
  std::vector<Vector3> p;  // [n_contacts] impulses in the cone (n,t,s); problem.beside adds to them
  std::vector<Vector3> u_0;  // [n_contacts] local velocities at t_k
  std::vector<Vector3>
      u_theta;  // [n_contacts] local velocities; before the solve the other warm start
  std::vector<Vector3> moment;  // [n_contacts, N m s] (n,t,s); empty, like the next, unless some
                                // law has moments
  std::vector<Vector3> spin_0, spin_theta;
  std::vector<Vector3> v_solver, w_solver;  // [n_bodies] velocities as the solver left them
  bool solver_round_off = false;            // the last solve ended at round-off
  double solver_residual = 0.0;             // of the last solve, with spins as frozen then
  double coupling_residual = 0.0;           // of the last pass, with spins that follow

  // Position correction.
  ContactSet found_again;              // candidates at poses that were corrected already
  std::vector<Matrix3> turn_W;         // [n_bodies] of the bodies since contacts were found
  std::vector<double> start_gap;       // [m, n_candidates] at t_k; empty: those of the candidates
  std::vector<double> end_gap;         // [m, n_candidates] at the end of the step, beyond the
                                       // overlaps that laws hold
  std::vector<double> whole_gap;       // [m, n_candidates] with those overlaps
  std::vector<ContactKey> memory_key;  // [n_contacts] of memory_end; empty when no law remembers
  std::vector<double> healing;         // [-, n_candidates] share of overlaps that heals in a step;
                                       // empty: all are removed
  std::vector<double> push_reach;      // [m, n_bodies]
  std::vector<ContactIndex> overlaps;  // candidates in the correction
  contact::BodyProblem correction;
  std::vector<Vector3> correction_p;

  std::vector<ImageCode> gone;  // [n_bodies] periods that each body went in this step

  // For observers.
  std::vector<Vector3> tangent, whole_impulse, impulse_W, moment_W;
  std::vector<ContactStatus> status;
  std::vector<Vector3> load_force, load_torque;
};

// How far an image is from the body where contacts of this step are found [m].
inline Vector3 image_offset(const Workspace& work, ImageCode image) {
  return image == 0 ? Vector3(Vector3::Zero()) : work.cell.offset(image, work.image_shift);
}

// Velocity (n,t,s) that the image of b has at contact c of the problem beyond that of b [m/s].
inline Vector3 image_drift(const Workspace& work, std::size_t c) {
  const ContactKey& key = work.contacts.key[static_cast<std::size_t>(work.in_problem[c])];
  return work.problem.R_WC[c].transpose() * work.cell.velocity(key.image);
}

// Weight of the scheme at contact c of the problem.
inline double contact_theta(const Workspace& work, std::size_t c) {
  return contact::pair_theta(work.theta, work.problem.body_a[c], work.problem.body_b[c]);
}

// Gaps of the candidates at t_k [m].
inline const std::vector<double>& gaps_at_start(const Workspace& work) {
  return work.start_gap.empty() ? work.contacts.gap : work.start_gap;
}

}  // namespace scree
