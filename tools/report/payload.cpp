#include "tools/report/payload.hpp"

#include <bit>
#include <cmath>
#include <concepts>
#include <limits>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "tools/common/base64.hpp"

namespace scree::report {
namespace {

static_assert(std::endian::native == std::endian::little, "the block is little-endian");

template <class T>
using WordOf = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
std::string type_name() {
  return fmt::format("{}{}",
                     std::floating_point<T>    ? 'f'
                     : std::signed_integral<T> ? 'i'
                                               : 'u',
                     8 * sizeof(T));
}

const char* filter_name(Filter filter) {
  switch (filter) {
    case Filter::none:
      return "none";
    case Filter::delta:
      return "delta";
    case Filter::curvature:
      return "curvature";
    case Filter::bits:
      return "bits";
  }
  return "";
}

// Small differences of either sign become small numbers: 0, -1, 1, -2, ... -> 0, 1, 2, 3, ...
template <class Word>
Word zigzag(Word word) {
  const bool negative = (word >> (std::numeric_limits<Word>::digits - 1)) != 0;
  const auto doubled = static_cast<Word>(word << 1);
  return negative ? static_cast<Word>(~doubled) : doubled;
}

template <class Word>
Word filtered(const std::vector<Word>& words, std::size_t i, std::size_t row, Filter filter) {
  const Word last = i >= row ? words[i - row] : Word{0};
  const Word before = i >= 2 * row ? words[i - 2 * row] : last;
  switch (filter) {
    case Filter::none:
      return words[i];
    case Filter::delta:
      return zigzag(static_cast<Word>(words[i] - last));
    case Filter::curvature:
      return zigzag(static_cast<Word>(words[i] - last - (last - before)));
    case Filter::bits:
      return static_cast<Word>(words[i] ^ last);
  }
  return words[i];
}

}  // namespace

template <class T>
void Payload::add(const std::string& name, std::span<const T> values, std::size_t row,
                  Filter filter) {
  using Word = WordOf<T>;
  std::vector<Word> words;
  words.reserve(values.size());
  for (const T& value : values) words.push_back(std::bit_cast<Word>(value));
  arrays_[name] = {{"type", type_name<T>()},
                   {"begin", bytes_.size()},
                   {"count", values.size()},
                   {"row", row},
                   {"filter", filter_name(filter)}};
  std::vector<Word> small(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) small[i] = filtered(words, i, row, filter);
  for (std::size_t byte = 0; byte < sizeof(T); ++byte) {
    for (const Word word : small) bytes_.push_back(static_cast<char>((word >> (8 * byte)) & 0xff));
  }
}

template void Payload::add(const std::string&, std::span<const std::uint8_t>, std::size_t, Filter);
template void Payload::add(const std::string&, std::span<const std::uint16_t>, std::size_t, Filter);
template void Payload::add(const std::string&, std::span<const std::int16_t>, std::size_t, Filter);
template void Payload::add(const std::string&, std::span<const std::int32_t>, std::size_t, Filter);
template void Payload::add(const std::string&, std::span<const float>, std::size_t, Filter);
template void Payload::add(const std::string&, std::span<const double>, std::size_t, Filter);

std::string Payload::base64(nlohmann::json header) const {
  header["arrays"] = arrays_;
  // Names that are not UTF-8 are shown with replacement characters; numbers that are not finite
  // become null.
  const std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string block;
  for (std::size_t byte = 0; byte < 4; ++byte)
    block.push_back(static_cast<char>((text.size() >> (8 * byte)) & 0xff));
  return encode_base64(deflate(block + text + bytes_));
}

float round_bits(double value, int significant_bits) {
  const auto nearest = static_cast<float>(value);
  if (!std::isfinite(nearest)) return nearest;
  int exponent = 0;
  const float mantissa = std::frexp(nearest, &exponent);
  const float scale = std::ldexp(1.0F, significant_bits);
  return std::ldexp(std::nearbyint(mantissa * scale), exponent - significant_bits);
}

std::string deflate(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), 7);
  if (status != Z_OK) throw std::runtime_error("the data of the report could not be compressed");
  out.resize(size);
  return out;
}

}  // namespace scree::report
