#include "engine/base/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace scree {
namespace {

constexpr int most_decimals = 24;
constexpr double largest = 1e13;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Sign, digits with a point among them, exponent; false: something else.
struct Parts {
  bool negative = false;
  std::string digits;  // without the point
  int point = 0;       // digits before it
  int exponent = 0;
};

bool split(std::string_view text, Parts& parts) {
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) parts.negative = text[at++] == '-';
  bool after_point = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !after_point) {
      after_point = true;
    } else if (is_digit(text[at])) {
      parts.digits += text[at];
      parts.point += after_point ? 0 : 1;
    } else {
      break;
    }
  }
  if (parts.digits.empty()) return false;
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E' && text[at] != 'd' && text[at] != 'D') return false;
  ++at;
  if (at < text.size() && text[at] == '+') ++at;
  const auto [end, error] =
      std::from_chars(text.data() + at, text.data() + text.size(), parts.exponent);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

bool Decimal::read(std::string_view text, Decimal& value) {
  Parts parts;
  if (!split(text, parts)) return false;
  const std::size_t first = parts.digits.find_first_not_of('0');
  value = Decimal();
  if (first == std::string::npos) return true;
  if (std::abs(parts.exponent) > 1000 || parts.digits.size() > 2000) return false;
  // Digits before the point once the exponent is taken in; they may be missing on either side.
  const int before = parts.point + parts.exponent;
  if (before - static_cast<int>(first) > 13) return false;
  for (std::size_t i = first; i < parts.digits.size(); ++i) {
    if (static_cast<int>(i) >= before + most_decimals) break;
    value.units_ = 10 * value.units_ + (parts.digits[i] - '0');
    value.scale_ = static_cast<int>(i) + 1 - before;
  }
  if (value.units_ == 0) value.scale_ = 0;
  for (; value.scale_ < 0; ++value.scale_) value.units_ *= 10;
  if (parts.negative) value.units_ = -value.units_;
  return true;
}

Decimal Decimal::of(double value) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  Decimal decimal;
  read({text.data(), static_cast<std::size_t>(end - text.data())}, decimal);
  return decimal;
}

Decimal Decimal::at_scale(int scale) const {
  Decimal moved = *this;
  for (; moved.scale_ < scale; ++moved.scale_) moved.units_ *= 10;
  return moved;
}

Decimal Decimal::operator+(const Decimal& other) const {
  const int scale = std::max(scale_, other.scale_);
  return {at_scale(scale).units_ + other.at_scale(scale).units_, scale};
}

Decimal Decimal::operator-(const Decimal& other) const {
  const int scale = std::max(scale_, other.scale_);
  return {at_scale(scale).units_ - other.at_scale(scale).units_, scale};
}

Decimal Decimal::times(std::int64_t factor) const { return {units_ * factor, scale_}; }

Decimal Decimal::half() const {
  return units_ % 2 == 0 ? Decimal(units_ / 2, scale_) : Decimal(5 * units_, scale_ + 1);
}

double Decimal::value() const {
  constexpr std::array<double, 23> power = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr Wide exact = Wide{1} << 53;
  if (units_ <= exact && units_ >= -exact && scale_ < static_cast<int>(power.size()))
    return static_cast<double>(units_) / power[static_cast<std::size_t>(scale_)];
  const std::string digits = text();
  double value = 0.0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::string Decimal::text() const {
  Wide rest = units_ < 0 ? -units_ : units_;
  std::string digits;
  for (int i = 0; rest != 0 || i <= scale_; ++i, rest /= 10) {
    if (i == scale_ && i > 0) digits += '.';
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
  }
  if (units_ < 0) digits += '-';
  std::reverse(digits.begin(), digits.end());
  if (scale_ == 0) return digits;
  digits.resize(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

}  // namespace scree
