// Whether two builds of the program compute the same bits.
#pragma once

#include <string>

namespace scree {

// SHA-256 of where three small scenes, the same in all versions, are after some steps: blocks,
// balls, hulls and a compound that fall, slide and roll under both laws, over seams, on a table
// that turns, with contact frames at the start and in the middle of a step. Programs of another
// version, compiler or machine that give another value compute other bits; those that give the same
// value almost certainly compute the same. Found once, in some milliseconds.
const std::string& arithmetic_fingerprint();

}  // namespace scree
