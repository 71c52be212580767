#include "scenes/generate/voronoi_fragments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <voro++/voro++.hh>

namespace scree {

namespace {

// Edge of the cells of a container's grid: about five points a cell are fastest. A side shorter
// than that has one cell.
double grid_edge(const Vector3& sides, int count) {
  std::array<double, 3> s = {sides.x(), sides.y(), sides.z()};
  std::sort(s.begin(), s.end());
  const double share = 5.0 / count;
  const double cube = cube_root(sides.prod() * 5.0 / count),
               square = std::sqrt(s[1] * s[2] * share);
  if (s[0] >= cube) return cube;
  return s[1] >= square ? square : s[2] * share;
}

}  // namespace

std::vector<Corners> voronoi_fragments(const Vector3& true_sides, int count, std::uint64_t seed) {
  // voro++ compares lengths with an absolute tolerance of 1e-11, so it is given a block of sides
  // near 1: by a power of two, which rounds nothing.
  const double unit = std::ldexp(1.0, std::ilogb(true_sides.maxCoeff()));
  const Vector3 sides = true_sides / unit;
  const double edge = grid_edge(sides, count);
  const auto cells = [edge](double side) { return std::max(1, static_cast<int>(side / edge)); };
  voro::container container(0.0, sides.x(), 0.0, sides.y(), 0.0, sides.z(), cells(sides.x()),
                            cells(sides.y()), cells(sides.z()), false, false, false, 8);
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
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
      corners.push_back(unit * Vector3(numbers[i], numbers[i + 1], numbers[i + 2]));
  } while (loop.inc());
  return fragments;
}

}  // namespace scree
