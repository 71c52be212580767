// Random shapes and poses with fixed seeds.
#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "engine/model/shapes/shapes.hpp"

namespace scree::test {

class RandomShapes {
 public:
  explicit RandomShapes(unsigned seed) : generator_(seed) {}

  double uniform(double low, double high) {  // the same numbers on every standard library
    return low + (high - low) * (static_cast<double>(generator_()) / 4294967296.0);
  }
  int integer(int low, int high) {
    return low + static_cast<int>(generator_() % static_cast<unsigned>(high - low + 1));
  }
  Vector3 in_cube(double half) {
    const double x = uniform(-half, half), y = uniform(-half, half), z = uniform(-half, half);
    return {x, y, z};
  }
  Vector3 direction() {
    for (;;) {
      const Vector3 v = in_cube(1.0);
      if (v.norm() > 0.1 && v.norm() < 1.0) return v.normalized();
    }
  }
  Quaternion rotation() {
    return Quaternion(Eigen::AngleAxisd(uniform(0.0, std::numbers::pi), direction()));
  }

  // 4 to 24 vertices, size near 1; one in five is a box.
  ConvexPolyhedron polyhedron() {
    if (integer(0, 4) == 0)
      return make_box({uniform(0.2, 0.8), uniform(0.2, 0.8), uniform(0.2, 0.8)});
    const int n = integer(4, 24);
    std::vector<Vector3> points;
    for (int i = 0; i < n; ++i)
      points.push_back(n < 6 ? Vector3(direction() * 0.5)
                             : Vector3(direction() * uniform(0.3, 0.5)));
    return make_convex_polyhedron(points);
  }

 private:
  std::mt19937 generator_;
};

}  // namespace scree::test
