// Text in pages.
#pragma once

#include <string>
#include <string_view>

namespace scree {

// As text of HTML, or as the value of an attribute in double quotes.
inline std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}

}  // namespace scree
