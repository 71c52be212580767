// The contact problem on body velocities, W = H M^-1 H^T never formed.
//
// The image of impulses y is z = M^-1 H^T y, kept per body as (v, 0, L^-1 omega, 0) with M_omega^-1 = L L^T, so that one
// 3x3 block per body serves both for the contact velocity and for the impulse's effect. Contacts of one body pair are
// visited one after another while both bodies stay in registers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/colouring.hpp"
#include "contact/contact_problem.hpp"
#include "contact/residual.hpp"
#include "contact/scaling.hpp"
#include "engine/model/executor.hpp"

namespace scree::contact {

class BodyOperator {
 public:
  static constexpr bool sweep_keeps_image = true;
  static constexpr std::int64_t sweep_work = 2;   // work of a sweep, in gradient steps: measured 2.3

  // Problems of at least this many contacts are visited colour by colour, with any executor; smaller ones in the given
  // order, on one thread.
  static constexpr std::size_t coloured_from = 8192;

  // Reuses the memory of earlier problems.
  void prepare(const BodyProblem& problem, const Executor& executor);

  double contacts_per_pair() const {
    return pairs_.empty() ? 0.0 : static_cast<double>(n_contacts()) / static_cast<double>(pairs_.size());
  }

  std::size_t n_contacts() const { return contacts_.size(); }
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

  // Contact velocities w [3 n_contacts] from an image.
  void velocities(const std::vector<double>& image, std::vector<double>& w) const;

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
  struct Motion;

  void find_pairs(const BodyProblem& problem);
  void order_pairs(const BodyProblem& problem);
  void fill(const BodyProblem& problem, std::size_t contact, std::size_t source);
  template <class Visit>
  void for_pairs(const Visit& visit) const;

  Executor executor_;
  std::vector<PairBodies> natural_;
  std::vector<std::int32_t> natural_begin_;  // first contact of each pair in the caller's order
  VisitOrder order_;
  std::vector<Pair> pairs_;                  // in the order of visits
  std::vector<std::int32_t> source_;         // caller's index of each contact
  std::vector<Contact> contacts_;
  std::vector<ContactTraits> traits_;
  std::vector<double> lambda_;
  std::vector<double> inverse_mass_;
  std::vector<Matrix3> spin_factor_;
  std::size_t image_size_ = 0;
  double alpha_ = 0.0;
};

}  // namespace scree::contact
