// Where a fast pair touches first on the way of a step, so that nothing is passed through.
//
// The gap along the separating direction n of the present pose falls no faster than n says: with
// the way D of b relative to a and the turns of both, a pair with gap g is apart for at least the
// share g / (-n . D + turns times radii) of the step. Steps of that length lead to the first touch
// from below (conservative advancement), in one of them where a flat face meets a body that does
// not turn.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

constexpr double default_sweep_share = 0.25;  // [-] of the thinner one's thickness

// Whether the two move relative to each other by more than `share` of the thinner one's thickness.
bool is_fast(const PairQuery& query, const Ahead& ahead, double share);

// If the pair is apart now and touches on its way, work.contacts becomes the contacts of the touch,
// with normals and arms of that pose; else they stay. For balls, polyhedra and half-spaces.
void swept_contacts(const PairQuery& query, const Ahead& ahead, PairWork& work);

// The pair after a share of the step, in memory of `work`.
PairQuery at_share(const PairQuery& query, const Ahead& ahead, double share, PairWork& work);

// Contacts found at the pose `touching` after `share` of the step, told as ContactSet wants them:
// arms of that pose about the centres of `query`, gaps between the points where these are now.
void tell_from_start(const PairQuery& query, const PairQuery& touching, double share,
                     std::vector<PairContact>& contacts);

}  // namespace scree::collision
