#include "tools/picture/lettering.hpp"

#include <algorithm>
#include <array>

namespace scree::picture {
namespace {

constexpr int dots_across = 5, dots_down = 7, advance = 6;

struct Glyph {
  char letter;
  std::array<std::string_view, dots_down> rows;
};

// clang-format off
constexpr Glyph glyphs[] = {
    {'0', {".###.", "#...#", "#..##", "#.#.#", "##..#", "#...#", ".###."}},
    {'1', {"..#..", ".##..", "..#..", "..#..", "..#..", "..#..", ".###."}},
    {'2', {".###.", "#...#", "....#", "..##.", ".#...", "#....", "#####"}},
    {'3', {".###.", "#...#", "....#", "..##.", "....#", "#...#", ".###."}},
    {'4', {"...#.", "..##.", ".#.#.", "#..#.", "#####", "...#.", "...#."}},
    {'5', {"#####", "#....", "####.", "....#", "....#", "#...#", ".###."}},
    {'6', {"..##.", ".#...", "#....", "####.", "#...#", "#...#", ".###."}},
    {'7', {"#####", "....#", "...#.", "..#..", ".#...", ".#...", ".#..."}},
    {'8', {".###.", "#...#", "#...#", ".###.", "#...#", "#...#", ".###."}},
    {'9', {".###.", "#...#", "#...#", ".####", "....#", "...#.", ".##.."}},
    {'.', {".....", ".....", ".....", ".....", ".....", ".##..", ".##.."}},
    {'-', {".....", ".....", ".....", "#####", ".....", ".....", "....."}},
    {'+', {".....", "..#..", "..#..", "#####", "..#..", "..#..", "....."}},
    {'=', {".....", ".....", "#####", ".....", "#####", ".....", "....."}},
    {'/', {"....#", "....#", "...#.", "..#..", ".#...", "#....", "#...."}},
    {':', {".....", ".##..", ".##..", ".....", ".##..", ".##..", "....."}},
    {'(', {"...#.", "..#..", ".#...", ".#...", ".#...", "..#..", "...#."}},
    {')', {".#...", "..#..", "...#.", "...#.", "...#.", "..#..", ".#..."}},
    {'N', {"#...#", "##..#", "#.#.#", "#..##", "#...#", "#...#", "#...#"}},
    {'P', {"####.", "#...#", "#...#", "####.", "#....", "#....", "#...."}},
    {'a', {".....", ".....", ".###.", "....#", ".####", "#...#", ".####"}},
    {'b', {"#....", "#....", "####.", "#...#", "#...#", "#...#", "####."}},
    {'c', {".....", ".....", ".###.", "#....", "#....", "#...#", ".###."}},
    {'d', {"....#", "....#", ".####", "#...#", "#...#", "#...#", ".####"}},
    {'e', {".....", ".....", ".###.", "#...#", "#####", "#....", ".###."}},
    {'f', {"..##.", ".#..#", ".#...", "###..", ".#...", ".#...", ".#..."}},
    {'g', {".....", ".####", "#...#", "#...#", ".####", "....#", ".###."}},
    {'h', {"#....", "#....", "#.##.", "##..#", "#...#", "#...#", "#...#"}},
    {'i', {"..#..", ".....", ".##..", "..#..", "..#..", "..#..", ".###."}},
    {'j', {"...#.", ".....", "..##.", "...#.", "...#.", "#..#.", ".##.."}},
    {'k', {"#....", "#....", "#..#.", "#.#..", "##...", "#.#..", "#..#."}},
    {'l', {".##..", "..#..", "..#..", "..#..", "..#..", "..#..", ".###."}},
    {'m', {".....", ".....", "##.#.", "#.#.#", "#.#.#", "#...#", "#...#"}},
    {'n', {".....", ".....", "#.##.", "##..#", "#...#", "#...#", "#...#"}},
    {'o', {".....", ".....", ".###.", "#...#", "#...#", "#...#", ".###."}},
    {'p', {".....", ".....", "####.", "#...#", "####.", "#....", "#...."}},
    {'q', {".....", ".....", ".####", "#...#", ".####", "....#", "....#"}},
    {'r', {".....", ".....", "#.##.", "##..#", "#....", "#....", "#...."}},
    {'s', {".....", ".....", ".####", "#....", ".###.", "....#", "####."}},
    {'t', {".#...", ".#...", "###..", ".#...", ".#...", ".#..#", "..##."}},
    {'u', {".....", ".....", "#...#", "#...#", "#...#", "#..##", ".##.#"}},
    {'v', {".....", ".....", "#...#", "#...#", "#...#", ".#.#.", "..#.."}},
    {'w', {".....", ".....", "#...#", "#...#", "#.#.#", "#.#.#", ".#.#."}},
    {'x', {".....", ".....", "#...#", ".#.#.", "..#..", ".#.#.", "#...#"}},
    {'y', {".....", ".....", "#...#", "#...#", ".####", "....#", ".###."}},
    {'z', {".....", ".....", "#####", "...#.", "..#..", ".#...", "#####"}},
};
// clang-format on

void draw_dot(int x, int y, int scale, Image& image) {
  constexpr std::array<std::uint8_t, 3> ink = {46, 50, 56};
  for (int row = y; row < y + scale; ++row)
    for (int column = x; column < x + scale; ++column)
      if (row >= 0 && column >= 0 && row < image.height && column < image.width)
        std::copy(ink.begin(), ink.end(), image.pixel(column, row));
}

void draw_glyph(const Glyph& glyph, int x, int y, int scale, Image& image) {
  for (int row = 0; row < dots_down; ++row)
    for (int column = 0; column < dots_across; ++column)
      if (glyph.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] == '#')
        draw_dot(x + column * scale, y + row * scale, scale, image);
}

}  // namespace

int text_width(std::string_view text, int scale) {
  return text.empty() ? 0
                      : (static_cast<int>(text.size()) * advance - (advance - dots_across)) * scale;
}

int line_height(int scale) { return (dots_down + 2) * scale; }

std::vector<std::string> broken_lines(const std::string& text, int width, int scale) {
  std::vector<std::string> lines;
  // A piece that the narrower separator has to break is a text of its own.
  const auto add = [&](const auto& self, const std::string& piece,
                       const std::string& separator) -> void {
    std::string line;
    for (std::size_t begin = 0; begin < piece.size();) {
      const std::size_t end = std::min(piece.find(separator, begin), piece.size());
      const std::string part = piece.substr(begin, end - begin);
      begin = end + separator.size();
      const std::string longer = line.empty() ? part : line + separator + part;
      if (text_width(longer, scale) <= width) {
        line = longer;
        continue;
      }
      if (!line.empty()) lines.push_back(line);
      line = part;
      if (text_width(part, scale) <= width || separator.size() == 1) continue;
      line.clear();
      self(self, part, " ");
    }
    if (!line.empty()) lines.push_back(line);
  };
  add(add, text, "   ");
  return lines;
}

void draw_text(std::string_view text, int x, int y, int scale, Image& image) {
  for (const char letter : text) {
    for (const Glyph& glyph : glyphs)
      if (glyph.letter == letter) draw_glyph(glyph, x, y, scale, image);
    x += advance * scale;
  }
}

}  // namespace scree::picture
