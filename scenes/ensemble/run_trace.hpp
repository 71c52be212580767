// What one run leaves on the map: the largest values in each cell it passes, and its crossings of
// barrier lines.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scenes/site/site.hpp"

namespace scree::ensemble {

using QuantityValues = std::array<double, site::n_quantities>;

// A cell that a run passed, and the largest of each quantity while it was there, to single
// precision.
struct PassedCell {
  std::int32_t cell = 0;  // row * columns + column, from the south-west
  std::array<float, site::n_quantities> value{};
};

// Where the way of a rock's centre crosses a barrier line, seen from above. The way in a step is
// straight; velocities are those of the step, v_theta and w_theta; the pose is that of its end.
struct LineCrossing {
  std::int64_t barrier = 0, step = 0;
  std::int64_t direction = 0;  // 1: from the left of the line, seen from its first corner, to the
                               // right; -1: the other way
  double time = 0.0;           // [s]
  double along = 0.0;          // [m] along the line from its first corner
  double x = 0.0, y = 0.0, z = 0.0;     // [m] of the centre, map coordinates
  double vx = 0.0, vy = 0.0, vz = 0.0;  // [m/s]
  double energy = 0.0, rotation = 0.0;  // [J] all kinetic energy, and what of it is rotation
  double velocity = 0.0, spin = 0.0;    // [m/s], [rad/s]
  double jump = 0.0;                    // [m] clearance of the lowest point, vertical
  double centre = 0.0, top = 0.0;  // [m] of the centre and the highest point above the ground below
                                   // the centre, vertical
  double normal_z = 1.0;           // [-] cosine of the slope there: heights normal to the slope are
                                   // the vertical ones times this

  template <class Self, class Visit>
  static void columns(Self& self, Visit&& visit) {
    visit("barrier", "", self.barrier);
    visit("step", "", self.step);
    visit("direction", "", self.direction);
    visit("time", "s", self.time);
    visit("along", "m", self.along);
    visit("x", "m", self.x);
    visit("y", "m", self.y);
    visit("z", "m", self.z);
    visit("vx", "m/s", self.vx);
    visit("vy", "m/s", self.vy);
    visit("vz", "m/s", self.vz);
    visit("energy", "J", self.energy);
    visit("rotation", "J", self.rotation);
    visit("velocity", "m/s", self.velocity);
    visit("spin", "rad/s", self.spin);
    visit("jump", "m", self.jump);
    visit("centre", "m", self.centre);
    visit("top", "m", self.top);
    visit("normal_z", "", self.normal_z);
  }

  double value(site::Quantity quantity) const;
};

// The cells of a run while it goes.
class CellMaxima {
 public:
  explicit CellMaxima(const site::MapGrid& grid) : grid_(grid) {}

  // The way from one point to the next, with the values there. Points outside the grid count for
  // nothing.
  void pass(const Vector3& from, const Vector3& to, const QuantityValues& values);
  // Ascending.
  std::vector<PassedCell> cells() const;

 private:
  void raise(std::int64_t column, std::int64_t row, const QuantityValues& values);

  site::MapGrid grid_;
  std::unordered_map<std::int32_t, std::size_t> index_;
  std::vector<PassedCell> cells_;
  std::size_t last_ = 0;
};

// The cell of a point; -1: outside.
std::int32_t cell_of(const site::MapGrid& grid, double x, double y);

// Share of the way from `from` to `to` at which it crosses each side of a line, with the distance
// along it.
struct LineCut {
  double share = 0.0, along = 0.0;
  int direction = 0;
};
std::vector<LineCut> cuts_of(const site::Barrier& barrier, const Vector3& from, const Vector3& to);

// As text of a table, and back; nothing for a text that is none.
std::string cells_text(std::span<const PassedCell> cells);
std::vector<PassedCell> cells_of(std::string_view text);
std::string crossings_text(std::span<const LineCrossing> crossings);
std::vector<LineCrossing> crossings_of(std::string_view text);

}  // namespace scree::ensemble
