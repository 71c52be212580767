// Text from users on its way to a screen: names of files, keys and values, whatever bytes they
// hold.
#pragma once

#include <string>
#include <string_view>

namespace scree {

// `text` with control characters, line breaks of every kind and marks that turn the direction of
// writing as \n, \t, \r or \u001b, and bytes that are no UTF-8 as \xff. Everything else stays, a
// backslash too: done twice it gives the same. What it escapes in valid UTF-8 is escaped as in
// JSON.
std::string printable(std::string_view text);

// The same, but \n stays: for text of several lines.
std::string printable_lines(std::string_view text);

// Whether all bytes of `text` are well-formed UTF-8.
bool is_utf8(std::string_view text);

// Text of any length shortened for a message: words and lines that nobody would read to the end
// lose their middle.
std::string shortened(std::string_view line);

// A field of a table in CSV: quoted when it has to be, and with an apostrophe before what a
// spreadsheet would take for a formula.
std::string csv_field(std::string_view text);

}  // namespace scree
