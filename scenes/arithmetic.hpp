// Whether two builds of the program compute the same bits.
#pragma once

#include <string>

namespace scree {

// SHA-256 of where a small scene, the same in all versions, is after some steps: blocks, balls,
// hulls and a compound that fall, slide and roll under both laws. Programs of another version,
// compiler or machine that give another value compute other bits; those that give the same value
// almost certainly compute the same. Takes a few milliseconds.
std::string arithmetic_fingerprint();

}  // namespace scree
