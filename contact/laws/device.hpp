// Viscoelastic device of a contact that stays closed, [CD18] 4.1: a spring and a dashpot, tuned as
// a critical oscillator of the contact's effective mass m = 1 / W_NN whose period is so many steps.
// It makes forces unique where rigid contacts leave them undetermined. With w = 2 pi / (period h):
//
//   k = m w^2,  c = 2 m w      R_N = -(k (x_N + theta h u) + c u), only pushing
//   0 <= p_N  perpendicular to  u_N,theta + a p_N + d >= 0
//   a = 1 / (h (theta h k + c)),   d = k x_N / (theta h k + c)
//
// x is the elongation of the spring, which is remembered: what the contact has been closed by while
// it carried, not the overlap of the bodies, which may have other causes (those heal without
// velocities, engine/method/contact_device.md). Along the surface, if asked, the same with k_T =
// 2/7 k and c_T = 2/7 c, in series with friction: the spring takes u_x = -(a p + d) of the
// velocity, friction slides with the rest, so that x_k+1 = x_k + h u_x whether it sticks or slips.
//
// A contact that was not closed and approaches faster than 2 h |g| obeys the impact law of its pair
// in that step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "contact/laws/law.hpp"

namespace scree::contact {

struct ContactDevice {
  static constexpr bool compliant = true;
  static constexpr double of_normal = 2.0 / 7.0;  // [-] tangential stiffness and viscosity
  // Shortest and longest period: stiffer than that, theta = 1/2 hardly damps it.
  static constexpr double shortest = 0.25, longest = 1e4;  // [steps]
  static constexpr std::array parameters = {
      LawParameter{"device_normal", "steps", 0.0, longest, 0.0,
                   std::numeric_limits<double>::infinity(),
                   "period of the viscoelastic device along the normal; 0: none", false},
      LawParameter{"device_tangential", "steps", 0.0, longest, 0.0,
                   std::numeric_limits<double>::infinity(),
                   "period of the viscoelastic device along the surface; 0: none", false}};
  static constexpr std::array energies = {
      LawEnergy{"contact_elastic", "work of the springs of contact devices",
                "minus the change of what the springs of contact devices store"},
      LawEnergy{"contact_viscous", "work of the dashpots of contact devices",
                "what contact devices dissipate, stores of contacts that open included, <= 0"}};

  // A contact's memory between steps. All zero: the contact was open.
  struct Memory {
    static constexpr std::size_t normal = 0;   // [m] elongation, <= 0
    static constexpr std::size_t tangent = 1;  // [m] three numbers: elongation, world axes
    static constexpr std::size_t n = 4;        // three numbers: the normal that it belongs to
    static constexpr std::size_t mass = 7;     // [kg] > 0: the contact was closed
  };
  // As a step begins with it.
  struct Start {
    static constexpr std::size_t normal = 0;   // [m]
    static constexpr std::size_t tangent = 1;  // [m] two numbers: along t and s
    static constexpr std::size_t stored = 3;   // [J] when the step before ended
    static constexpr std::size_t acts = 4;     // 1: the device, 0: the impact law
    static constexpr std::size_t mass = 7;     // [kg]
  };

  static bool was_closed(const ContactMemory& memory) { return memory[Memory::mass] > 0.0; }

  static bool is_sound(const double*, const ContactMemory& memory) {
    if (!(memory[Memory::mass] > 0.0)) return memory == ContactMemory{};
    constexpr double unit = 1e-6;
    return memory[Memory::normal] <= 0.0 && std::abs(get(memory, Memory::n).norm() - 1.0) <= unit;
  }

  // A contact that its spring holds apart takes part until that has let go.
  static bool enters(const double*, const ContactInput& in) {
    return in.memory[Memory::normal] < 0.0 && in.gap <= in.touch;
  }

  static void row(const double* own, const ContactInput& in, ContactRow& row) {
    row.memory = {};
    const bool closed = was_closed(in.memory);
    if (closed) row.memory[Start::stored] = stored(own, in.h, in.memory);
    if (!(in.W_NN > 0.0)) return;
    const double mass = 1.0 / in.W_NN, r = (1.0 - in.theta) / in.theta;
    row.memory[Start::mass] = mass;
    if (!closed && in.u_0.x() < -2.0 * in.h * in.gravity) return;
    row.memory[Start::acts] = 1.0;
    // A spring that has grown stiffer since is let out, so that it holds no more than it did.
    const double let_out = closed ? std::min(1.0, std::sqrt(in.memory[Memory::mass] / mass)) : 1.0;
    if (own[0] > 0.0) {
      const Spring spring(own[0], in.h, in.theta);
      // Bodies farther apart than the spring says have let it out.
      const double x = std::max(let_out * in.memory[Memory::normal], in.gap - in.digits);
      row.memory[Start::normal] = x;
      row.compliance.x() = spring.compliance(mass) / in.theta;
      row.bias.x() = r * in.u_0.x() + spring.drift(x) / in.theta;
    }
    if (own[1] > 0.0) {
      const Spring spring(own[1], in.h, in.theta);
      Vector3 x = Vector3::Zero();
      if (closed) x = in.R_WC.transpose() * (let_out * carried(in));
      for (const int axis : {1, 2}) {
        row.memory[Start::tangent + static_cast<std::size_t>(axis - 1)] = x[axis];
        row.compliance[axis] = spring.compliance(of_normal * mass) / in.theta;
        row.bias[axis] = r * in.u_0[axis] + spring.pull(x[axis]) / in.theta;
      }
    }
  }

  // What of u_theta the device takes, (n,t,s) [m/s]; the rest is left to the cone.
  static Vector3 yield(const double* own, const ContactEnd& end) {
    Vector3 u = Vector3::Zero();
    const ContactMemory& start = end.memory;
    if (start[Start::acts] == 0.0) return u;
    if (own[0] > 0.0) {
      const Spring spring(own[0], end.h, end.theta);
      u.x() =
          -(spring.compliance(start[Start::mass]) * end.p.x() + spring.drift(start[Start::normal]));
    }
    if (own[1] > 0.0) {
      const Spring spring(own[1], end.h, end.theta);
      for (const int axis : {1, 2}) {
        u[axis] = -(spring.compliance(of_normal * start[Start::mass]) * end.p[axis] +
                    spring.pull(start[Start::tangent + static_cast<std::size_t>(axis - 1)]));
      }
    }
    return u;
  }

  // The memory that the next step begins with takes the place of the one of this step.
  static void end(const double* own, ContactEnd& end, std::span<double> energy) {
    const ContactMemory start = end.memory;
    ContactMemory& memory = end.memory;
    memory = {};
    const Vector3 u = yield(own, {.p = end.p, .h = end.h, .theta = end.theta, .memory = start});
    if (start[Start::acts] != 0.0 && own[0] > 0.0)
      memory[Memory::normal] = std::min(0.0, start[Start::normal] + end.h * end.u_theta.x());
    if (end.p.x() > 0.0 && start[Start::acts] != 0.0 && own[1] > 0.0) {
      const Vector3 x(0.0, start[Start::tangent] + end.h * u.y(),
                      start[Start::tangent + 1] + end.h * u.z());
      put(end.R_WC * x, memory, Memory::tangent);
    }
    if (start[Start::mass] > 0.0 && (end.p.x() > 0.0 || memory[Memory::normal] < 0.0)) {
      put(end.R_WC.col(0), memory, Memory::n);
      memory[Memory::mass] = start[Start::mass];
    }
    const double gained = stored(own, end.h, memory) - start[Start::stored];
    energy[0] -= gained;
    energy[1] += end.p.dot(u) + gained;
  }

  // A contact that is no longer there.
  static void drop(const double* own, double h, const ContactMemory& memory,
                   std::span<double> energy) {
    const double lost = stored(own, h, memory);
    energy[0] += lost;
    energy[1] -= lost;
  }

  // [m] the overlap that the device holds at the end of a step, <= 0; others heal.
  static double rest_gap(const double*, const ContactMemory& memory) {
    return memory[Memory::normal];
  }

  // [-] share of other overlaps that heals in a step: what a released device at theta = 1 recovers.
  static double healing(const double* own) {
    const double angle = own[0] > 0.0 ? angle_of(own[0]) : 0.0;
    return angle / (angle + 2.0);
  }

 private:
  // w h.
  static double angle_of(double period) { return 2.0 * std::numbers::pi / period; }

  struct Spring {
    double angle, h, theta;
    Spring(double period, double step, double weight)
        : angle(angle_of(period)), h(step), theta(weight) {}

    double compliance(double mass) const {
      return 1.0 / (mass * angle * (theta * angle + 2.0));
    }                                                                                // a
    double pull(double x) const { return x / h * (angle / (theta * angle + 2.0)); }  // d
    // d along the normal: a gap that is still open is closed first.
    double drift(double x) const { return x > 0.0 ? x / h : pull(x); }
  };

  // [J]
  static double stored(const double* own, double h, const ContactMemory& memory) {
    const auto of = [&](double period, double squared) {
      const double w = period > 0.0 ? angle_of(period) / h : 0.0;
      return 0.5 * memory[Memory::mass] * w * w * squared;
    };
    const double x = memory[Memory::normal];
    return of(own[0], x * x) + of_normal * of(own[1], get(memory, Memory::tangent).squaredNorm());
  }

  static Vector3 get(const ContactMemory& memory, std::size_t at) {
    return {memory[at], memory[at + 1], memory[at + 2]};
  }
  static void put(const Vector3& v, ContactMemory& memory, std::size_t at) {
    for (std::size_t k = 0; k < 3; ++k) memory[at + k] = v[static_cast<int>(k)];
  }

  // Tangential elongation in the tangent plane of now: it goes along with the normal, and turns
  // about it with what the two bodies have in common.
  static Vector3 carried(const ContactInput& in) {
    const Vector3 before = get(in.memory, Memory::n), now = in.R_WC.col(0);
    Vector3 x = get(in.memory, Memory::tangent);
    if (before.dot(now) <= 0.0) return Vector3::Zero();
    if (before != now) {
      // Turn by the axis before x now: (1 + cos) and sin without a root.
      const Vector3 axis = before.cross(now);
      const double cosine = before.dot(now);
      x = cosine * x + axis.cross(x) + axis.dot(x) / (1.0 + cosine) * axis;
      x -= x.dot(now) * now;
    }
    if (in.turn != 0.0) {
      const double cosine = std::cos(in.turn), sine = std::sin(in.turn);
      x = cosine * x + sine * now.cross(x);
    }
    return x;
  }
};

}  // namespace scree::contact
