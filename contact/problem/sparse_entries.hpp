// A sparse matrix as a list of entries, the form in which files bring it.
#pragma once

#include <cstdint>
#include <vector>

#include "contact/problem/contact_problem.hpp"

namespace scree::contact {

struct Entry {
  std::int64_t row = 0, column = 0;
  double value = 0.0;
};

struct SparseEntries {
  std::int64_t rows = 0, columns = 0;
  std::vector<Entry> entry;  // duplicates add up
};

// W = H^T M^-1 H and q = H^T M^-1 f + w. M positive definite, block diagonal or not; not
// necessarily symmetric, as some files hold one triangle of it. Throws InputError when M is
// singular or indefinite, or when W would have more than `max_entries` entries.
struct CondensedProblem {
  SparseEntries W;
  std::vector<double> q;
};
inline constexpr std::int64_t max_entries_of_W =
    100'000'000;  // [-] of what a file asks for; 76 bytes a block of nine
CondensedProblem condense(const SparseEntries& M, const SparseEntries& H,
                          const std::vector<double>& f, const std::vector<double>& w,
                          std::int64_t max_entries);

// Cuts W and q into contacts of `dimension` (2 or 3) components. Diagonal blocks are always
// present.
MatrixProblem to_blocks(SparseEntries W, const std::vector<double>& q,
                        const std::vector<double>& mu, int dimension);

}  // namespace scree::contact
