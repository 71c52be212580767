#include "contact/matrix_operator.hpp"

#include <cmath>

#include "contact/friction_cone.hpp"
#include "contact/local_solver.hpp"

namespace scree::contact {

namespace {

Matrix3 diagonal_block(const MatrixProblem& problem, std::size_t contact) {
  for (auto k = problem.row_begin[contact]; k < problem.row_begin[contact + 1]; ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (problem.column[at] == static_cast<ContactIndex>(contact)) return problem.block[at];
  }
  return Matrix3::Zero();
}

}  // namespace

void MatrixOperator::prepare(const MatrixProblem& problem, const Executor& executor) {
  executor_ = executor;
  const std::size_t n = problem.n_contacts();
  row_begin_ = problem.row_begin;
  column_ = problem.column;
  blocks_.resize(problem.block.size());
  local_.resize(n);
  traits_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Matrix3 W = diagonal_block(problem, i);
    const double factor = contact_factor(W.trace());
    traits_[i] = {problem.b[i], problem.mu[i], factor, 1.0};
    for (int row = 0; row < 3; ++row) {
      for (int k = 0; k < 3; ++k) local_[i].A[3 * row + k] = factor * factor * W(row, k);
      local_[i].b[row] = factor * problem.b[i][row];
    }
    local_[i].lambda = 0.0;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (auto at = static_cast<std::size_t>(row_begin_[i]); at < static_cast<std::size_t>(row_begin_[i + 1]); ++at) {
      const double factor = traits_[i].factor * traits_[static_cast<std::size_t>(column_[at])].factor;
      for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) blocks_[at].entry[3 * row + k] = factor * problem.block[at](row, k);
      }
    }
  }
  alpha_ = -1.0;
}

void MatrixOperator::load(std::span<const Vector3> p, std::vector<double>& y) const {
  y.resize(3 * n_contacts());
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    const Vector3 in_cone = project_on_cone(p[i], traits_[i].mu);
    for (std::size_t k = 0; k < 3; ++k) y[3 * i + k] = in_cone[static_cast<int>(k)] / traits_[i].factor;
  }
}

void MatrixOperator::store(const std::vector<double>& y, std::span<Vector3> p) const {
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    p[i] = traits_[i].factor * Vector3(y[3 * i], y[3 * i + 1], y[3 * i + 2]);
  }
}

void MatrixOperator::set_alpha(double alpha) {
  if (alpha == alpha_) return;
  alpha_ = alpha;
  for (Local& local : local_) regularised_inverse(local.A, alpha, local.inverse);
}

inline void MatrixOperator::row_velocity(std::size_t contact, const double* y, double w[3]) const noexcept {
  double n = local_[contact].b[0], t = local_[contact].b[1], s = local_[contact].b[2];
  const auto end = static_cast<std::size_t>(row_begin_[contact + 1]);
  for (auto at = static_cast<std::size_t>(row_begin_[contact]); at < end; ++at) {
    const double* e = blocks_[at].entry;
    const double* x = y + 3 * static_cast<std::size_t>(column_[at]);
    n += e[0] * x[0] + e[1] * x[1] + e[2] * x[2];
    t += e[3] * x[0] + e[4] * x[1] + e[5] * x[2];
    s += e[6] * x[0] + e[7] * x[1] + e[8] * x[2];
  }
  w[0] = n, w[1] = t, w[2] = s;
}

void MatrixOperator::make_image(const std::vector<double>& y, std::vector<double>& image) const {
  image.resize(image_size());
  for (std::size_t i = 0; i < n_contacts(); ++i) row_velocity(i, y.data(), image.data() + 3 * i);
}

void MatrixOperator::sweep(std::vector<double>& y, std::vector<double>&) {
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    Local& local = local_[i];
    double w[3], dp[3];
    row_velocity(i, y.data(), w);
    visit_contact(local.A, local.inverse, alpha_, traits_[i].mu, w, local.lambda, y.data() + 3 * i, dp);
  }
}

void MatrixOperator::project_step(const std::vector<double>& y, const std::vector<double>& image, double step,
                                  bool refresh, std::vector<double>& shift, std::vector<double>& g,
                                  std::vector<double>& y_new, std::vector<double>& image_new) const {
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    const double* w = image.data() + 3 * i;
    if (refresh) shift[i] = traits_[i].mu * std::sqrt(w[1] * w[1] + w[2] * w[2]);
    double* p = y_new.data() + 3 * i;
    for (std::size_t k = 0; k < 3; ++k) {
      g[3 * i + k] = w[k] + (k == 0 ? shift[i] : 0.0);
      p[k] = y[3 * i + k] - step * g[3 * i + k];
    }
    project_on_cone(traits_[i].mu, p[0], p[1], p[2]);
  }
  make_image(y_new, image_new);
}

double MatrixOperator::curvature(const std::vector<double>& y_a, const std::vector<double>& image_a,
                                 const std::vector<double>& y_b, const std::vector<double>& image_b) const {
  double total = 0.0;
  for (std::size_t i = 0; i < y_a.size(); ++i) total += (y_a[i] - y_b[i]) * (image_a[i] - image_b[i]);
  return total;
}

}  // namespace scree::contact
