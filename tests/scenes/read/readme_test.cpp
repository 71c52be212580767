// The reference of keys and the reader must know the same keys.
#include <fmt/format.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "engine/base/check.hpp"
#include "scenes/read/document.hpp"
#include "scenes/read/key_reference.hpp"
#include "tests/scenes/read/scene_texts.hpp"
#include "tests/support/places.hpp"

namespace readme_test {

using namespace scree;
using namespace scree::test;

namespace {

std::set<std::string> asked_keys() {
  scenes::Document document("everything.toml", scenes::file_of_every_key);
  document.record_expectations();
  scenes::parse_scene(scenes::scene_with_every_key(), "everything.toml", document);
  return document.asked();
}

// The keys of a page: headings name sections, `[solver]` or `[[body]]`; the first cell of a table's
// row names a key.
std::set<std::string> keys_of_page(const std::string& text) {
  std::set<std::string> keys;
  std::string section;
  std::istringstream page(text);
  for (std::string line; std::getline(page, line);) {
    const std::size_t begin = line.find('`');
    if (begin == std::string::npos) continue;
    std::string name = line.substr(begin + 1, line.find('`', begin + 1) - begin - 1);
    std::erase_if(name, [](char c) { return c == '[' || c == ']'; });
    if (line.starts_with("## ")) section = name + ".";
    if (line.starts_with("| `")) keys.insert(section + name);
  }
  return keys;
}

std::string field_of(const scenes::KeySection& section, const scenes::KeyText& text) {
  return section.name.empty() ? text.key : fmt::format("{}.{}", section.name, text.key);
}

// Every setting, as text.
std::string settings_of(const std::string& scene) {
  const Settings s = parse_scene(scene, "scene.toml").settings;
  const auto& solver = s.step.solver;
  std::ostringstream text;
  text.precision(17);
  text << s.time.theta << ' ' << static_cast<int>(s.step.activation) << ' '
       << static_cast<int>(s.step.rest) << ' ' << static_cast<int>(s.step.correction) << ' '
       << s.step.correction_slop << ' ' << s.step.catch_share << ' '
       << static_cast<int>(s.step.rotation) << ' ' << s.step.max_passes << ' '
       << static_cast<int>(solver.method) << ' ' << static_cast<int>(solver.measure) << ' '
       << solver.tolerance << ' ' << solver.velocity_tolerance << ' ' << solver.max_iterations
       << ' ' << solver.min_iterations << ' ' << s.output.frames_per_second << ' '
       << s.output.contacts << ' ' << s.output.keep_frames << ' '
       << static_cast<int>(s.output.velocities) << ' ' << s.checkpoint.every_steps << ' '
       << s.checkpoint.every_minutes << ' ' << s.stop.after << ' ' << static_cast<int>(s.backend)
       << ' ' << s.threads << ' ' << s.overlap_tolerance << ' ' << s.allow_initial_overlap;
  return text.str();
}

// A word that is neither a number, an array nor true or false stands in quotes.
std::string as_toml(const std::string& value) {
  const bool bare = value.find_first_of("0123456789[") == 0 || value == "true" || value == "false";
  return bare ? value : "\"" + value + "\"";
}

}  // namespace

TEST_CASE("Reference of keys tells of every key that the reader knows", "[scenes][unit]") {
  const std::set<std::string> asked = asked_keys();
  CHECK(asked.size() > 180);
  for (const std::string& key : asked) {
    INFO(key);
    const bool section = std::ranges::any_of(scenes::key_sections(),
                                             [&](const auto& known) { return known.name == key; });
    CHECK((section || scenes::text_of_field(key) != nullptr));
    if (!section) CHECK(scenes::reader_expectations().contains(key));
  }
}

TEST_CASE("Reference of keys tells of no key that the reader does not know", "[scenes][unit]") {
  const std::set<std::string> asked = asked_keys();
  for (const scenes::KeySection& section : scenes::key_sections()) {
    for (const scenes::KeyText& text : section.keys) {
      const std::string key = field_of(section, text);
      INFO(key);
      CHECK(asked.contains(key));
      CHECK_FALSE(text.meaning.empty());
      CHECK_FALSE(text.default_value.empty());
    }
  }
}

TEST_CASE("Reference of keys tells the defaults of settings", "[scenes][unit]") {
  const std::string stop = "[stop]\ndisplacement = 1\nwindow = 1\n";
  const std::string by_default = settings_of(block_on_ground + stop);
  int compared = 0;
  for (const scenes::KeySection& section : scenes::key_sections()) {
    const std::set<std::string> settings = {"law", "solver", "output", "checkpoint", "start"};
    for (const scenes::KeyText& text : section.keys) {
      const bool known = settings.contains(section.name) || field_of(section, text) == "stop.after";
      // The law of pairs, and devices, are of the materials.
      const bool of_pairs = text.key == "default" || text.key == "device";
      if (!known || (section.name == "law" && of_pairs)) continue;
      INFO(section.name << "." << text.key << " = " << text.default_value);
      const std::string line = text.key + " = " + as_toml(text.default_value) + "\n";
      CHECK(settings_of(block_on_ground + (section.name == "stop"
                                               ? stop + line
                                               : stop + "[" + section.name + "]\n" + line)) ==
            by_default);
      ++compared;
    }
  }
  CHECK(compared == 32);
}

// What the reader says of a number beyond what is told, so that the ranges told are those in force.
TEST_CASE("Reference of keys tells the least and largest numbers of settings", "[scenes][unit]") {
  const std::pair<const char*, const char*> refused[] = {
      {"law.catch_share", "-1e-9"},       {"law.correction_slop", "-1e-9"},
      {"solver.tolerance", "0"},          {"solver.tolerance", "1.001"},
      {"solver.velocity_tolerance", "0"}, {"solver.velocity_tolerance", "1.001"},
      {"solver.max_iterations", "0"},     {"solver.min_iterations", "-1"},
      {"output.frames_per_second", "-1"}, {"checkpoint.every_steps", "-1"},
      {"checkpoint.every_minutes", "-1"}, {"start.overlap_tolerance", "-1"},
      {"solver.threads", "4097"},         {"solver.max_passes", "0"}};
  for (const auto& [field, value] : refused) {
    INFO(field << " = " << value);
    CHECK_THROWS_AS(
        parse_scene(std::string(field) + " = " + value + "\n" + block_on_ground, "scene.toml"),
        InputError);
  }
}

TEST_CASE("Page of keys tells of every key of the reference", "[scenes][unit]") {
  const std::set<std::string> shown =
      keys_of_page(read_file(test::source_folder() + "/scenes/KEYS.md"));
  for (const scenes::KeySection& section : scenes::key_sections()) {
    for (const scenes::KeyText& text : section.keys) {
      INFO(section.name << "." << text.key);
      CHECK(shown.contains(field_of(section, text)));
    }
  }
}

TEST_CASE("Scene format page shows an example that loads", "[scenes][unit]") {
  const std::string page = read_file(test::source_folder() + "/scenes/README.md");
  const std::size_t begin = page.find("```toml\n");
  REQUIRE(begin != std::string::npos);
  const std::size_t start = begin + 8;
  const std::string example = page.substr(start, page.find("```", start) - start);
  CHECK(parse_scene(example, "example.toml").model.n_bodies() >= 2);
}

}  // namespace readme_test
