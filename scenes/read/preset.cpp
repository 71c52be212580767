#include "scenes/read/preset.hpp"

#include <fmt/format.h>

#include <sstream>

namespace scree::scenes {
namespace {

const Preset& read_use(TableReader& reader) {
  Choices<const Preset*> uses;
  std::string words;
  for (const Preset& preset : presets()) {
    uses.emplace_back(preset.use, &preset);
    const char* before = words.empty() ? "" : &preset == &presets().back() ? " or " : ", ";
    words += fmt::format("{}\"{}\"", before, preset.use);
  }
  const Preset* preset = reader.need(reader.choice("use", uses), "use", words);
  reader.finish();
  return *preset;
}

toml::table parsed(const PresetKey& key) {
  return toml::parse(fmt::format("{} = {}", key.key, key.value));
}

std::string as_written(const toml::node& node) {
  // TOML's own printing shows 17 digits.
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  return text.str();
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> list = {
      {"masonry",
       "arches, walls and towers that stand, settle or are shaken",
       {{"solver", "tolerance", "1e-7"}, {"law", "correction", "\"projection\""}}},
      {"impact",
       "a rock on a wall, blocks that are thrown and come to rest",
       {{"solver", "tolerance", "1e-5"}, {"law", "correction", "\"projection\""}}},
      {"flow",
       "heaps, columns and avalanches of many grains",
       {{"solver", "tolerance", "1e-3"},
        {"law", "correction", "\"projection\""},
        {"law", "correction_slop", "1e-3"}}}};
  return list;
}

AppliedPreset apply_preset(TableReader& file, toml::table& root) {
  AppliedPreset applied;
  std::optional<TableReader> reader = file.table("preset");
  if (!reader) return applied;
  const Preset& preset = read_use(*reader);
  applied.use = preset.use;
  applied.meaning = preset.meaning;
  for (const PresetKey& key : preset.keys) {
    const std::string field = fmt::format("{}.{}", key.section, key.key);
    if (!root.contains(key.section)) root.insert(key.section, toml::table{});
    toml::table* section = root.get(key.section)->as_table();
    if (section == nullptr) continue;  // what stands there instead is refused when it is read
    const toml::node* given = section->get(key.key);
    applied.settings.push_back({field, key.value, given != nullptr ? as_written(*given) : "",
                                given != nullptr && place_of(*given).edit > 0});
    if (given != nullptr) continue;
    section->insert(key.key, *parsed(key).get(key.key));
  }
  return applied;
}

}  // namespace scree::scenes
