#include "scenes/read/read_body.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/base/limits.hpp"
#include "scenes/read/read_loads.hpp"
#include "scenes/read/read_motion.hpp"
#include "scenes/read/read_zones.hpp"

namespace scree::scenes {
namespace {

// How far from 1 the norm of a quaternion may be; it is normalised afterwards.
constexpr double unit_tolerance = 1e-6;
// Round-off allowed in the symmetry of an inertia tensor and in the triangle inequality of its
// moments.
constexpr double inertia_tolerance = 1e-9;

constexpr const char* inertia_expected =
    "3 numbers (Ixx, Iyy, Izz), 6 (and Ixy, Ixz, Iyz) or 3 rows of 3 [kg m2]";

Matrix3 inertia_from(TableReader& reader, const std::vector<double>& n) {
  Matrix3 inertia = Matrix3::Zero();
  if (n.size() == 9) {
    inertia << n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8];
  } else if (n.size() == 3 || n.size() == 6) {
    inertia.diagonal() = Vector3(n[0], n[1], n[2]);
    if (n.size() == 6) {
      inertia(0, 1) = inertia(1, 0) = n[3];
      inertia(0, 2) = inertia(2, 0) = n[4];
      inertia(1, 2) = inertia(2, 1) = n[5];
    }
  } else {
    reader.fail("inertia",
                fmt::format("{} numbers are not allowed; must be {}", n.size(), inertia_expected));
  }
  return inertia;
}

// Zero when the key is absent.
Matrix3 read_inertia(TableReader& reader) {
  const auto numbers = reader.numbers("inertia", any("[kg m2]"));
  if (!numbers) return Matrix3::Zero();
  const Matrix3 inertia = inertia_from(reader, *numbers);
  if ((inertia - inertia.transpose()).norm() > inertia_tolerance * inertia.norm()) {
    reader.fail("inertia", "the tensor is not symmetric; must be symmetric [kg m2]");
  }
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(inertia, Eigen::EigenvaluesOnly);
  const Vector3 moments = solver.eigenvalues();  // ascending
  if (moments[0] <= 0.0) {
    reader.fail(
        "inertia",
        fmt::format("the principal moment {} is not allowed; must be > 0 [kg m2]", moments[0]));
  }
  if (moments[2] > (moments[0] + moments[1]) * (1.0 + inertia_tolerance)) {
    reader.fail("inertia",
                fmt::format("no body has the principal moments {}, {}, {}; the largest must be at "
                            "most the sum of the others [kg m2]",
                            moments[0], moments[1], moments[2]));
  }
  for (const double moment : {moments[0], moments[2]}) {
    if (!admitted_inertia.contains(moment)) {
      reader.fail("inertia", fmt::format("the principal moment {} is not allowed; must be {}",
                                         moment, admitted_inertia.text));
    }
  }
  return 0.5 * (inertia + inertia.transpose());
}

Quaternion quaternion_from_key(TableReader& reader) {
  const char* expected = "four numbers [w, x, y, z]";
  const auto n = reader.need(reader.numbers("orientation", any("")), "orientation", expected);
  if (n.size() != 4) {
    reader.fail("orientation",
                fmt::format("an array of {} is not allowed; must be {}", n.size(), expected));
  }
  const Quaternion q(n[0], n[1], n[2], n[3]);
  if (std::abs(q.norm() - 1.0) > unit_tolerance) {
    reader.fail(
        "orientation",
        fmt::format("norm {} is not allowed; must be a unit quaternion [w, x, y, z] (norm 1 "
                    "within 1e-6)",
                    q.norm()));
  }
  return q.normalized();
}

Quaternion quaternion_from_rotation(TableReader reader) {
  const Vector3 axis = reader.need(reader.direction("axis"), "axis", "three numbers [x, y, z]");
  const double angle = reader.need(reader.number("angle_deg", any("[degrees]")), "angle_deg",
                                   any("[degrees]").text());
  reader.finish();
  return Quaternion(Eigen::AngleAxisd(angle * std::numbers::pi / 180.0, axis));
}

// Sets the times between which the body is there.
void read_events(TableReader& reader, BodyDefinition& definition) {
  const std::optional<double> appears = reader.number("appears_at", not_negative("[s]"));
  const std::optional<double> vanishes = reader.number("vanishes_at", positive("[s]"));
  if (appears && *appears > 0.0) definition.appears_at = *appears;
  if (vanishes) definition.vanishes_at = *vanishes;
  if (vanishes && appears && *vanishes <= *appears) {
    reader.fail("vanishes_at",
                fmt::format("{} is not allowed; must be later than appears_at = {} [s]", *vanishes,
                            *appears));
  }
}

// `fixed` and `motion`: whether the body is fixed, driven (then with its history) or dynamic.
void read_kind(TableReader& reader, BodyDefinition& definition) {
  reader.exclude("fixed", "motion");
  const std::optional<bool> fixed = reader.boolean("fixed");
  std::optional<MotionHistory> motion = read_motion(reader);
  const bool wall = is_wall(definition.shape);
  if (wall && fixed && !*fixed) {
    reader.fail("fixed",
                fmt::format("false is not allowed for a {}; must be true or left out",
                            std::holds_alternative<HalfSpace>(definition.shape) ? "half-space"
                            : std::holds_alternative<Terrain>(definition.shape) ? "terrain"
                                                                                : "cylinder wall"));
  }
  if (motion && std::holds_alternative<Terrain>(definition.shape))
    reader.fail("motion",
                "a terrain stands still; leave motion out (a shaken ground is a field: "
                "[world] acceleration)");
  if (motion) {
    definition.kind = BodyKind::driven;
    definition.history = std::move(*motion);
  } else if (wall || fixed.value_or(false)) {
    definition.kind = BodyKind::fixed;
  }
}

// `mass`, or else the density; a dynamic body must have one of them.
void read_mass(TableReader& reader, const MaterialNames& materials, BodyDefinition& definition) {
  reader.exclude("mass", "density");
  definition.mass = reader.number("mass", positive("[kg]")).value_or(0.0);
  definition.density = read_density(reader, materials);
  if (definition.kind != BodyKind::dynamic || definition.mass > 0.0) return;
  if (std::holds_alternative<PointSet>(definition.shape)) {
    reader.fail_missing("mass", "given for a point set: " + positive("[kg]").text());
  }
  if (definition.density == 0.0) fail_without_density(reader);
}

// `free`: the directions that are not locked.
void read_free(TableReader& reader, const BodyDefinition& definition, Placement& placement) {
  placement.free = reader.texts("free");
  reader.expect("free", "any of \"x\", \"y\", \"z\", \"rx\", \"ry\", \"rz\"");
  if (!placement.free || definition.kind == BodyKind::dynamic) return;
  reader.fail("free", definition.kind == BodyKind::driven
                          ? "motion says how this body moves; leave free out"
                          : "a fixed body does not move; leave free out");
}

// The mass and inertia of a disc: pi r^2 t of its density, m r^2/2 about its axis, which is the
// only one that it turns about.
void make_disc(TableReader& reader, const Model& model, double thickness,
               BodyDefinition& definition) {
  if (model.plane_normal < 0) {
    reader.fail("kind",
                "a disc is for plane problems: give [world] plane = \"xz\", or take a sphere");
  }
  const double radius = std::get<Sphere>(definition.shape).radius, square = radius * radius;
  definition.volume = std::numbers::pi * square * thickness;
  if (definition.kind != BodyKind::dynamic) return;
  if (definition.mass == 0.0)
    definition.mass = definition.density * std::numbers::pi * square * thickness;
  if (definition.inertia.isZero(0.0))
    definition.inertia = 0.5 * definition.mass * square * Matrix3::Identity();
}

// Loads and drag, of bodies that they can move.
void read_forces(TableReader& reader, BodyDefinition& definition) {
  definition.loads = read_loads(reader);
  definition.drag = read_drag(reader);
  if (definition.kind == BodyKind::dynamic) return;
  const std::string reason = definition.kind == BodyKind::driven
                                 ? "motion says how this body moves, so no force moves it"
                                 : "a fixed body does not move, so no force moves it";
  for (const char* key : {"load", "drag"}) {
    if (reader.has(key)) reader.fail(key, reason + "; leave " + key + " out");
  }
}

void check_velocities(const TableReader& reader, const BodyDefinition& definition,
                      const Placement& placement) {
  if (definition.kind == BodyKind::dynamic) return;
  const bool driven = definition.kind == BodyKind::driven;
  if (driven && definition.history.kind == HistoryKind::acceleration) return;
  const std::string reason =
      driven ? "the velocities of motion say how this body moves" : "a fixed body does not move";
  if (!placement.v_W.isZero(0.0)) reader.fail("velocity", reason + "; leave velocity out");
  if (!placement.w_W.isZero(0.0))
    reader.fail("angular_velocity", reason + "; leave angular_velocity out");
}

Placement read_placement(TableReader& reader, BodyDefinition& definition) {
  static const Choices<Reference> references = {{"centre_of_mass", Reference::centre_of_mass},
                                                {"drawing", Reference::drawing}};
  Placement placement;
  placement.reference = reader.choice("reference", references).value_or(placement.reference);
  placement.position = reader.vector("position", any("[m]")).value_or(Vector3::Zero());
  placement.q_WU = read_orientation(reader);
  placement.v_W = reader.vector("velocity", any("[m/s]")).value_or(Vector3::Zero());
  placement.w_W = reader.vector("angular_velocity", any("[rad/s]")).value_or(Vector3::Zero());
  check_velocities(reader, definition, placement);
  if (std::holds_alternative<Terrain>(definition.shape) && !placement.q_WU.vec().isZero(0.0)) {
    reader.fail(reader.has("rotation") ? "rotation" : "orientation",
                "a terrain lies as its raster says, along x and y; leave it out");
  }
  if (definition.kind == BodyKind::driven) {
    definition.history.start = {placement.v_W, placement.w_W};
    const bool gains = definition.history.kind == HistoryKind::acceleration;
    const PrescribedVelocity velocity =
        gains ? definition.history.start : velocity_at(definition.history, 0.0);
    placement.v_W = velocity.v;
    placement.w_W = velocity.w_W;
  }
  return placement;
}

}  // namespace

MaterialIndex read_material(TableReader& reader, const MaterialNames& materials) {
  const std::string name =
      reader.need(reader.text("material"), "material", "the name of a [[material]]");
  const auto found = materials.index.find(name);
  if (found != materials.index.end()) return found->second;
  std::vector<std::string> allowed;
  for (const auto& entry : materials.index) allowed.push_back(entry.first);
  if (allowed.empty())
    reader.fail("material",
                "unknown value \"" + name + "\"; there is no [[material]] in this file");
  reader.fail_choice("material", name, allowed);
}

double read_density(TableReader& reader, const MaterialNames& materials) {
  const std::optional<double> density = reader.number("density", positive("[kg/m3]"));
  if (density) return *density;
  const auto usual = materials.density.find(reader.text("material").value_or(""));
  return usual == materials.density.end() ? 0.0 : usual->second;
}

void fail_without_density(const TableReader& reader) {
  reader.fail_missing("density", positive("[kg/m3]").text() + ", here or in the material");
}

BodyDefinition read_generated_definition(TableReader& reader, const MaterialNames& materials) {
  BodyDefinition definition;
  definition.material = read_material(reader, materials);
  definition.density = read_density(reader, materials);
  if (definition.density == 0.0) fail_without_density(reader);
  return definition;
}

int read_count(TableReader& reader, const std::string& key, std::int64_t most) {
  return static_cast<int>(
      reader.need(reader.integer(key, 1, most), key, fmt::format("an integer in [1, {}]", most)));
}

std::uint64_t read_seed(TableReader& reader) {
  return static_cast<std::uint64_t>(
      reader.integer("seed", 0, std::numeric_limits<std::int64_t>::max()).value_or(1));
}

Quaternion read_orientation(TableReader& reader) {
  reader.exclude("orientation", "rotation");
  const bool has_quaternion = reader.has("orientation");
  const Quaternion q = has_quaternion ? quaternion_from_key(reader) : Quaternion::Identity();
  if (!has_quaternion) reader.numbers("orientation", any(""));
  const std::optional<TableReader> rotation = reader.table("rotation");
  return rotation ? quaternion_from_rotation(*rotation) : q;
}

void read_body(TableReader& reader, const MaterialNames& materials, const DrawnShape& shape,
               SceneBuilder& builder) {
  BodyDefinition definition;
  definition.name = reader.name();
  definition.shape = shape.shape;
  definition.further_parts = shape.further_parts;
  definition.centre_is_origin = shape.centre_is_origin;
  read_kind(reader, definition);
  definition.material = read_material(reader, materials);
  definition.zones = read_zones(reader, materials, shape.shape, definition.material);
  read_mass(reader, materials, definition);
  definition.inertia = read_inertia(reader);
  if (definition.kind == BodyKind::dynamic && std::holds_alternative<PointSet>(shape.shape) &&
      definition.inertia.isZero(0.0)) {
    reader.fail_missing("inertia", std::string("given for a point set: ") + inertia_expected);
  }
  if (shape.disc_thickness > 0.0)
    make_disc(reader, builder.scene().model, shape.disc_thickness, definition);
  Placement placement = read_placement(reader, definition);
  read_free(reader, definition, placement);
  read_forces(reader, definition);
  read_events(reader, definition);
  reader.finish();
  builder.add(definition, placement, reader.place("name"), reader.path());
}

void read_body_with_shape(TableReader& reader, const MaterialNames& materials,
                          const ShapeTable& shapes, SceneBuilder& builder) {
  reader.exclude("shape", "kind");
  const std::optional<std::string> name = reader.text("shape");
  if (!name) {
    if (!reader.has("kind")) {
      reader.fail_missing("shape",
                          "the name of a [[shape]], or draw the shape here with kind = ...");
    }
    read_body(reader, materials, read_shape(reader), builder);
    return;
  }
  const auto found = shapes.find(*name);
  if (found == shapes.end()) {
    std::vector<std::string> allowed;
    for (const auto& entry : shapes) allowed.push_back(entry.first);
    if (allowed.empty())
      reader.fail("shape", "unknown value \"" + *name + "\"; there is no [[shape]] in this file");
    reader.fail_choice("shape", *name, allowed);
  }
  read_body(reader, materials, found->second, builder);
}

}  // namespace scree::scenes
