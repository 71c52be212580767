#include "scenes/blocks/joints.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/index.hpp"

namespace scree::blocks {
namespace {

constexpr double one_surface = 0.87;  // cosine: polygons of a joint turn by less than 30 degrees
constexpr double one_plane = 0.05;    // [-] of the pair's size: steps between joints are higher

// The part of a convex polygon inside another's prism, along the other's normal.
std::vector<Vector3> clipped(std::vector<Vector3> polygon, const JointBody::Flat& other) {
  for (std::size_t i = 0; i < other.corners.size() && polygon.size() >= 3; ++i) {
    const Vector3 &a = other.corners[i], &b = other.corners[(i + 1) % other.corners.size()];
    const Vector3 inward = other.normal.cross(b - a);
    std::vector<Vector3> part;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vector3 &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
      const double hp = inward.dot(p - a), hq = inward.dot(q - a);
      if (hp >= 0.0) part.push_back(p);
      if ((hp > 0.0 && hq < 0.0) || (hp < 0.0 && hq > 0.0))
        part.push_back(p + hp / (hp - hq) * (q - p));
    }
    polygon = std::move(part);
  }
  return polygon;
}

Vector3 area_vector(const std::vector<Vector3>& polygon) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    sum += 0.5 * (polygon[i] - polygon[0]).cross(polygon[i + 1] - polygon[0]);
  return sum;
}

Vector3 centre_of(const std::vector<Vector3>& polygon) {
  const Vector3 n = area_vector(polygon).normalized();
  Vector3 sum = Vector3::Zero();
  double area = 0.0;
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    const double part = 0.5 * n.dot((polygon[i] - polygon[0]).cross(polygon[i + 1] - polygon[0]));
    sum += part * (polygon[0] + polygon[i] + polygon[i + 1]) / 3.0;
    area += part;
  }
  return sum / area;
}

struct Patch {
  std::vector<Vector3> corners;
  Vector3 normal, centre;
  double area = 0.0, gap = 0.0, overlap = 0.0;
};

// Patches of two bodies, with normals from a to b.
std::vector<Patch> patches_of(const JointBody& a, const JointBody& b, const JointOptions& options) {
  const double reach = options.tolerance * std::min(a.size(), b.size()),
               opposed = -std::cos(options.angle);
  std::vector<Patch> patches;
  for (const JointBody::Flat& f : a.faces) {
    // Faces of a that b's box does not reach meet nothing.
    Vector3 low = f.corners[0], high = low;
    for (const Vector3& p : f.corners) low = low.cwiseMin(p), high = high.cwiseMax(p);
    const double slack = reach + options.angle * std::min(a.size(), b.size());
    if ((low.array() > b.high.array() + slack).any() ||
        (high.array() < b.low.array() - slack).any())
      continue;
    for (const JointBody::Flat& g : b.faces) {
      if (f.normal.dot(g.normal) > opposed) continue;
      std::vector<Vector3> on_f = clipped(f.corners, g);
      if (on_f.size() < 3) continue;
      const double area = area_vector(on_f).norm();
      if (!(area > options.least_area * std::min(f.area, g.area))) continue;
      Patch patch;
      patch.normal = (f.normal - g.normal).normalized();
      // Heights of g's plane over the corners, along the mean normal.
      double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
      for (Vector3& p : on_f) {
        const double height = g.normal.dot(g.corners[0] - p) / g.normal.dot(patch.normal);
        lowest = std::min(lowest, height), highest = std::max(highest, height);
        p += 0.5 * height * patch.normal;
      }
      if (lowest > reach || highest < -reach) continue;
      patch.gap = std::max(0.0, highest), patch.overlap = std::max(0.0, -lowest);
      patch.corners = std::move(on_f);
      patch.area = area_vector(patch.corners).norm();
      patch.centre = centre_of(patch.corners);
      patches.push_back(std::move(patch));
    }
  }
  return patches;
}

// Patches that make one surface.
void add_joints(std::int32_t a, std::int32_t b, double size, std::vector<Patch> patches,
                std::vector<Joint>& joints) {
  std::stable_sort(patches.begin(), patches.end(),
                   [](const Patch& one, const Patch& other) { return one.area > other.area; });
  std::vector<Joint> own;
  for (Patch& patch : patches) {
    Joint* joint = nullptr;
    for (Joint& known : own) {
      const Vector3 to = patch.centre - known.centre;
      if (known.normal.dot(patch.normal) >= one_surface &&
          std::abs(known.normal.dot(to)) <= one_plane * size) {
        joint = &known;
        break;
      }
    }
    if (joint == nullptr) {
      joint = &own.emplace_back();
      joint->a = a, joint->b = b;
      joint->normal = patch.normal;
      joint->centre = patch.centre;
    }
    const double whole = joint->area + patch.area;
    joint->normal = (joint->area * joint->normal + patch.area * patch.normal).normalized();
    joint->centre = (joint->area * joint->centre + patch.area * patch.centre) / whole;
    joint->area = whole;
    joint->gap = std::max(joint->gap, patch.gap);
    joint->overlap = std::max(joint->overlap, patch.overlap);
    joint->polygons.push_back(std::move(patch.corners));
  }
  joints.insert(joints.end(), own.begin(), own.end());
}

}  // namespace

void add_face(JointBody& body, std::vector<Vector3> corners) {
  JointBody::Flat flat;
  const Vector3 area = area_vector(corners);
  flat.area = area.norm();
  if (!(flat.area > 0.0)) return;
  flat.normal = area / flat.area;
  if (body.faces.empty()) body.low = body.high = corners[0];
  for (const Vector3& p : corners)
    body.low = body.low.cwiseMin(p), body.high = body.high.cwiseMax(p);
  flat.corners = std::move(corners);
  body.faces.push_back(std::move(flat));
}

std::vector<Joint> find_joints(const std::vector<JointBody>& bodies, const JointOptions& options) {
  // Sweep along x over the boxes.
  std::vector<std::int32_t> order;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].faces.empty()) order.push_back(static_cast<std::int32_t>(i));
  }
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t one, std::int32_t other) {
    return bodies[index(one)].low.x() < bodies[index(other)].low.x();
  });
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  std::vector<std::int32_t> open;
  for (const std::int32_t i : order) {
    const JointBody& body = bodies[index(i)];
    std::erase_if(open, [&](std::int32_t k) {
      const JointBody& other = bodies[index(k)];
      return other.high.x() + options.tolerance * other.size() < body.low.x();
    });
    for (const std::int32_t k : open) {
      const JointBody& other = bodies[index(k)];
      const double reach = options.tolerance * std::min(body.size(), other.size());
      const bool apart = (body.low.array() > other.high.array() + reach).any() ||
                         (other.low.array() > body.high.array() + reach).any();
      if (!apart && !(body.fixed && other.fixed)) pairs.emplace_back(std::minmax(i, k));
    }
    open.push_back(i);
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<Joint> joints;
  for (const auto& [a, b] : pairs) {
    const JointBody &one = bodies[index(a)], &other = bodies[index(b)];
    add_joints(a, b, std::min(one.size(), other.size()), patches_of(one, other, options), joints);
  }
  return joints;
}

std::vector<std::vector<std::int32_t>> islands_without_support(const std::vector<JointBody>& bodies,
                                                               const std::vector<Joint>& joints) {
  std::vector<std::int32_t> root(bodies.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t i) {
    while (root[index(i)] != i) i = root[index(i)] = root[index(root[index(i)])];
    return i;
  };
  for (const Joint& joint : joints) {
    const std::int32_t a = find(joint.a), b = find(joint.b);
    root[index(std::max(a, b))] = std::min(a, b);
  }
  std::vector<std::uint8_t> held(bodies.size(), 0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].fixed) held[index(find(static_cast<std::int32_t>(i)))] = 1;
  }
  std::vector<std::vector<std::int32_t>> islands;
  std::vector<std::int32_t> island_of(bodies.size(), -1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::int32_t r = find(static_cast<std::int32_t>(i));
    if (bodies[i].faces.empty() || held[index(r)] != 0) continue;
    if (island_of[index(r)] < 0) {
      island_of[index(r)] = static_cast<std::int32_t>(islands.size());
      islands.emplace_back();
    }
    islands[index(island_of[index(r)])].push_back(static_cast<std::int32_t>(i));
  }
  return islands;
}

}  // namespace scree::blocks
