// Worlds whose contacts have the viscoelastic device, walls of blocks, and how their forces compare
// with those of a mirror image or of another order of bodies.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "contact/laws/laws.hpp"
#include "tests/support/world.hpp"

namespace scree::test {

// Periods in steps; 0: no device.
inline World device_world(double h, double theta, double normal, double tangential) {
  World world;
  world.law() = PairLaw{0.6, 0.0, ImpactLaw::fremond};
  contact::Laws::number(world.law(), "device_normal") = normal;
  contact::Laws::number(world.law(), "device_tangential") = tangential;
  world.settings.time.dt = h, world.settings.time.theta = theta;
  world.settings.step.solver.tolerance = 1e-13;
  return world;
}

// Bodies of a world, from which it can be built in any order.
struct Bodies {
  std::vector<BodyDefinition> definition;
  std::vector<Pose> pose;

  void add(const BodyDefinition& body, const Pose& at) {
    definition.push_back(body), pose.push_back(at);
    definition.back().name = "body" + std::to_string(pose.size());
  }
  void add_ground() {
    BodyDefinition plane;
    plane.kind = BodyKind::fixed;
    plane.shape = HalfSpace{Vector3::UnitZ(), 0.0};
    add(plane, Pose{Vector3::Zero(), Quaternion::Identity()});
  }
  void add_box(const Vector3& sides, const Vector3& x) {
    BodyDefinition box;
    box.shape = make_box(sides);
    box.density = 2300.0;
    add(box, Pose{x, Quaternion::Identity()});
  }
  void put_into(World& world) const {
    for (std::size_t i = 0; i < pose.size(); ++i) world.add(definition[i], pose[i]);
  }
};

// A wall in running bond on the ground, blocks of 1 x 1 x 0.5, from x = 0 to `length`. Every second
// course begins with half a block and ends with half a one, too (symmetric about its middle), or
// with one and a half (as many blocks in each course).
inline Bodies bond_wall(int length, int courses, bool symmetric) {
  Bodies bodies;
  bodies.add_ground();
  for (int course = 0; course < courses; ++course) {
    const bool shifted = course % 2 == 1;
    double x = 0.0;
    const auto add = [&](double side) {
      bodies.add_box(Vector3(side, 1.0, 0.5), Vector3(x + 0.5 * side, 0.0, 0.25 + 0.5 * course));
      x += side;
    };
    if (shifted) add(0.5);
    while (x < length - (shifted ? 1.75 : 0.25)) add(1.0);
    if (!shifted) continue;
    if (symmetric)
      add(1.0), add(0.5);
    else
      add(1.5);
  }
  return bodies;
}

// Lets gravity grow within `ramp` steps, so that no wave runs through the springs, and waits.
inline void settle(World& world, Stepper& stepper, int ramp, int rest) {
  const Vector3 gravity = world.model.gravity;
  for (int k = 1; k <= ramp; ++k) {
    const double s = static_cast<double>(k) / ramp;
    world.model.gravity = s * s * (3.0 - 2.0 * s) * gravity;
    stepper.step();
  }
  world.model.gravity = gravity;
  stepper.steps(rest);
}

// Impulse on the upper or right body of each contact, by its place.
using Place = std::array<long, 3>;
inline Place place_of(const Vector3& x, double mirror = 0.0) {
  const auto rounded = [](double value) { return std::lround(value * 1e3); };
  return {mirror > 0.0 ? rounded(2.0 * mirror - x.x()) : rounded(x.x()), rounded(x.y()),
          rounded(x.z())};
}

// What the contacts do to bodies at each place, as a tensor n p^T that knows no order of the two
// bodies. Several contacts of one place and normal add up only if they are of one pair.
struct PlacedImpulse {
  Vector3 normal = Vector3::Zero(), impulse = Vector3::Zero();  // on the body that normal points to
};
inline std::multimap<Place, PlacedImpulse> placed_impulses(const Workspace& work, double mirror) {
  std::multimap<Place, PlacedImpulse> placed;
  for (std::size_t c = 0; c < work.p.size(); ++c) {
    const auto candidate = static_cast<std::size_t>(work.in_problem[c]);
    Vector3 n = work.contacts.normal[candidate], p = work.problem.R_WC[c] * work.p[c];
    if (mirror > 0.0) n.x() = -n.x(), p.x() = -p.x();
    if (n.sum() < 0.0) n = -n, p = -p;
    placed.emplace(place_of(work.contacts.point_b[candidate], mirror), PlacedImpulse{n, p});
  }
  return placed;
}

// Largest difference of impulses at one place and of one normal [N s]. A contact without a partner
// counts with all that it has.
inline double largest_difference(const std::multimap<Place, PlacedImpulse>& one,
                                 const std::multimap<Place, PlacedImpulse>& other) {
  double largest = 0.0;
  for (const auto& [place, contact] : one) {
    double nearest = contact.impulse.norm();
    const auto [begin, end] = other.equal_range(place);
    for (auto it = begin; it != end; ++it) {
      if (it->second.normal.dot(contact.normal) < 0.99) continue;
      nearest = std::min(nearest, (it->second.impulse - contact.impulse).norm());
    }
    largest = std::max(largest, nearest);
  }
  return largest;
}

// The same of their normal parts alone.
inline double largest_normal_difference(std::multimap<Place, PlacedImpulse> one,
                                        std::multimap<Place, PlacedImpulse> other) {
  for (auto* placed : {&one, &other}) {
    for (auto& [place, contact] : *placed)
      contact.impulse = contact.impulse.dot(contact.normal) * contact.normal;
  }
  return largest_difference(one, other);
}

inline double mirror_asymmetry(const Workspace& work, double middle) {
  return largest_difference(placed_impulses(work, 0.0), placed_impulses(work, middle));
}

// The same world with bodies in another order: body i of the new one is body order[i] of the old.
// State, with all that is kept of contacts, goes along.
inline World reordered(const World& world, const std::vector<BodyIndex>& order,
                       const Bodies& bodies) {
  World result = world;
  result.model = Model{};
  result.model.gravity = world.model.gravity, result.model.materials = world.model.materials;
  result.state = State{};
  result.state.step = world.state.step, result.state.time = world.state.time;
  std::vector<BodyIndex> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto old = static_cast<std::size_t>(order[i]);
    place[old] = static_cast<BodyIndex>(i);
    add_body(result.model, bodies.definition[old]);
    result.state.x.push_back(world.state.x[old]), result.state.q.push_back(world.state.q[old]);
    result.state.v.push_back(world.state.v[old]), result.state.w.push_back(world.state.w[old]);
    result.state.active.push_back(1);
  }
  const KeptImpulses& kept = world.state.kept;
  struct Kept {
    ContactKey key;
    std::size_t from;
    bool flipped;
  };
  std::vector<Kept> sorted;
  for (std::size_t k = 0; k < kept.key.size(); ++k) {
    ContactKey key = kept.key[k];
    key.body_a = place[static_cast<std::size_t>(key.body_a)],
    key.body_b = place[static_cast<std::size_t>(key.body_b)];
    const bool flipped = key.body_a > key.body_b;
    if (flipped) {
      std::swap(key.body_a, key.body_b), std::swap(key.part_a, key.part_b);
      std::swap(key.feature_a, key.feature_b);
    }
    sorted.push_back({key, k, flipped});
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const Kept& a, const Kept& b) { return a.key < b.key; });
  for (const Kept& one : sorted) {
    const double sign = one.flipped ? -1.0 : 1.0;
    result.state.kept.key.push_back(one.key);
    result.state.kept.impulse_W.push_back(sign * kept.impulse_W[one.from]);
    result.state.kept.before_W.push_back(sign * kept.before_W[one.from]);
    if (kept.memory.empty()) continue;
    using Memory = contact::ContactDevice::Memory;
    ContactMemory memory = kept.memory[one.from];
    for (std::size_t i = 0; i < 3; ++i)
      memory[Memory::tangent + i] *= sign, memory[Memory::n + i] *= sign;
    result.state.kept.memory.push_back(memory);
  }
  return result;
}

}  // namespace scree::test
