// Where a fast pair touches first on the way of a step, so that nothing is passed through.
//
// Along the separating direction n of a pose on the way, the gap is a concave function of the share
// of the step as long as all points go straight, so it lies above the chord between now and the end
// of the step; turns by the angle t bend the way of a point at the radius r by r t^2 / 8 at most.
// Another bound is g / (-n . D + turns times radii) with the way D of b relative to a. The later of
// the two is a share at which the pair is still apart: steps of that length lead to the first touch
// from below (conservative advancement), in one of them where a flat face meets a corner.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

constexpr double default_sweep_share = 0.25;  // [-] of the thinner one's thickness

// Whether the two move relative to each other by more than `share` of the thinner one's thickness.
bool is_fast(const PairQuery& query, const Ahead& ahead, double share);

// If the pair is apart now and touches on its way, work.contacts becomes the contacts of the touch,
// with normals and arms of that pose; else they stay. For balls, polyhedra and half-spaces.
void swept_contacts(const PairQuery& query, const Ahead& ahead, PairWork& work);

// The same for a pair that is fast from where the step begins, `from`, and was looked at elsewhere.
void sweep_from(const PairQuery& query, const Ahead& from, const Ahead& ahead, double share,
                PairWork& work);

// The pair after a share of the step, in memory of `work`.
PairQuery at_share(const PairQuery& query, const Ahead& ahead, double share, PairWork& work);

// Contacts found at the pose `touching` after `share` of the step, told as ContactSet wants them:
// arms of that pose about the centres of `query`, and as gap that of the touch with what the points
// close until then, so that gap + h u_N says where the rest of the step leads.
void tell_from_start(const PairQuery& query, const PairQuery& touching, const Ahead& ahead,
                     double share, std::vector<PairContact>& contacts);

}  // namespace scree::collision
