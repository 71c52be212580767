// Impulses carried from one step to the next, matched by contact key and kept in world axes.
#pragma once

#include <span>
#include <vector>

#include "contact/contact_problem.hpp"
#include "engine/model/contact_set.hpp"
#include "engine/model/executor.hpp"
#include "engine/model/state.hpp"

namespace scree::contact {

// For each candidate: index into `kept`, or -1. Both lists are sorted by key, so one merge finds all.
void match_kept(const ContactSet& candidates, const KeptImpulses& kept, std::vector<ContactIndex>& match);

// Starting impulses (n,t,s) of the contacts in the problem, from one of the two kept lists (`impulse_W` or `before_W`). A
// frame that turned may put a kept impulse slightly outside its cone: it is projected.
void start_impulses(const BodyProblem& problem, std::span<const ContactIndex> in_problem,
                    std::span<const ContactIndex> match, std::span<const Vector3> kept_W, const Executor& executor,
                    std::vector<Vector3>& p);

// The same for moments, within the limits of the starting impulses `p`.
void start_moments(const BodyProblem& problem, std::span<const ContactIndex> in_problem,
                   std::span<const ContactIndex> match, std::span<const Vector3> kept_W, std::span<const Vector3> p,
                   const Executor& executor, std::vector<Vector3>& moment);

// Keeps the contacts of the problem and their impulses; `kept` holds those of the step before, `match` as the step left it.
void keep_impulses(const BodyProblem& problem, const ContactSet& candidates, std::span<const ContactIndex> in_problem,
                   std::span<const ContactIndex> match, std::span<const Vector3> p, const Executor& executor,
                   KeptImpulses& kept);

// The same for moments; call it before keep_impulses. Nothing is kept when the problem has none.
void keep_moments(const BodyProblem& problem, std::span<const ContactIndex> in_problem, std::span<const ContactIndex> match,
                  std::span<const Vector3> moment, const Executor& executor, KeptImpulses& kept);

}  // namespace scree::contact
