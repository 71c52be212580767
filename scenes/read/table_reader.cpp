#include "scenes/read/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/printable.hpp"

namespace scree::scenes {
namespace {

// What follows "unknown ...": the likely meaning, and what is allowed where that is not much or
// nothing is likely. Of hundreds of names the first do.
std::string advice(std::string_view word, const std::vector<std::string>& allowed) {
  constexpr std::size_t few = 12, most = 50;
  const std::string guess = nearest(word, allowed);
  if (!guess.empty() && allowed.size() > few) return "; did you mean " + in_quotes(guess) + "?";
  const std::size_t shown = allowed.size() > most ? few : allowed.size();
  std::string list = fmt::format(
      "{}", fmt::join(allowed.begin(), allowed.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < allowed.size()) list += fmt::format(", ... ({} in all)", allowed.size());
  if (guess.empty()) return "; allowed here: " + list;
  return "; did you mean " + in_quotes(guess) + "? Allowed here: " + list;
}

// What stands in the file, for messages about a wrong type.
std::string describe(const toml::node& node) {
  if (const auto* value = node.as_string()) return "the string " + in_quotes(value->get());
  if (const auto* value = node.as_integer()) return fmt::format("the integer {}", value->get());
  if (const auto* value = node.as_floating_point()) {
    const bool like_integer =
        std::trunc(value->get()) == value->get() && std::abs(value->get()) < 1e15;
    return like_integer ? fmt::format("the number {:.1f}", value->get())
                        : fmt::format("the number {}", value->get());
  }
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  if (const auto* array = node.as_array()) return fmt::format("an array of {}", array->size());
  return node.is_table() ? "a table" : "a date or time";
}

// Of an integer the nearest number: TOML's own conversion gives none for those that have no exact
// one.
double number_of(const toml::node& node) {
  const auto* integer = node.as_integer();
  return integer != nullptr ? static_cast<double>(integer->get()) : node.as_floating_point()->get();
}

std::string integer_range(std::int64_t low, std::int64_t high) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (low == Limits::min()) return "an integer";
  if (high == Limits::max()) return fmt::format("an integer >= {}", low);
  return fmt::format("an integer in [{}, {}]", low, high);
}

}  // namespace

std::string in_quotes(const std::string& word) { return "\"" + word + "\""; }

const AdmittedRange* admitted_values(std::string_view unit, Sign sign) {
  struct Admitted {
    std::string_view unit;
    AdmittedRange any, not_negative, positive;
  };
  static constexpr AdmittedRange no_bound{-std::numeric_limits<double>::infinity(),
                                          std::numeric_limits<double>::infinity(), ""};
  static constexpr Admitted table[] = {
      {"[m]",
       {-1e12, 1e12, admitted_coordinate},
       {0.0, 1e12, "from 0 to 1e12 [m]"},
       admitted_length},
      {"[m/s]",
       {-1e12, 1e12, "from -1e12 to 1e12 [m/s]"},
       no_bound,
       {1e-12, 1e12, "from 1e-12 to 1e12 [m/s]"}},
      {"[rad/s]", {-1e12, 1e12, "from -1e12 to 1e12 [rad/s]"}, no_bound, no_bound},
      {"[m/s2]", {-1e12, 1e12, "from -1e12 to 1e12 [m/s2]"}, no_bound, no_bound},
      {"[degrees]", {-1e6, 1e6, "from -1e6 to 1e6 [degrees]"}, no_bound, no_bound},
      {"[Pa]", {-1e30, 1e30, "from -1e30 to 1e30 [Pa]"}, no_bound, no_bound},
      {"[N]", {-1e30, 1e30, "from -1e30 to 1e30 [N]"}, no_bound, no_bound},
      {"[N m]", {-1e30, 1e30, "from -1e30 to 1e30 [N m]"}, no_bound, no_bound},
      {"[kg]", no_bound, no_bound, admitted_mass},
      {"[kg/m3]", no_bound, no_bound, admitted_density},
      {"[kg m2]",
       {-admitted_inertia.high, admitted_inertia.high, "from -1e70 to 1e70 [kg m2]"},
       no_bound,
       no_bound},
      {"",
       {-1e12, 1e12, "from -1e12 to 1e12"},
       {0.0, 1e12, "from 0 to 1e12"},
       {1e-6, 1e6, "from 1e-6 to 1e6"}}};
  const auto* const found = std::ranges::find(table, unit, &Admitted::unit);
  if (found == std::end(table)) return nullptr;
  return sign == Sign::any        ? &found->any
         : sign == Sign::positive ? &found->positive
                                  : &found->not_negative;
}

bool Range::contains(double value) const {
  return std::isfinite(value) && value <= high && (low_allowed ? value >= low : value > low);
}

std::string Range::values() const {
  if (std::isfinite(low) && std::isfinite(high))
    return fmt::format("{} {}, <= {}", low_allowed ? ">=" : ">", low, high);
  if (std::isfinite(low) && admitted == nullptr)
    return fmt::format("{} {}", low_allowed ? ">=" : ">", low);
  if (admitted == nullptr || !std::isfinite(admitted->high)) {
    return std::isfinite(low) ? fmt::format("{} {}", low_allowed ? ">=" : ">", low) : "any";
  }
  if (!std::isfinite(low)) return fmt::format("of size <= {:g}", admitted->high);
  return fmt::format(">= {:g}, <= {:g}", std::max(low, admitted->low), admitted->high);
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

const toml::node* TableReader::find(const std::string& key, const char* allowed) {
  asked_.push_back(key);
  if (document_->records_expectations()) document_->expect(field(key), {allowed, ""});
  document_->ask(field(key));
  const toml::node* node = table_->get(key);
  if (node != nullptr) document_->remember(field(key), place_of(*node));
  return node;
}

const toml::node* TableReader::find(const std::string& key, const char* count, const Range& range) {
  const toml::node* node = find(key, count);
  if (document_->records_expectations()) {
    document_->expect(field(key), {count + range.values(), range.unit});
  }
  return node;
}

void TableReader::expect(const std::string& key, const std::string& allowed) {
  if (document_->records_expectations()) document_->expect(field(key), {allowed, ""});
}

Place TableReader::place(const std::string& key) const {
  const toml::node* node = table_->get(key);
  return node == nullptr ? place_ : place_of(*node);
}

std::optional<double> TableReader::number(const std::string& key, const Range& range) {
  const toml::node* node = find(key, "", range);
  if (node == nullptr) return std::nullopt;
  return number_in(*node, key, range);
}

std::optional<double> TableReader::unchecked_number(const std::string& key, const Range& range) {
  const toml::node* node = find(key, "", range);
  if (node == nullptr) return std::nullopt;
  if (!node->is_number()) fail_type(*node, key, "a number");
  document_->note_unit(scenes::place_of(*node), range.unit);
  return number_of(*node);
}

std::optional<std::int64_t> TableReader::integer(const std::string& key, std::int64_t low,
                                                 std::int64_t high) {
  const toml::node* node = find(key, integer_range(low, high).c_str());
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
  const toml::node* node = find(key, "true or false");
  if (node == nullptr) return std::nullopt;
  if (!node->is_boolean()) fail_type(*node, key, "true or false");
  return node->as_boolean()->get();
}

std::optional<std::string> TableReader::text(const std::string& key) {
  const toml::node* node = find(key, "text");
  if (node == nullptr) return std::nullopt;
  return text_in(*node, key);
}

std::optional<std::vector<std::string>> TableReader::texts(const std::string& key) {
  const toml::node* node = find(key, "array of texts");
  if (node == nullptr) return std::nullopt;
  std::vector<std::string> result;
  for (const toml::node& element : array_in(*node, key, "an array of strings")) {
    result.push_back(text_in(element, key));
  }
  return result;
}

std::optional<Vector3> TableReader::vector(const std::string& key, const Range& range) {
  const toml::node* node = find(key, "three numbers ", range);
  if (node == nullptr) return std::nullopt;
  return vector_in(*node, key, range);
}

std::optional<Vector3> TableReader::direction(const std::string& key) {
  const std::optional<Vector3> given = vector(key, {.unit = ""});
  expect(key, "three numbers, not all 0");
  if (!given) return std::nullopt;
  const double largest = given->cwiseAbs().maxCoeff();
  if (largest == 0.0) fail(key, "[0, 0, 0] is not allowed; must have a direction");
  // Squares of others would overflow, or vanish.
  const bool usual = largest > 1e-100 && largest < 1e100;
  return usual ? given->normalized() : (*given / largest).normalized();
}

std::optional<std::vector<double>> TableReader::numbers(const std::string& key,
                                                        const Range& range) {
  const toml::node* node = find(key, "numbers ", range);
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

std::optional<std::vector<std::vector<double>>> TableReader::rows(const std::string& key,
                                                                  std::size_t least,
                                                                  std::size_t most,
                                                                  const Range& range) {
  const std::string count =
      least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  const toml::node* node = find(key, (count + " numbers a point, each ").c_str(), range);
  if (node == nullptr) return std::nullopt;
  const std::string expected = fmt::format("an array of points of {} numbers each", count);
  std::vector<std::vector<double>> result;
  for (const toml::node& element : array_in(*node, key, expected)) {
    const toml::array* row = element.as_array();
    if (row == nullptr || row->size() < least || row->size() > most)
      fail_type(element, key, fmt::format("a point of {} numbers", count));
    result.emplace_back();
    for (const toml::node& entry : *row) result.back().push_back(number_in(entry, key, range));
  }
  return result;
}

std::optional<std::vector<Vector3>> TableReader::points(const std::string& key,
                                                        const Range& range) {
  const toml::node* node = find(key, "points, each ", range);
  if (node == nullptr) return std::nullopt;
  std::vector<Vector3> result;
  for (const toml::node& element : array_in(*node, key, "an array of points [x, y, z]")) {
    result.push_back(vector_in(element, key, range));
  }
  return result;
}

std::optional<TableReader> TableReader::table(const std::string& key) {
  const toml::node* node = find(key, "a table");
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) fail_type(*node, key, "a table");
  return TableReader(*document_, *node->as_table(), field(key));
}

std::vector<TableReader> TableReader::tables(const std::string& key) {
  std::vector<TableReader> result;
  const toml::node* node = find(key, "tables");
  if (node == nullptr) return result;
  const std::string expected = "an array of tables, [[" + field(key) + "]]";
  for (const toml::node& element : array_in(*node, key, expected)) {
    if (!element.is_table()) fail_type(element, key, "a table");
    result.push_back(TableReader(*document_, *element.as_table(), field(key)));
  }
  return result;
}

std::vector<TableReader> TableReader::one_or_more(const std::string& key) {
  const toml::node* node = table_->get(key);
  if (node != nullptr && node->is_array()) return tables(key);
  std::vector<TableReader> result;
  if (std::optional<TableReader> one = table(key)) result.push_back(std::move(*one));
  return result;
}

std::string TableReader::name() {
  std::string result = need(text("name"), "name", "a string");
  if (result.empty()) fail("name", "an empty name is not allowed");
  return result;
}

std::string TableReader::text_in(const toml::node& node, const std::string& key) const {
  if (!node.is_string()) fail_type(node, key, "a string");
  std::string text = node.as_string()->get();
  if (printable(text) != text)
    fail_type(node, key, "a string of one line, without control characters");
  return text;
}

double TableReader::number_in(const toml::node& node, const std::string& key,
                              const Range& range) const {
  if (!node.is_number()) fail_type(node, key, range.text());
  document_->note_unit(scenes::place_of(node), range.unit);
  const double value = number_of(node);
  const bool in_range = range.contains(value);
  if (!in_range || (range.admitted != nullptr && !range.admitted->contains(value))) {
    document_->fail(scenes::place_of(node), field(key),
                    fmt::format("{} is not allowed; must be {}", value,
                                in_range ? range.admitted->text : range.text()));
  }
  return value;
}

const toml::array& TableReader::array_in(const toml::node& node, const std::string& key,
                                         const std::string& expected) const {
  if (!node.is_array()) fail_type(node, key, expected);
  return *node.as_array();
}

Vector3 TableReader::vector_in(const toml::node& node, const std::string& key,
                               const Range& range) const {
  const std::string expected =
      "three numbers [x, y, z]" + (*range.unit == '\0' ? "" : std::string(" ") + range.unit);
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
  fail(key, "unknown value " + in_quotes(word) + advice(word, allowed));
}

void TableReader::fail_missing(const std::string& key, const std::string& description) const {
  for (const auto& entry : *table_) {
    const std::string present(entry.first.str());
    if (std::ranges::find(asked_, present) == asked_.end() && !nearest(present, {key}).empty()) {
      document_->fail(place_of(entry.first), field(present),
                      "unknown key; did you mean " + in_quotes(key) + "?");
    }
  }
  document_->fail(place_, field(key), "missing; must be " + description);
}

void TableReader::fail_type(const toml::node& node, const std::string& key,
                            const std::string& expected) const {
  document_->fail(scenes::place_of(node), field(key),
                  fmt::format("{} is not allowed; must be {}", describe(node), expected));
}

void TableReader::fail_unknown(const toml::key& key) const {
  std::vector<std::string> allowed = asked_;
  std::ranges::sort(allowed);
  allowed.erase(std::unique(allowed.begin(), allowed.end()), allowed.end());
  document_->fail(place_of(key), field(std::string(key.str())),
                  "unknown key" + advice(key.str(), allowed));
}

}  // namespace scree::scenes
