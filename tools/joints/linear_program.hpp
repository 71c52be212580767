// Linear programs of statics: min c . x with A x = b and x >= 0, A sparse.
//
// Mehrotra's predictor-corrector method on the normal equations A D A^T. Programs of statics are
// degenerate (joints have more corners than forces are needed), which stalls simplex methods and
// leaves this one alone; both the primal and the dual value come out, so that an answer shows its
// own error.
#pragma once

#include <Eigen/SparseCore>

namespace scree {

struct LinearProgram {
  Eigen::SparseMatrix<double> A;  // [m, n]
  Eigen::VectorXd b, c;
};

struct LinearSolution {
  Eigen::VectorXd x;
  double value = 0.0;       // c . x
  double bound = 0.0;       // b . y of the dual
  double infeasible = 0.0;  // |A x - b| / (1 + |b|)
  int iterations = 0;
  bool converged = false;
};

LinearSolution solve_linear_program(const LinearProgram& program, double tolerance = 1e-9,
                                    int max_iterations = 200);

}  // namespace scree
