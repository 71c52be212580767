#include "scenes/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace scree::scenes {
namespace {

// Levenshtein distance: insertions, deletions and substitutions.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// "field: message" as {field, message}.
std::pair<std::string, std::string> split(const InputError& error) {
  const std::string what = error.what();
  const std::size_t colon = what.find(": ");
  if (colon == std::string::npos) return {"", what};
  return {what.substr(0, colon), what.substr(colon + 2)};
}

}  // namespace

Place place_of(const toml::node& node) {
  const toml::source_position begin = node.source().begin;
  return begin ? Place{begin.line, begin.column} : Place{};
}

void Document::fail(Place place, const std::string& field, const std::string& message) const {
  throw InputError(fmt::format("{}:{}:{}: {}: {}", file_name_, place.line, place.column, field, message));
}

void Document::fail_at_field(const InputError& error) const {
  const std::string full_field = split(error).first;
  std::string field = full_field;
  while (!places_.contains(field) && field.find('.') != std::string::npos) {
    field.erase(field.rfind('.'));
  }
  const auto found = places_.find(field);
  fail_as(found == places_.end() ? Place{} : found->second, full_field, error);
}

void Document::fail_as(Place place, const std::string& field, const InputError& error) const {
  fail(place, field, split(error).second);
}

toml::table parse_toml(std::string_view text, const std::string& file_name) {
  try {
    return toml::parse(text, file_name);
  } catch (const toml::parse_error& error) {
    const toml::source_position begin = error.source().begin;
    throw InputError(fmt::format("{}:{}:{}: TOML: {}", file_name, begin.line, begin.column, error.description()));
  }
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < std::min(word.size(), candidate.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace scree::scenes
