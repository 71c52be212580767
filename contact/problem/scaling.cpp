#include "contact/problem/scaling.hpp"

#include <cmath>

#include <Eigen/LU>

namespace scree::contact {

double contact_factor(double trace) { return trace > 0.0 ? 1.0 / std::sqrt(trace / 3.0) : 1.0; }

template <int rows>
void regularised_inverse(const double* A, double alpha, double* inverse) {
  using RowMajor = Eigen::Matrix<double, rows, rows, Eigen::RowMajor>;
  RowMajor shifted = Eigen::Map<const RowMajor>(A);
  shifted.diagonal().array() += alpha;
  Eigen::Map<RowMajor> result(inverse);
  result = shifted.inverse();
  if (!result.allFinite()) result.setZero();
}

template void regularised_inverse<3>(const double* A, double alpha, double* inverse);
template void regularised_inverse<6>(const double* A, double alpha, double* inverse);

}  // namespace scree::contact
