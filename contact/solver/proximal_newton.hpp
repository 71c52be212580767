// Proximal-point method with Newton's method inside: the problem of W + eps I and b - eps y_k,
// whose solution is y_(k+1) [Rockafellar76]. Each has a locally unique solution even where contacts
// share their load in many ways, and misses the law of the problem itself by eps (y_(k+1) - y_k)
// alone: a small eps ends at once, if Newton's method finds the states of the contacts from where
// it starts.
//
// Newton's method is semi-smooth, on the equations of [AC91] with parameter 1 in unit-free
// variables (a = y - w):
//   a_N <= 0 (open) y = 0;   |a_T| <= mu a_N (stick) w = 0;   otherwise (slip) w_N = 0, y_T = mu
//   a_N a_T / |a_T|.
// The associated law, whose impulses solve a convex problem, has for the third of them y = the
// projection of a on the edge of the cone, and open where -a lies in the dual cone.
//
// Steps are taken whole. The way from one set of states to the next leads over larger errors: with
// steps that had to decrease them, 24 of 52 problems were left between two sets.
//
// [Rockafellar76] Rockafellar, Monotone operators and the proximal point algorithm, 1976; [AC91]
// Alart, Curnier, A mixed formulation for frictional contact problems prone to Newton like solution
// methods, 1991.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "contact/solver/coupling.hpp"

namespace scree::contact {

enum class FrictionRule { coulomb, associated };

// Keeps its memory.
template <class Coupling>
class ProximalNewton {
 public:
  // Solves the problem of eps around y, and writes the solution (not exactly in the cones) over it.
  // True: solved to `exact` of |y|. `flops` grows by what it took.
  bool step(Coupling& coupling, double eps, Numbers& y, double& flops,
            FrictionRule rule = FrictionRule::coulomb) {
    prepare(coupling, y);
    rule_ = rule;
    constexpr int most_steps = 15;
    constexpr double round_off = 1e-13, exact = 1e-9;
    coupling.product(y.data(), image_.data());
    double error = evaluate(y, image_, eps);
    flops += coupling.product_flops();
    for (int k = 0; k < most_steps && error > round_off * norm(y); ++k) {
      flops += coupling.factorise_flops() + 2.0 * coupling.solve_flops() +
               coupling.product_flops() + 300.0 * static_cast<double>(n_);
      if (!coupling.factorise(P_)) return false;
      solve(coupling);
      for (std::size_t i = 0; i < 3 * n_; ++i)
        y[i] += direction_[i], image_[i] += direction_image_[i];
      error = evaluate(y, image_, eps);
    }
    return error <= exact * norm(y);
  }

 private:
  void prepare(const Coupling& coupling, const Numbers& y) {
    n_ = coupling.n_contacts();
    mu_ = coupling.mu.data(), b_ = coupling.b.data();
    for (Numbers* v : {&image_, &right_, &direction_, &direction_image_, &change_, &change_image_})
      v->resize(3 * n_);
    P_.resize(n_);
    centre_ = y;
  }

  static double norm(const Numbers& v) {
    double sum = 0.0;
    for (const double x : v) sum += x * x;
    return std::sqrt(sum);
  }

  // Norm of the equations at y with A y = image; also P and the right side of Newton's system
  // d + P A d = g.
  double evaluate(const Numbers& y, const Numbers& image, double eps) {
    double sum = 0.0;
    for (std::size_t c = 0; c < n_; ++c) {
      const double* p = y.data() + 3 * c;
      double w[3], F[3];
      for (std::size_t k = 0; k < 3; ++k)
        w[k] = image[3 * c + k] + b_[3 * c + k] + eps * (p[k] - centre_[3 * c + k]);
      const double a_n = p[0] - w[0], a_t = p[1] - w[1], a_s = p[2] - w[2], mu = mu_[c];
      const double length = std::sqrt(a_t * a_t + a_s * a_s);
      double* g = right_.data() + 3 * c;
      const bool associated = rule_ == FrictionRule::associated;
      if (associated ? mu * length <= -a_n : a_n <= 0.0) {
        for (std::size_t k = 0; k < 3; ++k) F[k] = p[k];
        P_[c] = Block3{}, g[0] = -F[0], g[1] = -F[1], g[2] = -F[2];
      } else if (mu > 0.0 && length <= mu * a_n) {
        for (std::size_t k = 0; k < 3; ++k) F[k] = w[k];
        P_[c] = {1.0 / eps, 0, 0, 0, 1.0 / eps, 0, 0, 0, 1.0 / eps};
        g[0] = -F[0] / eps, g[1] = -F[1] / eps, g[2] = -F[2] / eps;
      } else {
        const double t = length > 0.0 ? a_t / length : 1.0, s = length > 0.0 ? a_s / length : 0.0;
        const double normal = associated ? (a_n + mu * length) / (1.0 + mu * mu) : a_n,
                     limit = mu * normal;
        const double ratio = length > 0.0 ? limit / length : 0.0;
        F[0] = associated ? p[0] - normal : w[0];
        F[1] = p[1] - limit * t, F[2] = p[2] - limit * s;
        const auto linearise = associated ? linearise_edge : linearise_slip;
        linearise(mu, ratio, t, s, eps, F, P_[c], g);
      }
      sum += (F[0] * F[0] + F[1] * F[1]) + F[2] * F[2];
    }
    return std::sqrt(sum);
  }

  // (t, s): direction of slip; across it the tangential impulse turns with the velocity, by ratio =
  // mu a_N / |a_T| < 1.
  static void linearise_slip(double mu, double ratio, double t, double s, double eps,
                             const double F[3], Block3& P, double g[3]) {
    const double stiff = 1.0 - (1.0 - eps) * ratio, turn = ratio / stiff, inverse = 1.0 / eps;
    P = {inverse,          0.0,           0.0,
         mu * t * inverse, turn * s * s,  -turn * s * t,
         mu * s * inverse, -turn * s * t, turn * t * t};
    const double along = t * F[1] + s * F[2], across = (t * F[2] - s * F[1]) / stiff,
                 push = mu * (1.0 - eps) * inverse * F[0];
    g[0] = -inverse * F[0];
    g[1] = -(t * (push + along) - s * across);
    g[2] = -(s * (push + along) + t * across);
  }

  // The same where the impulse lies on the edge of its cone by the associated law: along the edge
  // (1, mu t) the projection moves with a, across it by `ratio`, and not at all off the cone.
  static void linearise_edge(double mu, double ratio, double t, double s, double eps,
                             const double F[3], Block3& P, double g[3]) {
    const double length = 1.0 / std::sqrt(1.0 + mu * mu), stiff = 1.0 - (1.0 - eps) * ratio;
    const double edge[3] = {length, length * mu * t, length * mu * s};
    const double off[3] = {length * mu, -length * t, -length * s}, across[3] = {0.0, -s, t};
    const auto dot = [&](const double d[3]) { return (d[0] * F[0] + d[1] * F[1]) + d[2] * F[2]; };
    const double along = dot(edge) / eps, away = dot(off), around = dot(across) / stiff;
    for (std::size_t i = 0; i < 3; ++i) {
      g[i] = -((along * edge[i] + away * off[i]) + around * across[i]);
      for (std::size_t k = 0; k < 3; ++k)
        P[3 * i + k] = edge[i] * edge[k] / eps + ratio / stiff * (across[i] * across[k]);
    }
  }

  // P_c w_c.
  double weighed(std::size_t c, std::size_t r, const Numbers& w) const {
    const double* row = P_[c].data() + 3 * r;
    return (row[0] * w[3 * c] + row[1] * w[3 * c + 1]) + row[2] * w[3 * c + 2];
  }

  void solve(Coupling& coupling) {
    coupling.solve(right_.data(), direction_image_.data());
    for (std::size_t k = 0; k < 3 * n_; ++k)
      direction_[k] = right_[k] - weighed(k / 3, k % 3, direction_image_);
    coupling.product(direction_.data(), direction_image_.data());
    for (std::size_t k = 0; k < 3 * n_; ++k)
      change_[k] = right_[k] - direction_[k] - weighed(k / 3, k % 3, direction_image_);
    coupling.solve(change_.data(), change_image_.data());
    for (std::size_t k = 0; k < 3 * n_; ++k)
      direction_[k] += change_[k] - weighed(k / 3, k % 3, change_image_);
    coupling.product(direction_.data(), direction_image_.data());
  }

  std::size_t n_ = 0;
  const double *mu_ = nullptr, *b_ = nullptr;
  Numbers centre_, image_, right_, direction_, direction_image_, change_, change_image_;
  std::vector<Block3> P_;
  FrictionRule rule_ = FrictionRule::coulomb;
};

}  // namespace scree::contact
