#include "engine/model/bodies.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "engine/base/check.hpp"
#include "engine/base/limits.hpp"

namespace scree {
namespace {

constexpr double diagonal_tolerance =
    1e-14;  // [-] of the trace: the user's axes already are principal
constexpr double repeated_tolerance =
    1e-10;  // [-] of the trace: two moments count as equal, their axes are free
constexpr std::size_t shapes_compared =
    16;  // identical shapes follow each other closely in a scene

ShapeIndex store_shape(Model& model, Shape shape) {
  const std::size_t n = model.shapes.size();
  for (std::size_t i = n; i-- > (n > shapes_compared ? n - shapes_compared : 0);) {
    if (same_shape(model.shapes[i], shape)) return static_cast<ShapeIndex>(i);
  }
  model.shapes.push_back(std::move(shape));
  return static_cast<ShapeIndex>(n);
}

// The smallest rotation that takes axis i to the unit vector u or -u: keeps the other two axes as
// close to the user's as can be.
Matrix3 axis_to(int i, const Vector3& u) {
  const Vector3 target = u(i) < 0.0 ? Vector3(-u) : u;
  // Eigen's FromTwoVectors without its case of opposite vectors, which target is never: that one
  // brings in a singular value decomposition, ten seconds of compiling.
  const Vector3 from = Vector3::Unit(i), to = target.normalized();
  const double s = std::sqrt((1.0 + to.dot(from)) * 2.0);
  Quaternion q;
  q.vec() = from.cross(to) * (1.0 / s);
  q.w() = s * 0.5;
  return q.toRotationMatrix();
}

int largest_component(const Vector3& u) {
  int i = 0;
  u.cwiseAbs().maxCoeff(&i);
  return i;
}

// Orders and signs three distinct axes: the permutation with the largest sum of |diagonal|, columns
// pointing along the user's axes, right-handed by the sign of the least aligned one.
Matrix3 nearest_to_identity(const Matrix3& axes) {
  constexpr std::array<std::array<int, 3>, 6> permutations = {
      {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  double best = -1.0;
  Matrix3 R = axes;
  for (const auto& p : permutations) {
    const double sum = std::abs(axes(0, p[0])) + std::abs(axes(1, p[1])) + std::abs(axes(2, p[2]));
    if (sum <= best) continue;
    best = sum;
    for (int i = 0; i < 3; ++i) R.col(i) = axes.col(p[static_cast<std::size_t>(i)]);
  }
  int least = 0;
  for (int i = 0; i < 3; ++i) {
    if (R(i, i) < 0.0) R.col(i) = -R.col(i);
    if (R(i, i) < R(least, least)) least = i;
  }
  if (R.determinant() < 0.0) R.col(least) = -R.col(least);
  return R;
}

// Principal axes of a symmetric inertia as a rotation R_UB near the identity. Equal moments leave
// axes free; they stay where the user drew them.
Matrix3 principal_axes(const Matrix3& inertia) {
  const double scale = inertia.trace();
  const double off_diagonal =
      std::max({std::abs(inertia(0, 1)), std::abs(inertia(0, 2)), std::abs(inertia(1, 2))});
  if (off_diagonal <= diagonal_tolerance * scale) return Matrix3::Identity();
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(inertia);
  const Vector3 moments = solver.eigenvalues();
  const Matrix3 axes = solver.eigenvectors();
  const bool low_pair = moments(1) - moments(0) <= repeated_tolerance * scale;
  const bool high_pair = moments(2) - moments(1) <= repeated_tolerance * scale;
  if (low_pair && high_pair) return Matrix3::Identity();
  if (!low_pair && !high_pair) return nearest_to_identity(axes);
  const Vector3 single = axes.col(low_pair ? 2 : 0);
  return axis_to(largest_component(single), single);
}

void check_shape(const BodyDefinition& definition) {
  const std::string field = "body '" + definition.name + "'";
  for (const Shape& part : parts_of(definition)) {
    require(definition.further_parts.empty() || std::holds_alternative<ConvexPolyhedron>(part),
            field, "a compound is made of convex polyhedra and boxes only");
  }
  std::visit(
      [&]<class T>(const T&) {
        if constexpr (T::wall) {
          require(definition.kind != BodyKind::dynamic, field,
                  std::string(T::as_owner) + " has no mass; it must be fixed or driven");
        }
      },
      definition.shape);
  check_shape(definition.shape, field);
}

struct Inertia {
  double mass = 0.0;
  Vector3 centre = Vector3::Zero();
  Matrix3 about_centre = Matrix3::Zero();
};

// Mass, centre and inertia of a dynamic body in the user's axes, checked.
Inertia inertia_of(const BodyDefinition& definition) {
  const std::string field = "body '" + definition.name + "'";
  const bool inertia_given = !definition.inertia.isZero(0.0);
  Inertia result;
  result.mass = definition.mass;
  if (!has_volume(definition.shape)) {
    require(definition.mass != 0.0 && inertia_given, field, "a point set needs mass and inertia");
  } else {
    const MassProperties solid = mass_properties(std::span<const Shape>(parts_of(definition)));
    if (definition.mass == 0.0) result.mass = definition.density * solid.volume;
    if (!definition.centre_is_origin) result.centre = solid.centre;
    const Vector3 r = solid.centre - result.centre;
    result.about_centre = result.mass * (solid.inertia / solid.volume +
                                         r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
  }
  if (inertia_given)
    result.about_centre = 0.5 * (definition.inertia + definition.inertia.transpose());
  require_within(admitted_mass, result.mass, field, "mass");
  require(definition.inertia.allFinite() && result.about_centre.allFinite(), field,
          "inertia must be finite [kg m2]");
  require((definition.inertia - definition.inertia.transpose()).cwiseAbs().maxCoeff() <=
              1e-9 * definition.inertia.cwiseAbs().maxCoeff(),
          field, "inertia must be symmetric");
  return result;
}

double volume_of(const BodyDefinition& definition) {
  if (definition.volume != 0.0) return definition.volume;
  if (!has_volume(definition.shape)) return 0.0;
  return mass_properties(std::span<const Shape>(parts_of(definition))).volume;
}

void append_common(Model& model, const BodyDefinition& definition, const Pose& pose_UB) {
  if (model.part_begin.empty()) model.part_begin.push_back(0);
  model.name.push_back(definition.name);
  model.stamp.renew();
  model.kind.push_back(definition.kind);
  model.material.push_back(definition.material);
  model.volume.push_back(volume_of(definition));
  model.radius.push_back(0.0);
  model.spin_locked.push_back(0);
  model.appears_at.push_back(definition.appears_at);
  model.vanishes_at.push_back(definition.vanishes_at);
  model.history.push_back(
      definition.kind == BodyKind::driven ? static_cast<std::int32_t>(model.histories.size()) : -1);
  if (definition.kind == BodyKind::driven) {
    model.histories.push_back(definition.history);
    integrate(model.histories.back());
  }
  for (const Shape& part : parts_of(definition)) {
    Shape shape = to_axes(part, pose_UB);
    model.radius.back() = std::max(model.radius.back(), bounding_radius(shape));
    if (const auto* terrain = std::get_if<Terrain>(&shape); terrain != nullptr && definition.zones)
      model.zoned.push_back({model.n_bodies() - 1, terrain->shift, definition.zones});
    model.part_shape.push_back(store_shape(model, std::move(shape)));
  }
  model.part_begin.push_back(static_cast<std::int32_t>(model.part_shape.size()));
}

// Loads and drag, of bodies that they can move.
void check_forces(const BodyDefinition& definition) {
  const std::string field = "body '" + definition.name + "'";
  const char* why = definition.kind == BodyKind::fixed ? "is fixed, so no force moves it"
                                                       : "moves as its history says";
  const bool dynamic = definition.kind == BodyKind::dynamic;
  require(dynamic || definition.loads.empty(), field, std::string(why) + "; it can carry no load");
  require(dynamic || !definition.drag.acts(), field, std::string(why) + "; it can have no drag");
  for (const Load& load : definition.loads) check_load(load, field);
  check_drag(definition.drag, field);
}

// Appends the forces of a dynamic body's own, in its axes B.
void append_forces(Model& model, const BodyDefinition& definition, const Pose& pose_UB) {
  if (definition.loads.empty() && !definition.drag.acts()) return;
  const AxesChange to_B(pose_UB);
  SteeredBody steered;
  steered.body = model.n_bodies() - 1;
  steered.drag = definition.drag;
  steered.load_begin = static_cast<std::int32_t>(model.loads.size());
  for (const Load& load : definition.loads) {
    Load& own = model.loads.emplace_back(load);
    own.point = own.central ? Vector3(Vector3::Zero()) : to_B.point(load.point);
    for (Record* record : {&own.force, &own.torque}) {
      if (own.axes == LoadAxes::body) {
        for (Vector3& value : record->value) value = to_B.direction(value);
      }
      sum_up(*record);
    }
  }
  steered.load_end = static_cast<std::int32_t>(model.loads.size());
  model.steered.push_back(steered);
}

void append_inertia(Model& model, double mass, const Vector3& moments, const Quaternion& q_BU) {
  model.mass.push_back(mass);
  model.inertia.push_back(moments);
  model.q_BU.push_back(q_BU);
}

}  // namespace

std::uint64_t ModelStamp::next() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::vector<Shape> parts_of(const BodyDefinition& definition) {
  std::vector<Shape> parts = {definition.shape};
  parts.insert(parts.end(), definition.further_parts.begin(), definition.further_parts.end());
  return parts;
}

Vector3 add_body(Model& model, const BodyDefinition& definition) {
  const std::string field = "body '" + definition.name + "'";
  require(definition.appears_at < definition.vanishes_at, field, "must appear before it vanishes");
  check_shape(definition);
  if (definition.kind == BodyKind::driven) check_history(definition.history);
  check_forces(definition);
  if (definition.kind != BodyKind::dynamic) {
    append_inertia(model, 0.0, Vector3::Zero(), Quaternion::Identity());
    append_common(model, definition, Pose{});
    return Vector3::Zero();
  }
  const Inertia inertia = inertia_of(definition);
  const Matrix3 R_UB = principal_axes(inertia.about_centre);
  const Vector3 moments = (R_UB.transpose() * inertia.about_centre * R_UB).diagonal();
  for (const double moment : {moments.minCoeff(), moments.maxCoeff()}) {
    require_within(admitted_inertia, moment, field, "principal moment of inertia");
  }

  Pose pose_UB;
  pose_UB.x = inertia.centre;
  if (!R_UB.isIdentity(0.0)) pose_UB.q = Quaternion(R_UB).normalized();
  append_inertia(model, inertia.mass, moments, pose_UB.q.conjugate());
  append_common(model, definition, pose_UB);
  append_forces(model, definition, pose_UB);
  return inertia.centre;
}

void set_freedom(Model& model, const Freedom& freedom) {
  if (freedom.is_whole()) return;
  const BodyIndex body = model.n_bodies() - 1;
  model.stamp.renew();
  if (model.steered.empty() || model.steered.back().body != body) {
    const auto end = static_cast<std::int32_t>(model.loads.size());
    model.steered.push_back({body, end, end, {}, {}});
  }
  model.steered.back().freedom = freedom;
  model.spin_locked.back() = freedom.rotations < 3 ? 1 : 0;
}

double smallest_size(const Model& model) {
  double size = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < model.radius.size(); ++i) {
    if (model.kind[i] == BodyKind::dynamic) size = std::min(size, 2.0 * model.radius[i]);
  }
  return size;
}

}  // namespace scree
