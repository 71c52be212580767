#include "engine/base/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace scree {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: these bytes are no UTF-8
};

// The first character of `text`, by the table of well-formed sequences of the Unicode standard
// (table 3-7).
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xC2 && lead <= 0xDF   ? 2
                            : lead >= 0xE0 && lead <= 0xEF ? 3
                            : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                           : 0;
  if (bytes == 0 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool outside = (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF;
  return overlong || outside ? Character{} : Character{code, bytes};
}

bool is_hidden(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool line_break = code == 0x2028 || code == 0x2029;
  const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return control || line_break || direction;
}

std::string escaped(std::uint32_t code, const char* form) {
  std::array<char, 16> text{};
  const int size = std::snprintf(text.data(), text.size(), form, static_cast<unsigned>(code));
  return {text.data(), static_cast<std::size_t>(size)};
}

std::string escaped(std::uint32_t code) {
  switch (code) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      return escaped(code, "\\u%04x");
  }
}

std::string without_hidden(std::string_view text, bool keep_lines) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t bytes = character.bytes == 0 ? 1 : character.bytes;
    if (character.bytes == 0) {
      result += escaped(static_cast<unsigned char>(text[0]), "\\x%02x");
    } else if (is_hidden(character.code) && !(keep_lines && character.code == '\n')) {
      result += escaped(character.code);
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string printable(std::string_view text) { return without_hidden(text, false); }

namespace {

// Whole characters from the beginning of a text, of at most so many bytes; from its end likewise.
std::string_view beginning(std::string_view text, std::size_t bytes) {
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80) --bytes;
  return text.substr(0, bytes);
}

std::string_view ending(std::string_view text, std::size_t bytes) {
  std::size_t from = text.size() - bytes;
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80) ++from;
  return text.substr(from);
}

std::string without_middle(std::string_view text, std::size_t first, std::size_t last) {
  return std::string(beginning(text, first)) + "...(" + std::to_string(text.size()) + " bytes)..." +
         std::string(ending(text, last));
}

}  // namespace

std::string shortened(std::string_view line) {
  constexpr std::size_t longest_word = 300, longest_line = 2000;
  std::string result;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    result += word.size() > longest_word ? without_middle(word, 120, 60) : std::string(word);
    if (end < line.size()) result += ' ';
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return result.size() > longest_line ? without_middle(result, 1000, 600) : result;
}

std::string csv_field(std::string_view text) {
  // The characters by which spreadsheets know formulas, also behind a tab or a line break.
  const bool formula =
      !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  std::string shown(formula ? 1 : 0, '\'');
  shown += text;
  if (shown.find_first_of(",\"\r\n") == std::string::npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string printable_lines(std::string_view text) { return without_hidden(text, true); }

}  // namespace scree
