#include "engine/warning_words.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace scree {
namespace {

struct Word {
  std::string id;
  double worst = 0.0;
};

// Tables of earlier versions have the words alone.
Word word_of(std::string_view text) {
  Word word;
  const std::size_t equals = std::min(text.find('='), text.size());
  word.id = text.substr(0, equals);
  if (equals < text.size())
    std::from_chars(text.data() + equals + 1, text.data() + text.size(), word.worst);
  return word;
}

void count(const std::string& run, const Word& word, std::vector<WarnedRuns>& list) {
  auto mine = std::ranges::find(list, word.id, &WarnedRuns::id);
  if (mine == list.end()) mine = list.insert(list.end(), {word.id, 0, "", 0.0, "", ""});
  const auto known = std::ranges::find(warning_catalogue, word.id, &WarningInfo::id);
  const bool less = known != warning_catalogue.end() && known->less_is_worse;
  const bool worse = less ? word.worst < mine->worst : word.worst > mine->worst;
  if (mine->runs++ == 0 || worse) mine->worst = word.worst, mine->worst_run = run;
}

std::size_t place_in_catalogue(const WarnedRuns& warned) {
  return static_cast<std::size_t>(
      std::ranges::find(warning_catalogue, warned.id, &WarningInfo::id) -
      warning_catalogue.begin());
}

}  // namespace

std::string warning_words(std::span<const RecordedWarning> warnings) {
  std::string text;
  for (const RecordedWarning& warning : warnings) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{}={:.6g}", warning.id, warning.entry.worst);
  }
  return text;
}

std::vector<WarnedRuns> warned_runs(std::span<const std::pair<std::string, std::string>> runs) {
  std::vector<WarnedRuns> list;
  for (const auto& [run, words] : runs) {
    const std::string_view text = words;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(' ', begin), text.size());
      if (end > begin) count(run, word_of(text.substr(begin, end - begin)), list);
      begin = end + 1;
    }
  }
  std::ranges::stable_sort(list, {}, place_in_catalogue);
  for (WarnedRuns& warned : list) {
    WarningEntry entry;
    entry.count = 1, entry.worst = warned.worst;
    const RecordedWarning words = in_words(warned.id, entry, {});
    warned.message = words.message, warned.advice = words.advice;
  }
  return list;
}

}  // namespace scree
