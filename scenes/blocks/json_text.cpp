#include "scenes/blocks/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/base/printable.hpp"

namespace scree {
namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_shown = 40;

// Goes through a text for the place and the words of what stops its reading.
class FaultFinder final : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& last_token,
                   const Json::exception& error) override {
    read = position, token = last_token, words = error.what();
    // After it come words of the file.
    words.resize(std::min(words.find("; last read"), words.size()));
    return false;
  }

  std::size_t read = 0;      // bytes, the last of the token that stops it among them
  std::string token, words;  // as the library says them
};

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.' ||
         c == '_';
}

bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The word that begins at a place, or else the letter.
std::string word_at(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && end - at < longest_shown && is_of_word(text[end])) ++end;
  if (end == at && end < text.size()) ++end;
  while (end > at && end < text.size() && continues_letter(text[end])) ++end;
  return printable(std::string_view(text).substr(at, end - at));
}

// Of the library's words for what must stand there.
std::string must_stand(std::string_view expected) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 6> table = {
      {{"']'", "a comma or ']' must stand here"},
       {"'}'", "a comma or '}' must stand here"},
       {"':'", "a colon must stand here, after the key"},
       {"string literal", "a key in double quotes must stand here"},
       {"end of input", "the file must end here, after its first value"},
       {"", "a value must stand here"}}};
  return std::ranges::find_if(
             table, [&](const auto& row) { return row.first.empty() || expected == row.first; })
      ->second;
}

std::string sentence(std::string_view words, const std::string& word) {
  const auto says = [&](std::string_view part) { return words.find(part) != words.npos; };
  if (says("number overflow")) return fmt::format("the number {} is too large", word);
  if (says("missing closing quote"))
    return "the file ends within a text in quotes; it is cut short";
  if (says("control character"))
    return "a text in quotes does not end on its line, or has a control character in it";
  if (says("UTF-8 byte")) return "a text in quotes has a byte that is no UTF-8";
  if (says("invalid string"))
    return "a backslash in quotes must be followed by one of \" \\ / b f n r t, or by u and four "
           "hexadecimal digits";
  if (says("invalid BOM")) return "its first bytes are no text";
  if (says("invalid number")) return fmt::format("'{}' is no number", word);
  if (says("object key - invalid literal"))
    return fmt::format("{}, not '{}'", must_stand("string literal"), word);
  if (says("invalid literal"))
    return fmt::format(
        "'{}' is no value; must be a number, a text in double quotes, true, false, "
        "null, a list or an object",
        word);
  if (says("unexpected end of input"))
    return "the file ends before its value does; it is cut short";
  constexpr std::string_view expected = "; expected ";
  const std::size_t place = words.find(expected);
  return fmt::format("{}, not '{}'",
                     must_stand(place == words.npos ? "" : words.substr(place + expected.size())),
                     word);
}

// Of letters that begin true, false or null and go on otherwise, how many there are before a place.
std::size_t begun_literal(const std::string& text, std::size_t at) {
  for (std::size_t k = std::min<std::size_t>(at, 4); k > 0; --k) {
    const std::string_view begun = std::string_view(text).substr(at - k, k);
    for (const std::string_view literal : {"true", "false", "null"}) {
      if (literal.starts_with(begun)) return k;
    }
  }
  return 0;
}

// Where the token begins that stops the reading.
std::size_t place_of(const std::string& text, const FaultFinder& finder) {
  const std::size_t end = std::min(finder.read, text.size()),
                    last = std::min(finder.read - std::min<std::size_t>(finder.read, 1), end);
  const auto says = [&](std::string_view part) {
    return finder.words.find(part) != finder.words.npos;
  };
  // Of numbers and strings the library knows the whole token, of others what came before as well.
  if (says("invalid number") || says("number overflow") || says("unexpected number literal") ||
      says("unexpected string literal"))
    return end - std::min(end, finder.token.size());
  if (says("unexpected null literal") || says("unexpected true literal"))
    return end - std::min<std::size_t>(end, 4);
  if (says("unexpected false literal")) return end - std::min<std::size_t>(end, 5);
  return last - (says("invalid literal") ? begun_literal(text, last) : 0);
}

JsonFault fault_of(const std::string& text) {
  FaultFinder finder;
  Json::sax_parse(text, &finder);
  const std::size_t at = place_of(text, finder);
  JsonFault fault;
  for (std::size_t i = 0; i < at; ++i) {
    if (text[i] == '\n')
      ++fault.line, fault.column = 1;
    else if (!continues_letter(text[i]))
      ++fault.column;
  }
  fault.what = sentence(finder.words, word_at(text, at));
  return fault;
}

}  // namespace

Json parse_json(const std::string& text, std::optional<JsonFault>& fault) {
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) fault = fault_of(text);
  return value;
}

}  // namespace scree
