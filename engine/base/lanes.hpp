// Four doubles at a time, with the same bits on every x86-64: kernels are compiled for AVX-512, for
// AVX2 and for the baseline, and the choice at run time changes the speed only (products are never
// fused with sums). Of AVX-512 they take registers and masks, not width: four doubles there too.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace scree {

inline constexpr std::size_t n_lanes = 4;

using Lanes = double __attribute__((vector_size(32)));
using LaneMask = decltype(Lanes{} < Lanes{});  // -1 where true

[[gnu::always_inline]] inline void load_lanes(Lanes& x, const double* from) noexcept {
  std::memcpy(&x, from, sizeof(Lanes));
}

[[gnu::always_inline]] inline void store_lanes(double* to, const Lanes& x) noexcept {
  std::memcpy(to, &x, sizeof(Lanes));
}

[[gnu::always_inline]] inline double sum3(const Lanes& x) noexcept { return (x[0] + x[1]) + x[2]; }

#if defined(__x86_64__)
[[gnu::always_inline]] inline bool any(const LaneMask& mask) noexcept {
  return _mm_movemask_pd(reinterpret_cast<__m128d>(__builtin_shufflevector(mask, mask, 0, 1) |
                                                   __builtin_shufflevector(mask, mask, 2, 3))) != 0;
}
#else
[[gnu::always_inline]] inline bool any(const LaneMask& mask) noexcept {
  return ((mask[0] | mask[1]) | (mask[2] | mask[3])) != 0;
}
#endif

[[gnu::always_inline]] inline bool all(const LaneMask& mask) noexcept { return !any(~mask); }

[[gnu::always_inline]] inline double sum(const Lanes& x) noexcept {
  return (x[0] + x[1]) + (x[2] + x[3]);
}

// Rounded as std::sqrt; NaN for what is negative.
[[gnu::always_inline]] inline void square_root(Lanes& x) noexcept {
#if defined(__x86_64__)
  const __m128d low = _mm_sqrt_pd(__builtin_shufflevector(x, x, 0, 1)),
                high = _mm_sqrt_pd(__builtin_shufflevector(x, x, 2, 3));
  x = __builtin_shufflevector(low, high, 0, 1, 2, 3);
#else
  for (std::size_t i = 0; i < n_lanes; ++i) x[i] = std::sqrt(x[i]);
#endif
}

// Rows to columns.
[[gnu::always_inline]] inline void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) noexcept {
  constexpr LaneMask even = {0, 4, 2, 6}, odd = {1, 5, 3, 7}, low = {0, 1, 4, 5},
                     high = {2, 3, 6, 7};
  const Lanes ab_even = __builtin_shuffle(a, b, even), ab_odd = __builtin_shuffle(a, b, odd);
  const Lanes cd_even = __builtin_shuffle(c, d, even), cd_odd = __builtin_shuffle(c, d, odd);
  a = __builtin_shuffle(ab_even, cd_even, low), b = __builtin_shuffle(ab_odd, cd_odd, low);
  c = __builtin_shuffle(ab_even, cd_even, high), d = __builtin_shuffle(ab_odd, cd_odd, high);
}

#if defined(__x86_64__)
#define SCREE_TARGET_AVX512 [[gnu::target("avx512f,avx512vl,avx512dq,prefer-vector-width=256")]]
inline bool has_avx512() noexcept {
  static const bool available = __builtin_cpu_supports("avx512f") != 0 &&
                                __builtin_cpu_supports("avx512vl") != 0 &&
                                __builtin_cpu_supports("avx512dq") != 0;
  return available;
}
#define SCREE_TARGET_AVX2 [[gnu::target("avx2")]]
inline bool has_avx2() noexcept {
  static const bool available = __builtin_cpu_supports("avx2") != 0;
  return available;
}
#else
#define SCREE_TARGET_AVX512
inline bool has_avx512() noexcept { return false; }
#define SCREE_TARGET_AVX2
inline bool has_avx2() noexcept { return false; }
#endif

template <class Work>
void run_portable(const Work& work) noexcept {
  work();
}

template <class Work>
SCREE_TARGET_AVX2 void run_avx2(const Work& work) noexcept {
  work();
}

template <class Work>
SCREE_TARGET_AVX512 void run_avx512(const Work& work) noexcept {
  work();
}

// Calls `work`, a loop over lanes, compiled for the best vectors that the machine has. It and what
// its loop calls must be forced inline, so that they are compiled for each machine.
template <class Work>
void run_widest(const Work& work) noexcept {
  if (has_avx512())
    run_avx512(work);
  else if (has_avx2())
    run_avx2(work);
  else
    run_portable(work);
}

}  // namespace scree
