#include "tools/joints/joint_forces.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "engine/base/check.hpp"
#include "engine/base/index.hpp"
#include "tools/joints/contact_face.hpp"

namespace scree {
namespace {

constexpr double balance = 1e-3;  // [-] residual up to which forces are those of statics
constexpr double same_way = 0.8;  // cosine between the normal of a contact and of its joint

// Faces of all bodies where they are in a frame.
std::vector<blocks::JointBody> bodies_at(const ResultBodies& bodies,
                                         const std::vector<ResultShape>& shapes,
                                         const ResultFrame& frame) {
  std::vector<blocks::JointBody> placed(bodies.name.size());
  for (std::size_t i = 0; i < placed.size(); ++i) {
    placed[i].fixed = !(bodies.mass[i] > 0.0);
    const ResultShape& shape = shapes.at(index(bodies.shape[i]));
    if (shape.kind != "box" && shape.kind != "polyhedron" && shape.kind != "compound") continue;
    if (frame.active[i] == 0) continue;
    for (std::size_t f = 0; f + 1 < shape.face_begin.size(); ++f) {
      std::vector<Vector3> corners;
      for (std::int32_t k = shape.face_begin[f]; k < shape.face_begin[f + 1]; ++k) {
        corners.push_back(frame.position[i] +
                          frame.orientation[i] *
                              shape.vertices.at(index(shape.faces.at(index(k)))));
      }
      if (corners.size() >= 3) add_face(placed[i], std::move(corners));
    }
  }
  return placed;
}

// What a resultant is compared with: polygons of one plane.
struct Plate {
  const std::vector<std::vector<Vector3>>& polygons;
  Vector3 centre, normal;
};

// Where polygons begin and end along a direction in their plane, from the centre.
std::array<double, 2> extent_along(const Plate& plate, const Vector3& direction) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& polygon : plate.polygons) {
    for (const Vector3& p : polygon) {
      const double s = direction.dot(p - plate.centre);
      low = std::min(low, s), high = std::max(high, s);
    }
  }
  return {low, high};
}

// The plane directions of a joint: t as far down as the plane goes, s across.
std::array<Vector3, 2> axes_of(const Vector3& normal, const Vector3& gravity) {
  Vector3 t = gravity - gravity.dot(normal) * normal;
  if (t.norm() < 1e-3 * gravity.norm() || gravity.norm() == 0.0) {
    t = Vector3::UnitX() - normal.x() * normal;
    if (t.norm() < 0.5) t = Vector3::UnitY() - normal.y() * normal;
  }
  t.normalize();
  return {t, normal.cross(t)};
}

// Shares of the joint's width on both sides of the point: the smallest over directions.
double edge_share(const Plate& plate, const Vector3& point, const Vector3& gravity) {
  constexpr int directions = 16;
  const auto [t, s] = axes_of(plate.normal, gravity);
  double least = 1.0;
  for (int i = 0; i < directions; ++i) {
    const double angle = std::acos(-1.0) * i / directions;
    const Vector3 d = std::cos(angle) * t + std::sin(angle) * s;
    const auto [low, high] = extent_along(plate, d);
    const double at = d.dot(point - plate.centre), half = 0.5 * (high - low);
    if (half > 0.0) least = std::min(least, std::min(at - low, high - at) / half);
  }
  return least;
}

// Normal forces of least norm at the same points with the same resultant, none negative.
void spread_least(JointForce& force) {
  const auto [t, s] = axes_of(force.joint.normal, Vector3(0.0, 0.0, -1.0));
  std::vector<std::size_t> active;
  for (std::size_t i = 0; i < force.corners.size(); ++i) active.push_back(i);
  const Vector3 total = force.force;
  Eigen::VectorXd normals;
  while (!active.empty()) {
    Eigen::MatrixXd A(3, static_cast<Eigen::Index>(active.size()));
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Vector3 r = force.corners[active[k]].point - force.point;
      A.col(static_cast<Eigen::Index>(k)) << 1.0, t.dot(r), s.dot(r);
    }
    const Eigen::Vector3d b(force.normal, 0.0, 0.0);
    normals = A.completeOrthogonalDecomposition().solve(b);
    if ((A * normals - b).norm() > 1e-6 * force.normal) return;  // not with these points
    Eigen::Index worst = 0;
    if (normals.minCoeff(&worst) >= 0.0) break;
    active.erase(active.begin() + worst);
  }
  if (active.empty()) return;
  for (CornerForce& corner : force.corners) corner.normal = 0.0;
  for (std::size_t k = 0; k < active.size(); ++k)
    force.corners[active[k]].normal = normals(static_cast<Eigen::Index>(k));
  // Shear goes with the normal force, so that no corner slips before the joint does.
  for (CornerForce& corner : force.corners) corner.force = corner.normal / force.normal * total;
}

class Builder {
 public:
  Builder(const ResultReader& results, const std::string& source, const JointQuery& query)
      : results_(results), query_(query) {
    report_.source = source;
  }

  JointReport build() {
    read();
    find();
    assign();
    finish_joints();
    add_reactions();
    add_residual();
    add_motion();
    return std::move(report_);
  }

 private:
  void read() {
    require(results_.n_frames() > 0, report_.source, "holds no frames");
    require(results_.has_contacts(), report_.source,
            "keeps no contacts; run it with contacts ([output] contacts)");
    frame_number_ = query_.frame < 0 ? results_.n_frames() + query_.frame : query_.frame;
    require(frame_number_ >= 0 && frame_number_ < results_.n_frames(), report_.source,
            fmt::format("has no frame {}; it has {}, from 0", query_.frame, results_.n_frames()));
    frame_ = results_.frame(frame_number_);
    require(frame_.step > 0, report_.source,
            "its first frame is before any step; there are no forces in it");
    bodies_ = results_.bodies();
    shapes_ = results_.shapes();
    contacts_ = results_.contacts(frame_number_);
    report_.title = results_.title();
    report_.frame = frame_number_;
    report_.time = frame_.time;
    report_.dt = results_.dt();
    report_.name = bodies_.name;
    report_.mass = bodies_.mass;
    report_.centre = frame_.position;
    report_.gravity = results_.gravity();
    first_ = results_.frame(0);
    for (std::size_t i = 0; i < bodies_.name.size(); ++i) {
      report_.fixed.push_back(bodies_.mass[i] > 0.0 ? 0 : 1);
      if (report_.fixed[i] != 0 || frame_.active[i] == 0) continue;
      report_.weight += bodies_.mass[i] * report_.gravity;
      const double moved = (frame_.position[i] - first_.position[i]).norm();
      if (moved > report_.moved || report_.moved_body < 0)
        report_.moved = moved, report_.moved_body = static_cast<std::int32_t>(i);
    }
    const std::vector<double> residual = results_.solver("residual_scaled");
    if (!residual.empty())
      report_.solver_residual =
          residual[std::min(residual.size(), static_cast<std::size_t>(frame_.step)) - 1];
    for (const ResultPair& pair : results_.pairs()) {
      const auto mu = pair.number.find("mu");
      if (mu == pair.number.end()) continue;
      mu_[{pair.material_a, pair.material_b}] = mu->second;
      mu_[{pair.material_b, pair.material_a}] = mu->second;
    }
  }

  void find() {
    report_.bodies = bodies_at(bodies_, shapes_, frame_);
    blocks::JointOptions options;
    options.tolerance = query_.tolerance;
    for (blocks::Joint& joint : find_joints(report_.bodies, options)) {
      JointForce& force = report_.joints.emplace_back();
      force.joint = std::move(joint);
      force.mu = friction(force.joint.a, force.joint.b);
      const blocks::JointBody &a = report_.bodies[index(force.joint.a)],
                              &b = report_.bodies[index(force.joint.b)];
      const double size = std::min(a.size(), b.size()), reach = (query_.tolerance + 1e-9) * size;
      force.state = force.joint.gap <= reach ? JointState::closed : JointState::open;
      force.face = force.joint.polygons;
      force.closed = closed_parts(force.joint, a, b, reach);
    }
    for (std::size_t j = 0; j < report_.joints.size(); ++j)
      of_pair_[{report_.joints[j].joint.a, report_.joints[j].joint.b}].push_back(j);
  }

  double friction(std::int32_t a, std::int32_t b) const {
    const auto found = mu_.find({bodies_.material[index(a)], bodies_.material[index(b)]});
    return found == mu_.end() ? 0.0 : found->second;
  }

  // The joint of a contact: the nearest one of its pair that looks its way; none: the pair touches
  // without a common face there.
  std::optional<std::size_t> joint_of(std::size_t c) const {
    const auto joints = of_pair_.find({contacts_.body_a[c], contacts_.body_b[c]});
    if (joints == of_pair_.end()) return std::nullopt;
    std::optional<std::size_t> best;
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::size_t j : joints->second) {
      const blocks::Joint& joint = report_.joints[j].joint;
      if (joint.normal.dot(contacts_.normal[c]) < same_way) continue;
      const double off = std::abs(joint.normal.dot(contacts_.point[c] - joint.centre));
      if (off < nearest) nearest = off, best = j;
    }
    return best;
  }

  void assign() {
    const std::size_t n = contacts_.body_a.size();
    std::vector<std::optional<std::size_t>> joint(n);
    for (std::size_t c = 0; c < n; ++c) joint[c] = joint_of(c);
    // Loaded contacts of one pair that look one way touch in one place.
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> touching;
    const auto touching_at = [&](std::size_t c) -> std::optional<std::size_t> {
      const auto known = touching.find({contacts_.body_a[c], contacts_.body_b[c]});
      if (known == touching.end()) return std::nullopt;
      for (const std::size_t j : known->second) {
        if (report_.joints[j].joint.normal.dot(contacts_.normal[c]) >= same_way) return j;
      }
      return std::nullopt;
    };
    for (std::size_t c = 0; c < n; ++c) {
      if (joint[c] || !(contacts_.impulse[c].x() > 0.0) || touching_at(c)) continue;
      const std::int32_t a = contacts_.body_a[c], b = contacts_.body_b[c];
      touching[{a, b}].push_back(report_.joints.size());
      loose_.push_back(report_.joints.size());
      JointForce& force = report_.joints.emplace_back();
      force.joint.a = a, force.joint.b = b;
      force.joint.normal = contacts_.normal[c];
      force.mu = friction(a, b);
    }
    for (std::size_t c = 0; c < n; ++c) {
      if (!joint[c]) joint[c] = touching_at(c);
      if (!joint[c]) continue;
      const Vector3 on_b = contacts_.impulse_world[c] / report_.dt;
      report_.joints[*joint[c]].corners.push_back(
          {contacts_.point[c], on_b, contacts_.impulse[c].x() / report_.dt, contacts_.normal[c]});
    }
    for (const std::size_t j : loose_) place_loose(report_.joints[j]);
  }

  // Blocks that touch without a common face: normal and centre of their contacts, and the face of
  // the one whose edge it is.
  void place_loose(JointForce& force) {
    blocks::Joint& joint = force.joint;
    Vector3 normal = Vector3::Zero(), centre = Vector3::Zero();
    double sum = 0.0;
    for (const CornerForce& corner : force.corners) {
      normal += corner.normal * corner.direction, centre += corner.normal * corner.point;
      sum += corner.normal;
    }
    joint.normal = normal.normalized(), joint.centre = centre / sum;
    force.state = JointState::edge;
    const std::array<blocks::JointBody, 2> body = {faces_of(joint.a, joint, 1.0),
                                                   faces_of(joint.b, joint, -1.0)};
    if (body[0].faces.empty() || body[1].faces.empty()) return;
    const double size = std::min(body[0].size(), body[1].size());
    std::optional<ContactFace> face =
        contact_face(body[0], body[1], joint.centre, std::max(query_.tolerance, 1e-6) * size);
    if (!face) return;
    force.face = std::move(face->polygons);
    if (face->closed)
      force.state = JointState::closed;
    else if (met_at_start(joint, face->normal))
      force.state = JointState::open;
  }

  // Of a half-space: a square around the joint, which looks along `sign` times its normal.
  blocks::JointBody faces_of(std::int32_t i, const blocks::Joint& joint, double sign) const {
    const blocks::JointBody& body = report_.bodies[index(i)];
    if (!body.faces.empty() || shapes_.at(index(bodies_.shape[index(i)])).kind != "half_space")
      return body;
    const double other = report_.bodies[index(i == joint.a ? joint.b : joint.a)].size();
    return plane_around(joint.centre, sign * joint.normal, 10.0 * other);
  }

  // Whether the faces of two blocks met at the start that touch now.
  bool met_at_start(const blocks::Joint& joint, const Vector3& normal) {
    for (const blocks::Joint& old : joints_at_start()) {
      if (old.a != joint.a || old.b != joint.b) continue;
      for (const std::int32_t i : {joint.a, joint.b}) {
        const Vector3 carried =
            frame_.orientation[index(i)] * (first_.orientation[index(i)].conjugate() * old.normal);
        if (carried.dot(normal) >= same_way) return true;
      }
    }
    return false;
  }

  const std::vector<blocks::Joint>& joints_at_start() {
    if (!start_) {
      blocks::JointOptions options;
      options.tolerance = query_.tolerance;
      start_ = find_joints(bodies_at(bodies_, shapes_, first_), options);
    }
    return *start_;
  }

  void finish_joints() {
    std::stable_sort(report_.joints.begin(), report_.joints.end(),
                     [](const JointForce& one, const JointForce& other) {
                       return std::pair(one.joint.a, one.joint.b) <
                              std::pair(other.joint.a, other.joint.b);
                     });
    for (JointForce& force : report_.joints) {
      const Vector3& n = force.joint.normal;
      Vector3 moment = Vector3::Zero(), weighted = Vector3::Zero();
      double sum = 0.0;
      for (const CornerForce& corner : force.corners) {
        force.force += corner.force;
        moment += (corner.point - force.joint.centre).cross(corner.force);
        weighted += corner.normal * corner.point, sum += corner.normal;
      }
      force.normal = n.dot(force.force);
      force.shear = force.force - force.normal * n;
      force.point = sum > 0.0 ? Vector3(weighted / sum) : force.joint.centre;
      if (!force.loaded()) continue;
      // n x M / N is the arm of the normal force in the plane.
      force.point = force.joint.centre + n.cross(moment) / force.normal;
      force.torsion = n.dot(moment - (force.point - force.joint.centre).cross(force.force));
      if (!force.face.empty()) compare_with_face(force);
      if (query_.least_corners) spread_least(force);
    }
  }

  void compare_with_face(JointForce& force) const {
    Vector3 normal = Vector3::Zero(), centre = Vector3::Zero();
    double area = 0.0;
    for (const auto& polygon : force.face) {
      Vector3 part = polygons::area_vector(polygon);
      if (part.dot(force.joint.normal) < 0.0) part = -part;
      normal += part, area += part.norm();
      centre += part.norm() * polygons::centre(polygon);
    }
    const bool common = force.joint.area > 0.0;
    const Plate plate = {force.face, common ? force.joint.centre : Vector3(centre / area),
                         common ? force.joint.normal : Vector3(normal.normalized())};
    Vector3 arm = force.point - plate.centre;
    arm -= arm.dot(plate.normal) * plate.normal;
    force.eccentricity = arm.norm();
    const auto [t, s] = axes_of(plate.normal, report_.gravity);
    const Vector3 along =
        force.eccentricity > 1e-9 * std::sqrt(area) ? Vector3(arm.normalized()) : t;
    const auto [low, high] = extent_along(plate, along);
    force.thickness = high - low;
    force.edge_share = edge_share(plate, force.point, report_.gravity);
    force.hinge = force.edge_share < query_.hinge_share;
  }

  void add_reactions() {
    for (std::size_t i = 0; i < report_.name.size(); ++i) {
      if (report_.fixed[i] == 0) continue;
      Reaction reaction;
      reaction.body = static_cast<std::int32_t>(i);
      Vector3 weighted = Vector3::Zero();
      double sum = 0.0;
      const auto sign_of = [&](const JointForce& force) {
        return force.joint.a == reaction.body ? 1.0 : force.joint.b == reaction.body ? -1.0 : 0.0;
      };
      for (const JointForce& force : report_.joints) {
        const double sign = sign_of(force);
        if (sign == 0.0 || force.corners.empty()) continue;
        ++reaction.joints;
        reaction.force += sign * force.force;
        weighted += force.normal * force.point, sum += force.normal;
      }
      if (reaction.joints == 0) continue;
      if (sum > 0.0) reaction.point = weighted / sum;
      for (const JointForce& force : report_.joints) {
        for (const CornerForce& corner : force.corners)
          reaction.moment += sign_of(force) * (corner.point - reaction.point).cross(corner.force);
      }
      report_.reactions.push_back(reaction);
    }
  }

  void add_residual() {
    const std::size_t n = report_.name.size();
    std::vector<Vector3> force(n, Vector3::Zero()), moment(n, Vector3::Zero());
    for (std::size_t i = 0; i < n; ++i) force[i] = bodies_.mass[i] * report_.gravity;
    for (const ResultLoad& load : results_.loads()) {
      const auto step = std::min(load.force.size(), static_cast<std::size_t>(frame_.step));
      if (step == 0) continue;
      force[index(load.body)] += load.force[step - 1];
      moment[index(load.body)] += load.torque[step - 1];
    }
    const ResultGround ground = results_.ground();
    if (!ground.acceleration.empty()) {
      const auto step = std::min(ground.acceleration.size(), static_cast<std::size_t>(frame_.step));
      for (std::size_t i = 0; i < n && step > 0; ++i)
        force[i] -= bodies_.mass[i] * ground.acceleration[step - 1];
    }
    // All contacts count, whichever joint they belong to.
    double largest = 0.0;
    for (const Vector3& f : force) largest = std::max(largest, f.norm());
    for (std::size_t c = 0; c < contacts_.body_a.size(); ++c) {
      const Vector3 on_b = contacts_.impulse_world[c] / report_.dt;
      largest = std::max(largest, on_b.norm());
      for (const auto& [body, f] :
           {std::pair(contacts_.body_a[c], Vector3(-on_b)), std::pair(contacts_.body_b[c], on_b)}) {
        force[index(body)] += f;
        moment[index(body)] += (contacts_.point[c] - frame_.position[index(body)]).cross(f);
      }
    }
    const bool weightless = report_.gravity.norm() == 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      if (report_.fixed[i] != 0 || frame_.active[i] == 0) continue;
      const double weight = weightless ? largest : bodies_.mass[i] * report_.gravity.norm(),
                   size = report_.bodies[i].size();
      if (!(weight > 0.0)) continue;
      const double residual =
          std::max(force[i].norm() / weight, size > 0.0 ? moment[i].norm() / (weight * size) : 0.0);
      if (residual > report_.residual || report_.residual_body < 0)
        report_.residual = residual, report_.residual_body = static_cast<std::int32_t>(i);
    }
  }

  // [m] Of a corner; a body without corners is as large as its volume.
  double size_of(std::size_t i) const {
    const double size = report_.bodies[i].size();
    return size > 0.0 || volume_.empty() ? size : std::cbrt(volume_[i]);
  }
  double speed_in(const ResultFrame& frame, std::size_t i) const {
    return frame.velocity[i].norm() + 0.5 * size_of(i) * frame.spin[i].norm();
  }
  double largest_speed_in(const ResultFrame& frame) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < report_.name.size(); ++i) {
      if (report_.fixed[i] == 0 && frame.active[i] != 0)
        largest = std::max(largest, speed_in(frame, i));
    }
    return largest;
  }

  // What falls goes its own size in sqrt(size / g). What goes less than 1e-4 of it in that time is
  // at rest.
  void add_motion() {
    constexpr double slow = 1e-4, amplified = 10.0;
    volume_ = results_.volumes();
    MotionVerdict& verdict = report_.verdict;
    const double g = report_.gravity.norm();
    report_.speed = largest_speed_in(frame_);
    double worst = -1.0;
    for (std::size_t i = 0; i < report_.name.size(); ++i) {
      if (frame_.active[i] == 0) continue;
      const double speed = speed_in(frame_, i), size = size_of(i);
      if (report_.fixed[i] != 0) {
        verdict.driven_speed = std::max(verdict.driven_speed, speed);
        continue;
      }
      const double bound = slow * (g > 0.0 ? std::sqrt(g * size) : size / report_.time);
      const double share = bound > 0.0 ? speed / bound : 0.0;
      if (share <= worst) continue;
      worst = share;
      verdict.body = static_cast<std::int32_t>(i), verdict.speed = speed, verdict.bound = bound;
    }
    if (report_.residual > balance) {
      verdict.motion = Motion::moves;
      add_outlook();
      return;
    }
    add_growth();
    if (verdict.speed <= verdict.bound && !verdict.growing) return;
    if (verdict.speed <= amplified * verdict.driven_speed) {
      verdict.motion = Motion::follows;
      return;
    }
    const bool slips =
        std::any_of(report_.joints.begin(), report_.joints.end(), [&](const JointForce& f) {
          return (f.joint.a == verdict.body || f.joint.b == verdict.body) && f.loaded() &&
                 (f.mu == 0.0 || f.utilisation() > 0.999);
        });
    verdict.motion = slips ? Motion::slides : Motion::creeps;
    add_outlook();
  }

  // A force that is missing for long: between frames the speed grows as it makes it.
  void add_growth() {
    MotionVerdict& verdict = report_.verdict;
    if (verdict.body < 0 || verdict.speed <= 1e-2 * verdict.bound) return;
    const double missing = report_.residual * report_.gravity.norm();
    if (frame_number_ < 4) {
      const double all = missing * frame_.time;
      verdict.growing = verdict.speed > 0.5 * all && verdict.speed < 2.0 * all;
      return;
    }
    const auto i = static_cast<std::size_t>(verdict.body);
    const ResultFrame middle = results_.frame(frame_number_ / 2),
                      late = results_.frame(3 * frame_number_ / 4);
    const double before = speed_in(middle, i), lately = speed_in(late, i),
                 gain = missing * (frame_.time - late.time);
    verdict.growing = lately > 1.1 * before && verdict.speed > 1.1 * lately &&
                      verdict.speed - lately > 0.5 * gain && verdict.speed - lately < 2.0 * gain;
  }

  // Whether what moves may come to rest: gaps that close, impacts that fade.
  void add_outlook() {
    MotionVerdict& verdict = report_.verdict;
    constexpr std::int64_t most_frames = 40;  // that are looked at
    const std::int64_t stride = 1 + frame_number_ / most_frames;
    for (std::int64_t k = frame_number_; k > 0; k -= stride) {
      const double speed = largest_speed_in(results_.frame(k));
      if (2 * k < frame_number_) verdict.speed_before = std::max(verdict.speed_before, speed);
      if (4 * k >= 3 * frame_number_) verdict.speed_lately = std::max(verdict.speed_lately, speed);
    }
    for (const blocks::Joint& joint : joints_at_start())
      verdict.gap_at_start = std::max(verdict.gap_at_start, joint.gap);
    verdict.settling = frame_number_ >= 8 && verdict.speed_lately < 0.5 * verdict.speed_before;
    verdict.settling = verdict.settling || report_.moved <= verdict.gap_at_start;
  }

  const ResultReader& results_;
  JointQuery query_;
  JointReport report_;
  std::int64_t frame_number_ = 0;
  ResultFrame frame_;
  ResultBodies bodies_;
  ResultFrame first_;
  std::vector<ResultShape> shapes_;
  std::vector<double> volume_;  // [m3]
  std::optional<std::vector<blocks::Joint>> start_;
  ResultContacts contacts_;
  std::map<std::pair<std::int32_t, std::int32_t>, double> mu_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> of_pair_;
  std::vector<std::size_t> loose_;
};

}  // namespace

const char* name_of(JointState state) {
  switch (state) {
    case JointState::closed:
      return "closed";
    case JointState::open:
      return "open";
    case JointState::edge:
      return "edge";
  }
  return "";
}

const char* name_of(Motion motion) {
  switch (motion) {
    case Motion::rest:
      return "at rest";
    case Motion::follows:
      return "follows its supports";
    case Motion::slides:
      return "sliding";
    case Motion::creeps:
      return "creeping";
    case Motion::moves:
      return "moving";
  }
  return "";
}

std::string state_text(const JointReport& report) {
  const MotionVerdict& verdict = report.verdict;
  switch (verdict.motion) {
    case Motion::rest:
      return "at rest";
    case Motion::follows:
      return fmt::format("in balance, follows supports that move at {:.3g} m/s",
                         verdict.driven_speed);
    case Motion::slides:
    case Motion::creeps:
      return fmt::format("{}: forces balance, but '{}' goes on at {:.3g} m/s{}",
                         name_of(verdict.motion), report.name[index(verdict.body)], verdict.speed,
                         verdict.growing ? ", ever faster" : "");
    case Motion::moves:
      return "MOVING, forces are those of one step";
  }
  return "";
}

JointReport joint_report(const ResultReader& results, const std::string& source,
                         const JointQuery& query) {
  return Builder(results, source, query).build();
}

}  // namespace scree
