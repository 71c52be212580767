#include "tests/fuzz/mutate.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

namespace scree::fuzz {
namespace {

std::size_t below(Random& random, std::size_t count) {
  return count == 0 ? 0 : static_cast<std::size_t>(random() % count);
}

// One, often; many, seldom.
std::size_t some(Random& random) {
  std::size_t count = 1;
  while (count < 64 && random() % 2 == 0) count *= 2;
  return 1 + below(random, count);
}

void change_word(std::string& bytes, std::size_t at, Random& random) {
  static constexpr std::array<std::uint64_t, 16> astray = {0,
                                                           1,
                                                           2,
                                                           0xFF,
                                                           0x100,
                                                           0xFFFF,
                                                           0x10000,
                                                           0x7FFFFFFF,
                                                           0x80000000,
                                                           0xFFFFFFFF,
                                                           0x100000000,
                                                           0x7FFFFFFFFFFFFFFF,
                                                           0x8000000000000000,
                                                           0xFFFFFFFFFFFFFFFF,
                                                           0xFFFFFFFFFFFFFFFE,
                                                           48};
  static constexpr std::array<std::size_t, 4> sizes = {1, 2, 4, 8};
  const std::size_t size = any_of(sizes, random);
  if (bytes.size() < size) return;
  const std::uint64_t value =
      random() % 3 == 0 ? below(random, 2 * bytes.size()) : any_of(astray, random);
  std::memcpy(bytes.data() + std::min(at, bytes.size() - size), &value, size);
}

void mutate_once(std::string& bytes, const std::vector<std::string>& corpus, Random& random) {
  if (bytes.empty()) bytes.push_back('\0');
  std::size_t at = below(random, bytes.size());
  // Most of an HDF5 file is room that nobody has used yet.
  for (int k = 0; k < 8 && bytes[at] == '\0'; ++k) at = below(random, bytes.size());
  switch (random() % 12) {
    case 0:
      bytes[at] = static_cast<char>(random());
      break;
    case 1:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      break;
    case 2:
      if (random() % 4 == 0) bytes.resize(at);
      break;
    case 3:
      bytes.insert(at, bytes, below(random, bytes.size()), 1 + random() % 64);
      break;
    case 4:
      bytes.erase(at, 1 + random() % 16);
      break;
    case 5: {  // a stretch of another file
      const std::string& other = any_of(corpus, random);
      if (other.empty()) break;
      const std::size_t from = below(random, other.size()),
                        size = std::min({other.size() - from, bytes.size() - at,
                                         std::size_t{1} << random() % 12});
      bytes.replace(at, size, other, from, size);
      break;
    }
    case 6:
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                  std::min(bytes.size() - at, std::size_t{1} << random() % 8),
                  random() % 2 == 0 ? '\0' : '\xff');
      break;
    default:
      change_word(bytes, at, random);
  }
}

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    const auto is_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' ||
             c == '+';
    };
    if (text[at] == '"') {
      while (end < text.size() && text[end] != '"' && text[end] != '\n') ++end;
      end = std::min(end + 1, text.size());
    } else if (is_word(text[at])) {
      while (end < text.size() && is_word(text[end])) ++end;
    } else if (text[at] == '#') {
      while (end < text.size() && text[end] != '\n') ++end;
    }
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

bool is_number(const std::string& token) {
  return !token.empty() && (std::isdigit(static_cast<unsigned char>(token[0])) != 0 ||
                            ((token[0] == '-' || token[0] == '+') && token.size() > 1));
}

// No counts that are allowed and large: a scene of a million grains takes its time, and rightly so.
const std::string& odd_value(Random& random) {
  static const std::vector<std::string> values = {"0",
                                                  "-0.0",
                                                  "-1",
                                                  "1",
                                                  "2",
                                                  "0.5",
                                                  "1e-320",
                                                  "1e308",
                                                  "-1e308",
                                                  "1e400",
                                                  "nan",
                                                  "inf",
                                                  "-inf",
                                                  "1e12",
                                                  "1e-12",
                                                  "1e-13",
                                                  "9223372036854775807",
                                                  "-9223372036854775808",
                                                  "99999999999999999999",
                                                  "0x1F",
                                                  "0b1",
                                                  "0o7",
                                                  "1_0",
                                                  "true",
                                                  "false",
                                                  "\"\"",
                                                  "\"ground\"",
                                                  "\"\\u0000\"",
                                                  "\"\\u202e\"",
                                                  "''",
                                                  "[]",
                                                  "{}",
                                                  "[0, 0, 0]",
                                                  "[1, 2]",
                                                  "[nan, 0, 0]",
                                                  "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
                                                  "[[0]]",
                                                  "{ kind = \"box\" }",
                                                  "1979-05-27",
                                                  "07:32:00",
                                                  "\"\"\"a\nb\"\"\"",
                                                  "\xff",
                                                  "\xC3\xA9"};
  return any_of(values, random);
}

}  // namespace

std::string mutate_bytes(const std::vector<std::string>& corpus, Random& random) {
  std::string bytes = any_of(corpus, random);
  for (std::size_t count = some(random); count > 0; --count) mutate_once(bytes, corpus, random);
  return bytes;
}

std::string mutate_toml(const std::vector<std::string>& corpus, Random& random) {
  if (random() % 8 == 0) return mutate_bytes(corpus, random);
  std::vector<std::string> tokens = tokens_of(any_of(corpus, random));
  const std::vector<std::string> others = tokens_of(any_of(corpus, random));
  for (std::size_t count = some(random); count > 0 && !tokens.empty(); --count) {
    std::size_t at = below(random, tokens.size());
    const auto place = [&] { return tokens.begin() + static_cast<std::ptrdiff_t>(at); };
    switch (random() % 10) {
      case 0:
        tokens.erase(place());
        break;
      case 1:
        tokens.insert(place(), any_of(others, random));
        break;
      case 2:
        tokens[at] = any_of(others, random);
        break;
      case 3:
        std::swap(tokens[at], tokens[below(random, tokens.size())]);
        break;
      case 4: {  // a stretch again
        const std::size_t size = std::min(tokens.size() - at, 1 + below(random, 60));
        const std::vector<std::string> stretch(place(),
                                               place() + static_cast<std::ptrdiff_t>(size));
        tokens.insert(place(), stretch.begin(), stretch.end());
        break;
      }
      case 5:
        tokens.insert(place(), std::string(1 + random() % 100, "[]{}.,=\"'\n"[random() % 10]));
        break;
      default:  // a value, where there is one nearby
        for (std::size_t k = 0; k < 30 && !is_number(tokens[at]); ++k)
          at = (at + 1) % tokens.size();
        tokens[at] = odd_value(random);
    }
  }
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

}  // namespace scree::fuzz
