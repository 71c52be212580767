// What methods with factorisations see of a problem, in the unit-free variables of scaling.hpp,
// contact after contact: w = A y + b, and the solution of d + P A d = g, where P has a 3x3 block
// for each contact. Linearised contact laws have this form: P is 0 where a contact is open and
// large where it sticks.
//
// Body form, A = G G^T + D with six numbers a body. With D = 0: d = g - P G u with (I + G^T P G) u
// = G^T g, one block of 6x6 a body. A diagonal D of contacts that give way is taken contact by
// contact: (I + P D) d + P G G^T d = g is that system with (I + P D)^-1 P and (I + P D)^-1 g.
// Matrix form: blocks of 3x3 a contact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contact/problem/aligned.hpp"
#include "contact/solver/block_factor.hpp"

namespace scree::contact {

using Block3 = std::array<double, 9>;  // row-major

// What both forms have.
struct CoupledContacts {
  std::vector<double> mu;  // [n]
  Numbers b;               // [3 n]

  std::size_t n_contacts() const { return mu.size(); }
};

// Filled by BodyOperator.
class BodyCoupling : public CoupledContacts {
 public:
  Numbers compliance;  // [3 n] the diagonal of D; empty: zero

  static constexpr double flops_of_visit =
      160.0;  // that take as long as a sweep's visit of one contact

  void clear(std::size_t n_bodies, std::size_t n_contacts);
  // Adds a contact between two bodies (-1: nothing moves it), with the rows of its velocity in six
  // numbers of each, mass-scaled. Contacts of one pair follow each other.
  void add(std::int32_t body_a, std::int32_t body_b, const double* rows_a, const double* rows_b);
  // Call once all contacts are there. False: a factorisation takes more than `most_flops`.
  bool analyse(double most_flops);

  double factorise_flops() const {
    return 1400.0 * static_cast<double>(n_contacts()) + factor_.flops();
  }
  double solve_flops() const {
    return 180.0 * static_cast<double>(n_contacts()) + factor_.solve_flops();
  }
  double product_flops() const { return 144.0 * static_cast<double>(n_contacts()); }
  double sweep_flops() const { return flops_of_visit * static_cast<double>(n_contacts()); }

  // w = A y.
  void product(const double* y, double* w);
  // For the solutions that follow; false when the system is singular.
  bool factorise(const std::vector<Block3>& P);
  // w = A d, where d + P A d = g. How d follows from it, so that no digits are lost, the caller
  // knows: P may be nearly singular and large at once.
  void solve(const double* g, double* w);

 private:
  static constexpr std::size_t stride = BlockFactor<6>::stride;

  struct Contact {
    std::int32_t body_a, body_b, pair;  // pair: number of the block between its bodies, -1: none
    double a[3 * stride], b[3 * stride];
  };
  void add_impulses(const double* y);  // u_ = G^T y
  void velocities(double* w) const;    // G u_
  void soften(const std::vector<Block3>& P);

  std::size_t n_bodies_ = 0;
  std::vector<Contact, CacheAligned<Contact>> contacts_;
  std::vector<BlockPair> pairs_;
  BlockFactor<6> factor_;
  Numbers u_;
  std::vector<Block3> soft_,
      softening_;  // (I + P D)^-1 P and (I + P D)^-1; empty unless D is there
  Numbers g_;      // softened right side, then d
};

// Filled by MatrixOperator.
class MatrixCoupling : public CoupledContacts {
 public:
  static constexpr double flops_of_block =
      12.0;  // that take as long as a sweep needs for one block

  void clear();
  // Adds block (row, column) of A; rows ascending, columns ascending in each.
  void add(std::int32_t row, std::int32_t column, const double* block);
  bool analyse(double most_flops);

  double factorise_flops() const {
    return 54.0 * static_cast<double>(blocks_.size()) + factor_.flops();
  }
  double solve_flops() const { return product_flops() + factor_.solve_flops(); }
  double product_flops() const { return 18.0 * static_cast<double>(blocks_.size()); }
  double sweep_flops() const {
    return flops_of_block * static_cast<double>(blocks_.size()) +
           60.0 * static_cast<double>(n_contacts());
  }

  void product(const double* y, double* w) const;
  bool factorise(const std::vector<Block3>& P);
  void solve(const double* g, double* w);

 private:
  struct Entry {
    std::int32_t row, column, pair;
    bool forward;  // whether it is the block (first, second) of its pair
    Block3 block;
  };

  std::vector<Entry> blocks_;
  std::vector<BlockPair> pairs_;
  BlockFactor<3> factor_;
  Numbers d_;
};

}  // namespace scree::contact
