// The contact problem on body velocities, W = H M^-1 H^T never formed.
//
// The image of impulses y is z = M^-1 H^T y, kept per body as (v, 0, L^-1 omega, 0) with M_omega^-1 = L L^T, so that one
// 3x3 block per body serves both for the contact velocity and for the impulse's effect. Contacts of one body pair are
// visited one after another while both bodies stay in registers.
//
// Rows of a contact: 3 (impulse), or 6 (impulse and moment over the contact's length, rolling_cone.hpp). In the second, contacts that
// resist neither rolling nor spinning have zero moment rows and are solved as in the first.
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

template <int rows_of_contact>
class BodyOperatorOf {
 public:
  static constexpr int rows = rows_of_contact;
  static constexpr std::size_t n_rows = rows_of_contact;
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
  const std::vector<TraitsOf<rows>>& traits() const { return traits_; }

  // Impulses and moments (none with three rows) between the caller's order and units and ours.
  void load(std::span<const Vector3> p, std::span<const Vector3> moment, std::vector<double>& y) const;
  void store(const std::vector<double>& y, std::span<Vector3> p, std::span<Vector3> moment) const;

  // Weight of the proximal term of `sweep`; prepares the local inverses.
  void set_alpha(double alpha);

  // image = M^-1 H^T y.
  void make_image(const std::vector<double>& y, std::vector<double>& image) const;

  // One Gauss-Seidel sweep: each contact is solved exactly with the others frozen. Updates y and its image.
  void sweep(std::vector<double>& y, std::vector<double>& image);

  // Contact velocities w [rows * n_contacts] from an image.
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
    double spin_a[3 * n_rows], spin_b[3 * n_rows];  // rows: L^T (r x axis), then length L^T axis
    double A[n_rows * n_rows];        // W_cc, row-major; the block of the impulse alone, packed, when the contact does not roll
    double inverse[n_rows * n_rows];  // (A + alpha I)^-1, likewise
    double b[n_rows];
    LimitsOf<rows> limits;
  };
  struct Motion;

  void find_pairs(const BodyProblem& problem);
  void order_pairs(const BodyProblem& problem);
  void project(const Contact& c, double* p) const;
  double shift_of(const Contact& c, const double* w) const;
  void visit(const Contact& c, const double* w, double& lambda, double* p, double* dp) const;
  void fill(const BodyProblem& problem, std::size_t contact, std::size_t source);
  void fill_moment(const BodyProblem& problem, std::size_t contact, std::size_t source, const Vector3& bias, double factor)
    requires(rows_of_contact == 6);
  template <class Visit>
  void for_pairs(const Visit& visit) const;

  Executor executor_;
  std::vector<PairBodies> natural_;
  std::vector<std::int32_t> natural_begin_;  // first contact of each pair in the caller's order
  VisitOrder order_;
  std::vector<Pair> pairs_;                  // in the order of visits
  std::vector<std::int32_t> source_;         // caller's index of each contact
  std::vector<Contact> contacts_;
  std::vector<TraitsOf<rows>> traits_;
  std::vector<double> length_;               // [m] of each contact; empty with three rows
  std::vector<double> lambda_;
  std::vector<double> inverse_mass_;
  std::vector<Matrix3> spin_factor_;
  std::size_t image_size_ = 0;
  double alpha_ = 0.0;
};

using BodyOperator = BodyOperatorOf<3>;
using RollingOperator = BodyOperatorOf<6>;

}  // namespace scree::contact
