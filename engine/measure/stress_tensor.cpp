#include "engine/measure/stress_tensor.hpp"

#include <Eigen/Eigenvalues>

namespace scree::measure {

double trace_norm(const StressTensor& s) {
  return Eigen::SelfAdjointEigenSolver<Matrix3>(matrix_of(s), Eigen::EigenvaluesOnly)
      .eigenvalues()
      .cwiseAbs()
      .sum();
}

}  // namespace scree::measure
