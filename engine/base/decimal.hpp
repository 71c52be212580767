// Decimal numbers as files write them. Map coordinates have more digits than a double keeps: a
// difference of two is taken in decimals and rounded once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace scree {

// A multiple of 10^-scale, of magnitudes up to 1e13. Digits below 1e-24 are dropped.
class Decimal {
 public:
  Decimal() = default;

  // False: not a finite number of that size.
  static bool read(std::string_view text, Decimal& value);
  // The shortest decimal that reads as `value`, which is finite and at most 1e13.
  static Decimal of(double value);

  Decimal operator+(const Decimal& other) const;
  Decimal operator-(const Decimal& other) const;
  Decimal times(std::int64_t factor) const;
  Decimal half() const;
  bool operator==(const Decimal& other) const { return (*this - other).is_zero(); }

  bool is_zero() const { return units_ == 0; }
  bool is_positive() const { return units_ > 0; }
  double value() const;      // the nearest double
  std::string text() const;  // all digits, no exponent

 private:
  __extension__ using Wide = __int128;
  Decimal(Wide units, int scale) : units_(units), scale_(scale) {}
  Decimal at_scale(int scale) const;

  Wide units_ = 0;
  int scale_ = 0;  // digits after the point, 0 to 25
};

}  // namespace scree
