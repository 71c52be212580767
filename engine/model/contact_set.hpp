// Candidate contacts at the poses of t_k. Collision fills it; it knows no impulse and no law.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "engine/base/indices.hpp"
#include "engine/base/math.hpp"
#include "engine/model/cell.hpp"

namespace scree {

// A feature of a part: kind in the top 4 bits, index below. Of a terrain: twice the number of the
// cell and the triangle's; the number of the node; the number of the node where an edge along x, y
// or of the cell across which a diagonal begins. What one point touches alone is its surface.
enum class FeatureKind : std::uint32_t {
  surface = 0,
  vertex = 1,
  edge = 2,
  face = 3,
  ground_face = 4,
  ground_node = 5,
  ground_edge_x = 6,
  ground_edge_y = 7,
  ground_diagonal = 8
};
inline constexpr FeatureKind last_feature_kind = FeatureKind::ground_diagonal;
using Feature = std::uint32_t;
constexpr Feature make_feature(FeatureKind kind, std::int32_t index) {
  return (static_cast<std::uint32_t>(kind) << 28) | static_cast<std::uint32_t>(index);
}

// Names a contact across steps, whichever face served as reference. body_a < body_b; the order of
// the members is the sorting order, so contacts of one body pair are neighbours.
struct ContactKey {
  BodyIndex body_a = 0, body_b = 0;
  std::int32_t part_a = 0, part_b = 0;  // index among the parts of its own body
  ImageCode image = 0;  // of b, as a in its own place touches it; 0 unless the world is periodic
  Feature feature_a = 0, feature_b = 0;

  auto operator<=>(const ContactKey&) const = default;
};

// What laws keep of a contact from step to step: numbers whose meaning their law alone knows. All
// zero: nothing is kept.
inline constexpr std::size_t most_memory_numbers = 8;
using ContactMemory = std::array<double, most_memory_numbers>;

// Structure of arrays, one entry a candidate, sorted by key (strictly: keys are unique).
struct ContactSet {
  std::vector<ContactKey> key;
  std::vector<double> gap;       // [m] point_b - point_a = gap * normal, but see touch
  std::vector<Vector3> normal;   // unit, world axes, from a to b
  std::vector<Vector3> point_a;  // [m] witness on the surface of a, world axes
  std::vector<Vector3> point_b;  // [m] witness on the surface of b, in its own place: where an
                                 // image of b touches, less the way there
  std::vector<double> touch;     // [-] share of the step at which a fast pair touches first at its
                              // present velocities; 1: it does not, or was not looked for. Points
                              // are then those of that pose, about the centres of t_k, and the
                              // gap is that of the touch with what points close until then

  // Index into MaterialTable::pair_law, filled in by find_zones (contact_law.hpp); empty: the
  // materials of the bodies are those of their contacts.
  std::vector<std::int32_t> pair;

  std::size_t size() const { return key.size(); }
  void resize(std::size_t n) {
    key.resize(n), gap.resize(n), normal.resize(n), point_a.resize(n), point_b.resize(n),
        touch.resize(n, 1.0);
  }
  void reserve(std::size_t n) {
    key.reserve(n), gap.reserve(n), normal.reserve(n), point_a.reserve(n), point_b.reserve(n),
        touch.reserve(n);
  }
  void move(std::size_t from, std::size_t to) {
    key[to] = key[from], gap[to] = gap[from], normal[to] = normal[from];
    point_a[to] = point_a[from], point_b[to] = point_b[from], touch[to] = touch[from];
  }
  void clear() {
    key.clear(), gap.clear(), normal.clear(), point_a.clear(), point_b.clear(), touch.clear();
  }
};

}  // namespace scree
