#include "scenes/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::scenes {
namespace {

std::string quoted(const std::string& word) { return "\"" + word + "\""; }

// What follows "unknown ...": the likely meaning and everything that is allowed.
std::string advice(std::string_view word, const std::vector<std::string>& allowed) {
  const std::string guess = nearest(word, allowed);
  return fmt::format("{}{}",
                     guess.empty() ? "; allowed here: " : "; did you mean " + quoted(guess) + "? Allowed here: ",
                     fmt::join(allowed, ", "));
}

// What stands in the file, for messages about a wrong type.
std::string describe(const toml::node& node) {
  if (const auto* value = node.as_string()) return "the string " + quoted(value->get());
  if (const auto* value = node.as_integer()) return fmt::format("the integer {}", value->get());
  if (const auto* value = node.as_floating_point()) return fmt::format("the number {}", value->get());
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  if (const auto* array = node.as_array()) return fmt::format("an array of {}", array->size());
  return node.is_table() ? "a table" : "a date or time";
}

std::string integer_range(std::int64_t low, std::int64_t high) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (low == Limits::min()) return "an integer";
  if (high == Limits::max()) return fmt::format("an integer >= {}", low);
  return fmt::format("an integer in [{}, {}]", low, high);
}

Place place_of(const toml::key& key) {
  const toml::source_position begin = key.source().begin;
  return begin ? Place{begin.line, begin.column} : Place{};
}

}  // namespace

bool Range::contains(double value) const {
  return std::isfinite(value) && value <= high && (low_allowed ? value >= low : value > low);
}

std::string Range::text() const {
  std::string interval = "a finite number";
  if (std::isfinite(low) && std::isfinite(high)) {
    interval = fmt::format("a number in {}{}, {}]", low_allowed ? '[' : '(', low, high);
  } else if (std::isfinite(low)) {
    interval += fmt::format(" {} {}", low_allowed ? ">=" : ">", low);
  }
  return *unit == '\0' ? interval : interval + " " + unit;
}

TableReader::TableReader(Document& document, const toml::table& table, std::string path)
    : document_(&document), table_(&table), path_(std::move(path)), place_(place_of(table)) {
  if (!path_.empty()) document.remember(path_, place_);
}

const toml::node* TableReader::find(const std::string& key) {
  asked_.push_back(key);
  document_->ask(field(key));
  const toml::node* node = table_->get(key);
  if (node != nullptr) document_->remember(field(key), place_of(*node));
  return node;
}

Place TableReader::place(const std::string& key) const {
  const toml::node* node = table_->get(key);
  return node == nullptr ? place_ : place_of(*node);
}

std::optional<double> TableReader::number(const std::string& key, const Range& range) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  return number_in(*node, key, range);
}

std::optional<double> TableReader::unchecked_number(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_number()) fail_type(*node, key, "a number");
  return node->value<double>();
}

std::optional<std::int64_t> TableReader::integer(const std::string& key, std::int64_t low, std::int64_t high) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto* value = node->as_integer();
  const std::string expected = integer_range(low, high);
  if (value == nullptr) fail_type(*node, key, expected);
  if (value->get() < low || value->get() > high) {
    fail(key, fmt::format("{} is not allowed; must be {}", value->get(), expected));
  }
  return value->get();
}

std::optional<bool> TableReader::boolean(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_boolean()) fail_type(*node, key, "true or false");
  return node->as_boolean()->get();
}

std::optional<std::string> TableReader::text(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_string()) fail_type(*node, key, "a string");
  return node->as_string()->get();
}

std::optional<std::vector<std::string>> TableReader::texts(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  std::vector<std::string> result;
  for (const toml::node& element : array_in(*node, key, "an array of strings")) {
    if (!element.is_string()) fail_type(element, key, "a string");
    result.push_back(element.as_string()->get());
  }
  return result;
}

std::optional<Vector3> TableReader::vector(const std::string& key, const Range& range) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  return vector_in(*node, key, range);
}

std::optional<std::vector<double>> TableReader::numbers(const std::string& key, const Range& range) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  std::vector<double> result;
  for (const toml::node& element : array_in(*node, key, "an array of numbers")) {
    const toml::array* row = element.as_array();
    if (row == nullptr) {
      result.push_back(number_in(element, key, range));
    } else {
      for (const toml::node& entry : *row) result.push_back(number_in(entry, key, range));
    }
  }
  return result;
}

std::optional<std::vector<Vector3>> TableReader::points(const std::string& key, const Range& range) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  std::vector<Vector3> result;
  for (const toml::node& element : array_in(*node, key, "an array of points [x, y, z]")) {
    result.push_back(vector_in(element, key, range));
  }
  return result;
}

std::optional<TableReader> TableReader::table(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) fail_type(*node, key, "a table");
  return TableReader(*document_, *node->as_table(), field(key));
}

std::vector<TableReader> TableReader::tables(const std::string& key) {
  std::vector<TableReader> result;
  const toml::node* node = find(key);
  if (node == nullptr) return result;
  const std::string expected = "an array of tables, [[" + field(key) + "]]";
  for (const toml::node& element : array_in(*node, key, expected)) {
    if (!element.is_table()) fail_type(element, key, "a table");
    result.push_back(TableReader(*document_, *element.as_table(), field(key)));
  }
  return result;
}

std::string TableReader::name() {
  std::string result = need(text("name"), "name", "a string");
  if (result.empty()) fail("name", "an empty name is not allowed");
  return result;
}

double TableReader::number_in(const toml::node& node, const std::string& key, const Range& range) const {
  const std::optional<double> value = node.value<double>();
  if (!node.is_number() || !value) fail_type(node, key, range.text());
  if (!range.contains(*value)) {
    document_->fail(scenes::place_of(node), field(key),
                    fmt::format("{} is not allowed; must be {}", *value, range.text()));
  }
  return *value;
}

const toml::array& TableReader::array_in(const toml::node& node, const std::string& key,
                                         const std::string& expected) const {
  if (!node.is_array()) fail_type(node, key, expected);
  return *node.as_array();
}

Vector3 TableReader::vector_in(const toml::node& node, const std::string& key, const Range& range) const {
  const std::string expected = "three numbers [x, y, z]" + (*range.unit == '\0' ? "" : std::string(" ") + range.unit);
  const toml::array& array = array_in(node, key, expected);
  if (array.size() != 3) fail_type(node, key, expected);
  Vector3 result = Vector3::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    result[static_cast<Eigen::Index>(i)] = number_in(*array.get(i), key, range);
  }
  return result;
}

void TableReader::exclude(const std::string& key, const std::string& other) const {
  if (has(key) && has(other)) fail(key, "give either " + key + " or " + other + ", not both");
}

void TableReader::finish() const {
  const toml::key* first = nullptr;
  for (const auto& entry : *table_) {
    if (std::ranges::find(asked_, entry.first.str()) != asked_.end()) continue;
    if (first == nullptr || place_of(entry.first) < place_of(*first)) first = &entry.first;
  }
  if (first != nullptr) fail_unknown(*first);
}

void TableReader::fail(const std::string& key, const std::string& message) const {
  document_->fail(place(key), field(key), message);
}

void TableReader::fail_choice(const std::string& key, const std::string& word,
                              const std::vector<std::string>& allowed) const {
  fail(key, "unknown value " + quoted(word) + advice(word, allowed));
}

void TableReader::fail_missing(const std::string& key, const std::string& description) const {
  for (const auto& entry : *table_) {
    const std::string present(entry.first.str());
    if (std::ranges::find(asked_, present) == asked_.end() && !nearest(present, {key}).empty()) {
      document_->fail(place_of(entry.first), field(present), "unknown key; did you mean " + quoted(key) + "?");
    }
  }
  document_->fail(place_, field(key), "missing; must be " + description);
}

void TableReader::fail_type(const toml::node& node, const std::string& key, const std::string& expected) const {
  document_->fail(scenes::place_of(node), field(key),
                  fmt::format("{} is not allowed; must be {}", describe(node), expected));
}

void TableReader::fail_unknown(const toml::key& key) const {
  std::vector<std::string> allowed = asked_;
  std::ranges::sort(allowed);
  allowed.erase(std::unique(allowed.begin(), allowed.end()), allowed.end());
  document_->fail(place_of(key), field(std::string(key.str())), "unknown key" + advice(key.str(), allowed));
}

}  // namespace scree::scenes
