// Impulses carried from one step to the next, matched by contact key and kept in world axes.
#pragma once

#include <compare>
#include <span>
#include <vector>

#include "contact/problem/contact_problem.hpp"
#include "engine/base/executor.hpp"
#include "engine/model/contact_set.hpp"
#include "engine/model/state.hpp"

namespace scree::contact {

// For each candidate: index into `kept`, or -1. Both lists are sorted by key, so one merge finds
// all.
void match_kept(const ContactSet& candidates, const KeptImpulses& kept,
                std::vector<ContactIndex>& match);

// A corner or a ball of a moving body whose contact of the last step has no candidate any more.
struct LostContact {
  BodyIndex body = 0;
  std::int32_t part = 0;
  Feature feature = 0;
  bool is_b = false;  // of the pair
  ContactIndex kept = 0;

  auto operator<=>(const LostContact&) const = default;
};

// What slides from one block to its flush neighbour goes on with the contact it had: a candidate
// without memory takes that of a lost contact of the same corner or ball with another part, if its
// gap is at most `reach` and its normal within 45 degrees of the impulse. So the block's edge
// changes neither what is in the problem nor where the solve starts. `lost` is scratch.
void hand_over(const ContactSet& candidates, const KeptImpulses& kept,
               std::span<const double> inverse_mass, double reach, std::vector<ContactIndex>& match,
               std::vector<LostContact>& lost);

// Starting impulses (n,t,s) of the contacts in the problem, from one of the two kept lists
// (`impulse_W` or `before_W`). A frame that turned may put a kept impulse slightly outside its
// cone: it is projected.
void start_impulses(const BodyProblem& problem, std::span<const ContactIndex> in_problem,
                    std::span<const ContactIndex> match, std::span<const Vector3> kept_W,
                    const Executor& executor, std::vector<Vector3>& p);

// The same for moments, within the limits of the starting impulses `p`.
void start_moments(const BodyProblem& problem, std::span<const ContactIndex> in_problem,
                   std::span<const ContactIndex> match, std::span<const Vector3> kept_W,
                   std::span<const Vector3> p, const Executor& executor,
                   std::vector<Vector3>& moment);

// Keeps the contacts of the problem and their impulses; `kept` holds those of the step before,
// `match` as the step left it.
void keep_impulses(const BodyProblem& problem, const ContactSet& candidates,
                   std::span<const ContactIndex> in_problem, std::span<const ContactIndex> match,
                   std::span<const Vector3> p, const Executor& executor, KeptImpulses& kept);

// The same for moments; call it before keep_impulses. Nothing is kept when the problem has none.
void keep_moments(const BodyProblem& problem, std::span<const ContactIndex> in_problem,
                  std::span<const ContactIndex> match, std::span<const Vector3> moment,
                  const Executor& executor, KeptImpulses& kept);

}  // namespace scree::contact
