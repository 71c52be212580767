#include "tools/joints/admissible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/check.hpp"
#include "engine/base/index.hpp"
#include "engine/base/printable.hpp"
#include "scenes/read/document.hpp"
#include "tools/joints/linear_program.hpp"
#include "tools/joints/polygons.hpp"

namespace scree {
namespace {

constexpr double most_force = 1e4;  // [-] of the weight: forces beyond are called unbounded

struct Ray {
  std::size_t joint = 0;
  Vector3 point, force;  // [m], on b
};

// A place where a compression can act: a corner of a polygon, with the normal there from a to b.
struct Corner {
  Vector3 point, normal;
};

// Corners of the closed parts of a joint; where polygons of one plane meet, each place once. The
// places where the two touch in the run, which also blocks without a common face have.
std::vector<Corner> corners_of(const JointForce& force) {
  const blocks::Joint& joint = force.joint;
  std::vector<Corner> corners;
  const double same = 1e-6 * std::sqrt(joint.area);
  const auto add = [&](const Vector3& point, const Vector3& normal) {
    const bool known = std::any_of(corners.begin(), corners.end(), [&](const Corner& other) {
      return (other.point - point).norm() <= same && (other.normal - normal).norm() <= 1e-4;
    });
    if (!known) corners.push_back({point, normal});
  };
  for (const auto& polygon : force.closed) {
    Vector3 normal = polygons::area_vector(polygon).normalized();
    if (normal.isZero(0.0)) normal = joint.normal;  // closed at an edge alone
    if (normal.dot(joint.normal) < 0.0) normal = -normal;
    for (const Vector3& p : polygon) add(p, normal);
  }
  for (const CornerForce& corner : force.corners) {
    if (corner.normal > 0.0) add(corner.point, corner.direction);
  }
  return corners;
}

// Edges of the pyramids at all corners.
std::vector<Ray> rays_of(const JointReport& report, int sides, bool outer) {
  std::vector<Ray> rays;
  const double pi = std::numbers::pi;
  for (std::size_t j = 0; j < report.joints.size(); ++j) {
    const JointForce& force = report.joints[j];
    const double mu = outer ? force.mu / std::cos(pi / sides) : force.mu;
    for (const Corner& corner : corners_of(force)) {
      const Vector3& n = corner.normal;
      if (mu == 0.0) {
        rays.push_back({j, corner.point, n});
        continue;
      }
      Vector3 t = report.gravity - report.gravity.dot(n) * n;
      if (t.norm() < 1e-3 * report.gravity.norm() || report.gravity.isZero(0.0))
        t = n.unitOrthogonal();
      t.normalize();
      const Vector3 s = n.cross(t);
      for (int k = 0; k < sides; ++k) {
        // Around the cone, the sides touch it where the edges of the pyramid within are.
        const double angle = 2.0 * pi * (k + (outer ? 0.5 : 0.0)) / sides;
        rays.push_back({j, corner.point, n + mu * (std::cos(angle) * t + std::sin(angle) * s)});
      }
    }
  }
  return rays;
}

// Equilibrium of all blocks that move, forces over the mean weight, moments over that and the size.
class Equilibrium {
 public:
  Equilibrium(const JointReport& report, int sides, bool outer)
      : report_(report), rays_(rays_of(report, sides, outer)), row_(report.name.size(), -1) {
    for (std::size_t i = 0; i < row_.size(); ++i) {
      if (report.fixed[i] == 0 && !report.bodies[i].faces.empty()) row_[i] = 6 * blocks_++;
    }
    // Without weight forces balance each other alone: what a state has, any multiple has too.
    const double weight = report.weight.norm();
    unit_ = weight > 0.0 ? weight / std::max(1, blocks_) : 1.0;
    build();
  }

  int rows() const { return 6 * blocks_; }
  double unit() const { return unit_; }
  const std::vector<Ray>& rays() const { return rays_; }

  // The program with further columns: one row bounds the sum of all compressions.
  LinearProgram program(const Eigen::VectorXd& c) const {
    LinearProgram lp;
    const auto n = static_cast<Eigen::Index>(rays_.size());
    std::vector<Eigen::Triplet<double>> entries = entries_;
    for (Eigen::Index k = 0; k < n; ++k)
      entries.emplace_back(rows(), static_cast<int>(k), 1.0 / (most_force * blocks_));
    entries.emplace_back(rows(), static_cast<int>(n), 1.0);
    lp.A.resize(rows() + 1, n + 1);
    lp.A.setFromTriplets(entries.begin(), entries.end());
    lp.b.resize(rows() + 1);
    lp.b << b_, 1.0;
    lp.c = Eigen::VectorXd::Zero(n + 1);
    lp.c.head(n) = c;
    return lp;
  }

  // What no state balances, over the weight of a block: the least sum of forces that would be
  // missing.
  double missing() const {
    LinearProgram lp;
    const auto n = static_cast<Eigen::Index>(rays_.size());
    std::vector<Eigen::Triplet<double>> entries = entries_;
    for (int r = 0; r < rows(); ++r) {
      entries.emplace_back(r, static_cast<int>(n) + 2 * r, 1.0);
      entries.emplace_back(r, static_cast<int>(n) + 2 * r + 1, -1.0);
    }
    lp.A.resize(rows(), n + 2 * rows());
    lp.A.setFromTriplets(entries.begin(), entries.end());
    lp.b = b_;
    lp.c = Eigen::VectorXd::Ones(n + 2 * rows());
    lp.c.head(n).setZero();
    return solve_linear_program(lp, 1e-8).value;
  }

  Eigen::VectorXd cost(const Resultant& resultant) const {
    Eigen::VectorXd c = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(rays_.size()));
    for (std::size_t k = 0; k < rays_.size(); ++k) {
      const blocks::Joint& joint = report_.joints[rays_[k].joint].joint;
      const auto at = static_cast<Eigen::Index>(k);
      if (resultant.b >= 0) {
        if (joint.a != resultant.a || joint.b != resultant.b) continue;
        c(at) = (resultant.direction.isZero(0.0) ? joint.normal : resultant.direction)
                    .dot(rays_[k].force);
      } else if (joint.a == resultant.a || joint.b == resultant.a) {
        c(at) = (joint.a == resultant.a ? 1.0 : -1.0) * resultant.direction.dot(rays_[k].force);
      }
    }
    return c;
  }

 private:
  void build() {
    b_ = Eigen::VectorXd::Zero(rows());
    for (std::size_t i = 0; i < row_.size(); ++i) {
      if (row_[i] < 0) continue;
      b_.segment<3>(row_[i]) = -report_.mass[i] * report_.gravity / unit_;
    }
    for (std::size_t k = 0; k < rays_.size(); ++k) {
      const blocks::Joint& joint = report_.joints[rays_[k].joint].joint;
      for (const auto& [body, sign] : {std::pair(joint.a, -1.0), std::pair(joint.b, 1.0)}) {
        const int row = row_[index(body)];
        if (row < 0) continue;
        const Vector3 f = sign * rays_[k].force,
                      m = (rays_[k].point - report_.centre[index(body)]).cross(f) /
                          (0.5 * report_.bodies[index(body)].size());
        for (int i = 0; i < 3; ++i) {
          entries_.emplace_back(row + i, static_cast<int>(k), f(i));
          entries_.emplace_back(row + 3 + i, static_cast<int>(k), m(i));
        }
      }
    }
  }

  const JointReport& report_;
  std::vector<Ray> rays_;
  std::vector<int> row_;
  int blocks_ = 0;
  double unit_ = 1.0;
  std::vector<Eigen::Triplet<double>> entries_;
  Eigen::VectorXd b_;
};

double computed_value(const JointReport& report, const Resultant& resultant) {
  double value = 0.0;
  for (const JointForce& force : report.joints) {
    const blocks::Joint& joint = force.joint;
    if (resultant.b >= 0) {
      if (joint.a != resultant.a || joint.b != resultant.b) continue;
      value +=
          (resultant.direction.isZero(0.0) ? joint.normal : resultant.direction).dot(force.force);
    } else if (joint.a == resultant.a || joint.b == resultant.a) {
      value += (joint.a == resultant.a ? 1.0 : -1.0) * resultant.direction.dot(force.force);
    }
  }
  return value;
}

std::int32_t body_named(const std::string& name, const JointReport& report) {
  const auto found = std::find(report.name.begin(), report.name.end(), name);
  if (found != report.name.end()) return static_cast<std::int32_t>(found - report.name.begin());
  const std::string near = scenes::nearest(name, report.name);
  throw InputError(printable(fmt::format("--interval: there is no body '{}'{}", name,
                                         near.empty() ? "" : ", perhaps '" + near + "'")));
}

}  // namespace

Resultant resultant_named(const std::string& text, const JointReport& report) {
  Resultant resultant;
  resultant.text = text;
  const std::size_t dot = text.rfind('.'), colon = text.find(':');
  const std::string component = dot == std::string::npos ? "" : text.substr(dot + 1),
                    bodies = text.substr(0, dot);
  const bool known =
      component == "x" || component == "y" || component == "z" || component == "normal";
  require(known, "--interval",
          fmt::format("'{}' is not A:B.normal, A:B.x (y, z) or SUPPORT.x (y, z)", printable(text)));
  if (component == "x") resultant.direction = Vector3::UnitX();
  if (component == "y") resultant.direction = Vector3::UnitY();
  if (component == "z") resultant.direction = Vector3::UnitZ();
  if (colon == std::string::npos) {
    require(component != "normal", "--interval",
            "the reaction of a support has no normal; take .x, .y or .z");
    resultant.a = body_named(bodies, report);
    require(report.fixed[index(resultant.a)] != 0, "--interval",
            fmt::format("'{}' is no support; a joint is A:B", printable(bodies)));
    return resultant;
  }
  resultant.a = body_named(bodies.substr(0, colon), report);
  resultant.b = body_named(bodies.substr(colon + 1), report);
  const bool turned = resultant.a > resultant.b;
  if (turned) std::swap(resultant.a, resultant.b);
  const bool joined =
      std::any_of(report.joints.begin(), report.joints.end(), [&](const JointForce& force) {
        return force.joint.a == resultant.a && force.joint.b == resultant.b &&
               (force.joint.area > 0.0 || !force.corners.empty());
      });
  require(joined, "--interval", fmt::format("'{}' have no joint", printable(bodies)));
  // What is asked for is the force on the second one named.
  if (turned) resultant.direction = -resultant.direction;
  return resultant;
}

double Interval::outside() const {
  if (!admissible) return 0.0;
  const double below = bounded_low ? low_outer - computed : 0.0,
               above = bounded_high ? computed - high_outer : 0.0;
  const double off = std::max(below, above);
  return off > error + unbalanced ? off : 0.0;
}

Interval interval_of(const JointReport& report, const Resultant& resultant, int sides) {
  Interval interval;
  interval.computed = computed_value(report, resultant);
  interval.unbalanced = report.residual * report.weight.norm();
  for (const bool outer : {false, true}) {
    const Equilibrium equilibrium(report, sides, outer);
    const double missing = equilibrium.missing();
    if (outer && !interval.admissible) continue;
    interval.missing = missing;
    if (missing > 1e-5) continue;
    interval.admissible = true;
    const Eigen::VectorXd cost = equilibrium.cost(resultant);
    for (const double sign : {1.0, -1.0}) {
      const LinearSolution solution = solve_linear_program(equilibrium.program(sign * cost), 1e-9);
      const double value = sign * solution.value * equilibrium.unit();
      // The slack of the bound on all forces.
      const bool bounded = solution.x(solution.x.size() - 1) > 1e-6;
      const double gap = std::abs(solution.value - solution.bound) * equilibrium.unit();
      if (bounded) interval.error = std::max(interval.error, gap);
      if (sign > 0.0) {
        (outer ? interval.low_outer : interval.low) = value;
        interval.bounded_low = interval.bounded_low && bounded;
      } else {
        (outer ? interval.high_outer : interval.high) = value;
        interval.bounded_high = interval.bounded_high && bounded;
      }
    }
  }
  return interval;
}

}  // namespace scree
