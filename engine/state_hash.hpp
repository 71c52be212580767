// Fingerprints of a state: equal hashes mean equal bits.
#pragma once

#include <string>

#include "engine/model/state.hpp"

namespace scree {

// SHA-256 in hexadecimal of `bytes`.
std::string sha256(const void* bytes, std::size_t size);

// SHA-256 over the time, then for each body x, q (w,x,y,z), v, w and active, in index order.
std::string state_hash(const State& state);

// SHA-256 over all fields of a State that decide how the run goes on, in the order of
// for_each_field: besides the above the kept impulses and moments, the window of the stop rule and
// the ledger's running quantities. Equal hashes: equal futures.
std::string resume_hash(const State& state);

}  // namespace scree
