// The round cone {|x_T| <= x_N} of three numbers and its algebra: the product x o y = (x . y, x_N
// y_T + y_N x_T), and the scaling point of Nesterov and Todd [NT97] between two points inside: a
// symmetric Th with Th x = Th^-1 y = lambda. Th is kept by its eigenvalues, which spread over many
// orders near a solution: with the unit vector u, e L and e / L for (1, u) and (1, -u), and e
// across.
//
// [NT97] Nesterov, Todd, Self-scaled barriers and interior-point methods for convex programming,
// 1997; [AG03] Alizadeh, Goldfarb, Second-order cone programming, 2003.
#pragma once

#include <cmath>

#include "engine/base/infinity.hpp"
#include "engine/base/math.hpp"

namespace scree::contact {

// x_N^2 - |x_T|^2, as a product: squares lose the digits near the cone's surface.
inline double cone_determinant(const Vector3& x) noexcept {
  const double r = std::hypot(x[1], x[2]);
  return (x[0] - r) * (x[0] + r);
}

inline double cone_form(const Vector3& x, const Vector3& y) noexcept {
  return x[0] * y[0] - (x[1] * y[1] + x[2] * y[2]);
}

inline Vector3 cone_product(const Vector3& x, const Vector3& y) noexcept {
  return {x.dot(y), x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]};
}

// z with lambda o z = b; lambda inside.
inline Vector3 cone_quotient(const Vector3& lambda, const Vector3& b) noexcept {
  const double n =
      (lambda[0] * b[0] - (lambda[1] * b[1] + lambda[2] * b[2])) / cone_determinant(lambda);
  return {n, (b[1] - lambda[1] * n) / lambda[0], (b[2] - lambda[2] * n) / lambda[0]};
}

// The largest a with x + a d in the cone; x inside.
inline double step_to_boundary(const Vector3& x, const Vector3& d) noexcept {
  const double a = cone_form(d, d), b = cone_form(x, d), c = cone_determinant(x);
  double step = d[0] < 0.0 ? -x[0] / d[0] : infinity;
  const auto consider = [&step](double root) {
    if (root > 0.0 && root < step) step = root;
  };
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0) return step;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  if (a != 0.0) consider(q / a);
  if (q != 0.0) consider(c / q);
  return step;
}

class ConeScaling {
 public:
  ConeScaling() = default;
  // Of x and y inside the cone.
  ConeScaling(const Vector3& x, const Vector3& y) noexcept {
    const double root_x = std::sqrt(cone_determinant(x)), root_y = std::sqrt(cone_determinant(y));
    const Vector3 unit_x = x / root_x, unit_y = y / root_y;
    const double gamma = 1.0 / std::sqrt(2.0 * (1.0 + unit_x.dot(unit_y)));
    const double t = gamma * (unit_y[1] - unit_x[1]), s = gamma * (unit_y[2] - unit_x[2]),
                 r = std::hypot(t, s);
    if (r > 0.0) u_[0] = t / r, u_[1] = s / r;
    spread_ = gamma * (unit_y[0] + unit_x[0]) + r;
    size_ = std::sqrt(root_y / root_x);
    lambda_ = theta(x);
  }

  const Vector3& lambda() const noexcept { return lambda_; }
  // The smaller eigenvalue of lambda; not positive where x or y is not inside.
  double smallest() const noexcept { return lambda_[0] - std::hypot(lambda_[1], lambda_[2]); }

  Vector3 theta(const Vector3& v) const noexcept {
    return apply(size_ * spread_, size_ / spread_, size_, v);
  }
  Vector3 theta_inverse(const Vector3& v) const noexcept {
    return apply(1.0 / (size_ * spread_), spread_ / size_, 1.0 / size_, v);
  }
  Vector3 theta_squared(const Vector3& v) const noexcept {
    const double plus = size_ * spread_, minus = size_ / spread_;
    return apply(plus * plus, minus * minus, size_ * size_, v);
  }

  // The inverse of (I - e_N t^T) Th^2 + delta I: that of the symmetric part, and the rest, of rank
  // one, by Sherman and Morrison. |t| <= 1, t_N = 0.
  class Inverse {
   public:
    Inverse(const ConeScaling& scaling, const Vector3& t, double delta) noexcept
        : scaling_(scaling) {
      const double plus = scaling.size_ * scaling.spread_, minus = scaling.size_ / scaling.spread_,
                   across = scaling.size_;
      plus_ = 1.0 / (plus * plus + delta), minus_ = 1.0 / (minus * minus + delta),
      across_ = 1.0 / (across * across + delta);
      row_ =
          scaling.apply(plus * plus * plus_, minus * minus * minus_, across * across * across_, t);
      row_ /= 1.0 - row_[0];
    }
    // Eigenvalue by eigenvalue, and the part of rank one before: sums of large terms would lose
    // what is small across them.
    Vector3 operator*(const Vector3& v) const noexcept {
      return scaling_.apply(plus_, minus_, across_, Vector3(v[0] + row_.dot(v), v[1], v[2]));
    }
    Matrix3 matrix() const noexcept {
      Matrix3 matrix;
      for (int k = 0; k < 3; ++k) matrix.col(k) = *this * Vector3::Unit(k);
      return matrix;
    }

   private:
    const ConeScaling& scaling_;
    double plus_, minus_, across_;
    Vector3 row_;
  };

 private:
  // The symmetric matrix of these eigenvalues times v.
  Vector3 apply(double plus, double minus, double across, const Vector3& v) const noexcept {
    const double along = v[1] * u_[0] + v[2] * u_[1];
    const double up = 0.5 * plus * (v[0] + along), down = 0.5 * minus * (v[0] - along),
                 turned = (up - down) - across * along;
    return {up + down, turned * u_[0] + across * v[1], turned * u_[1] + across * v[2]};
  }

  Vector3 lambda_ = Vector3::Zero();
  double u_[2] = {1.0, 0.0}, spread_ = 1.0, size_ = 1.0;
};

}  // namespace scree::contact
