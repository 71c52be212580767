// Whether two builds of the program compute the same bits.
#pragma once

#include <string>

namespace scree {

// SHA-256 of where two small scenes, the same in all versions, are after some steps: blocks, balls,
// hulls and a compound that fall, slide and roll under both laws, over seams, on a table that
// turns. Programs of another version, compiler or machine that give another value compute other
// bits; those that give the same value almost certainly compute the same. Takes a few milliseconds.
std::string arithmetic_fingerprint();

}  // namespace scree
