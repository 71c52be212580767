// Shapes and poses in, contact candidates out. Knows no impulse, no law and no step length.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/base/executor.hpp"
#include "engine/model/bodies.hpp"
#include "engine/model/contact_set.hpp"

namespace scree::collision {

// Body poses, structure of arrays [n_bodies].
struct Poses {
  std::span<const Vector3> x;  // [m]
  std::span<const Quaternion> q;
  double image_shift = 0.0;  // [m] of the images above (cell.hpp)
};

// Scratch memory and caches of detection: the broad phase's tree, last separating axes, pair
// buffers. It may be deleted between steps with no change in results.
class Detector {
 public:
  Detector();
  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  // All candidates of the active bodies at poses `now`, sorted by key.
  // `ahead`: poses one step later at the present velocities; a convex pair that is apart now is
  // kept only if the
  //   features that separate it now still do so there (no invented contacts).
  // `start`: where the step begins, if that is not `now`: fast pairs are followed from there, and
  // their points told about the centres there.
  // `reach` [m, n_bodies]: how far each body's surface may move in the step; pairs farther apart
  // than the sum
  //   of their reaches make no candidate, nor does a point of a manifold whose gap is larger than
  //   that.
  // Pairs of two fixed bodies and parts of one body make no contact.
  // Does not allocate once warm. Same bits for any executor.
  void detect(const Model& model, const Poses& now, const Poses& ahead, const Poses& start,
              std::span<const std::uint8_t> active, std::span<const double> reach,
              const Executor& executor, ContactSet& contacts);

  // Pairs that move towards each other by more than this share of the thinner one's thickness from
  // `now` to `ahead` are looked at all along the way (swept_touch.hpp).
  void sweep_beyond(double share);

  // Contacts at a seam of flush neighbours that are turned against each other by next to nothing
  // stay, though the neighbour has a face there too: what remembers its contacts needs them from
  // step to step. By default those are left out that the neighbour covers by more than round-off.
  void keep_flush_seams(bool keep);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Two bodies that overlap by more than allowed; depth > 0 [m], the smallest translation that
// separates them.
struct Overlap {
  BodyIndex body_a = 0, body_b = 0;
  double depth = 0.0;
};

// Overlaps deeper than `relative_tolerance` times the size of the smaller body among the bodies
// with `considered`
// != 0 (active or not: bodies that appear later are the caller's choice), deepest first.
std::vector<Overlap> find_overlaps(const Model& model, const Poses& poses,
                                   std::span<const std::uint8_t> considered,
                                   double relative_tolerance);

}  // namespace scree::collision
