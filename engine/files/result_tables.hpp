// Columns of /ledger and /solver, in the order of the file. One list for the writer, the reader and
// the documentation.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/step_record.hpp"

namespace scree {

// Version of the result format; a reader refuses a newer one.
inline constexpr std::int64_t result_format_version = 5;
inline constexpr const char* result_format_name = "scree-results";
inline constexpr const char* checkpoint_format_name = "scree-checkpoint";
// Version 2: with `arithmetic` and `asked`. Version 3: with `contents_hash`. Version 4: with
// `kept/velocity`. Version 5: with `kept/memory`, and `open_stress` where frames have means of
// stresses. Version 6: with `state/image` and `state/image_shift`. Version 7: with `state/left`.
// Version 8: with `state/turned_back` and `state/slip`; `rest` was "published" by default before.
// Version 9: with `state/wedged_on_end`.
inline constexpr std::int64_t checkpoint_format_version = 9;
// The reason why a run failed: a text with room for so many bytes from the start, as the disk may
// be full when it is known.
inline constexpr const char* failure_data_set = "failure";
inline constexpr std::size_t failure_length = 256;

// [J] all of them. A member of the row, or one of the energies that laws book.
struct LedgerColumn {
  const char* name = "";
  double LedgerRow::*member = nullptr;
  const char* meaning = "";
  bool newer = false;          // absent in files of earlier programs, where it is zero
  std::size_t law_energy = 0;  // without a member: index into LedgerRow::law_energy

  double value(const LedgerRow& row) const {
    return member != nullptr ? row.*member : row.law_energy[law_energy];
  }
};

namespace columns {

inline constexpr std::array of_ledger = {
    LedgerColumn{"kinetic", &LedgerRow::kinetic, "kinetic energy at the end of the step"},
    LedgerColumn{"potential", &LedgerRow::potential,
                 "potential energy of gravity, zero at the local origin"},
    LedgerColumn{"external_work", &LedgerRow::external_work,
                 "work of loads, and of the field besides gravity, during the step"},
    LedgerColumn{"drag_work", &LedgerRow::drag_work, "work of drag during the step, <= 0", true},
    LedgerColumn{"driven_work", &LedgerRow::driven_work, "work of driven bodies during the step"},
    LedgerColumn{"shear_work", &LedgerRow::shear_work,
                 "work of the images of a sheared periodic world during the step", true},
    LedgerColumn{"contact_normal_work", &LedgerRow::contact_normal_work,
                 "sum over contacts of u_N,theta p_N"},
    LedgerColumn{"contact_tangential_work", &LedgerRow::contact_tangential_work,
                 "sum over contacts of u_T,theta . p_T"},
    LedgerColumn{
        "contact_rolling_work", &LedgerRow::contact_rolling_work,
        "sum over contacts of moment . relative spin_theta (rolling and spinning resistance)",
        true},
    LedgerColumn{"numerical_dissipation", &LedgerRow::numerical_dissipation,
                 "(1/2 - theta) |dv|_M^2 of the step"},
    LedgerColumn{"projection_work", &LedgerRow::projection_work,
                 "potential energy added by the position correction"},
    LedgerColumn{"event_energy", &LedgerRow::event_energy,
                 "energy of bodies that appeared, less that of bodies that vanished or left"},
    LedgerColumn{"max_positive_normal_work", &LedgerRow::max_normal_work,
                 "largest normal work of one contact, >= 0"},
    LedgerColumn{"max_negative_normal_work", &LedgerRow::min_normal_work,
                 "most negative normal work of one contact, <= 0"},
    LedgerColumn{"max_positive_tangential_work", &LedgerRow::max_tangential_work,
                 "largest tangential work of one contact, >= 0"},
    LedgerColumn{"max_negative_tangential_work", &LedgerRow::min_tangential_work,
                 "most negative tangential work of one contact, <= 0"},
    LedgerColumn{"max_positive_rolling_work", &LedgerRow::max_rolling_work,
                 "largest work of one contact's moment, >= 0", true},
    LedgerColumn{"max_negative_rolling_work", &LedgerRow::min_rolling_work,
                 "most negative work of one contact's moment, <= 0", true},
    LedgerColumn{"balance", &LedgerRow::balance,
                 "change of kinetic and potential energy less all of the above works"},
    LedgerColumn{"energy_scale", &LedgerRow::energy_scale,
                 "largest K + |U - U_0 - event U| so far"},
};

}  // namespace columns

inline constexpr auto ledger_columns = [] {
  constexpr auto& laws = contact::Laws::energies;
  std::array<LedgerColumn, columns::of_ledger.size() + laws.size()> all = {};
  std::copy(columns::of_ledger.begin(), columns::of_ledger.end(), all.begin());
  for (std::size_t i = 0; i < laws.size(); ++i)
    all[columns::of_ledger.size() + i] = {laws[i].name, nullptr, laws[i].meaning, true, i};
  return all;
}();

struct SolverCount {
  const char* name;
  std::int64_t (*value)(const StepRecord&);
  const char* meaning;
  bool newer = false;  // absent in files of earlier programs, where it is zero
};

inline constexpr std::array solver_counts = {
    SolverCount{"step", [](const StepRecord& r) { return r.step; }, "number of the step, from 1"},
    SolverCount{"candidates", [](const StepRecord& r) { return r.candidates; },
                "contacts found by detection"},
    SolverCount{"contacts", [](const StepRecord& r) { return r.contacts; },
                "contacts that entered the problem"},
    SolverCount{"iterations", [](const StepRecord& r) { return r.iterations; },
                "sweeps, all passes together"},
    SolverCount{"passes", [](const StepRecord& r) { return std::int64_t{r.passes}; },
                "solves for the gyroscopic coupling"},
    SolverCount{"rounds", [](const StepRecord& r) { return std::int64_t{r.rounds}; },
                "times that the problem was solved again: contacts were missing, or the solve had "
                "stopped short"},
    SolverCount{"reversions", [](const StepRecord& r) { return std::int64_t{r.reversions}; },
                "damped contacts given the published law after positive work"},
    SolverCount{"converged", [](const StepRecord& r) { return std::int64_t{r.converged}; },
                "1: the step reached the tolerance"},
    SolverCount{"caught", [](const StepRecord& r) { return r.caught; },
                "fast bodies whose way in this step ended at a touch", true},
    SolverCount{"projection_unconverged",
                [](const StepRecord& r) { return std::int64_t{r.projection_converged ? 0 : 1}; },
                "1: the position correction missed its tolerance", true},
};

struct SolverNumber {
  const char* name;
  double (*value)(const StepRecord&);
  const char* unit;
  const char* meaning;
  bool newer = false;  // absent in files of earlier programs, where it is zero
};

inline constexpr std::array solver_numbers = {
    SolverNumber{"time", [](const StepRecord& r) { return r.time; }, "s", "end of the step"},
    SolverNumber{"residual_scaled", [](const StepRecord& r) { return r.residual.scaled; }, "-",
                 "relative impulse error"},
    SolverNumber{"residual_published", [](const StepRecord& r) { return r.residual.published; },
                 "-", "A / (1 + norm(b)) with rho = 1"},
    SolverNumber{"residual_siconos", [](const StepRecord& r) { return r.residual.siconos; }, "-",
                 "A / max(norm(b), norm(p), norm(w)) with rho = 1"},
    SolverNumber{"max_penetration", [](const StepRecord& r) { return r.max_penetration; }, "m",
                 "largest penetration at the start of the step, >= 0"},
    SolverNumber{"seconds_detect", [](const StepRecord& r) { return r.seconds_detect; }, "s",
                 "wall time of contact detection"},
    SolverNumber{"seconds_assemble", [](const StepRecord& r) { return r.seconds_assemble; }, "s",
                 "wall time of assembly"},
    SolverNumber{"seconds_solve", [](const StepRecord& r) { return r.seconds_solve; }, "s",
                 "wall time of the contact solver"},
    SolverNumber{"seconds_advance", [](const StepRecord& r) { return r.seconds_advance; }, "s",
                 "wall time of free motion, advance and correction"},
    SolverNumber{"projection_residual", [](const StepRecord& r) { return r.projection_residual; },
                 "-", "relative error of the position correction", true},
};

// Tables in /frames with one row a frame, and in /frames/contacts with one row a contact.
inline constexpr std::array frame_tables = {"position", "orientation", "velocity",
                                            "active",   "step",        "time"};
inline constexpr std::array contact_tables = {"body_a",  "body_b",        "feature_a", "feature_b",
                                              "point",   "normal",        "tangent",   "gap",
                                              "impulse", "impulse_world", "velocity",  "status"};
// The same, in files written since there are parts of bodies in them.
inline constexpr std::array contact_part_tables = {"part_a", "part_b"};
// Of a periodic world: periods that each body has gone [F, N, 3], how far the images above are
// shifted [F], and the image of body b that a meets [C, 3].
inline constexpr const char* frame_image = "frames/image";
inline constexpr const char* frame_image_shift = "frames/image_shift";
inline constexpr const char* contact_image = "frames/contacts/image";
// Velocities of the last frame in double precision [N, 6], where those of frames are in single
// precision.
inline constexpr const char* last_velocity = "frames/last_velocity";
// As contact_tables; there when the law of some pair of materials has moments.
inline constexpr std::array moment_tables = {"moment", "spin"};
// Tables in /frames/pairs with one row a pair of bodies.
inline constexpr std::array pair_tables = {"body_a",     "body_b", "impulse_sum",
                                           "mean_force", "point",  "mean_moment"};

}  // namespace scree
