#include "tools/analyse/fabric.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include <Eigen/Eigenvalues>

namespace scree::analyse {
namespace {

using Vector2 = Eigen::Vector2d;
using Matrix2 = Eigen::Matrix2d;
using std::numbers::pi;

bool is_in(const std::optional<SampleBox>& cell, const Vector3& x) {
  return !cell || cell->holds(x);
}

std::vector<const PackedContact*> contacts_in(const Packing& packing,
                                              const std::optional<SampleBox>& cell, bool inner) {
  std::vector<const PackedContact*> found;
  for (const PackedContact& contact : packing.contacts) {
    if (contact.inner() == inner && (contact.moves_a || contact.moves_b) &&
        is_in(cell, contact.point))
      found.push_back(&contact);
  }
  return found;
}

// Counts of contacts of each body, also outside the cell: neighbours of what lies in it count.
void count_contacts(const Packing& packing, const std::optional<SampleBox>& cell, Fabric& fabric) {
  const std::size_t n = packing.mass.size();
  std::vector<std::int64_t> count(n, 0);
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const PackedContact& contact : packing.contacts) {
    if (contact.moves_a) ++count[contact.body_a];
    if (contact.moves_b) ++count[contact.body_b];
    pairs.emplace(contact.body_a, contact.body_b);
  }
  std::vector<std::uint8_t> inside(n, 0);
  std::int64_t all = 0, of_others = 0, neighbours = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (packing.moves[i] == 0 || !is_in(cell, packing.centre[i])) continue;
    inside[i] = 1;
    ++fabric.bodies;
    all += count[i];
    if (count[i] < 2)
      ++fabric.rattlers;
    else
      of_others += count[i];
    fabric.solid_volume += packing.volume[i];
  }
  // What a rattler touches does not count for the other one either.
  for (const PackedContact& contact : packing.contacts) {
    const std::size_t a = contact.body_a, b = contact.body_b;
    if (contact.moves_a && contact.moves_b) {
      if (inside[a] != 0 && count[a] >= 2 && count[b] < 2) --of_others;
      if (inside[b] != 0 && count[b] >= 2 && count[a] < 2) --of_others;
    }
  }
  for (const auto& [a, b] : pairs) neighbours += inside[a] + inside[b];
  const auto per = [](std::int64_t sum, std::int64_t bodies) {
    return bodies > 0 ? static_cast<double>(sum) / static_cast<double>(bodies) : 0.0;
  };
  fabric.coordination = per(all, fabric.bodies);
  fabric.coordination_without = per(of_others, fabric.bodies - fabric.rattlers);
  fabric.neighbours = per(neighbours, fabric.bodies);
}

Network network_of(const std::vector<const PackedContact*>& contacts, double mean, bool strong) {
  Network network;
  double trace = 0.0, all = 0.0;
  for (const PackedContact* contact : contacts) {
    const double moment = contact->branch().dot(contact->force);
    all += moment;
    if ((contact->force.norm() > mean) != strong) continue;
    ++network.contacts;
    network.fabric += contact->normal * contact->normal.transpose();
    trace += moment;
  }
  if (network.contacts > 0) network.fabric /= static_cast<double>(network.contacts);
  if (all != 0.0) network.pressure_share = trace / all;
  return network;
}

// Twice the difference of a tensor's entries along and across a direction.
double deviation(const Matrix2& tensor, const Vector2& along) {
  const Vector2 across(-along.y(), along.x());
  return 2.0 * (along.dot(tensor * along) - across.dot(tensor * across));
}

Vector2 major_axis(const Matrix2& symmetric, double& difference) {
  const Eigen::SelfAdjointEigenSolver<Matrix2> solver(symmetric);
  difference = solver.eigenvalues()(1) - solver.eigenvalues()(0);
  return solver.eigenvectors().col(1);
}

double direction_angle(const Vector2& v) {
  const double angle = std::atan2(v.y(), v.x());
  return angle > 0.5 * pi ? angle - pi : angle <= -0.5 * pi ? angle + pi : angle;
}

PlaneFabric plane_fabric(const std::vector<const PackedContact*>& contacts,
                         const std::vector<int>& axes) {
  const auto flat = [&](const Vector3& v) { return Vector2(v[axes[0]], v[axes[1]]); };
  Matrix2 fabric = Matrix2::Zero(), normal = fabric, force = fabric, branch = fabric,
          stress = fabric;
  double mean_force = 0.0, mean_length = 0.0;
  for (const PackedContact* contact : contacts) {
    const Vector2 n = flat(contact->normal), f = flat(contact->force), l = flat(contact->branch());
    fabric += n * n.transpose();
    normal += contact->normal_force() * n * n.transpose();
    force += f * n.transpose();
    branch += l * n.transpose();
    stress += f * l.transpose();
    mean_force += contact->normal_force();
    mean_length += l.dot(n);
  }
  PlaneFabric found;
  if (contacts.empty()) return found;
  fabric /= static_cast<double>(contacts.size());
  // Each over the mean of what it weighs: traces are 1 (of forces: of their normal parts).
  normal /= mean_force, force /= mean_force, branch /= mean_length;
  double difference = 0.0;
  found.theta_c = direction_angle(major_axis(fabric, difference));
  found.a_c = 2.0 * difference;
  const Matrix2 symmetric = 0.5 * (stress + stress.transpose());
  const Vector2 along = major_axis(symmetric, difference);
  found.theta_stress = direction_angle(along);
  found.q_over_p = difference / symmetric.trace();
  const double a_c = deviation(fabric, along);
  found.a_n = deviation(normal, along) - a_c;
  found.a_t = deviation(force, along) - deviation(normal, along);
  found.a_l = deviation(branch, along) - a_c;
  found.predicted = 0.5 * (a_c + found.a_n + found.a_t + found.a_l);
  return found;
}

// Adds the normals of one packing to a rose.
void add_normals(const std::vector<const PackedContact*>& contacts, Distributions::Rose& rose,
                 Matrix2& fabric, std::vector<double>& count) {
  const auto bins = static_cast<double>(rose.density.size());
  for (const PackedContact* contact : contacts) {
    const Vector2 n(contact->normal[rose.first], contact->normal[rose.second]);
    const double size = n.norm();
    if (size < 1e-12) continue;
    // In space a normal counts as much as it lies in the plane.
    fabric += n * n.transpose() / size;
    for (const double sign : {1.0, -1.0}) {
      const double angle = std::atan2(sign * n.y(), sign * n.x());
      // Bins lie about their middles, so that the axes are middles.
      const auto bin =
          static_cast<std::size_t>((angle + pi) / (2.0 * pi) * bins + 0.5) % rose.density.size();
      rose.density[bin] += size;
      rose.normal_force[bin] += contact->normal_force();
      rose.tangential_force[bin] += contact->tangential_force().norm();
      count[bin] += 1.0;
    }
  }
}

Distributions::Rose rose_of(const std::vector<std::vector<const PackedContact*>>& all, int first,
                            int second, int bins) {
  Distributions::Rose rose;
  rose.first = first, rose.second = second;
  const auto n = static_cast<std::size_t>(bins);
  rose.density.assign(n, 0.0), rose.normal_force.assign(n, 0.0);
  rose.tangential_force.assign(n, 0.0);
  std::vector<double> count(n, 0.0);
  Matrix2 fabric = Matrix2::Zero();
  for (const auto& contacts : all) add_normals(contacts, rose, fabric, count);
  double sum = 0.0;
  for (const double value : rose.density) sum += value;
  for (std::size_t i = 0; i < n; ++i) {
    if (sum > 0.0) rose.density[i] *= bins / (2.0 * pi * sum);
    if (count[i] > 0.0) rose.normal_force[i] /= count[i], rose.tangential_force[i] /= count[i];
  }
  if (sum > 0.0) {
    double difference = 0.0;
    rose.theta_c = direction_angle(major_axis(fabric / fabric.trace(), difference));
    rose.a_c = 2.0 * difference;
  }
  return rose;
}

std::vector<double> histogram(const std::vector<double>& values, double mean, double bin,
                              int bins) {
  std::vector<double> density(static_cast<std::size_t>(bins), 0.0);
  for (const double value : values) {
    const auto k = std::min(static_cast<std::size_t>(value / mean / bin), density.size() - 1);
    density[k] += 1.0 / (bin * static_cast<double>(values.size()));
  }
  return density;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

}  // namespace

std::vector<int> plane_axes(int plane_normal) {
  if (plane_normal == 0) return {1, 2};
  if (plane_normal == 1) return {0, 2};
  return {0, 1};
}

Fabric fabric_of(const Packing& packing, const std::optional<SampleBox>& cell) {
  Fabric fabric;
  fabric.frame = packing.frame, fabric.time = packing.time;
  count_contacts(packing, cell, fabric);
  const auto inner = contacts_in(packing, cell, true), walls = contacts_in(packing, cell, false);
  fabric.contacts = static_cast<std::int64_t>(inner.size());
  fabric.wall_contacts = static_cast<std::int64_t>(walls.size());
  for (const auto* contacts : {&inner, &walls}) {
    for (const PackedContact* contact : *contacts) {
      if (contact->slips) ++fabric.slipping;
      if (contact->moves_a) fabric.moment -= contact->arm_a * contact->force.transpose();
      if (contact->moves_b) fabric.moment += contact->arm_b * contact->force.transpose();
    }
  }
  if (packing.plane_normal >= 0) fabric.plane.emplace();
  if (inner.empty()) return fabric;
  for (const PackedContact* contact : inner) {
    fabric.fabric += contact->normal * contact->normal.transpose();
    fabric.mean_force += contact->force.norm();
    fabric.mean_normal_force += contact->normal_force();
  }
  const auto count = static_cast<double>(inner.size());
  fabric.fabric /= count, fabric.mean_force /= count, fabric.mean_normal_force /= count;
  fabric.anisotropy = 7.5 * std::sqrt(1.5) * (fabric.fabric - Matrix3::Identity() / 3.0).norm();
  fabric.strong = network_of(inner, fabric.mean_force, true);
  fabric.weak = network_of(inner, fabric.mean_force, false);
  if (packing.plane_normal >= 0)
    fabric.plane = plane_fabric(inner, plane_axes(packing.plane_normal));
  return fabric;
}

Distributions distributions_of(const std::vector<Packing>& packings,
                               const std::optional<SampleBox>& cell, int rose_bins,
                               int force_bins) {
  constexpr double largest = 6.0;  // of f/<f> with bins of its own
  Distributions found;
  std::vector<std::vector<const PackedContact*>> all;
  std::vector<double> normal, tangential;
  for (const Packing& packing : packings) {
    all.push_back(contacts_in(packing, cell, true));
    for (const PackedContact* contact : all.back()) {
      normal.push_back(std::max(contact->normal_force(), 0.0));
      tangential.push_back(contact->tangential_force().norm());
    }
  }
  found.contacts = static_cast<std::int64_t>(normal.size());
  const int plane_normal = packings.empty() ? -1 : packings.front().plane_normal;
  if (plane_normal >= 0) {
    const std::vector<int> axes = plane_axes(plane_normal);
    found.roses.push_back(rose_of(all, axes[0], axes[1], rose_bins));
  } else {
    for (const auto& [first, second] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)})
      found.roses.push_back(rose_of(all, first, second, rose_bins));
  }
  found.bin = largest / force_bins;
  const double mean = mean_of(normal), mean_tangential = mean_of(tangential);
  if (mean > 0.0) found.normal = histogram(normal, mean, found.bin, force_bins);
  if (mean_tangential > 0.0)
    found.tangential = histogram(tangential, mean_tangential, found.bin, force_bins);
  return found;
}

}  // namespace scree::analyse
