#include "contact/solver/matrix_operator.hpp"

#include <cmath>

#include "contact/laws/friction_cone.hpp"
#include "contact/solver/local_solver.hpp"
#include "engine/base/lanes.hpp"

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
  blocks_.resize(problem.block.size() + 1);
  blocks_.back() = Block{};
  local_.resize(n);
  traits_.resize(n);
  const double speed = largest_bias(problem);
  for (std::size_t i = 0; i < n; ++i) {
    const Matrix3 W = diagonal_block(problem, i);
    const double factor = contact_factor(W.trace());
    traits_[i] = {problem.b[i], problem.mu[i], factor, 1.0, factor * factor * speed};
    for (int row = 0; row < 3; ++row) {
      for (int k = 0; k < 3; ++k) local_[i].A[3 * row + k] = factor * factor * W(row, k);
      local_[i].b[row] = factor * problem.b[i][row];
    }
    local_[i].lambda = 0.0;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (auto at = static_cast<std::size_t>(row_begin_[i]);
         at < static_cast<std::size_t>(row_begin_[i + 1]); ++at) {
      const double factor =
          traits_[i].factor * traits_[static_cast<std::size_t>(column_[at])].factor;
      for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k)
          blocks_[at].entry[3 * row + k] = factor * problem.block[at](row, k);
      }
    }
  }
  alpha_ = -1.0;
  direct_.filled = false;
}

void MatrixOperator::fill_direct() {
  MatrixCoupling& coupling = direct_.coupling;
  coupling.clear();
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    coupling.mu.push_back(traits_[i].mu);
    coupling.b.insert(coupling.b.end(), local_[i].b, local_[i].b + 3);
    for (auto at = static_cast<std::size_t>(row_begin_[i]);
         at < static_cast<std::size_t>(row_begin_[i + 1]); ++at) {
      coupling.add(static_cast<std::int32_t>(i), static_cast<std::int32_t>(column_[at]),
                   blocks_[at].entry);
    }
  }
  direct_.filled = true;
}

void MatrixOperator::load(std::span<const Vector3> p, std::span<const Vector3>, Numbers& y) const {
  y.resize(3 * n_contacts() + 1);  // a last zero: contacts are loaded four wide
  y.back() = 0.0;
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    const Vector3 in_cone = project_on_cone(p[i], traits_[i].mu);
    for (std::size_t k = 0; k < 3; ++k)
      y[3 * i + k] = in_cone[static_cast<int>(k)] / traits_[i].factor;
    clean_start(y.data() + 3 * i, 3);
  }
}

void MatrixOperator::store(const Numbers& y, std::span<Vector3> p, std::span<Vector3>) const {
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    p[i] = traits_[i].factor * Vector3(y[3 * i], y[3 * i + 1], y[3 * i + 2]);
  }
}

void MatrixOperator::set_alpha(double alpha) {
  if (alpha == alpha_) return;
  alpha_ = alpha;
  for (Local& local : local_) regularised_inverse<3>(local.A, alpha, local.inverse);
}

// w = W y + b for one contact. Rows of three are loaded with a fourth lane that belongs to what
// follows in memory; no sum uses it.
[[gnu::always_inline]] inline void MatrixOperator::row_velocity(std::size_t contact,
                                                                const double* y,
                                                                double w[3]) const noexcept {
  Lanes n = {0.0, 0.0, 0.0, 0.0}, t = n, s = n, x,
        row;  // named one by one: an array would be kept in memory
  const Block* block = blocks_.data() + row_begin_[contact];
  const Block* const end = blocks_.data() + row_begin_[contact + 1];
  const ContactIndex* column = column_.data() + row_begin_[contact];
  for (; block != end; ++block, ++column) {
    load_lanes(x, y + 3 * static_cast<std::size_t>(*column));
    load_lanes(row, block->entry);
    n += row * x;
    load_lanes(row, block->entry + 3);
    t += row * x;
    load_lanes(row, block->entry + 6);
    s += row * x;
  }
  const double* b = local_[contact].b;
  w[0] = b[0] + sum3(n), w[1] = b[1] + sum3(t), w[2] = b[2] + sum3(s);
}

template <class Visit>
void MatrixOperator::for_rows(const Visit& visit) const {
  run_widest([ n = n_contacts(), &visit ]() __attribute__((always_inline)) {
    for (std::size_t i = 0; i < n; ++i) visit(i);
  });
}

void MatrixOperator::make_image(const Numbers& y, Numbers& image) const {
  image.resize(3 * n_contacts() + 1);
  image.back() = 0.0;
  for_rows([ this, p = y.data(), w = image.data() ](std::size_t i)
               __attribute__((always_inline)) { row_velocity(i, p, w + 3 * i); });
}

void MatrixOperator::sweep(Numbers& y, Numbers&) {
  for_rows([ this, p = y.data() ](std::size_t i) __attribute__((always_inline)) {
    Local& local = local_[i];
    double w[3], dp[3];
    row_velocity(i, p, w);
    visit_contact<const double*>(local.A, local.inverse, alpha_, traits_[i].mu, close_, w,
                                 local.lambda, p + 3 * i, dp);
  });
}

double MatrixOperator::sweep(Numbers& y, Numbers& image, Numbers& y_old, Numbers&) {
  y_old = y;
  sweep(y, image);
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += (y[i] - y_old[i]) * (y[i] - y_old[i]);
  return sum;
}

ResidualSums MatrixOperator::residual_sums(const Numbers& y, const Numbers& image,
                                           Measure measure) const {
  ResidualSums sums;
  for (std::size_t i = 0; i < n_contacts(); ++i)
    sums.add(traits_[i], y.data() + 3 * i, image.data() + 3 * i, measure);
  return sums;
}

GradientSums MatrixOperator::project_step(const Numbers& y_ahead, const Numbers& image_ahead,
                                          const Numbers& y, double step, bool refresh,
                                          Numbers& shift, Numbers& y_new,
                                          Numbers& image_new) const {
  GradientSums sums;
  y_new.resize(y.size());
  y_new.back() = 0.0;
  shift.resize(n_contacts());
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    const double* w = image_ahead.data() + 3 * i;
    if (refresh) shift[i] = traits_[i].mu * std::sqrt(w[1] * w[1] + w[2] * w[2]);
    const double g[3] = {w[0] + shift[i], w[1], w[2]};
    double p[3];
    for (std::size_t k = 0; k < 3; ++k) p[k] = y_ahead[3 * i + k] - step * g[k];
    project_on_cone(traits_[i].mu, p[0], p[1], p[2]);
    for (std::size_t k = 0; k < 3; ++k) {
      const double change = p[k] - y_ahead[3 * i + k];
      sums.length += change * change;
      sums.ascent += g[k] * (p[k] - y[3 * i + k]);
      y_new[3 * i + k] = p[k];
    }
  }
  make_image(y_new, image_new);
  for (std::size_t i = 0; i < y.size(); ++i)
    sums.curvature += (y_new[i] - y_ahead[i]) * (image_new[i] - image_ahead[i]);
  return sums;
}

}  // namespace scree::contact
