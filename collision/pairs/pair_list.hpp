// How pairs of shapes are listed (pair_table.hpp).
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

using PairFunction = void (*)(const PairQuery&, const Ahead&, CullingHint&, PairWork&);

// Contacts of an A, body a, and a B are found by this function.
template <class A, class B, PairFunction Contacts>
struct Pair {};

// An A and a B never touch, by what they are.
template <class A, class B>
struct Never {};

// Of pairs and of lists.
template <class... Entry>
struct PairList {};

}  // namespace scree::collision
