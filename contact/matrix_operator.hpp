// The contact problem on an explicit W of 3x3 blocks, which may be unsymmetric. The image of impulses y is w = W y + b.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_problem.hpp"
#include "contact/residual.hpp"
#include "contact/scaling.hpp"
#include "engine/model/executor.hpp"

namespace scree::contact {

// Same interface as BodyOperator.
class MatrixOperator {
 public:
  static constexpr int rows = 3;
  static constexpr bool sweep_keeps_image = false;  // a sweep reads W and y only
  static constexpr std::int64_t sweep_work = 1;   // work of a sweep, in gradient steps

  void prepare(const MatrixProblem& problem, const Executor& executor);

  double contacts_per_pair() const { return 0.0; }  // a matrix does not say
  std::size_t n_contacts() const { return traits_.size(); }
  const Executor& executor() const { return executor_; }
  const std::vector<ContactTraits>& traits() const { return traits_; }

  void load(std::span<const Vector3> p, std::span<const Vector3>, std::vector<double>& y) const;
  void store(const std::vector<double>& y, std::span<Vector3> p, std::span<Vector3>) const;
  void set_alpha(double alpha);
  void make_image(const std::vector<double>& y, std::vector<double>& image) const;
  void sweep(std::vector<double>& y, std::vector<double>& image);

  void velocities(const std::vector<double>& image, std::vector<double>& w) const { w = image; }

  void project_step(const std::vector<double>& y, const std::vector<double>& image, double step, bool refresh,
                    std::vector<double>& shift, std::vector<double>& g, std::vector<double>& y_new,
                    std::vector<double>& image_new) const;

  double curvature(const std::vector<double>& y_a, const std::vector<double>& image_a, const std::vector<double>& y_b,
                   const std::vector<double>& image_b) const;

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
};

}  // namespace scree::contact
