#include "contact/scaling.hpp"

#include <cmath>

#include <Eigen/LU>

namespace scree::contact {

double contact_factor(double trace) {
  return trace > 0.0 ? 1.0 / std::sqrt(trace / 3.0) : 1.0;
}

void regularised_inverse(const double A[9], double alpha, double inverse[9]) {
  using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  RowMajor shifted = Eigen::Map<const RowMajor>(A);
  shifted.diagonal().array() += alpha;
  Eigen::Map<RowMajor> result(inverse);
  result = shifted.inverse();
  if (!result.allFinite()) result.setZero();
}

}  // namespace scree::contact
