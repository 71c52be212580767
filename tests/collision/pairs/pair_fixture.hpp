// One pair of shapes in given places, asked directly of the narrow phase.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "collision/pairs/narrow_phase.hpp"

namespace scree::test {

struct TwoPoses {
  Pose a, b;
};

// Contacts of shape a and shape b; witness points in world axes.
class PairFixture {
 public:
  PairFixture(Shape a, Shape b) : shape_a_(std::move(a)), shape_b_(std::move(b)) {
    tables_a_ = collision::make_shape_tables(shape_a_);
    tables_b_ = collision::make_shape_tables(shape_b_);
    memory_a_.assign(collision::placed_size(shape_a_), Vector3::Zero());
    memory_b_.assign(collision::placed_size(shape_b_), Vector3::Zero());
  }

  const std::vector<collision::PairContact>& detect(const TwoPoses& now, const TwoPoses& ahead,
                                                    double reach) {
    const collision::PairQuery query = query_at(now, reach);
    const collision::Ahead poses{ahead.a.x, ahead.b.x, ahead.a.q, ahead.b.q};
    collision::narrow_phase(query, poses, hint_, work_);
    for (collision::PairContact& contact : work_.contacts)
      contact.point_a += now.a.x, contact.point_b += now.a.x;
    return work_.contacts;
  }
  const std::vector<collision::PairContact>& detect(const TwoPoses& now, double reach) {
    return detect(now, now, reach);
  }

  double depth(const TwoPoses& now) { return collision::overlap_depth(query_at(now, 0.0), work_); }

 private:
  collision::PairQuery query_at(const TwoPoses& now, double reach) {
    return collision::make_query(collision::place(shape_a_, tables_a_, now.a.x, now.a.q, memory_a_),
                                 collision::place(shape_b_, tables_b_, now.b.x, now.b.q, memory_b_),
                                 reach);
  }

  Shape shape_a_, shape_b_;
  collision::ShapeTables tables_a_, tables_b_;
  std::vector<Vector3> memory_a_, memory_b_;
  collision::PairWork work_;
  collision::CullingHint hint_;
};

inline double smallest_gap(const std::vector<collision::PairContact>& contacts) {
  double gap = std::numeric_limits<double>::infinity();
  for (const auto& contact : contacts) gap = std::min(gap, contact.gap);
  return gap;
}

inline Pose at(double x, double y, double z, const Quaternion& q = Quaternion::Identity()) {
  Pose pose;
  pose.x = Vector3(x, y, z);
  pose.q = q;
  return pose;
}

}  // namespace scree::test
