// A wall of unit cubes in running bond at rest on a fixed ground, each course one cube shorter: the
// contact problem of one time step, made by hand.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "contact/problem/contact_problem.hpp"

namespace scree::test {

struct WallContact {
  int a = 0, b = 0;
  Vector3 normal = Vector3::UnitZ(), point = Vector3::Zero();
};

inline contact::BodyProblem box_wall(int length, int courses) {
  constexpr double mass = 2300.0, h = 5e-3, gravity = 9.81, mu = 0.6;
  contact::BodyProblem problem;
  std::vector<Vector3> centre;
  const auto add_body = [&](double inverse_mass, const Vector3& x) {
    problem.inverse_mass.push_back(inverse_mass);
    problem.inverse_inertia_W.push_back(6.0 * inverse_mass * Matrix3::Identity());
    problem.v_free.push_back(inverse_mass > 0.0 ? Vector3(0.0, 0.0, -gravity * h)
                                                : Vector3(0.0, 0.0, 0.0));
    problem.w_free_W.push_back(Vector3::Zero());
    centre.push_back(x);
  };
  std::vector<WallContact> contacts;
  const auto add_face = [&](int a, int b, double low, double high, double z) {
    for (const double x : {low, high}) {
      for (const double y : {-0.5, 0.5})
        contacts.push_back({a, b, Vector3::UnitZ(), Vector3(x, y, z)});
    }
  };
  add_body(0.0, Vector3::Zero());
  for (int course = 0, below = 0; course < courses; ++course) {
    const int first = static_cast<int>(centre.size()), count = length - course;
    for (int i = 0; i < count; ++i) {
      const double x = i + 0.5 * course;
      const int body = first + i;
      add_body(1.0 / mass, Vector3(x, 0.0, course + 0.5));
      if (course == 0)
        add_face(0, body, x - 0.5, x + 0.5, 0.0);
      else
        add_face(below + i, body, x - 0.5, x, course),
            add_face(below + i + 1, body, x, x + 0.5, course);
      if (i == 0) continue;
      for (const double y : {-0.5, 0.5}) {
        for (const double z : {0.0, 1.0}) {
          contacts.push_back({body - 1, body, Vector3::UnitX(), Vector3(x - 0.5, y, course + z)});
        }
      }
    }
    below = first;
  }
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const WallContact& x, const WallContact& y) {
                     return std::tie(x.a, x.b) < std::tie(y.a, y.b);
                   });
  for (const WallContact& c : contacts) {
    Matrix3 R;
    R.col(0) = c.normal;
    R.col(1) = c.normal.x() == 0.0 ? Vector3::UnitX() : Vector3::UnitY();
    R.col(2) = c.normal.cross(R.col(1).eval());
    problem.body_a.push_back(c.a);
    problem.body_b.push_back(c.b);
    problem.R_WC.push_back(R);
    problem.r_a_W.push_back(c.point - centre[static_cast<std::size_t>(c.a)]);
    problem.r_b_W.push_back(c.point - centre[static_cast<std::size_t>(c.b)]);
    problem.mu.push_back(mu);
    problem.bias.push_back(Vector3::Zero());
    problem.scale.push_back(1.0);
  }
  return problem;
}

// Both on one ground, without touching each other; the contacts sorted by pair.
inline contact::BodyProblem side_by_side(const contact::BodyProblem& one,
                                         const contact::BodyProblem& other) {
  contact::BodyProblem all = one;
  const auto append = [](auto& to, const auto& from, std::size_t skipped) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(skipped), from.end());
  };
  append(all.inverse_mass, other.inverse_mass, 1),
      append(all.inverse_inertia_W, other.inverse_inertia_W, 1);
  append(all.v_free, other.v_free, 1), append(all.w_free_W, other.w_free_W, 1);
  const auto renumbered = [&](BodyIndex body) {
    return body == 0 ? 0 : body + static_cast<BodyIndex>(one.n_bodies()) - 1;
  };
  std::vector<std::pair<const contact::BodyProblem*, std::size_t>> order;
  for (std::size_t c = 0; c < one.n_contacts(); ++c) order.emplace_back(&one, c);
  for (std::size_t c = 0; c < other.n_contacts(); ++c) order.emplace_back(&other, c);
  const auto pair_of = [&](const auto& entry) {
    const auto& [from, c] = entry;
    const BodyIndex a = from->body_a[c], b = from->body_b[c];
    return from == &one ? std::pair(a, b) : std::pair(renumbered(a), renumbered(b));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto& x, const auto& y) { return pair_of(x) < pair_of(y); });
  all.body_a.resize(order.size()), all.body_b.resize(order.size()), all.R_WC.resize(order.size());
  all.r_a_W.resize(order.size()), all.r_b_W.resize(order.size()), all.mu.resize(order.size());
  all.bias.resize(order.size()), all.scale.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto& [from, c] = order[k];
    std::tie(all.body_a[k], all.body_b[k]) = pair_of(order[k]);
    all.R_WC[k] = from->R_WC[c], all.r_a_W[k] = from->r_a_W[c], all.r_b_W[k] = from->r_b_W[c];
    all.mu[k] = from->mu[c], all.bias[k] = from->bias[c], all.scale[k] = from->scale[c];
  }
  return all;
}

}  // namespace scree::test
