#include "tools/joints/linear_program.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

namespace scree {
namespace {

using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

// Largest step to the boundary of the positive orthant, at most 1.
double step_to_boundary(const Vector& x, const Vector& dx) {
  double step = 1.0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    if (dx(i) < 0.0) step = std::min(step, -x(i) / dx(i));
  }
  return step;
}

class InteriorPoint {
 public:
  InteriorPoint(const LinearProgram& program, double tolerance)
      : A_(program.A),
        At_(program.A.transpose()),
        b_(program.b),
        c_(program.c),
        tolerance_(tolerance) {}

  LinearSolution run(int max_iterations) {
    LinearSolution best;
    start();
    for (int i = 0; i < max_iterations; ++i) {
      const Vector r_primal = b_ - A_ * x_, r_dual = c_ - At_ * y_ - z_;
      const double n = static_cast<double>(x_.size()), mu = x_.dot(z_) / n;
      const double primal = r_primal.norm() / (1.0 + b_.norm()),
                   dual = r_dual.norm() / (1.0 + c_.norm()),
                   gap = std::abs(c_.dot(x_) - b_.dot(y_)) / (1.0 + std::abs(c_.dot(x_)));
      best.x = x_, best.value = c_.dot(x_), best.bound = b_.dot(y_), best.infeasible = primal;
      best.iterations = i;
      best.converged = primal <= tolerance_ && dual <= tolerance_ && gap <= tolerance_;
      if (best.converged || !std::isfinite(mu)) return best;
      if (!factor()) return best;
      // Predictor.
      Vector dx, dy, dz;
      Vector complementarity = -x_.cwiseProduct(z_);
      direction(r_primal, r_dual, complementarity, dx, dy, dz);
      const double a_primal = step_to_boundary(x_, dx), a_dual = step_to_boundary(z_, dz);
      const double mu_aim = (x_ + a_primal * dx).dot(z_ + a_dual * dz) / n;
      const double sigma = std::pow(mu_aim / mu, 3.0);
      // Corrector.
      complementarity += Vector::Constant(x_.size(), sigma * mu) - dx.cwiseProduct(dz);
      direction(r_primal, r_dual, complementarity, dx, dy, dz);
      const double part = std::max(0.9, 1.0 - mu);
      const double s_primal = std::min(1.0, std::min(part, 0.9995) * step_to_boundary(x_, dx)),
                   s_dual = std::min(1.0, std::min(part, 0.9995) * step_to_boundary(z_, dz));
      x_ += s_primal * dx;
      y_ += s_dual * dy;
      z_ += s_dual * dz;
    }
    return best;
  }

 private:
  // The least-squares point moved into the orthant.
  void start() {
    x_ = Vector::Ones(A_.cols());
    z_ = Vector::Ones(A_.cols());
    y_ = Vector::Zero(A_.rows());
    if (!factor()) return;
    x_ = At_ * factor_.solve(b_);
    y_ = factor_.solve(A_ * c_);
    z_ = c_ - At_ * y_;
    const double shift_x = std::max(-1.5 * x_.minCoeff(), 0.0),
                 shift_z = std::max(-1.5 * z_.minCoeff(), 0.0);
    x_.array() += shift_x + 1e-3;
    z_.array() += shift_z + 1e-3;
    const double product = x_.dot(z_);
    x_.array() += 0.5 * product / z_.sum();
    z_.array() += 0.5 * product / x_.sum();
  }

  bool factor() {
    scale_ = x_.cwiseQuotient(z_);
    Sparse normal = A_ * scale_.asDiagonal() * At_;
    // Redundant equations leave it singular; what this moves, refinement takes back.
    double largest = 0.0;
    for (Eigen::Index i = 0; i < normal.rows(); ++i)
      largest = std::max(largest, normal.coeff(i, i));
    for (Eigen::Index i = 0; i < normal.rows(); ++i) normal.coeffRef(i, i) += 1e-13 * largest;
    if (!analysed_) factor_.analyzePattern(normal);
    analysed_ = true;
    factor_.factorize(normal);
    return factor_.info() == Eigen::Success;
  }

  Vector normal_solve(const Vector& rhs) const {
    Vector solution = factor_.solve(rhs);
    for (int i = 0; i < 3; ++i) {
      const Vector residual = rhs - A_ * (scale_.asDiagonal() * (At_ * solution));
      solution += factor_.solve(residual);
    }
    return solution;
  }

  void direction(const Vector& r_primal, const Vector& r_dual, const Vector& complementarity,
                 Vector& dx, Vector& dy, Vector& dz) const {
    const Vector over_z = complementarity.cwiseQuotient(z_);
    dy = normal_solve(r_primal + A_ * (scale_.cwiseProduct(r_dual) - over_z));
    dz = r_dual - At_ * dy;
    dx = over_z - scale_.cwiseProduct(dz);
  }

  const Sparse& A_;
  Sparse At_;
  const Vector &b_, &c_;
  double tolerance_;
  Vector x_, y_, z_, scale_;
  Eigen::SimplicialLDLT<Sparse> factor_;
  bool analysed_ = false;
};

}  // namespace

LinearSolution solve_linear_program(const LinearProgram& program, double tolerance,
                                    int max_iterations) {
  return InteriorPoint(program, tolerance).run(max_iterations);
}

}  // namespace scree
