// A sparse matrix as a list of entries, the form in which files bring it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "contact/contact_problem.hpp"

namespace scree::contact {

struct Entry {
  std::int64_t row = 0, column = 0;
  double value = 0.0;
};

struct SparseEntries {
  std::int64_t rows = 0, columns = 0;
  std::vector<Entry> entry;  // duplicates add up
};

// W = H^T M^-1 H and q = H^T M^-1 f + w. M positive definite, block diagonal or not; not necessarily symmetric, as some
// files hold one triangle of it. Throws InputError when M is singular or indefinite, or when W would have more than `max_entries` entries.
struct CondensedProblem {
  SparseEntries W;
  std::vector<double> q;
};
CondensedProblem condense(const SparseEntries& M, const SparseEntries& H, const std::vector<double>& f,
                          const std::vector<double>& w, std::int64_t max_entries);

// The same problem on body velocities, when M and H are those of rigid bodies: six rows a body, m I and an inertia in M, and contacts in
// three dimensions between two bodies, or one and what is fixed, with orthonormal frames. Spins may be in axes of each body's own, as
// Siconos writes them: the rotation to the world is found from the lever arms. Agrees with M and H to 1e-12. `f`, `w` and `mu` have the lengths
// that M and H ask for. The last body is fixed.
std::optional<BodyProblem> as_rigid_bodies(const SparseEntries& M, const SparseEntries& H, const std::vector<double>& f,
                                           const std::vector<double>& w, const std::vector<double>& mu);

// Cuts W and q into contacts of `dimension` (2 or 3) components. Diagonal blocks are always present.
MatrixProblem to_blocks(SparseEntries W, const std::vector<double>& q, const std::vector<double>& mu, int dimension);

}  // namespace scree::contact
