#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/base/lanes.hpp"

namespace lanes_test {

// A loop over lanes has the same bits for whichever machine it is compiled.

using namespace scree;

namespace {

// Sums of products that a fused operation would round once, quotients, roots, choices by masks and
// a transposition: what kernels are made of.
struct Kernel {
  const double* in;
  double* out;
  std::size_t n;

  [[gnu::always_inline]] void operator()() const noexcept {
    Lanes last = {1.0, 2.0, 3.0, 4.0};
    for (std::size_t i = 0; i + 4 * n_lanes <= n; i += 4 * n_lanes) {
      Lanes a, b, c, d;
      load_lanes(a, in + i), load_lanes(b, in + i + n_lanes);
      load_lanes(c, in + i + 2 * n_lanes), load_lanes(d, in + i + 3 * n_lanes);
      Lanes products = a * b + c * d - a * c;
      Lanes root = products * products + b * b;
      square_root(root);
      const LaneMask larger = products > last;
      last = larger ? products / root : last - products * a;
      transpose(a, b, c, d);
      const Lanes mixed = any(larger) ? a * last + b : all(products < root) ? c - d : d / b;
      store_lanes(out + i, products), store_lanes(out + i + n_lanes, root);
      store_lanes(out + i + 2 * n_lanes, last), store_lanes(out + i + 3 * n_lanes, mixed);
    }
  }
};

std::vector<double> numbers(std::size_t n) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> mantissa(-2.0, 2.0);
  std::vector<double> list(n);
  for (double& x : list) x = std::ldexp(mantissa(random), static_cast<int>(random() % 40) - 20);
  list[7] = 0.0, list[21] = -0.0, list[40] = std::numeric_limits<double>::denorm_min();
  return list;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

TEST_CASE("Loops over lanes have the same bits with every instruction set",
          "[engine][determinism]") {
  const std::vector<double> in = numbers(4096);
  std::vector<double> portable(in.size()), widest(in.size());
  run_portable(Kernel{in.data(), portable.data(), in.size()});
  run_widest(Kernel{in.data(), widest.data(), in.size()});
  CHECK(same_bits(portable, widest));
  if (has_avx2()) {
    std::vector<double> avx2(in.size());
    run_avx2(Kernel{in.data(), avx2.data(), in.size()});
    CHECK(same_bits(portable, avx2));
  } else {
    WARN("this machine has no AVX2");
  }
  if (has_avx512()) {
    std::vector<double> avx512(in.size());
    run_avx512(Kernel{in.data(), avx512.data(), in.size()});
    CHECK(same_bits(portable, avx512));
  } else {
    WARN("this machine has no AVX-512");
  }
}

}  // namespace lanes_test
