#include "tools/joints/joint_forces.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "engine/base/check.hpp"

namespace scree {
namespace {

constexpr double same_way = 0.8;  // cosine between the normal of a contact and of its joint

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

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

// Length of a joint's polygons along a direction in its plane, and where its middle is from the
// centre.
std::array<double, 2> extent_along(const blocks::Joint& joint, const Vector3& direction) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& polygon : joint.polygons) {
    for (const Vector3& p : polygon) {
      const double s = direction.dot(p - joint.centre);
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
double edge_share(const blocks::Joint& joint, const Vector3& point, const Vector3& gravity) {
  constexpr int directions = 16;
  const auto [t, s] = axes_of(joint.normal, gravity);
  double least = 1.0;
  for (int i = 0; i < directions; ++i) {
    const double angle = std::acos(-1.0) * i / directions;
    const Vector3 d = std::cos(angle) * t + std::sin(angle) * s;
    const auto [low, high] = extent_along(joint, d);
    const double at = d.dot(point - joint.centre), half = 0.5 * (high - low);
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
    contacts_ = results_.contacts(frame_number_);
    report_.title = results_.title();
    report_.time = frame_.time;
    report_.dt = results_.dt();
    report_.name = bodies_.name;
    report_.mass = bodies_.mass;
    report_.centre = frame_.position;
    report_.gravity = results_.gravity();
    const ResultFrame first = results_.frame(0);
    for (std::size_t i = 0; i < bodies_.name.size(); ++i) {
      report_.fixed.push_back(bodies_.mass[i] > 0.0 ? 0 : 1);
      if (report_.fixed[i] != 0 || frame_.active[i] == 0) continue;
      report_.weight += bodies_.mass[i] * report_.gravity;
      const double moved = (frame_.position[i] - first.position[i]).norm();
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
    report_.bodies = bodies_at(bodies_, results_.shapes(), frame_);
    blocks::JointOptions options;
    options.tolerance = query_.tolerance;
    for (blocks::Joint& joint : find_joints(report_.bodies, options)) {
      JointForce& force = report_.joints.emplace_back();
      force.joint = std::move(joint);
      force.mu = friction(force.joint.a, force.joint.b);
    }
    for (std::size_t j = 0; j < report_.joints.size(); ++j)
      of_pair_[{report_.joints[j].joint.a, report_.joints[j].joint.b}].push_back(j);
  }

  double friction(std::int32_t a, std::int32_t b) const {
    const auto found = mu_.find({bodies_.material[index(a)], bodies_.material[index(b)]});
    return found == mu_.end() ? 0.0 : found->second;
  }

  // Each contact belongs to the nearest joint of its pair that looks its way; else the pair touches
  // without a common face there.
  void assign() {
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> touching;
    std::set<std::pair<std::int32_t, std::int32_t>> carrying;
    for (std::size_t c = 0; c < contacts_.body_a.size(); ++c) {
      if (contacts_.impulse[c].x() > 0.0)
        carrying.emplace(contacts_.body_a[c], contacts_.body_b[c]);
    }
    for (std::size_t c = 0; c < contacts_.body_a.size(); ++c) {
      const std::int32_t a = contacts_.body_a[c], b = contacts_.body_b[c];
      const std::pair key(a, b);
      std::size_t best = report_.joints.size();
      double nearest = std::numeric_limits<double>::infinity();
      const auto joints = of_pair_.find(key);
      if (joints != of_pair_.end()) {
        for (const std::size_t j : joints->second) {
          const blocks::Joint& joint = report_.joints[j].joint;
          if (joint.normal.dot(contacts_.normal[c]) < same_way) continue;
          const double off = std::abs(joint.normal.dot(contacts_.point[c] - joint.centre));
          if (off < nearest) nearest = off, best = j;
        }
      }
      if (best == report_.joints.size()) {
        if (!carrying.contains(key)) continue;
        const auto known = touching.find(key);
        if (known != touching.end()) {
          best = known->second;
        } else {
          touching[key] = best;
          JointForce& force = report_.joints.emplace_back();
          force.joint.a = a, force.joint.b = b;
          force.joint.normal = contacts_.normal[c];
          force.mu = friction(a, b);
          loose_.push_back(best);
        }
      }
      const Vector3 on_b = contacts_.impulse_world[c] / report_.dt;
      report_.joints[best].corners.push_back(
          {contacts_.point[c], on_b, contacts_.impulse[c].x() / report_.dt, contacts_.normal[c]});
    }
    for (const std::size_t j : loose_) {
      JointForce& force = report_.joints[j];
      Vector3 normal = Vector3::Zero(), centre = Vector3::Zero();
      double sum = 0.0;
      for (const CornerForce& corner : force.corners)
        normal += corner.force, centre += corner.normal * corner.point, sum += corner.normal;
      if (sum > 0.0) force.joint.centre = centre / sum;
    }
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
      if (!force.loaded() || force.joint.area <= 0.0) continue;
      // n x M / N is the arm of the normal force in the plane.
      force.point = force.joint.centre + n.cross(moment) / force.normal;
      force.torsion = n.dot(moment - (force.point - force.joint.centre).cross(force.force));
      const Vector3 arm = force.point - force.joint.centre;
      force.eccentricity = arm.norm();
      const auto [t, s] = axes_of(n, report_.gravity);
      const Vector3 along =
          force.eccentricity > 1e-9 * std::sqrt(force.joint.area) ? Vector3(arm.normalized()) : t;
      const auto [low, high] = extent_along(force.joint, along);
      force.thickness = high - low;
      force.edge_share = edge_share(force.joint, force.point, report_.gravity);
      force.hinge = force.edge_share < query_.hinge_share;
      if (query_.least_corners) spread_least(force);
    }
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
    for (std::size_t c = 0; c < contacts_.body_a.size(); ++c) {
      const Vector3 on_b = contacts_.impulse_world[c] / report_.dt;
      for (const auto& [body, f] :
           {std::pair(contacts_.body_a[c], Vector3(-on_b)), std::pair(contacts_.body_b[c], on_b)}) {
        force[index(body)] += f;
        moment[index(body)] += (contacts_.point[c] - frame_.position[index(body)]).cross(f);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (report_.fixed[i] != 0 || frame_.active[i] == 0) continue;
      const double weight = bodies_.mass[i] * report_.gravity.norm(),
                   size = report_.bodies[i].size();
      if (!(weight > 0.0)) continue;
      const double residual =
          std::max(force[i].norm() / weight, size > 0.0 ? moment[i].norm() / (weight * size) : 0.0);
      if (residual > report_.residual || report_.residual_body < 0)
        report_.residual = residual, report_.residual_body = static_cast<std::int32_t>(i);
      report_.speed =
          std::max(report_.speed, frame_.velocity[i].norm() + 0.5 * size * frame_.spin[i].norm());
    }
  }

  const ResultReader& results_;
  JointQuery query_;
  JointReport report_;
  std::int64_t frame_number_ = 0;
  ResultFrame frame_;
  ResultBodies bodies_;
  ResultContacts contacts_;
  std::map<std::pair<std::int32_t, std::int32_t>, double> mu_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> of_pair_;
  std::vector<std::size_t> loose_;
};

}  // namespace

JointReport joint_report(const ResultReader& results, const std::string& source,
                         const JointQuery& query) {
  return Builder(results, source, query).build();
}

}  // namespace scree
