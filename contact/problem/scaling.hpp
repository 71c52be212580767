// What both operators keep for each contact, and the unit-free variables in which all methods work.
//
// With d_c = trace(W_cc) / 3 the unknown is y_c = p_c sqrt(d_c), and the contact velocity becomes
// w_c / sqrt(d_c). The scalar keeps the cone and makes every diagonal block have trace 3, so step
// lengths and shifts need no units.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/math.hpp"

namespace scree::contact {

// Unit-free factor 1 / sqrt(d_c); contacts that nothing can move (W_cc = 0) keep their units.
double contact_factor(double trace);

// The start of one contact, `rows` numbers: none where one of them is not a number that can be
// squared and summed.
inline void clean_start(double* y, int rows) noexcept {
  constexpr double largest = 1e140;
  bool sound = true;
  for (int k = 0; k < rows; ++k) sound = sound && std::abs(y[k]) <= largest;
  if (!sound) std::fill_n(y, rows, 0.0);
}

// Row-major inverse of A + alpha I [rows x rows], or zero when it does not exist.
template <int rows>
void regularised_inverse(const double* A, double alpha, double* inverse);

}  // namespace scree::contact
