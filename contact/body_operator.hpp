// The contact problem on body velocities, W = H M^-1 H^T never formed.
//
// The image of impulses y is z = M^-1 H^T y, kept per body as (v, 0, L^-1 omega, 0) with M_omega^-1 = L L^T, so that one
// 3x3 block per body serves both for the contact velocity and for the impulse's effect. Contacts of one body pair are
// visited one after another while both bodies stay in registers. Bodies and contacts are numbered in the order of visits.
//
// Rows of a contact: 3 (impulse), or 6 (impulse and moment over the contact's length, rolling_cone.hpp). In the second, contacts that
// resist neither rolling nor spinning have zero moment rows and are solved as in the first.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/aligned.hpp"
#include "contact/colouring.hpp"
#include "contact/contact_problem.hpp"
#include "contact/residual.hpp"
#include "contact/scaling.hpp"
#include "contact/vector_kernels.hpp"
#include "engine/model/executor.hpp"

namespace scree::contact {

template <int rows_of_contact>
class BodyOperatorOf {
 public:
  static constexpr int rows = rows_of_contact;
  static constexpr std::size_t n_rows = rows_of_contact;
  static constexpr bool sweep_keeps_image = true;
  static constexpr std::int64_t sweep_work = 2;   // work of a sweep, in gradient steps: measured 2.3

  static constexpr std::size_t body_stride = 8;   // v, 0, w, 0: one cache line a body

  // Problems of at least this many contacts are visited chunk by chunk and colour by colour, with any executor; smaller ones
  // in the given order, on one thread.
  static constexpr std::size_t coloured_from = 1024;

  // The problem of the contacts listed (ascending, whole pairs, no moving body in common with the others), or of all if none is.
  // Reuses the memory of earlier problems.
  void prepare(const BodyProblem& problem, const Executor& executor, std::span<const ContactIndex> part = {});

  double contacts_per_pair() const {
    return pairs_.empty() ? 0.0 : static_cast<double>(n_contacts()) / static_cast<double>(pairs_.size());
  }

  std::size_t n_contacts() const { return contacts_.size(); }
  const Executor& executor() const { return executor_; }
  TraitsOf<rows> traits(std::size_t contact) const {
    const Contact& c = contacts_[contact];
    using Rows = decltype(TraitsOf<rows>::b);
    return make_traits(Rows(Eigen::Map<const Rows>(c.b) / c.factor), c.limits, c.factor, scale_[contact]);
  }

  // Impulses and moments (none with three rows) between the caller's order and units and ours.
  void load(std::span<const Vector3> p, std::span<const Vector3> moment, Numbers& y) const;
  void store(const Numbers& y, std::span<Vector3> p, std::span<Vector3> moment) const;

  // Weight of the proximal term of `sweep`; prepares the local inverses.
  void set_alpha(double alpha);

  // image = M^-1 H^T y.
  void make_image(const Numbers& y, Numbers& image) const;

  // One Gauss-Seidel sweep: each contact is solved exactly with the others frozen. Updates y and its image.
  void sweep(Numbers& y, Numbers& image);

  // The same; keeps what y and its image were, and returns |y' - y|^2.
  double sweep(Numbers& y, Numbers& image, Numbers& y_old, Numbers& image_old);

  // Calls part(VectorPart) for parts of y and of its image, each on the thread whose share they are in a sweep: what another core
  // has written costs more to fetch than to work on.
  template <class Call>
  void for_each_part(const Call& call) const {
    executor_.for_each_phase(order_.colour_begin, [&](int block) {
      const auto at = static_cast<std::size_t>(block);
      const auto first = static_cast<std::size_t>(order_.block_begin[at]), last = static_cast<std::size_t>(order_.block_begin[at + 1]);
      VectorPart part;
      if (last > first) {
        part.y_begin = n_rows * static_cast<std::size_t>(pairs_[first].begin), part.y_end = n_rows * static_cast<std::size_t>(pairs_[last - 1].end);
      }
      if (at + 1 < order_.body_begin.size()) {
        part.image_begin = body_stride * static_cast<std::size_t>(order_.body_begin[at]);
        part.image_end = body_stride * static_cast<std::size_t>(order_.body_begin[at + 1]);
      }
      call(part);
    });
  }

  // Residual of y, given its image.
  Residuals residual(const Numbers& y, const Numbers& image, Measure measure) const;

  // y_new = proj_K(y_ahead - step g), g = w(y_ahead) + shift e_N, and its image; refreshes De Saxce's shift of w(y_ahead) first
  // when asked. `y` is the iterate before.
  GradientSums project_step(const Numbers& y_ahead, const Numbers& image_ahead, const Numbers& y, double step, bool refresh,
                            Numbers& shift, Numbers& y_new, Numbers& image_new) const;

 private:
  struct Pair {
    std::int32_t body_a = -1, body_b = -1;  // -1: nothing moves it
    std::int32_t begin = 0, end = 0;        // contacts
    double inverse_mass_a = 0.0, inverse_mass_b = 0.0;
  };
  struct Contact {
    double frame[9];              // rows n, t, s, unit-free
    double spin_a[3 * n_rows], spin_b[3 * n_rows];  // rows: L^T (r x axis), then length L^T axis
    double b[n_rows];
    LimitsOf<rows> limits;
    double factor;                // contact_factor
  };  // 256 bytes with three rows
  static constexpr std::size_t n_entries = rows_of_contact == 3 ? 6 : 36;
  struct Local {
    double A[n_entries];          // W_cc: upper triangle by rows; row-major if the contact rolls
    double inverse[n_entries];    // (A + alpha I)^-1, likewise
    double lambda;                // last slip multiplier
  };
  struct Motion;
  template <bool Keep>
  double sweep_with(Numbers& y, Numbers& image, double* y_old, double* image_old);

  void find_pairs(const BodyProblem& problem, std::span<const ContactIndex> part);
  void order_pairs(const BodyProblem& problem);
  void number_bodies(const BodyProblem& problem);
  void visit(const Contact& c, Local& local, const double* w, double* p, double* dp) const;
  void fill(const BodyProblem& problem, std::size_t contact, std::size_t source);
  void fill_moment(const BodyProblem& problem, std::size_t contact, std::size_t source)
    requires(rows_of_contact == 6);

  std::size_t n_slots() const { return order_.body.size(); }
  // The bodies of a block of the first colour, which nothing else touches meanwhile; none of other blocks.
  template <class Visit>
  void for_bodies(int block, const Visit& visit) const {
    const auto at = static_cast<std::size_t>(block);
    if (at + 1 >= order_.body_begin.size()) return;
    for (auto slot = order_.body_begin[at]; slot < order_.body_begin[at + 1]; ++slot) visit(static_cast<std::size_t>(slot));
  }
  template <class Visit>
  void visit_block(int block, const Visit& visit) const;
  double sum_partial(double GradientSums::*member) const;

  Executor executor_;
  std::vector<PairBodies> natural_, ordered_;  // pairs in the caller's order; those of the last ordering
  std::vector<std::int32_t> natural_begin_;    // first contact of each pair in the caller's order
  Colouring colouring_;
  VisitOrder order_;
  std::vector<std::int32_t> gradient_phases_;  // the colours, then the blocks of bodies
  std::vector<std::int32_t> slot_;             // [n_bodies] number of a body in the image; only of those that order_.body lists
  std::vector<Pair> pairs_;                    // in the order of visits
  std::vector<std::int32_t> source_;           // caller's index of each contact
  std::vector<Contact, CacheAligned<Contact>> contacts_;
  std::vector<Local> local_;
  std::vector<double> scale_;                  // [-] of each contact, for the residual
  std::vector<double> length_;                 // [m] of each contact; empty with three rows
  std::vector<double> mass_;                   // [n_slots] 0: infinite
  std::vector<Matrix3> spin_factor_;           // [n_bodies]
  mutable std::vector<GradientSums> partial_;  // [n_blocks] of a loop over pairs or bodies
  mutable std::vector<ResidualSums> partial_residual_;
  double alpha_ = 0.0;
};

using BodyOperator = BodyOperatorOf<3>;
using RollingOperator = BodyOperatorOf<6>;

}  // namespace scree::contact
