// Interior-point method for Coulomb friction, on the nonconvex problem itself: De Saxce's shift
// |y_T| is part of the equations, not of an outer loop. With x = (mu p_N, p_T) and y = (w_N / mu +
// |w_T|, w_T), both in the round cone, and the problem's numbers over their mean size,
//
//   r = A x + b + |y_T| e_N - y = 0,   x o y = m e,   m -> 0.
//
// A step is Mehrotra's predictor and corrector with the scaling of Nesterov and Todd
// (cone_scaling.hpp):
//   (A + D + delta I) dx = -r + C Th g,   dy = Th g - Th^2 dx,   D = C Th^2,   C = I - e_N t^T,   t
//   = y_T / |y_T|,
// with delta a proximal term: contacts that share their load in many ways leave A singular. A
// contact without friction has the half line for a cone: its tangential rows are left out.
//
// [AHB18] Acary, Bremond, Huber, On solving contact problems with Coulomb friction, 2018;
// [Mehrotra92] Mehrotra, On the implementation of a primal-dual interior point method, 1992.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "contact/solver/cone_scaling.hpp"
#include "contact/solver/coupling.hpp"

namespace scree::contact {

// Keeps its memory.
template <class Coupling>
class InteriorPoint {
 public:
  // Begins at x = y = start e.
  void begin(Coupling& coupling, double start) {
    prepare(coupling);
    for (std::size_t c = 0; c < n_; ++c)
      set(x_, c, {start, 0.0, 0.0}), set(y_, c, {start, 0.0, 0.0});
    scale();
  }

  // Begins on the surface x o y = m e, at the point whose x - y is that of `impulses` and their
  // velocities.
  void begin_from(Coupling& coupling, const Numbers& impulses, double m) {
    prepare(coupling);
    coupling.product(impulses.data(), product_.data());
    for (std::size_t c = 0; c < n_; ++c) {
      Vector3 x = get(impulses, c), y = in_velocities(c, get(product_, c) + get(coupling.b, c));
      x[0] /= shrink_of(c);
      if (without_friction(c)) x[1] = x[2] = 0.0;
      y[0] += std::hypot(y[1], y[2]);
      const Vector3 z = (x - y) / unit_;
      split(z, m, x, y);
      set(x_, c, x), set(y_, c, y);
    }
    scale();
  }

  // One step: one factorisation and two solutions. False when it cannot go on.
  bool step() {
    find_rest();
    if (!linearise()) return false;
    for (std::size_t c = 0; c < n_; ++c) set(g_, c, -scaling_[c].lambda());
    solve();
    const double predicted = gap(std::min(1.0, to_boundary()));
    const double centring = std::clamp(std::pow(predicted / gap_, 3), 1e-6, 0.8);
    for (std::size_t c = 0; c < n_; ++c) {
      const ConeScaling& s = scaling_[c];
      Vector3 target = -cone_product(s.lambda(), s.lambda()) -
                       cone_product(s.theta(get(dx_, c)), s.theta_inverse(get(dy_, c)));
      target[0] += centring * gap_;
      set(g_, c, cone_quotient(s.lambda(), target));
    }
    solve();
    return advance();
  }

  double gap() const { return gap_; }              // m
  double last_step() const { return last_step_; }  // share of the Newton step that was taken
  static double flops(const Coupling& coupling) {  // of a step
    constexpr double of_contact = 2500.0;
    return coupling.factorise_flops() + 4.0 * coupling.solve_flops() +
           3.0 * coupling.product_flops() + of_contact * static_cast<double>(coupling.n_contacts());
  }

  // Impulses in the coupling's units.
  void store(Numbers& impulses) const {
    impulses.resize(3 * n_);
    for (std::size_t c = 0; c < n_; ++c) {
      const Vector3 x = get(x_, c);
      set(impulses, c, unit_ * in_impulses(c, x));
    }
  }

 private:
  static constexpr double delta = 1e-6;
  static constexpr int refinements = 1;

  static Vector3 get(const Numbers& v, std::size_t c) {
    return {v[3 * c], v[3 * c + 1], v[3 * c + 2]};
  }
  static void set(Numbers& v, std::size_t c, const Vector3& value) {
    for (std::size_t k = 0; k < 3; ++k) v[3 * c + k] = value[static_cast<int>(k)];
  }
  bool without_friction(std::size_t c) const { return coupling_->mu[c] == 0.0; }
  // p_N over x_N.
  double shrink_of(std::size_t c) const {
    return without_friction(c) ? 1.0 : 1.0 / coupling_->mu[c];
  }

  // From x to impulses, and from contact velocities to the units of y.
  Vector3 in_impulses(std::size_t c, const Vector3& x) const {
    return without_friction(c) ? Vector3(x[0], 0.0, 0.0) : Vector3(x[0] * shrink_of(c), x[1], x[2]);
  }
  Vector3 in_velocities(std::size_t c, const Vector3& w) const {
    return without_friction(c) ? Vector3(w[0], 0.0, 0.0) : Vector3(w[0] * shrink_of(c), w[1], w[2]);
  }

  void prepare(Coupling& coupling) {
    coupling_ = &coupling;
    n_ = coupling.n_contacts();
    for (Numbers* v : {&x_, &y_, &r_, &g_, &dx_, &dy_, &rhs_, &change_, &product_, &total_})
      v->assign(3 * n_, 0.0);
    P_.resize(n_), scaling_.resize(n_), next_.resize(n_), t_.resize(n_);
    double sum = 0.0;
    for (std::size_t c = 0; c < n_; ++c) {
      sum += in_velocities(c, get(coupling.b, c)).squaredNorm();
    }
    unit_ = sum > 0.0 ? std::sqrt(sum / (3.0 * static_cast<double>(n_))) : 1.0;
    last_step_ = 1.0;
  }

  static void split(const Vector3& z, double m, Vector3& x, Vector3& y) {
    const double r = std::hypot(z[1], z[2]);
    const double u[2] = {r > 0.0 ? z[1] / r : 1.0, r > 0.0 ? z[2] / r : 0.0};
    const auto positive = [m](double l) {
      const double root = std::sqrt(l * l + 4.0 * m);
      return l >= 0.0 ? 0.5 * (l + root) : 2.0 * m / (root - l);
    };
    const double x_up = positive(z[0] + r), x_down = positive(z[0] - r), y_up = positive(-z[0] - r),
                 y_down = positive(r - z[0]);
    x = {0.5 * (x_up + x_down), 0.5 * (x_up - x_down) * u[0], 0.5 * (x_up - x_down) * u[1]};
    y = {0.5 * (y_up + y_down), 0.5 * (y_up - y_down) * u[0], 0.5 * (y_up - y_down) * u[1]};
  }

  void scale() {
    gap_ = 0.0;
    for (std::size_t c = 0; c < n_; ++c) {
      scaling_[c] = ConeScaling(get(x_, c), get(y_, c));
      gap_ += get(x_, c).dot(get(y_, c));
    }
    gap_ /= static_cast<double>(n_);
  }

  // x in impulses, A times them, and the same in the units of y.
  void image(const Numbers& x, Numbers& to) {
    for (std::size_t c = 0; c < n_; ++c) set(change_, c, in_impulses(c, get(x, c)));
    coupling_->product(change_.data(), to.data());
    for (std::size_t c = 0; c < n_; ++c) set(to, c, in_velocities(c, get(to, c)));
  }

  void find_rest() {
    image(x_, r_);
    for (std::size_t c = 0; c < n_; ++c) {
      const Vector3 y = get(y_, c);
      const double slide = std::hypot(y[1], y[2]);
      t_[c] = slide > 0.0 ? Vector3(0.0, y[1] / slide, y[2] / slide) : Vector3(Vector3::Zero());
      Vector3 r = get(r_, c) + in_velocities(c, get(coupling_->b, c)) / unit_ - y;
      r[0] += slide;
      set(r_, c, r);
    }
  }

  ConeScaling::Inverse inverse_of(std::size_t c) const { return {scaling_[c], t_[c], delta}; }

  bool linearise() {
    for (std::size_t c = 0; c < n_; ++c) {
      Matrix3 inverse = inverse_of(c).matrix();
      inverse.row(0) *= shrink_of(c), inverse.col(0) *= shrink_of(c);
      if (without_friction(c)) inverse.bottomRows<2>().setZero(), inverse.rightCols<2>().setZero();
      for (int r = 0; r < 3; ++r) {
        for (int k = 0; k < 3; ++k) P_[c][static_cast<std::size_t>(3 * r + k)] = inverse(r, k);
      }
    }
    return coupling_->factorise(P_);
  }

  static Vector3 along_normal(const Vector3& v, const Vector3& t) {
    return {v[0] - t.dot(v), v[1], v[2]};
  }  // C v

  // dx and dy of the target g_; what the solution leaves of the system is solved for again.
  void solve() {
    for (std::size_t c = 0; c < n_; ++c)
      set(rhs_, c, along_normal(scaling_[c].theta(get(g_, c)), t_[c]) - get(r_, c));
    dx_.assign(3 * n_, 0.0);
    total_ = rhs_;
    for (int round = 0;; ++round) {
      for (std::size_t c = 0; c < n_; ++c) {
        const Vector3 dx = inverse_of(c) * get(total_, c);
        set(change_, c, in_impulses(c, dx));
      }
      coupling_->solve(change_.data(), product_.data());
      for (std::size_t c = 0; c < n_; ++c) {
        Vector3 dx = inverse_of(c) * (get(total_, c) - in_velocities(c, get(product_, c)));
        if (without_friction(c)) dx[1] = dx[2] = 0.0;
        set(dx_, c, get(dx_, c) + dx);
      }
      if (round == refinements) break;
      image(dx_, product_);
      for (std::size_t c = 0; c < n_; ++c) {
        const Vector3 dx = get(dx_, c);
        set(total_, c,
            get(rhs_, c) - get(product_, c) - along_normal(scaling_[c].theta_squared(dx), t_[c]) -
                delta * dx);
      }
    }
    for (std::size_t c = 0; c < n_; ++c) {
      set(dy_, c, scaling_[c].theta(get(g_, c)) - scaling_[c].theta_squared(get(dx_, c)));
      if (without_friction(c))
        dx_[3 * c + 1] = dx_[3 * c + 2] = dy_[3 * c + 1] = dy_[3 * c + 2] = 0.0;
    }
  }

  double to_boundary() const {
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < n_; ++c) {
      step = std::min(step, step_to_boundary(get(x_, c), get(dx_, c)));
      step = std::min(step, step_to_boundary(get(y_, c), get(dy_, c)));
    }
    return step;
  }

  double gap(double step) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < n_; ++c)
      sum += (get(x_, c) + step * get(dx_, c)).dot(get(y_, c) + step * get(dy_, c));
    return sum / static_cast<double>(n_);
  }

  // Shortens the step until no contact is far from the centre: without this the iterate leaves the
  // cones at the end.
  bool advance() {
    constexpr double share = 0.99, shorter = 0.9, least_centred = 1e-2;
    constexpr int most_trials = 100;
    double step = std::min(1.0, share * to_boundary());
    for (int trial = 0; trial < most_trials; ++trial, step *= shorter) {
      const double m = gap(step);
      bool inside = m > 0.0;
      for (std::size_t c = 0; c < n_ && inside; ++c) {
        next_[c] = ConeScaling(get(x_, c) + step * get(dx_, c), get(y_, c) + step * get(dy_, c));
        const double smallest = next_[c].smallest();
        inside = smallest > 0.0 && smallest * smallest >= least_centred * m;
      }
      if (!inside) continue;
      for (std::size_t k = 0; k < 3 * n_; ++k) x_[k] += step * dx_[k], y_[k] += step * dy_[k];
      scaling_.swap(next_);
      gap_ = m, last_step_ = step;
      return true;
    }
    return false;
  }

  Coupling* coupling_ = nullptr;
  std::size_t n_ = 0;
  double unit_ = 1.0, gap_ = 1.0, last_step_ = 1.0;
  Numbers x_, y_, r_, g_, dx_, dy_, rhs_, change_, product_, total_;
  std::vector<Block3> P_;
  std::vector<ConeScaling> scaling_, next_;
  std::vector<Vector3> t_;
};

}  // namespace scree::contact
