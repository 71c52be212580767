// Which candidates enter the contact problem of a step.
//
// `predict`  start set: gap_k + h u_N,theta^free <= touch, or the contact was in the problem of the
// last step and
//            gap_k <= h^2 |g|. After a solve every candidate left out that would penetrate is
//            added. Departures from the plain rule, so that contacts that touch without carrying
//            impulse do not come and go with round-off or with velocities at the level of the
//            tolerance: `touch` = 1e-10 of the size instead of 0, and a contact stays (whether it
//            carried impulse or not) until its gap exceeds what a free fall opens in a step.
//
// The published rules look at the start of the step alone, and add nothing after a solve:
// `paper`     gap_k <= 0 and u_N,k <= 0                 [Fremond24] eq. 64
// `forecast`  gap_k + h u_N,k <= 0 and u_N,k <= 0       [Fremond23] eq. 55
// `gamma`     gap_k + gamma h u_N,k <= 0, gamma >= 0    [NGH24] eq. 16
// `mid`       gap(q_m) <= 0, q_m = q_k + h (1 - theta) v_k, to first order in h: `gamma` with gamma
//             = 1 - theta                               [CD18] remark 3
#pragma once

#include <span>
#include <vector>

#include "contact/laws/assemble.hpp"
#include "engine/model/contact_set.hpp"

namespace scree::contact {

constexpr double touch_tolerance = 1e-10;  // [-] of the smaller body's size, start set
constexpr double miss_tolerance =
    1e-12;  // [-] of the smaller body's size, candidates left out of a solve

// Normal velocity of each candidate at body velocities v, w_W [m/s]; images move as `cell` says.
void normal_velocities(const ContactSet& candidates, std::span<const Vector3> x,
                       std::span<const Vector3> v, std::span<const Vector3> w_W, const Cell& cell,
                       const Executor& executor, std::vector<double>& u_N);

// Start set of `predict`; `u_N_theta` = (1 - theta) u_k + theta u_free, theta of each contact.
// `match` as from match_kept.
void activate_predicted(const ContactSet& candidates, const StepScale& scale,
                        std::span<const double> u_N_theta, std::span<const ContactIndex> match,
                        std::vector<ContactIndex>& in_problem);

// A gap up to this is a touch for laws that act beyond the impact [m]: what round-off and a step's
// free fall open.
double touch_length(const ContactKey& key, const StepScale& scale);

// What round-off makes of the gap of a candidate [m].
double gap_digits(const ContactSet& candidates, std::size_t c, const StepScale& scale);

// Adds the candidates that their law takes in, whatever their velocity. `material` of the bodies;
// `memory` [n_candidates] of laws, or empty.
void enter_by_law(const ContactSet& candidates, const StepScale& scale,
                  const MaterialTable& materials, std::span<const MaterialIndex> material,
                  std::span<const ContactMemory> memory, std::vector<ContactIndex>& in_problem);

// gap_k + lead u_N,k <= 0, and u_N,k <= 0 if `approaching` asks for it.
struct PublishedRule {
  double lead = 0.0;  // [s]
  bool approaching = true;
};

// Start set of the published rules.
void activate_published(const ContactSet& candidates, std::span<const double> u_N_k,
                        const PublishedRule& rule, std::vector<ContactIndex>& in_problem);

// Candidates not in the problem whose gap_k + h u_N,theta, at the solved velocities, is below
// -miss_tolerance: `missed`, ascending.
void find_missed(const ContactSet& candidates, const StepScale& scale,
                 std::span<const double> u_N_theta, std::span<const ContactIndex> in_problem,
                 std::vector<ContactIndex>& missed);

// Merges `missed` into `in_problem` (both ascending), and a zero impulse for each into `p`;
// likewise into `moment` unless empty.
void insert_contacts(std::span<const ContactIndex> missed, std::vector<ContactIndex>& in_problem,
                     std::vector<Vector3>& p, std::vector<Vector3>& moment);

}  // namespace scree::contact
