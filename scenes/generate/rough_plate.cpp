#include "scenes/generate/rough_plate.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

PlateRows plate_rows(const RoughPlate& plate) {
  // A plate that is drawn just as long as its grains together has room for them.
  constexpr double slack = 1e-9;
  const double apart = 0.5 * std::sqrt(3.0) * plate.grain;
  const auto along = static_cast<int>(plate.length / plate.grain * (1.0 + slack));
  const auto pairs = static_cast<int>(0.5 * plate.width / apart * (1.0 + slack));
  return {along, 2 * pairs};
}

std::vector<Corners> rough_plate(const RoughPlate& plate) {
  const auto [along, rows] = plate_rows(plate);
  const double pitch = plate.length / along, row = plate.width / rows;
  Random random(plate.seed);
  // Balls that touch would be polyhedra that touch, at best.
  constexpr double shrunk = 1.0 - 1e-6;
  Corners corners = platonic_solid("icosahedron");
  const double factor = 0.5 * shrunk * plate.grain / corners[0].norm();
  for (Vector3& corner : corners) corner *= factor;
  std::vector<Vector3> centres;
  double height = 0.0;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < along; ++i) {
      const double z = plate.roughness * plate.grain * (2.0 * random.uniform() - 1.0);
      centres.emplace_back((i + 0.25 + 0.5 * (j % 2)) * pitch - 0.5 * plate.length,
                           (j + 0.5) * row - 0.5 * plate.width, z);
      height += z;
    }
  }
  height /= static_cast<double>(centres.size());
  std::vector<Corners> grains;
  for (const Vector3& centre : centres) {
    const Quaternion turn = random.rotation();
    Corners& grain = grains.emplace_back();
    for (const Vector3& corner : corners)
      grain.push_back(turn * corner + centre - Vector3(0.0, 0.0, height));
  }
  return grains;
}

}  // namespace scree
