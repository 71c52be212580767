// Groups of bodies: what each gives each other, and how many of its bodies moved.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/run.hpp"

namespace scree::measure {

// Pairs (a, b) of groups with a < b, in order; the last group is that of bodies in none.
std::vector<std::pair<std::int32_t, std::int32_t>> group_pairs(std::size_t n_groups);

// Displacement of a body from where it was at the start [m], in the world axes of the start; seen
// from a body of reference if there is one, whose own motion then does not count.
struct Reference {
  Pose start, now;

  Vector3 displacement(const Vector3& x_start, const Vector3& x_now) const {
    return start.q * (now.q.conjugate() * (x_now - now.x)) - (x_start - start.x);
  }
};

// What one step did to the groups.
class GroupSums {
 public:
  GroupSums() = default;
  explicit GroupSums(const BodyGroups& groups);

  // `start_x` [m, n_bodies] and `start_q`: at the start of the run.
  void add(const StepView& view, std::span<const Vector3> start_x,
           std::span<const Quaternion> start_q);

  // Contact impulses on each pair's group b, from its group a [N s, n_pairs], world axes.
  std::span<const Vector3> impulse() const { return impulse_; }
  // Bodies of each group, `others` last, that move freely and have moved [n_groups + 1].
  std::span<const std::int32_t> moved() const { return moved_; }

 private:
  void sum_impulses(const StepView& view);
  void count_moved(const StepView& view, std::span<const Vector3> start_x,
                   std::span<const Quaternion> start_q);

  std::size_t n_groups_ = 0;           // with `others`
  std::vector<std::int32_t> pair_of_;  // [n_groups * n_groups]
  std::vector<Vector3> impulse_;
  std::vector<std::int32_t> moved_;
};

}  // namespace scree::measure
