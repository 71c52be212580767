// The contact problem on body velocities, W = H M^-1 H^T never formed.
//
// The image of impulses y is z = M^-1 H^T y, kept per body as (v, 0, L^-1 omega, 0) with M_omega^-1 = L L^T, so that one
// 3x3 block per body serves both for the contact velocity and for the impulse's effect. Contacts of one body pair are
// visited one after another while both bodies stay in registers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_problem.hpp"
#include "contact/residual.hpp"
#include "contact/scaling.hpp"
#include "engine/model/executor.hpp"

namespace scree::contact {

class BodyOperator {
 public:
  static constexpr bool sweep_keeps_image = true;

  // Reuses the memory of earlier problems. The executor and problem are used until the next call of `prepare`.
  void prepare(const BodyProblem& problem, const Executor& executor);

  std::size_t n_contacts() const { return contacts_.size(); }
  std::size_t image_size() const { return image_size_; }
  const Executor& executor() const { return executor_; }
  const std::vector<ContactTraits>& traits() const { return traits_; }

  // Impulses between the caller's order and units and ours.
  void load(std::span<const Vector3> p, std::vector<double>& y) const;
  void store(const std::vector<double>& y, std::span<Vector3> p) const;

  // Weight of the proximal term of `sweep`; prepares the local inverses.
  void set_alpha(double alpha);

  // image = M^-1 H^T y.
  void make_image(const std::vector<double>& y, std::vector<double>& image) const;

  // One Gauss-Seidel sweep: each contact is solved exactly with the others frozen. Updates y and its image.
  void sweep(std::vector<double>& y, std::vector<double>& image);

  // Contact velocity w of `contact` from an image.
  void velocity(std::size_t contact, const double* image, double w[3]) const noexcept;

  // y_new = proj_K(y - step (w(y) + shift e_N)) and its image; refreshes shift = mu |w_T(y)| first when asked. `g` is
  // w + shift e_N.
  void project_step(const std::vector<double>& y, const std::vector<double>& image, double step, bool refresh,
                    std::vector<double>& shift, std::vector<double>& g, std::vector<double>& y_new,
                    std::vector<double>& image_new) const;

  // dy . W dy for two impulses with images a and b.
  double curvature(const std::vector<double>& y_a, const std::vector<double>& image_a, const std::vector<double>& y_b,
                   const std::vector<double>& image_b) const;

 private:
  struct Pair {
    std::int32_t body_a = -1, body_b = -1;  // -1: nothing moves it
    std::int32_t begin = 0, end = 0;        // contacts
    double inverse_mass_a = 0.0, inverse_mass_b = 0.0;
  };
  struct Contact {
    double frame[9];              // rows n, t, s, unit-free
    double spin_a[9], spin_b[9];  // rows: L^T (r x axis)
    double A[9];                  // W_cc, row-major
    double inverse[9];            // (A + alpha I)^-1
    double b[3];
    double mu;
  };
  struct Motion {
    double v[3], w[3];
  };

  void find_pairs(const BodyProblem& problem);
  void fill(const BodyProblem& problem, std::size_t contact, std::size_t source);
  static Motion gather(const double* image, std::int32_t body) noexcept;
  static void scatter(double* image, std::int32_t body, const Motion& motion) noexcept;
  static void relative_velocity(const Contact& c, const Motion& a, const Motion& b, double w[3]) noexcept;
  static void apply(const Contact& c, const Pair& pair, const double dp[3], Motion& a, Motion& b) noexcept;
  void sweep_pair(const Pair& pair, double* y, double* image) noexcept;

  Executor executor_;
  std::vector<Pair> pairs_;
  std::vector<Contact> contacts_;
  std::vector<ContactTraits> traits_;
  std::vector<std::int32_t> pair_of_;
  std::vector<double> lambda_;
  std::vector<double> inverse_mass_;
  std::vector<Matrix3> spin_factor_;
  std::size_t image_size_ = 0;
  double alpha_ = 0.0;
};

}  // namespace scree::contact
