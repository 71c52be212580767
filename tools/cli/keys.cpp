// scree keys: what may stand in a scene file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/check.hpp"
#include "scenes/read/key_reference.hpp"
#include "tools/cli/commands.hpp"
#include "tools/common/console.hpp"

namespace scree {
namespace {

using scenes::KeySection;
using scenes::KeyText;

constexpr std::size_t columns = 100;

std::string heading(const KeySection& section) {
  if (section.name.empty()) return "above all sections";
  return section.repeats ? fmt::format("[[{}]]", section.name) : fmt::format("[{}]", section.name);
}

const scenes::Document::Expectation& expectation(const KeySection& section, const KeyText& text) {
  return scenes::reader_expectations().at(
      section.name.empty() ? text.key : fmt::format("{}.{}", section.name, text.key));
}

std::string wrapped(const std::string& text, std::size_t indent) {
  std::string result(indent, ' ');
  std::size_t column = indent;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (column > indent && column + 1 + end - begin > columns) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += text.substr(begin, end - begin);
    column += end - begin;
    begin = end + 1;
  }
  return result + "\n";
}

std::string entry(const KeySection& section, const KeyText& text) {
  const auto& [allowed, unit] = expectation(section, text);
  const std::string value = fmt::format("{}{}{}", allowed, unit.empty() ? "" : " ", unit);
  const bool required = text.default_value.starts_with("required");
  return wrapped(fmt::format("{}: {}; {}{}", text.key, value, required ? "" : "default ",
                             text.default_value),
                 2) +
         wrapped(text.meaning, 6);
}

// Of sections and keys that have this name; of all without one.
std::string listing(const std::string& word) {
  std::string list;
  for (const KeySection& section : scenes::key_sections()) {
    const bool whole = word.empty() || section.name == word;
    std::string entries;
    for (const KeyText& text : section.keys) {
      if (whole || text.key == word || text.key.ends_with(fmt::format(".{}", word)) ||
          word == fmt::format("{}.{}", section.name, text.key))
        entries += entry(section, text);
    }
    if (entries.empty()) continue;
    list += wrapped(fmt::format("{}  {}", heading(section), section.about), 0);
    list += entries + "\n";
  }
  return list;
}

[[noreturn]] void refuse_unknown(const std::string& word) {
  std::vector<std::string> known;
  for (const KeySection& section : scenes::key_sections()) {
    if (!section.name.empty()) known.push_back(section.name);
  }
  std::vector<std::string> words = known;
  for (const KeySection& section : scenes::key_sections()) {
    for (const KeyText& text : section.keys) words.push_back(text.key);
  }
  const std::string similar = scenes::nearest(word, words);
  throw InputError(fmt::format(
      "scree keys: no section and no key is called '{}'{} Sections are {}", word,
      similar.empty() ? "." : fmt::format("; did you mean {}?", similar), fmt::join(known, ", ")));
}

// As it stands in a row of a table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '|') escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

// scenes/KEYS.md.
std::string page() {
  std::string text =
      "# Keys of scene files\n\n"
      "Made by `scree keys --markdown > scenes/KEYS.md` from what the program reads; a test fails "
      "when\nthey differ. How a scene is written, and what its parts are: [scene "
      "files](README.md). Values are\nin SI units; \"required\" means that there is no default. "
      "Numbers must be finite.\n";
  for (const KeySection& section : scenes::key_sections()) {
    text += fmt::format(
        "\n## {}\n\n{}.\n\n| key | unit | allowed | default | meaning |\n|---|---|---|---|---|\n",
        section.name.empty() ? "The file" : fmt::format("`{}`", heading(section)), section.about);
    for (const KeyText& key : section.keys) {
      const auto& [allowed, unit] = expectation(section, key);
      text += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.key, unit, cell(allowed),
                          cell(key.default_value), cell(key.meaning));
    }
  }
  return text;
}

}  // namespace

void add_keys_command(CLI::App& app, int& exit_code) {
  struct Options {
    std::string word;
    bool markdown = false;
  };
  CLI::App* const command = app.add_subcommand(
      "keys", "Every key of a scene file: unit, what is allowed, default, meaning");
  const auto options = std::make_shared<Options>();
  command->add_option("name", options->word, "Section or key to show; without one all are shown")
      ->type_name("NAME");
  command->add_flag("--markdown", options->markdown, "All of them as a page (scenes/KEYS.md)");
  command->callback([options, command, &exit_code] {
    require(!options->markdown || command->count("name") == 0, "--markdown",
            "shows all keys; leave the name out");
    const std::string text = options->markdown ? page() : listing(options->word);
    if (text.empty()) refuse_unknown(options->word);
    write_output(text);
    exit_code = exit_done;
  });
}

}  // namespace scree
