// What [ensemble] of a scene says: many runs of one rock each on the ground of the scene, where the
// rocks come from and what they are, and what is to be known of them. Data only; the runs are made
// in scenes/ensemble/.
//
// Coordinates are those of the scene, from its `origin`; the file has map coordinates.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/indices.hpp"
#include "engine/base/math.hpp"

namespace scree::site {

// How a positive quantity is spread over the runs. What falls outside [low, high] is drawn again.
struct Distribution {
  enum class Kind {
    value,      // always `median`
    uniform,    // between low and high
    lognormal,  // its logarithm is normal: median, and `sigma`, deviation of the logarithm
    power,      // the share above x falls as x^-exponent, from low to high
    table       // values[i] with the weight weights[i]
  } kind = Kind::value;
  double low = 0.0, high = std::numeric_limits<double>::infinity();
  double median = 0.0, sigma = 0.0, exponent = 0.0;
  std::vector<double> values, weights;
};

// Rocks of one kind. Either of the lengths given, or scaled to the volume or mass that is drawn.
struct Rock {
  enum class Kind { eota, box, ball, irregular, cloud } kind = Kind::eota;
  std::string name;
  MaterialIndex material = 0;
  double density = 0.0;  // [kg/m3]
  double weight = 1.0;   // [-] share among the rocks of a release
  bool scaled = false;
  Vector3 sides = Vector3::Ones();  // [m] of the box around it; proportions of a scaled one
  std::optional<Distribution> mass, volume;  // [kg], [m3]
  int corners = 16;                          // irregular
  double irregularity = 0.2;
  std::string file;            // cloud
  std::vector<Vector3> cloud;  // [m]
};

// A place that rocks start from. What is not given is drawn, or follows from the release.
struct StartPoint {
  double x = 0.0, y = 0.0;                // [m]
  std::optional<double> z;                // [m] of the centre of mass
  std::optional<Vector3> velocity;        // [m/s]
  std::optional<Vector3> spin;            // [rad/s] world axes
  std::optional<Quaternion> orientation;  // of the axes that the rock is drawn in
  std::int32_t rock = -1;                 // into Site::rocks
  std::string label;                      // what the file calls it
};

struct Release {
  enum class Kind { points, line, polygon } kind = Kind::points;
  std::string name;
  std::vector<StartPoint> points;  // of a line or polygon its corners
  std::int64_t runs = 1;           // a point; of a line or polygon in all
  double drop = 0.01;              // [m] least clearance above the ground at the start
  Vector3 velocity = Vector3::Zero(), spin = Vector3::Zero();  // [m/s], [rad/s] world axes
  std::optional<Quaternion> orientation;                       // none: drawn, uniform over all
  std::vector<std::int32_t> rocks;                             // into Site::rocks

  std::int64_t n_runs() const {
    return kind == Kind::points ? runs * static_cast<std::int64_t>(points.size()) : runs;
  }
};

// A line on the map, seen from above, at which passing rocks are noted.
struct Barrier {
  std::string name;
  std::vector<Vector3> corners;  // [m] z is 0
};

// Quantities of which maps and barriers tell.
enum class Quantity { energy, velocity, jump, spin };
inline constexpr std::size_t n_quantities = 4;
inline constexpr const char* quantity_names[n_quantities] = {"energy", "velocity", "jump", "spin"};
inline constexpr const char* quantity_units[n_quantities] = {"J", "m/s", "m", "rad/s"};

struct MapGrid {
  Vector3 low = Vector3::Zero();  // [m] of the lower left corner
  double cell = 0.0;              // [m]
  std::int32_t columns = 0, rows = 0;

  std::int64_t n_cells() const { return std::int64_t{columns} * rows; }
  double width() const { return cell * columns; }
  double height() const { return cell * rows; }
};

// Ends the ensemble when a quantile is known well enough.
struct Until {
  std::int32_t barrier = 0;
  Quantity quantity = Quantity::energy;
  double share = 0.95, tolerance = 0.1;  // [-] quantile; half of its interval over its value
  std::int64_t batch = 100;              // runs between two looks
};

struct Site {
  std::uint64_t seed = 1;
  std::vector<BodyIndex> ground;
  std::vector<Rock> rocks;
  std::vector<Release> releases;
  std::vector<Barrier> barriers;
  MapGrid map;
  std::int64_t epsg = 0;     // of the map coordinates; 0: not said
  double confidence = 0.95;  // [-] of intervals
  std::optional<Until> until;
  std::vector<std::string> notes;  // columns of files that are not read, a sentence each

  std::int64_t n_runs() const {
    std::int64_t n = 0;
    for (const Release& release : releases) n += release.n_runs();
    return n;
  }
};

}  // namespace scree::site
