#include "scenes/read/toml_nesting.hpp"

namespace scree::scenes {
namespace {

// Goes through the text character by character; strings and comments are passed over.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<Place> find() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        pass_string(c);
        continue;
      }
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') step();
        continue;
      }
      if (c == '[' || c == '{') ++brackets_;
      if ((c == ']' || c == '}') && brackets_ > 0) --brackets_;
      if (c == '.') ++dots_;
      // What separates keys and values from each other. A number has one point.
      if (c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}' || c == '\n')
        dots_ = 0;
      if (brackets_ > deepest_nesting || dots_ >= deepest_nesting) return place_;
      step();
    }
    return std::nullopt;
  }

 private:
  void step() {
    place_.column += 1;
    if (text_[at_] == '\n') place_ = {place_.line + 1, 1};
    ++at_;
  }

  bool starts(std::string_view mark) const { return text_.substr(at_, mark.size()) == mark; }

  void pass_string(char quote) {
    const char triple[] = {quote, quote, quote};
    const bool many_lines = starts({triple, 3});
    const std::size_t length = many_lines ? 3 : 1;
    const std::string_view end(triple, length);
    for (std::size_t i = 0; i < length; ++i) step();
    while (at_ < text_.size() && !starts(end)) {
      if (!many_lines && text_[at_] == '\n') return;  // never closed
      if (quote == '"' && text_[at_] == '\\') step();
      if (at_ < text_.size()) step();
    }
    for (std::size_t i = 0; i < length && at_ < text_.size(); ++i) step();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Place place_;
  int brackets_ = 0, dots_ = 0;
};

}  // namespace

std::optional<Place> find_too_deep(std::string_view text) { return Scanner(text).find(); }

}  // namespace scree::scenes
