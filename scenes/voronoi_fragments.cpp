#include "scenes/voronoi_fragments.hpp"

#include <algorithm>
#include <cmath>
#include <voro++/voro++.hh>

namespace scree {

std::vector<Corners> voronoi_fragments(const Vector3& sides, int count, std::uint64_t seed) {
  // About five points a cell of the container's grid are fastest.
  const double edge = cube_root(sides.prod() * 5.0 / count);
  const auto cells = [edge](double side) { return std::max(1, static_cast<int>(side / edge)); };
  voro::container container(0.0, sides.x(), 0.0, sides.y(), 0.0, sides.z(), cells(sides.x()), cells(sides.y()),
                            cells(sides.z()), false, false, false, 8);
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const double x = sides.x() * random.uniform(), y = sides.y() * random.uniform();
    container.put(i, x, y, sides.z() * random.uniform());
  }
  std::vector<Corners> fragments(static_cast<std::size_t>(count));
  voro::c_loop_all loop(container);
  voro::voronoicell cell;
  std::vector<double> numbers;
  if (!loop.start()) return fragments;
  do {
    if (!container.compute_cell(cell, loop)) continue;
    double x = 0.0, y = 0.0, z = 0.0;
    loop.pos(x, y, z);
    cell.vertices(x, y, z, numbers);
    Corners& corners = fragments[static_cast<std::size_t>(loop.pid())];
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) corners.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  } while (loop.inc());
  return fragments;
}

}  // namespace scree
