#include "scenes/blocks/json_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace scree::json_text_test {
namespace {

TEST_CASE("What is no JSON is said in plain words with line and column", "[json]") {
  struct Bad {
    std::string text;
    std::size_t line, column;
    std::string what;
  };
  const std::string value =
      "is no value; must be a number, a text in double quotes, true, false, null, a list or an "
      "object";
  const std::string cut = "the file ends before its value does; it is cut short";
  const std::vector<Bad> bad = {
      {"{\"a\": 1,\n \"b\": [1, 2\n", 3, 1, cut},
      {" \n", 2, 1, cut},
      {"{\"x\": NaN}", 1, 7, "'NaN' " + value},
      {"{\"x\": -Infinity}", 1, 7, "'-Infinity' is no number"},
      {"[\n  1.,\n  2]", 2, 3, "'1.' is no number"},
      {"[1e999]", 1, 2, "the number 1e999 is too large"},
      {"[nul, 1]", 1, 2, "'nul' " + value},
      {"[1 2]", 1, 4, "a comma or ']' must stand here, not '2'"},
      {"{\"a\": 1 \"b\": 2}", 1, 9, "a comma or '}' must stand here, not '\"'"},
      {"{\"a\" 1}", 1, 6, "a colon must stand here, after the key, not '1'"},
      {"{a: 1}", 1, 2, "a key in double quotes must stand here, not 'a'"},
      {"[-", 1, 2, "'-' is no number"},
      {"[\"number overflow\", tru]", 1, 21, "'tru' " + value},
      {"[1;]", 1, 3, "';' " + value},
      {"{null: 1}", 1, 2, "a key in double quotes must stand here, not 'null'"},
      {"{1: 1}", 1, 2, "a key in double quotes must stand here, not '1'"},
      {"[1,\n]", 2, 1, "a value must stand here, not ']'"},
      {"{} {}", 1, 4, "the file must end here, after its first value, not '{'"},
      {"[\"open\n]", 1, 7,
       "a text in quotes does not end on its line, or has a control character in it"},
      {"[\"open", 1, 7, "the file ends within a text in quotes; it is cut short"},
      {"[\"\\q\"]", 1, 4,
       "a backslash in quotes must be followed by one of \" \\ / b f n r t, or by u and four "
       "hexadecimal digits"},
      {"[\"\xff\"]", 1, 3, "a text in quotes has a byte that is no UTF-8"},
      {"[\"\xc3\xa4\xc3\xb6\", ;]", 1, 8, "';' " + value},
      {"\xef\xbb.", 1, 2, "its first bytes are no text"}};
  for (const Bad& input : bad) {
    INFO(input.text);
    std::optional<JsonFault> fault;
    parse_json(input.text, fault);
    REQUIRE(fault);
    CHECK(fault->what == input.what);
    CHECK(fault->line == input.line);
    CHECK(fault->column == input.column);
  }
  std::optional<JsonFault> fault;
  CHECK(parse_json("\xef\xbb\xbf[1, {\"a\": null}]", fault).size() == 2);
  CHECK(!fault);
}

}  // namespace
}  // namespace scree::json_text_test
