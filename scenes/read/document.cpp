#include "scenes/read/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/printable.hpp"
#include "scenes/read/scene_edits.hpp"
#include "scenes/read/toml_nesting.hpp"

namespace scree::scenes {
namespace {

// Insertions, deletions, substitutions and swaps of neighbours that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// The distance, but 1 when one word is the beginning of the other.
std::size_t unlikeness(std::string_view a, std::string_view b) {
  constexpr std::size_t shortest_beginning = 3;
  const std::size_t common = std::min(a.size(), b.size());
  if (common >= shortest_beginning && a.substr(0, common) == b.substr(0, common))
    return a == b ? 0 : 1;
  return edit_distance(a, b);
}

Place place_of(const toml::source_region& source) {
  return source.begin ? Place{source.begin.line, source.begin.column, edit_number(source)}
                      : Place{};
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
  Place place = place_of(node.source());
  const toml::array* const array = node.as_array();
  // An array of the file of which an entry came from an edit is what that edit made of it.
  for (std::size_t i = 0; array != nullptr && place.edit == 0 && i < array->size(); ++i) {
    const toml::node& entry = *array->get(i);
    const Place inner = entry.is_table() ? Place{} : place_of(entry);
    if (inner.edit != 0) place = inner;
  }
  return place;
}

Place place_of(const toml::key& key) { return place_of(key.source()); }

void Document::fail(Place place, const std::string& field, const std::string& message) const {
  std::string where = fmt::format("{}:{}:{}", file_name_, place.line, place.column);
  if (place.edit > 0) where = fmt::format("{}{}", edit_option, edits_.at(place.edit - 1));
  throw InputError(printable(fmt::format("{}: {}: {}", where, field, message)));
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

const std::string& Document::read_file(Place place, const std::string& field,
                                       const std::string& name) {
  const auto known = std::ranges::find(files_, name, &SceneFile::name);
  if (known != files_.end()) return known->text;
  if (!read_file_)
    fail(place, field,
         fmt::format("\"{}\": this scene is not read from a file, so it cannot name one", name));
  try {
    return files_.emplace_back(SceneFile{name, read_file_(name)}).text;
  } catch (const InputError& error) {
    fail(place, field, error.what());
  }
}

std::shared_ptr<const TerrainRaster> Document::read_ground(Place place, const std::string& field,
                                                           const std::string& name,
                                                           Diagonal diagonal) {
  if (!read_file_)
    fail(place, field,
         fmt::format("\"{}\": this scene is not read from a file, so it cannot name one", name));
  if (records_) {  // which has no such file
    Raster flat;
    flat.columns = flat.rows = 2, flat.values.assign(4, 0.0);
    return make_terrain_raster(std::move(flat));
  }
  const std::string path = path_of(name);
  std::shared_ptr<const TerrainRaster> ground;
  try {
    ground = rasters_->ground(path, path, origin_, diagonal);
  } catch (const InputError& error) {
    fail(place, field, error.what());
  }
  keep_digest(place, field, name, digest_of(*ground));
  return ground;
}

std::shared_ptr<const Raster> Document::read_classes(Place place, const std::string& field,
                                                     const std::string& name) {
  if (!read_file_)
    fail(place, field,
         fmt::format("\"{}\": this scene is not read from a file, so it cannot name one", name));
  if (records_) return nullptr;
  const std::string path = path_of(name);
  std::shared_ptr<const Raster> raster;
  try {
    raster = rasters_->classes(path, path, origin_);
  } catch (const InputError& error) {
    fail(place, field, error.what());
  }
  keep_digest(place, field, name, digest_of_classes(*raster));
  return raster;
}

void Document::keep_digest(Place place, const std::string& field, const std::string& name,
                           const std::string& digest) {
  const auto before = std::ranges::find(began_with_, name, &SceneFile::name);
  if (before != began_with_.end() && before->text != digest)
    fail(place, field,
         fmt::format("{} has other values than the run began with; put the file back",
                     path_of(name)));
  if (std::ranges::find(files_, name, &SceneFile::name) == files_.end())
    files_.push_back({name, digest});
}

std::string Document::path_of(const std::string& name) const {
  return (std::filesystem::path(file_name_).parent_path() / name).string();
}

void Document::fail_unless_placed(Place place, const std::string& field,
                                  const InputError& error) const {
  const auto is_in = [&](const std::string& name) {
    return std::string_view(error.what()).starts_with(printable(name) + ":");
  };
  if (is_in(file_name_) || std::string_view(error.what()).starts_with(edit_option)) throw error;
  for (const SceneFile& file : files_) {
    if (is_in(path_of(file.name))) throw error;
  }
  fail_as(place, field, error);
}

namespace {

// The parser's own words name what it met, not what is likely to be wrong.
std::string in_plain_words(const toml::parse_error& error) {
  const std::string_view said = error.description();
  if (said.find("parsing string") != said.npos && said.find("control characters") != said.npos)
    return "a text in quotes does not end on its line, or has a control character in it";
  if (said.find("parsing string") != said.npos && said.find("end-of-file") != said.npos)
    return "a text in quotes does not end";
  return std::string(said);
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& file_name) {
  if (const std::optional<Place> place = find_too_deep(text)) {
    throw InputError(
        printable(fmt::format("{}:{}:{}: TOML: goes deeper than {} levels; a key has at most so "
                              "many parts, and brackets lie at most so deep in each other",
                              file_name, place->line, place->column, deepest_nesting)));
  }
  try {
    return toml::parse(text, file_name);
  } catch (const toml::parse_error& error) {
    const toml::source_position begin = error.source().begin;
    throw InputError(printable(fmt::format("{}:{}:{}: TOML: {}", file_name, begin.line,
                                           begin.column, in_plain_words(error))));
  }
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest_word = 64;  // a key that somebody mistyped
  if (word.size() > longest_word) return "";
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = unlikeness(word, candidate);
    if (distance < best_distance && distance < std::min(word.size(), candidate.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace scree::scenes
