// The contact problem on body velocities, W = H M^-1 H^T never formed.
//
// The image of impulses y is z = M^-1 H^T y, kept per body as (v, 0, L^-1 omega, 0) with M_omega^-1
// = L L^T, so that one 3x3 block per body serves both for the contact velocity and for the
// impulse's effect. Four body pairs that share no moving body are visited at the same time, one in
// each lane, and their contacts one after another while the bodies stay in registers. Bodies and
// contacts are numbered in the order of visits. A contact's place is 4 (number of its four) + lane;
// some places are empty. Vectors of impulses y hold, for one four after another, the four entries
// of each row.
//
// Rows of a contact: 3 (impulse), or 6 (impulse and moment over the contact's length,
// rolling_cone.hpp). In the second, contacts that resist neither rolling nor spinning have zero
// moment rows and are solved as in the first.
//
// Problems whose contacts give way (BodyProblem::compliance) have an operator of their own: W = H
// M^-1 H^T + D, so that w = J z + b + D y. D is part of the local blocks, of w and of the curvature
// of a gradient step, and moves no body; the loops of other problems know nothing of it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "contact/problem/aligned.hpp"
#include "contact/problem/contact_problem.hpp"
#include "contact/problem/scaling.hpp"
#include "contact/solver/colouring.hpp"
#include "contact/solver/direct_workspace.hpp"
#include "contact/solver/lane_contact.hpp"
#include "contact/solver/operator_islands.hpp"
#include "contact/solver/pair_batches.hpp"
#include "contact/solver/residual.hpp"
#include "contact/solver/vector_kernels.hpp"
#include "engine/base/executor.hpp"

namespace scree::contact {

// The diagonal of D for four contacts, unit-free; nothing where contacts are rigid.
template <bool gives_way>
struct LaneCompliance {};
template <>
struct LaneCompliance<true> {
  Lanes compliance[3];  // of the impulse's rows
};

template <int rows_of_contact, bool gives_way>
class BodyOperatorOf {
 public:
  static constexpr int rows = rows_of_contact;
  static constexpr std::size_t n_rows = rows_of_contact;
  static constexpr bool sweep_keeps_image = true;
  static constexpr std::int64_t sweep_work =
      1;  // work of a sweep, in gradient steps: measured 0.9 to 1.1

  static constexpr std::size_t body_stride = 8;  // v, 0, w, 0: one cache line a body

  // Problems of at least this many contacts are visited chunk by chunk and colour by colour, with
  // any executor; smaller ones in the given order, on one thread.
  static constexpr std::size_t coloured_from = 1024;

  // The problem of the contacts listed (ascending, whole pairs, no moving body in common with the
  // others), or of all if none is. Reuses the memory of earlier problems. `islands` of the whole
  // problem; null: taken as one.
  void prepare(const BodyProblem& problem, const Executor& executor,
               std::span<const ContactIndex> part = {}, const ContactIslands* islands = nullptr);

  double contacts_per_pair() const {
    return natural_.empty()
               ? 0.0
               : static_cast<double>(n_contacts_) / static_cast<double>(natural_.size());
  }

  std::size_t n_contacts() const { return n_contacts_; }
  const Executor& executor() const { return executor_; }

  // Calls visit(limits, factor, impulse of n_rows numbers) for every contact, in the order of
  // visits.
  template <class Visit>
  void for_each_impulse(const Numbers& y, const Visit& visit) const {
    for (std::size_t place = 0; place < source_.size(); ++place) {
      if (source_[place] < 0) continue;
      const Contacts& four = contacts_[place / n_lanes];
      const std::size_t lane = place % n_lanes;
      double p[n_rows];
      for (std::size_t k = 0; k < n_rows; ++k) p[k] = y[entry(place, k)];
      visit(four.limits.of(lane), four.factor[lane], p);
    }
  }

  // Impulses and moments (none with three rows) between the caller's order and units and ours.
  void load(std::span<const Vector3> p, std::span<const Vector3> moment, Numbers& y) const;
  void store(const Numbers& y, std::span<Vector3> p, std::span<Vector3> moment) const;

  // For methods that factorise (three rows): the problem as they see it, and impulses contact after
  // contact, without empty places.
  DirectWorkspace<BodyCoupling>& direct() { return direct_; }
  void fill_direct();
  void flatten(const Numbers& y, Numbers& flat) const;
  void unflatten(const Numbers& flat, Numbers& y) const;

  // Weight of the proximal term of `sweep`; prepares the local inverses.
  void set_alpha(double alpha);

  // Leaves the normal entries of y only.
  void keep_normal(Numbers& y) const {
    for (std::size_t at = 0; at < y.size(); ++at) {
      if (at / n_lanes % n_rows != 0) y[at] = 0.0;
    }
  }
  double alpha() const { return alpha_; }

  // How close to its root a slip ends in a sweep: root_of_sweep of local_solver.hpp.
  void set_close(double close) { close_ = close; }

  // image = M^-1 H^T y.
  void make_image(const Numbers& y, Numbers& image) const;

  // One Gauss-Seidel sweep: each contact is solved exactly with the others frozen. Updates y and
  // its image.
  void sweep(Numbers& y, Numbers& image);

  // The same; keeps what y and its image were, and returns |y' - y|^2.
  double sweep(Numbers& y, Numbers& image, Numbers& y_old, Numbers& image_old);

  // Calls part(VectorPart) for parts of y and of its image, each on the thread whose share they are
  // in a sweep: what another core has written costs more to fetch than to work on.
  template <class Call>
  void for_each_part(const Call& call) const {
    executor_.for_each_phase(order_.colour_begin, [&](int block) {
      const auto at = static_cast<std::size_t>(block);
      const auto first = static_cast<std::size_t>(grouping_.block_begin()[at]),
                 last = static_cast<std::size_t>(grouping_.block_begin()[at + 1]);
      VectorPart part;
      if (last > first) {
        part.y_begin = width * static_cast<std::size_t>(batches_[first].begin),
        part.y_end = width * static_cast<std::size_t>(batches_[last - 1].end);
      }
      if (at + 1 < order_.body_begin.size()) {
        part.image_begin = body_stride * static_cast<std::size_t>(order_.body_begin[at]);
        part.image_end = body_stride * static_cast<std::size_t>(order_.body_begin[at + 1]);
      }
      call(part);
    });
  }

  // Sums for the residual of y, given its image.
  ResidualSums residual_sums(const Numbers& y, const Numbers& image, Measure measure) const;
  Residuals residual(const Numbers& y, const Numbers& image, Measure measure) const {
    const ResidualSums sums = residual_sums(y, image, measure);
    return largest_measures(sums, islands_.last_sums());
  }

  // The islands of these contacts, and their sums of the last call of residual_sums.
  const OperatorIslands& islands() const { return islands_; }

  // Sets the impulses of an island, by its number here, to zero.
  void clear_island(std::size_t island, Numbers& y) const;

  // y_new = proj_K(y_ahead - step g), g = w(y_ahead) + shift e_N, and its image; refreshes De
  // Saxce's shift of w(y_ahead) first when asked. `y` is the iterate before.
  GradientSums project_step(const Numbers& y_ahead, const Numbers& image_ahead, const Numbers& y,
                            double step, bool refresh, Numbers& shift, Numbers& y_new,
                            Numbers& image_new) const;

 private:
  static constexpr std::size_t width = n_lanes * n_rows;  // entries of y of four contacts

  static constexpr std::size_t entry(std::size_t place, std::size_t row) {
    return place / n_lanes * width + row * n_lanes + place % n_lanes;
  }

  struct Batch {
    std::array<std::int32_t, n_lanes> body_a, body_b;  // -1: nothing moves it
    std::int32_t begin = 0, end = 0;                   // fours of contacts
    Lanes inverse_mass_a, inverse_mass_b;
  };
  // Directions along which the bodies of a batch can move: 1 or 0.
  struct Locks {
    Lanes a[3], b[3];
  };
  struct Contacts : LaneCompliance<gives_way> {
    Lanes frame[9];                                // rows n, t, s, unit-free
    Lanes spin_a[3 * n_rows], spin_b[3 * n_rows];  // rows: L^T (r x axis), then length L^T axis
    Lanes b[n_rows];
    LaneLimits<rows> limits;
    Lanes factor;  // contact_factor
  };               // 256 bytes a contact with three rows
  using Locals = LaneLocal<rows>;
  struct Motion;
  template <bool Keep, bool Locked>
  double sweep_with(Numbers& y, Numbers& image, double* y_old, double* image_old);
  template <bool Locked>
  void make_image_with(const Numbers& y, Numbers& image) const;
  template <bool Locked>
  GradientSums project_step_with(const Numbers& y_ahead, const Numbers& image_ahead,
                                 const Numbers& y, double step, bool refresh, Numbers& shift,
                                 Numbers& y_new, Numbers& image_new) const;
  const Locks* locks_of(const Batch& batch) const {
    return locks_.data() + (&batch - batches_.data());
  }
  void place_locks(const BodyProblem& problem);

  void find_pairs(const BodyProblem& problem, std::span<const ContactIndex> part);
  void order_pairs(const BodyProblem& problem);
  void number_bodies(const BodyProblem& problem);
  void place_batches(const BodyProblem& problem);
  void clear(std::size_t four);
  void fill(const BodyProblem& problem, std::size_t place, std::size_t source);
  void set_units(const BodyProblem& problem);
  void fill_moment(const BodyProblem& problem, std::size_t place,
                   std::size_t source) requires(rows_of_contact == 6);

  std::size_t n_slots() const { return order_.body.size(); }
  // The bodies of a block of the first colour, which nothing else touches meanwhile; none of other
  // blocks.
  template <class Visit>
  void for_bodies(int block, const Visit& visit) const {
    const auto at = static_cast<std::size_t>(block);
    if (at + 1 >= order_.body_begin.size()) return;
    for (auto slot = order_.body_begin[at]; slot < order_.body_begin[at + 1]; ++slot)
      visit(static_cast<std::size_t>(slot));
  }
  template <class Visit>
  void visit_block(int block, const Visit& visit) const;
  template <class Visit>
  void visit_batches(std::int32_t first, std::int32_t last, const Visit& visit) const;
  LaneResidualSums sums_of(std::int32_t first_batch, std::int32_t last_batch, const Numbers& y,
                           const Numbers& image, Measure measure) const;
  std::int32_t island_of(std::size_t batch, std::size_t lane, const ContactIslands& islands) const;
  void place_islands(const ContactIslands* islands);
  double sum_partial(double GradientSums::*member) const;

  Executor executor_;
  std::vector<PairBodies> natural_,
      ordered_;  // pairs in the caller's order; those of the last ordering
  std::vector<std::int32_t> natural_begin_;  // first contact of each pair in the caller's order
  Colouring colouring_;
  VisitOrder order_;
  std::vector<std::int32_t> gradient_phases_;  // the colours, then the blocks of bodies
  std::vector<std::int32_t>
      slot_;  // [n_bodies] number of a body in the image; only of those that order_.body lists
  PairBatches grouping_;
  std::vector<Batch, CacheAligned<Batch>> batches_;  // in the order of visits
  std::vector<Locks, CacheAligned<Locks>> locks_;    // [n_batches]; empty unless some are locked
  std::vector<std::int32_t> source_;  // [n_places] caller's index of the contact; -1: none
  std::size_t n_contacts_ = 0;
  std::vector<Contacts, CacheAligned<Contacts>> contacts_;
  std::vector<Locals, CacheAligned<Locals>> local_;
  std::vector<Lanes, CacheAligned<Lanes>> scale_;  // [-] of each contact, for the residual
  std::vector<Lanes, CacheAligned<Lanes>>
      inverse_unit_;    // [1/(N s)] 1 / P_c; 0 where there is none
  double units_ = 0.0;  // sum of P_c^2
  OperatorIslands islands_;
  std::vector<double> length_;  // [m, n_places] 1 where there is no contact; empty with three rows
  std::vector<double> mass_;    // [n_slots] 0: infinite
  std::vector<Matrix3> spin_factor_;           // [n_bodies]
  mutable std::vector<GradientSums> partial_;  // [n_blocks] of a loop over pairs or bodies
  mutable std::vector<ResidualSums> partial_residual_;
  double alpha_ = 0.0;
  double close_ = 0.0;
  DirectWorkspace<BodyCoupling> direct_;
};

using BodyOperator = BodyOperatorOf<3, false>;
using RollingOperator = BodyOperatorOf<6, false>;
using CompliantOperator = BodyOperatorOf<3, true>;
using CompliantRollingOperator = BodyOperatorOf<6, true>;

}  // namespace scree::contact
