#include "scenes/read/scene_edits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "engine/base/check.hpp"
#include "engine/base/printable.hpp"
#include "scenes/read/document.hpp"
#include "scenes/read/key_reference.hpp"

namespace scree::scenes {
namespace {

// What the parser calls the source of an edit; no file has such a name.
constexpr std::string_view source_mark = "--set\n";
constexpr std::size_t most_steps = 32;  // of a key

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_key_character(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; }

// One step of a key: into a table by a word, or into an array by what stands in brackets.
struct Step {
  enum class Kind { word, number, name } kind = Kind::word;
  std::string text;
  std::size_t number = 0;
};

// An edit on its way into the scene; every message names it as it was typed.
class Edit {
 public:
  Edit(const std::string& text, std::size_t number)
      : text_(text), parts_(split_edit(text)), steps_(steps_of(parts_.key)), number_(number) {}

  const std::string& key() const { return parts_.key; }
  // Where the value went, however it was spelt: names as numbers.
  const std::string& place() const { return place_; }

  void apply(toml::table& root) {
    toml::table parsed = parse_value();
    toml::node& value = *parsed["v"].as_array()->get(0);
    source_ = value.source();
    toml::node* node = &root;
    for (std::size_t i = 0; i + 1 < steps_.size(); ++i) node = &step_into(*node, i);
    const Step& last = steps_.back();
    if (last.kind == Step::Kind::word) {
      toml::table& table = table_at(*node, steps_.size() - 1);
      refuse_tables(table.get(last.text), value);
      place_ += '.' + last.text;
      table.insert_or_assign(toml::key(last.text, source_), std::move(value));
      return;
    }
    toml::array& array = array_at(*node, steps_.size() - 1);
    const std::size_t index = index_in(array, steps_.size() - 1);
    refuse_tables(array.get(index), value);
    place_ += fmt::format("[{}]", index);
    array.replace(array.cbegin() + static_cast<std::ptrdiff_t>(index), std::move(value));
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(printable(fmt::format("{}{}: {}", edit_option, text_, message)));
  }

  std::vector<Step> steps_of(const std::string& key) const {
    std::vector<Step> steps;
    std::size_t at = 0;
    while (at < key.size()) {
      if (key[at] == '[' && !steps.empty()) {
        steps.push_back(bracket(key, at));
      } else {
        if (!steps.empty() && key[at++] != '.') fail_key();
        const std::size_t begin = at;
        while (at < key.size() && is_key_character(key[at])) ++at;
        if (at == begin) fail_key();
        steps.push_back({Step::Kind::word, key.substr(begin, at - begin)});
      }
    }
    if (steps.empty() || key.back() == '.') fail_key();
    if (steps.size() > most_steps) fail(fmt::format("the key has more than {} parts", most_steps));
    return steps;
  }

  [[noreturn]] void fail_key() const {
    fail(
        fmt::format("'{}' is no key; keys are as time.dt, contact[0].mu, body[rock].velocity or "
                    "body[2].position[2]",
                    parts_.key));
  }

  // "[0]", "[rock]" or "["0"]" at `at`, which moves behind it.
  Step bracket(const std::string& key, std::size_t& at) const {
    const bool quoted = at + 1 < key.size() && key[at + 1] == '"';
    const std::size_t begin = at + (quoted ? 2 : 1);
    const std::size_t end = key.find(quoted ? "\"]" : "]", begin);
    if (end == std::string::npos || end == begin) fail_key();
    const std::string text = key.substr(begin, end - begin);
    at = end + (quoted ? 2 : 1);
    if (quoted || !std::ranges::all_of(text, is_digit)) return {Step::Kind::name, text};
    std::size_t number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc())
      fail_key();
    return {Step::Kind::number, text, number};
  }

  // What the parser calls the source of this edit.
  std::string source() const { return std::string(source_mark) + std::to_string(number_); }

  // {v = [VALUE]}.
  toml::table parse_value() const {
    const std::string& text = parts_.value;
    if (printable(text) != text) fail("must be one line, without control characters");
    const bool word = is_letter(text.front()) && std::ranges::all_of(text, [](char c) {
                        return is_key_character(c) || c == '.' || c == '/';
                      });
    try {
      toml::table parsed = parse_toml(fmt::format("v = [{}]", text), source());
      const toml::array* values = parsed["v"].as_array();
      // Brackets of its own, or a comma, would make it something else.
      if (parsed.size() == 1 && values != nullptr && values->size() == 1 && text.back() != ',')
        return parsed;
    } catch (const InputError&) {
      if (word) return parse_toml(fmt::format("v = [\"{}\"]", text), source());
    }
    fail(
        fmt::format("'{}' is no value of TOML; allowed are one number, true, false, a \"string\" "
                    "in double quotes or an [array]",
                    text));
  }

  // The key up to step `i`, for messages.
  std::string key_before(std::size_t i) const {
    std::string text;
    for (std::size_t k = 0; k < i; ++k) {
      const Step& step = steps_[k];
      if (step.kind == Step::Kind::word)
        text += fmt::format("{}{}", k > 0 ? "." : "", step.text);
      else
        text += fmt::format("[{}]", step.text);
    }
    return text.empty() ? "the scene" : text;
  }

  toml::table& table_at(toml::node& node, std::size_t i) const {
    if (node.is_table()) return *node.as_table();
    if (const toml::array* array = node.as_array()) {
      fail(
          fmt::format("{} is an array of {}; name one by its number, from 0, or its name, as {}[0]",
                      key_before(i), array->size(), key_before(i)));
    }
    fail(fmt::format("{} is no table, so it has no key '{}'", key_before(i), steps_[i].text));
  }

  toml::array& array_at(toml::node& node, std::size_t i) const {
    if (!node.is_array())
      fail(fmt::format("{} is no array, so it has no [{}]", key_before(i), steps_[i].text));
    return *node.as_array();
  }

  // What step `i` leads to; a table that is not there is made.
  toml::node& step_into(toml::node& node, std::size_t i) {
    if (steps_[i].kind != Step::Kind::word) {
      toml::array& array = array_at(node, i);
      const std::size_t index = index_in(array, i);
      place_ += fmt::format("[{}]", index);
      return *array.get(index);
    }
    place_ += '.' + steps_[i].text;
    toml::table& table = table_at(node, i);
    if (toml::node* found = table.get(steps_[i].text)) return *found;
    if (steps_[i + 1].kind != Step::Kind::word) return default_array(table, i);
    toml::table made = parse_toml("v = {}", source());
    return table.insert_or_assign(toml::key(steps_[i].text, source_), std::move(*made.get("v")))
        .first->second;
  }

  // An array that the scene leaves out, of which an entry is set: the others are those of its
  // default, as the key reference has it.
  toml::node& default_array(toml::table& table, std::size_t i) const {
    std::string field;
    for (std::size_t k = 0; k <= i; ++k) {
      if (steps_[k].kind != Step::Kind::word) continue;
      field += field.empty() ? "" : ".";
      field += steps_[k].text;
    }
    const KeyText* text = text_of_field(field);
    if (text == nullptr) fail_absent(table, i);
    if (!text->default_value.starts_with('[')) {
      const std::string key = key_before(i + 1);
      fail(
          fmt::format("there is no {} in the scene, and no default that is an array ({}); give all "
                      "of it, as {}=[...]",
                      key, text->default_value, key));
    }
    toml::table made = parse_toml(fmt::format("v = {}", text->default_value), source());
    return table.insert_or_assign(toml::key(steps_[i].text, source_), std::move(*made.get("v")))
        .first->second;
  }

  [[noreturn]] void fail_absent(const toml::table& table, std::size_t i) const {
    std::vector<std::string> known;
    for (const auto& entry : table) {
      if (entry.second.is_array()) known.emplace_back(entry.first.str());
    }
    const std::string guess = nearest(steps_[i].text, known);
    fail(fmt::format("there is no {} in {}{}", key_before(i + 1),
                     i == 0 ? "the scene" : key_before(i),
                     guess.empty() ? "" : fmt::format("; did you mean {}?", guess)));
  }

  std::size_t index_in(const toml::array& array, std::size_t i) const {
    const Step& step = steps_[i];
    if (step.kind == Step::Kind::number) {
      if (step.number < array.size()) return step.number;
      fail(fmt::format("{} has {} entries; they are numbered from 0", key_before(i), array.size()));
    }
    std::vector<std::string> names;
    std::size_t found = array.size(), count = 0;
    for (std::size_t k = 0; k < array.size(); ++k) {
      const toml::table* table = array.get(k)->as_table();
      const toml::value<std::string>* name =
          table != nullptr && table->contains("name") ? table->get("name")->as_string() : nullptr;
      if (name == nullptr) continue;
      names.push_back(name->get());
      if (name->get() == step.text) found = k, ++count;
    }
    if (count == 1) return found;
    if (count > 1) fail(fmt::format("{} has {} of the name '{}'", key_before(i), count, step.text));
    if (names.empty()) fail(fmt::format("{} has no names; give a number from 0", key_before(i)));
    const std::string guess = nearest(step.text, names);
    fail(guess.empty()
             ? fmt::format("{} has no '{}'; the names begin with {}", key_before(i), step.text,
                           shortened(names.front()))
             : fmt::format("{} has no '{}'; did you mean {}?", key_before(i), step.text, guess));
  }

  // Tables of the file keep their place, which orders the bodies; their keys are set one by one.
  void refuse_tables(const toml::node* before, const toml::node& value) const {
    const auto* table = before == nullptr ? nullptr : before->as_table();
    const auto* array = before == nullptr ? nullptr : before->as_array();
    const bool section = table != nullptr && !table->is_inline();
    if (section || (array != nullptr && array->is_array_of_tables()))
      fail(fmt::format("{} holds keys of its own; set them one at a time", parts_.key));
    const auto* values = value.as_array();
    const bool tables =
        values != nullptr && std::any_of(values->begin(), values->end(),
                                         [](const auto& entry) { return entry.is_table(); });
    if (tables) fail("an array of tables is not allowed; must be a value of one key");
  }

  const std::string& text_;
  EditText parts_;
  std::vector<Step> steps_;
  std::string place_;
  std::size_t number_;
  toml::source_region source_;
};

}  // namespace

EditText split_edit(const std::string& edit) {
  std::size_t at = 0;
  for (bool inside = false; at < edit.size() && (inside || edit[at] != '='); ++at) {
    if (edit[at] == '[') inside = true;
    if (edit[at] == ']') inside = false;
  }
  EditText parts{edit.substr(0, at), at < edit.size() ? edit.substr(at + 1) : ""};
  const auto trim = [](std::string& text) {
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
    text.erase(text.find_last_not_of(' ') + 1);
  };
  trim(parts.key), trim(parts.value);
  if (parts.key.empty() || parts.value.empty()) {
    throw InputError(printable(fmt::format(
        "{}{}: must be KEY=VALUE, as time.dt=1e-4 or contact[0].mu=0.3", edit_option, edit)));
  }
  return parts;
}

void apply_edits(toml::table& root, const std::vector<std::string>& edits) {
  std::set<std::string> places;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    Edit edit(edits[i], i + 1);
    edit.apply(root);
    if (!places.insert(edit.place()).second) {
      throw InputError(printable(
          fmt::format("{}{}: {} is set twice; give it once", edit_option, edits[i], edit.key())));
    }
  }
}

std::string edits_prefix(const std::vector<std::string>& edits) {
  if (edits.empty()) return "";
  return printable(
      fmt::format("with {}{}: ", edit_option, fmt::join(edits, fmt::format(" {}", edit_option))));
}

std::uint32_t edit_number(const toml::source_region& source) {
  if (source.path == nullptr || !source.path->starts_with(source_mark)) return 0;
  std::uint32_t number = 0;
  const char* const end = source.path->data() + source.path->size();
  std::from_chars(source.path->data() + source_mark.size(), end, number);
  return number;
}

}  // namespace scree::scenes
