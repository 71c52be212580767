// The contact problem on an explicit W of 3x3 blocks, which may be unsymmetric. The image of
// impulses y is w = W y + b.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/problem/aligned.hpp"
#include "contact/problem/contact_problem.hpp"
#include "contact/problem/scaling.hpp"
#include "contact/solver/direct_workspace.hpp"
#include "contact/solver/operator_islands.hpp"
#include "contact/solver/residual.hpp"
#include "contact/solver/vector_kernels.hpp"
#include "engine/base/executor.hpp"

namespace scree::contact {

// Same interface as BodyOperator.
class MatrixOperator {
 public:
  static constexpr int rows = 3;
  static constexpr bool sweep_keeps_image = false;  // a sweep reads W and y only
  static constexpr std::int64_t sweep_work = 1;     // work of a sweep, in gradient steps

  void prepare(const MatrixProblem& problem, const Executor& executor);

  double contacts_per_pair() const { return 0.0; }  // a matrix does not say
  std::size_t n_contacts() const { return traits_.size(); }
  const Executor& executor() const { return executor_; }
  template <class Visit>
  void for_each_impulse(const Numbers& y, const Visit& visit) const {
    for (std::size_t i = 0; i < n_contacts(); ++i)
      visit(FrictionLimit{traits_[i].mu}, traits_[i].factor, y.data() + 3 * i);
  }

  void load(std::span<const Vector3> p, std::span<const Vector3>, Numbers& y) const;
  void store(const Numbers& y, std::span<Vector3> p, std::span<Vector3>) const;
  DirectWorkspace<MatrixCoupling>& direct() { return direct_; }
  void fill_direct();
  void flatten(const Numbers& y, Numbers& flat) const {
    flat.assign(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(3 * n_contacts()));
  }
  void unflatten(const Numbers& flat, Numbers& y) const {
    y.assign(flat.begin(), flat.end()), y.push_back(0.0);
  }
  void set_alpha(double alpha);

  // Leaves the normal entries of y only.
  void keep_normal(Numbers& y) const {
    for (std::size_t at = 0; at < y.size(); ++at) {
      if (at % 3 != 0) y[at] = 0.0;
    }
  }
  double alpha() const { return alpha_; }

  // How close to its root a slip ends in a sweep: root_of_sweep of local_solver.hpp.
  void set_close(double close) { close_ = close; }
  void make_image(const Numbers& y, Numbers& image) const;
  void sweep(Numbers& y, Numbers& image);
  double sweep(Numbers& y, Numbers& image, Numbers& y_old, Numbers& image_old);
  template <class Call>
  void for_each_part(const Call& call) const {
    const std::size_t n = 3 * n_contacts() + 1;
    call(VectorPart{0, n, 0, n});
  }
  // Taken as one island.
  const OperatorIslands& islands() const { return islands_; }
  void clear_island(std::size_t, Numbers&) const {}

  ResidualSums residual_sums(const Numbers& y, const Numbers& image, Measure measure) const;
  Residuals residual(const Numbers& y, const Numbers& image, Measure measure) const {
    return residual_sums(y, image, measure).measures();
  }
  GradientSums project_step(const Numbers& y_ahead, const Numbers& image_ahead, const Numbers& y,
                            double step, bool refresh, Numbers& shift, Numbers& y_new,
                            Numbers& image_new) const;

 private:
  struct Block {
    double entry[9];  // row-major, unit-free
  };
  struct Local {
    double A[9], inverse[9], b[3], lambda;
  };

  template <class Visit>
  void for_rows(const Visit& visit) const;
  void row_velocity(std::size_t contact, const double* y, double w[3]) const noexcept;

  Executor executor_;
  std::vector<std::int64_t> row_begin_;
  std::vector<ContactIndex> column_;
  std::vector<Block> blocks_;  // one more at the end: rows are loaded four wide
  std::vector<Local> local_;
  std::vector<ContactTraits> traits_;
  double alpha_ = 0.0;
  double close_ = 0.0;
  DirectWorkspace<MatrixCoupling> direct_;
  OperatorIslands islands_;
};

}  // namespace scree::contact
