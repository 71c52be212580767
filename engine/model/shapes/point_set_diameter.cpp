// The farthest two of many points, without looking at all pairs: groups of neighbours whose boxes
// are nearer to each other than the best pair so far are left out as a whole.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/model/shapes/convex_hull.hpp"

namespace scree {
namespace {

using Points = std::span<const Vector3>;

struct Group {
  Vector3 low, high;
  std::size_t begin, end;  // of the order
  std::array<std::int32_t, 2> half{-1, -1};
};

class FarthestPair {
 public:
  explicit FarthestPair(Points points) : points_(points.begin(), points.end()) {
    split(0, points_.size());
    // Nearly the answer, so that little is left to look at.
    const Vector3* from = &points_[0];
    for (int round = 0; round < 3; ++round) from = &farthest_from(*from);
    compare(0, 0);
  }
  double distance() const { return std::sqrt(square_); }

 private:
  static constexpr std::size_t few = 8;

  std::int32_t split(std::size_t begin, std::size_t end) {
    Group group{points_[begin], points_[begin], begin, end};
    for (std::size_t i = begin; i < end; ++i) {
      group.low = group.low.cwiseMin(points_[i]), group.high = group.high.cwiseMax(points_[i]);
    }
    const auto number = static_cast<std::int32_t>(groups_.size());
    groups_.push_back(group);
    if (end - begin <= few) return number;
    Eigen::Index axis = 0;
    (group.high - group.low).maxCoeff(&axis);
    const std::size_t middle = begin + (end - begin) / 2;
    const auto first = points_.begin();
    std::nth_element(first + static_cast<std::ptrdiff_t>(begin),
                     first + static_cast<std::ptrdiff_t>(middle),
                     first + static_cast<std::ptrdiff_t>(end),
                     [axis](const Vector3& p, const Vector3& q) { return p(axis) < q(axis); });
    const std::int32_t one = split(begin, middle), other = split(middle, end);
    groups_[static_cast<std::size_t>(number)].half = {one, other};
    return number;
  }

  const Vector3& farthest_from(const Vector3& from) {
    const Vector3* best = &from;
    double most = -1.0;
    for (const Vector3& p : points_) {
      const double square = (p - from).squaredNorm();
      if (square > most) most = square, best = &p;
    }
    square_ = std::max(square_, most);
    return *best;
  }

  double bound(std::int32_t one, std::int32_t other) const {
    const Group &a = groups_[static_cast<std::size_t>(one)],
                &b = groups_[static_cast<std::size_t>(other)];
    return (a.high - b.low).cwiseAbs().cwiseMax((b.high - a.low).cwiseAbs()).squaredNorm();
  }

  void compare(std::int32_t one, std::int32_t other) {
    if (bound(one, other) <= square_) return;
    const Group &a = groups_[static_cast<std::size_t>(one)],
                &b = groups_[static_cast<std::size_t>(other)];
    if (a.half[0] < 0 && b.half[0] < 0) {
      for (std::size_t i = a.begin; i < a.end; ++i) {
        for (std::size_t j = b.begin; j < b.end; ++j) {
          square_ = std::max(square_, (points_[i] - points_[j]).squaredNorm());
        }
      }
      return;
    }
    const bool split_a = b.half[0] < 0 || (a.half[0] >= 0 && a.end - a.begin >= b.end - b.begin);
    const std::array<std::int32_t, 2> half = split_a ? a.half : b.half;
    const std::int32_t rest = split_a ? other : one;
    const bool first_is_farther = bound(half[0], rest) >= bound(half[1], rest);
    compare(half[first_is_farther ? 0 : 1], rest);
    compare(half[first_is_farther ? 1 : 0], rest);
  }

  std::vector<Vector3> points_;
  std::vector<Group> groups_;
  double square_ = 0.0;
};

}  // namespace

double point_set_diameter(Points points) {
  constexpr std::size_t small = 64;
  if (points.size() > small) return FarthestPair(points).distance();
  double largest = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      largest = std::max(largest, (points[i] - points[j]).squaredNorm());
  }
  return std::sqrt(largest);
}

}  // namespace scree
