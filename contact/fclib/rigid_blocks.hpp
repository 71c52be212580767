// M and H of bodies as a file has them, cut into blocks: M couples six rows each, and a contact
// touches two bodies at most.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "contact/problem/contact_problem.hpp"
#include "contact/problem/sparse_entries.hpp"
#include "contact/solver/solver.hpp"

namespace scree::contact {

using MassBlock = Eigen::Matrix<double, 6, 6>;    // of one body: velocity, then spin
using BodyColumns = Eigen::Matrix<double, 6, 3>;  // of H: one body, one contact

// The columns of H that belong to one contact, by body; -1: no body.
struct ContactColumns {
  std::array<BodyIndex, 2> body = {-1, -1};
  std::array<BodyColumns, 2> block = {BodyColumns::Zero(), BodyColumns::Zero()};

  bool add(BodyIndex of, int row, int column, double value);  // false: there is a third body
};

struct RigidBlocks {
  std::vector<MassBlock> mass;          // [n_bodies]
  std::vector<ContactColumns> contact;  // [n_contacts]
  std::vector<double> f, w, mu;

  SparseEntries mass_entries() const;
  SparseEntries jacobian_entries() const;
};

// `f`, `w` and `mu` have the lengths that M and H ask for. Nothing when M or H cannot be cut so.
std::optional<RigidBlocks> cut_into_blocks(const SparseEntries& M, const SparseEntries& H,
                                           const std::vector<double>& f,
                                           const std::vector<double>& w,
                                           const std::vector<double>& mu);

// The same problem on body velocities, when M and H are those of rigid bodies: m I and an inertia
// in M, and contacts in three dimensions between two bodies, or one and what is fixed, with
// orthonormal frames. Spins may be in axes of each body's own, as Siconos writes them: the rotation
// to the world is found from the lever arms. Agrees with M to 1e-12, and with the columns of each
// contact in H. The last body is fixed.
std::optional<BodyProblem> as_rigid_bodies(const RigidBlocks& blocks);

// Residuals of impulses p [n_contacts, N s] with these M, H, f and w themselves: v = M^-1 (f + H
// p), u = H^T v + w.
Residuals residuals(const RigidBlocks& blocks, std::span<const Vector3> p);

}  // namespace scree::contact
