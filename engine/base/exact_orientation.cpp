// Floating-point filter first; where round-off could decide, the determinant is summed without
// error as a nonoverlapping expansion. Shewchuk, Adaptive precision floating-point arithmetic and
// fast robust geometric predicates, Discrete Comput. Geom. 18 (1997): error bound A of section 4.3,
// expansions of section 2.
#include "engine/base/exact_orientation.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace scree {
namespace {

// A sum of doubles in increasing magnitude that do not overlap, without zeros; room for the largest
// one used here.
struct Expansion {
  std::array<double, 192> part{};
  std::size_t n = 0;

  void push(double value) {
    if (value != 0.0) part[n++] = value;
  }
};

struct TwoParts {
  double high, low;
};

TwoParts two_sum(double a, double b) {
  const double sum = a + b, b_part = sum - a, a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

TwoParts two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

void add(Expansion& e, double b) {
  Expansion sum;
  double rest = b;
  for (std::size_t i = 0; i < e.n; ++i) {
    const TwoParts two = two_sum(rest, e.part[i]);
    sum.push(two.low);
    rest = two.high;
  }
  sum.push(rest);
  e = sum;
}

void add(Expansion& e, const Expansion& f, double sign) {
  for (std::size_t i = 0; i < f.n; ++i) add(e, sign * f.part[i]);
}

Expansion scaled(const Expansion& e, double b) {
  Expansion product;
  double rest = 0.0;
  for (std::size_t i = 0; i < e.n; ++i) {
    const TwoParts two = two_product(e.part[i], b);
    const TwoParts lower = two_sum(rest, two.low);
    product.push(lower.low);
    const TwoParts upper = two_sum(two.high, lower.high);
    product.push(upper.low);
    rest = upper.high;
  }
  product.push(rest);
  return product;
}

Expansion times(const Expansion& e, const Expansion& f) {
  Expansion product;
  for (std::size_t i = 0; i < f.n; ++i) add(product, scaled(e, f.part[i]), 1.0);
  return product;
}

Expansion difference(double a, double b) {
  const TwoParts two = two_sum(a, -b);
  Expansion e;
  e.push(two.low);
  e.push(two.high);
  return e;
}

int exact_sign(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& p) {
  std::array<Expansion, 3> u, v, w;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    u[i] = difference(b(k), a(k));
    v[i] = difference(c(k), a(k));
    w[i] = difference(p(k), a(k));
  }
  Expansion volume;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    Expansion minor = times(u[j], v[k]);
    add(minor, times(u[k], v[j]), -1.0);
    add(volume, times(minor, w[i]), 1.0);
  }
  if (volume.n == 0) return 0;
  return volume.part[volume.n - 1] > 0.0 ? 1 : -1;  // the largest part outweighs all others
}

}  // namespace

Orientation orientation(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& p) {
  const Vector3 u = b - a, v = c - a, w = p - a;
  const double xy = u.x() * v.y(), yx = u.y() * v.x(), yz = u.y() * v.z();
  const double zy = u.z() * v.y(), zx = u.z() * v.x(), xz = u.x() * v.z();
  const double volume = w.z() * (xy - yx) + w.x() * (yz - zy) + w.y() * (zx - xz);
  const double sizes = std::abs(w.z()) * (std::abs(xy) + std::abs(yx)) +
                       std::abs(w.x()) * (std::abs(yz) + std::abs(zy)) +
                       std::abs(w.y()) * (std::abs(zx) + std::abs(xz));
  constexpr double half_unit = 1.1102230246251565e-16;
  constexpr double bound = (7.0 + 56.0 * half_unit) * half_unit;
  if (std::abs(volume) > bound * sizes) return {volume > 0.0 ? 1 : -1, volume};
  return {exact_sign(a, b, c, p), volume};
}

}  // namespace scree
