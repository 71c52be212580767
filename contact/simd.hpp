// Four doubles at a time, with the same bits on every x86-64: kernels are compiled for AVX2 and for the baseline, and the
// choice at run time changes the speed only (products are never fused with sums).
//
// Rows of three are loaded with a fourth lane that belongs to what follows in memory; no lane sum uses it.
#pragma once

#include <cstring>

namespace scree::contact {

using Lanes = double __attribute__((vector_size(32)));

[[gnu::always_inline]] inline void load_lanes(Lanes& x, const double* from) noexcept {
  std::memcpy(&x, from, sizeof(Lanes));
}

[[gnu::always_inline]] inline void store_lanes(double* to, const Lanes& x) noexcept {
  std::memcpy(to, &x, sizeof(Lanes));
}

[[gnu::always_inline]] inline double sum3(const Lanes& x) noexcept {
  return (x[0] + x[1]) + x[2];
}

#if defined(__x86_64__)
#define SCREE_TARGET_AVX2 [[gnu::target("avx2")]]
inline bool has_avx2() noexcept {
  static const bool available = __builtin_cpu_supports("avx2") != 0;
  return available;
}
#else
#define SCREE_TARGET_AVX2
inline bool has_avx2() noexcept {
  return false;
}
#endif

}  // namespace scree::contact
