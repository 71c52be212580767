// Model: all that stays constant during a run. Structure of arrays, one entry a body.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/indices.hpp"
#include "engine/base/math.hpp"
#include "engine/model/cell.hpp"
#include "engine/model/ground_zones.hpp"
#include "engine/model/loads.hpp"
#include "engine/model/materials.hpp"
#include "engine/model/motion_history.hpp"
#include "engine/model/shapes/shapes.hpp"

namespace scree {

// A driven body moves as its history says, whatever touches it.
enum class BodyKind : std::uint8_t { fixed, dynamic, driven };

// Tells one model from another: every new model, copy and added body has a number of its own.
// Caches that are kept between calls compare it instead of everything a model holds.
class ModelStamp {
 public:
  ModelStamp() : value_(next()) {}
  ModelStamp(const ModelStamp&) : value_(next()) {}
  ModelStamp& operator=(const ModelStamp&) {
    renew();
    return *this;
  }
  void renew() { value_ = next(); }
  std::uint64_t value() const { return value_; }

 private:
  static std::uint64_t next();
  std::uint64_t value_;
};

// A fixed body, of one terrain, whose material changes from place to place.
struct ZonedBody {
  BodyIndex body = -1;
  Vector3 shift = Vector3::Zero();  // [m] of the axes of the zones, as of the raster, in the body's
  std::shared_ptr<const GroundZones> zones;
};

// Two frames per body, both with the origin in the centre of mass: U, the axes the user drew the
// shape in, and B, the principal axes of inertia used inside. Files speak U, the engine speaks B.
struct Model {
  std::vector<std::string> name;  // [n_bodies] unique; check_settings sees to it
  std::vector<BodyKind> kind;
  std::vector<double> mass;      // [kg]; 0 unless dynamic
  std::vector<Vector3> inertia;  // [kg m2] principal moments; 0 unless dynamic
  std::vector<double> volume;    // [m3]; 0: its shape has none
  std::vector<Quaternion> q_BU;  // x_B = q_BU * x_U
  std::vector<MaterialIndex> material;
  std::vector<double> radius;  // [m] bounding radius about the centre of mass; infinite for a wall
  std::vector<std::uint8_t> spin_locked;  // 1: some rotation is, so unequal moments do nothing
  std::vector<double> appears_at;         // [s] -infinity: there from the start
  std::vector<double> vanishes_at;        // [s] +infinity: never
  std::vector<std::int32_t> history;      // into histories; -1 unless driven
  std::vector<std::int32_t> part_begin;   // [n_bodies + 1] into part_shape
  std::vector<ShapeIndex> part_shape;     // [n_parts] convex parts, in the body's axes B

  ModelStamp stamp;
  std::vector<Shape> shapes;
  std::vector<MotionHistory> histories;
  MaterialTable materials;
  std::vector<ZonedBody> zoned;      // ascending; their `material` is that of no zone
  std::vector<Load> loads;           // those of a body are neighbours; points and body axes in B
  std::vector<SteeredBody> steered;  // dynamic bodies with forces of their own, ascending
  std::vector<FieldRecord> field;    // the uniform field besides gravity: their sum
  int plane_normal = -1;  // axis of the world across the plane in which all bodies stay; -1: none
  Cell cell;              // periodic directions
  Vector3 gravity = Vector3(0.0, 0.0, -9.81);  // [m/s2]
  Vector3 origin = Vector3::Zero();  // [m] map coordinates of the local origin; only files see it

  std::int32_t n_bodies() const { return static_cast<std::int32_t>(name.size()); }
  bool is_dynamic(BodyIndex body) const {
    return kind[static_cast<std::size_t>(body)] == BodyKind::dynamic;
  }
};

// Size of the smallest body that moves freely [m], the diameter of the ball around its centre of
// mass that holds it; infinite: there is none.
double smallest_size(const Model& model);

// What a body is made from, before principal axes are computed.
struct BodyDefinition {
  std::string name;
  BodyKind kind = BodyKind::dynamic;
  Shape shape = Sphere{};  // in the user's axes
  std::vector<Shape>
      further_parts;  // of a compound, which then is a union of convex polyhedra that do not
                      // overlap (the caller sees to that: mass and inertia are sums over the parts)
  bool centre_is_origin = false;  // true: the user's origin is declared to be the centre of mass
                                  // (inertia is taken about it)
  double density = 0.0;           // [kg/m3] used when mass is 0
  double mass = 0.0;              // [kg] overrides density
  Matrix3 inertia = Matrix3::Zero();  // [kg m2] user axes, about the centre; overrides the computed
                                      // one when not zero
  double volume = 0.0;                // [m3] overrides that of the shape when not zero (discs)
  MaterialIndex material = 0;
  std::shared_ptr<const GroundZones> zones;  // of a terrain, or none
  MotionHistory history;                     // of a driven body
  std::vector<Load> loads;  // of a dynamic body; points and body axes in the user's axes
  Drag drag;                // likewise
  double appears_at = -std::numeric_limits<double>::infinity();
  double vanishes_at = std::numeric_limits<double>::infinity();
};

// The shape and the further parts of a compound.
std::vector<Shape> parts_of(const BodyDefinition& definition);

// Appends a body: computes mass, centre and principal axes, moves the shape into them (identical
// shapes are stored once). Returns the centre of mass in the user's drawing axes [m], so that a
// caller can place a body either by its centre or by the origin of its drawing. Throws InputError
// for zero, negative or non-finite mass or inertia, a dynamic wall, loads on a body that they
// cannot move.
Vector3 add_body(Model& model, const BodyDefinition& definition);

// Locks directions of the body that was added last, which must be dynamic.
void set_freedom(Model& model, const Freedom& freedom);

}  // namespace scree
