// Captions in a small built-in typeface.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/picture/image.hpp"

namespace scree::picture {

// Width in pixels of `text` at `scale` (a letter is 5 x 7 dots of `scale` pixels).
int text_width(std::string_view text, int scale);

// Distance from a line to the next [pixels].
int line_height(int scale);

// Lines of at most `width` pixels that together say `text`. Breaks come where the text has more
// than one blank, if that is enough, else at any blank; a longer word stays whole.
std::vector<std::string> broken_lines(const std::string& text, int width, int scale);

// Writes `text` with its upper left corner at (x, y). Known: digits, lower-case letters, N, P and
// . - + = / : ( ) and blank; others leave a gap. Dots outside the image are dropped.
void draw_text(std::string_view text, int x, int y, int scale, Image& image);

}  // namespace scree::picture
