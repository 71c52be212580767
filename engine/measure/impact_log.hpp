// The impact log: every contact of a step that was approached fast, or that carried much, and what
// all the others amount to.
//
// An impact is a contact of the problem of one step: it has the velocities at both ends of the step
// with one set of lever arms, an impulse, and works that the ledger sums. What the log leaves out
// is booked, so that rows of a step and its remainder are the ledger's row, to round-off.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/measure/column.hpp"
#include "engine/run.hpp"

namespace scree::measure {

// Components are (n, t, s), of what happens to b, or of b relative to a.
struct Impact {
  std::int64_t step = 0;
  double time = 0.0;
  std::int32_t body_a = 0, body_b = 0, part_a = 0, part_b = 0;
  std::uint32_t feature_a = 0, feature_b = 0;
  Vector3 point = Vector3::Zero(), normal = Vector3::Zero(), tangent = Vector3::Zero();
  double gap = 0.0;
  Vector3 velocity_before = Vector3::Zero(), velocity_after = Vector3::Zero();
  Vector3 impulse = Vector3::Zero(), impulse_world = Vector3::Zero();
  double normal_work = 0.0, tangential_work = 0.0, rolling_work = 0.0, law_work = 0.0;
  double energy_lost = 0.0;

  template <class AnyImpact, class Visit>
  static void columns(AnyImpact& impact, Visit&& visit) {
    visit(Column{"step", "", "step in which it happened"}, impact.step);
    visit(Column{"time", "s", "end of that step"}, impact.time);
    visit(Column{"body_a", "", "index of body a, the lower one"}, impact.body_a);
    visit(Column{"body_b", "", "index of body b"}, impact.body_b);
    visit(Column{"part_a", "", "which of the parts of body a, from 0"}, impact.part_a);
    visit(Column{"part_b", "", "which of the parts of body b"}, impact.part_b);
    visit(Column{"feature_a", "", "as in /frames/contacts"}, impact.feature_a);
    visit(Column{"feature_b", "", "as in /frames/contacts"}, impact.feature_b);
    visit(Column{"point", "m", "middle of the two witness points, at the start of the step"},
          impact.point);
    visit(Column{"normal", "", "unit, from a to b, world axes"}, impact.normal);
    visit(Column{"tangent", "", "unit vector t, world axes; s = n x t"}, impact.tangent);
    visit(Column{"gap", "m", "distance at the start of the step, negative: penetration"},
          impact.gap);
    visit(Column{"velocity_before", "m/s",
                 "of b relative to a at the start of the step, components (n,t,s)", "nts"},
          impact.velocity_before);
    visit(Column{"velocity_after", "m/s", "the same at its end", "nts"}, impact.velocity_after);
    visit(Column{"impulse", "N s", "on b, components (n,t,s)", "nts"}, impact.impulse);
    visit(Column{"impulse_world", "N s", "on b, world axes"}, impact.impulse_world);
    visit(Column{"normal_work", "J", "u_N,theta p_N"}, impact.normal_work);
    visit(Column{"tangential_work", "J", "u_T,theta . p_T"}, impact.tangential_work);
    visit(Column{"rolling_work", "J", "moment . relative spin_theta"}, impact.rolling_work);
    visit(Column{"law_work", "J", "what the contact's law books besides (adhesion)"},
          impact.law_work);
    visit(Column{"energy_lost", "J", "minus the sum of these works"}, impact.energy_lost);
  }
};

// What the contacts of a step that are not in the log amount to. One row a step.
struct BelowThreshold {
  std::int64_t contacts = 0;
  double normal_work = 0.0, tangential_work = 0.0, rolling_work = 0.0, law_work = 0.0;

  template <class AnyRow, class Visit>
  static void columns(AnyRow& row, Visit&& visit) {
    visit(Column{"contacts", "", "contacts of the step that are not in the log"}, row.contacts);
    visit(Column{"normal_work", "J", "their sum of u_N,theta p_N"}, row.normal_work);
    visit(Column{"tangential_work", "J", "their sum of u_T,theta . p_T"}, row.tangential_work);
    visit(Column{"rolling_work", "J", "their sum of moment . relative spin_theta"},
          row.rolling_work);
    visit(Column{"law_work", "J", "what their laws book besides"}, row.law_work);
  }
};

// Appends the impacts of a step to `log`, in the order of its contacts, and returns the rest.
BelowThreshold log_impacts(const StepView& view, std::vector<Impact>& log);

}  // namespace scree::measure
