// Contacts of one face that lie in one plane bear like the corners of their hull.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

inline constexpr std::size_t most_of_a_patch = 8;

// Of the contacts from `first` on, those of one normal and one gap (within eps) that are more than
// `most_of_a_patch` are reduced to the corners of their hull. Others stay, however many.
void reduce_patches(std::size_t first, double eps, PairWork& work);

}  // namespace scree::collision
