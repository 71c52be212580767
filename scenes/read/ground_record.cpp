#include "scenes/read/ground_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "scenes/read/history_csv.hpp"

namespace scree::scenes {
namespace {

constexpr double most_points = 1e8;

std::string upper_case(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

bool parts_words(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == '='; }

struct Word {
  std::string_view text;
  Place place;
};

// Words of a line; commas and equal signs part them too.
std::vector<Word> words_of(std::string_view line, std::uint32_t number) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < line.size();) {
    if (parts_words(line[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && !parts_words(line[end])) ++end;
    words.push_back({line.substr(at, end - at), {number, static_cast<std::uint32_t>(at) + 1}});
    at = end;
  }
  return words;
}

class At2Reader {
 public:
  explicit At2Reader(const std::string& file_name) : document_(file_name) {}

  At2Record read(std::string_view text) {
    std::uint32_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      line(text.substr(begin, end - begin), ++number);
      begin = end + 1;
    }
    const std::size_t found = record_.acceleration.size();
    if (number < 4) document_.fail({number + 1, 1}, "header", "missing; must be four lines");
    if (found != n_points_) {
      document_.fail(
          {number + 1, 1}, "acceleration",
          fmt::format("{} numbers are not allowed; must be {}, as line 4 says", found, n_points_));
    }
    return std::move(record_);
  }

 private:
  void line(std::string_view text, std::uint32_t number) {
    if (number == 3) read_unit(text);
    if (number == 4) read_points(text);
    if (number <= 4) return;
    for (const Word& word : words_of(text, number)) {
      record_.acceleration.push_back(
          number_in_file(word.text, word.place, "acceleration", document_));
    }
  }

  void read_unit(std::string_view text) {
    const std::string upper = upper_case(text);
    const std::size_t at = upper.find("UNITS OF");
    const std::vector<Word> words = at == std::string::npos
                                        ? std::vector<Word>()
                                        : words_of(std::string_view(upper).substr(at + 8), 3);
    const std::string_view unit = words.empty() ? "" : words.front().text;
    const bool acceleration = upper.find("ACCEL") != std::string::npos;
    if (!acceleration || unit.substr(0, unit.find('.')) != "G") {
      document_.fail({3, 1}, "units",
                     "must be a line as \"ACCELERATION TIME SERIES IN UNITS OF G\"");
    }
    record_.unit = standard_gravity;
  }

  // The number after a word, or before it.
  void read_points(std::string_view text) {
    const std::vector<Word> words = words_of(text, 4);
    const auto find = [&](const char* name) {
      for (std::size_t i = 0; i < words.size(); ++i) {
        if (upper_case(words[i].text) == name) return i;
      }
      return words.size();
    };
    const std::size_t points = find("NPTS"), step = find("DT");
    if (points == words.size() || step == words.size() || words.size() < 4) {
      document_.fail({4, 1}, "header",
                     "must be the number of points and the time step, as \"NPTS= 4000, DT= .0050 "
                     "SEC\"");
    }
    const bool numbers_first = points >= 2;
    const Word &count = words[numbers_first ? 0 : points + 1],
               &length = words[numbers_first ? 1 : std::min(step + 1, words.size() - 1)];
    const double n = number_in_file(count.text, count.place, "NPTS", document_);
    if (!(n >= 1.0 && n <= most_points) || n != std::floor(n))
      document_.fail(count.place, "NPTS", "must be a whole number, at least 1");
    n_points_ = static_cast<std::size_t>(n);
    record_.time_step = number_in_file(length.text, length.place, "DT", document_);
    if (!(record_.time_step > 0.0)) document_.fail(length.place, "DT", "must be > 0 [s]");
  }

  Document document_;  // for messages only
  At2Record record_;
  std::size_t n_points_ = 0;
};

}  // namespace

bool is_at2(const std::string& name) { return upper_case(name).ends_with(".AT2"); }

At2Record read_at2(std::string_view text, const std::string& file_name) {
  return At2Reader(file_name).read(text);
}

}  // namespace scree::scenes
