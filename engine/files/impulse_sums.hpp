// Contact impulses summed over body pairs: the total since the last frame, and the resultant of one
// step.
#pragma once

#include <span>
#include <vector>

#include "engine/run.hpp"

namespace scree {

struct PairImpulse {
  BodyIndex body_a = 0, body_b = 0;  // a < b
  Vector3 sum = Vector3::Zero();     // [N s] on b, world axes
};

// Adds up step by step. Sorted by pair; pairs that never carried impulse are not there.
class ImpulseSums {
 public:
  ImpulseSums() = default;
  explicit ImpulseSums(std::vector<PairImpulse> pairs) : pairs_(std::move(pairs)) {}

  void add(const StepView& view);
  void clear() { pairs_.clear(); }
  const std::vector<PairImpulse>& pairs() const { return pairs_; }

  // On each body [N s, n_bodies]: what its contacts gave it.
  std::vector<Vector3> on_bodies(std::size_t n_bodies) const;

 private:
  std::vector<PairImpulse> pairs_, step_, merged_;
};

// What the contacts of a pair amount to in the step of `view`.
struct PairResultant {
  Vector3 force = Vector3::Zero();   // [N] mean over the step, on b, world axes
  Vector3 point = Vector3::Zero();   // [m] mean of the contact points, weighted with the normal
                                     // impulses; map coordinates
  Vector3 moment = Vector3::Zero();  // [N m] mean over the step, on b about `point`
};

// One a pair of `pairs`; zero where the pair carries nothing in this step.
std::vector<PairResultant> resultants(const StepView& view, std::span<const PairImpulse> pairs);

}  // namespace scree
