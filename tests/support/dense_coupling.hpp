// A factorised coupling of the contact problem against dense matrices.
#pragma once

#include <Eigen/LU>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "contact/solver/coupling.hpp"
#include "tests/support/random_problems.hpp"

namespace scree::test {

// A, column by column, of `n` contacts.
template <class Coupling>
Eigen::MatrixXd dense_product(Coupling& coupling, Eigen::Index n) {
  Eigen::MatrixXd A(3 * n, 3 * n);
  for (Eigen::Index k = 0; k < 3 * n; ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(3 * n, k);
    coupling.product(unit.data(), A.col(k).data());
  }
  return A;
}

// Blocks of A have trace 3 where something moves; with random weights P the coupling solves d + P A
// d = g for w = A d.
template <class Coupling>
void check_against_dense(Coupling& coupling, const Eigen::MatrixXd& A, Random& random) {
  const Eigen::Index n = A.rows() / 3;
  for (Eigen::Index c = 0; c < n; ++c)
    CHECK(A.block<3, 3>(3 * c, 3 * c).trace() == Approx(3.0).epsilon(1e-12));
  std::vector<contact::Block3> P(static_cast<std::size_t>(n));
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (Eigen::Index c = 0; c < n; ++c) {
    for (Eigen::Index k = 0; k < 9; ++k) {
      const double value =
          random.uniform(-0.1, 0.1) + (k % 4 == 0 ? random.uniform(0.0, 10.0) : 0.0);
      P[static_cast<std::size_t>(c)][static_cast<std::size_t>(k)] =
          weights(3 * c + k / 3, 3 * c + k % 3) = value;
    }
  }
  Eigen::VectorXd g(3 * n), w(3 * n);
  for (double& value : g) value = random.uniform(-1.0, 1.0);
  REQUIRE(coupling.factorise(P));
  coupling.solve(g.data(), w.data());
  const Eigen::VectorXd d =
      (Eigen::MatrixXd::Identity(3 * n, 3 * n) + weights * A).partialPivLu().solve(g);
  CHECK((w - A * d).norm() <= 1e-10 * (1.0 + (A * d).norm()));
}

}  // namespace scree::test
