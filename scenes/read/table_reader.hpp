// Reads the keys of one TOML table. Asking for a key is what declares it: whatever nobody asked for
// by the time `finish` is called is an unknown key.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/limits.hpp"
#include "engine/base/math.hpp"
#include "scenes/read/document.hpp"

namespace scree::scenes {

// The values that are admitted of a quantity with this unit besides: those that can be computed
// with. Null: any.
enum class Sign { any, not_negative, positive };
const AdmittedRange* admitted_values(std::string_view unit, Sign sign);

// Interval of allowed values. Every number must be finite besides.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_allowed = true;
  const char* unit = "";  // "[s]"
  const AdmittedRange* admitted = nullptr;

  bool contains(double value) const;
  std::string text() const;    // "a finite number > 0 [s]"
  std::string values() const;  // "> 0", of all that are admitted
};

inline Range any(const char* unit) {
  return {.unit = unit, .admitted = admitted_values(unit, Sign::any)};
}
inline Range positive(const char* unit) {
  return {.low = 0.0,
          .low_allowed = false,
          .unit = unit,
          .admitted = admitted_values(unit, Sign::positive)};
}
inline Range not_negative(const char* unit) {
  return {.low = 0.0, .unit = unit, .admitted = admitted_values(unit, Sign::not_negative)};
}

std::string in_quotes(const std::string& word);  // "word"

template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

class TableReader {
 public:
  // `table` must outlive the reader. `path` names it in messages; empty for the whole file.
  TableReader(Document& document, const toml::table& table, std::string path);

  // Optional keys: nothing when absent. A value of the wrong type or out of range throws
  // InputError.
  std::optional<double> number(const std::string& key, const Range& range);
  // Of any value, even not finite: for numbers that check_settings holds to `range`.
  std::optional<double> unchecked_number(const std::string& key, const Range& range);
  std::optional<std::int64_t> integer(const std::string& key, std::int64_t low, std::int64_t high);
  std::optional<bool> boolean(const std::string& key);
  std::optional<std::string> text(const std::string& key);
  std::optional<std::vector<std::string>> texts(const std::string& key);
  std::optional<Vector3> vector(const std::string& key, const Range& range);
  // Any count of numbers; rows of numbers are flattened.
  std::optional<std::vector<double>> numbers(const std::string& key, const Range& range);
  // Rows of `least` to `most` numbers each.
  std::optional<std::vector<std::vector<double>>> rows(const std::string& key, std::size_t least,
                                                       std::size_t most, const Range& range);
  // A vector of any length but 0, as a unit vector.
  std::optional<Vector3> direction(const std::string& key);
  std::optional<std::vector<Vector3>> points(const std::string& key, const Range& range);
  std::optional<TableReader> table(const std::string& key);
  std::vector<TableReader> tables(const std::string& key);
  // Either of both: one table, or an array of them.
  std::vector<TableReader> one_or_more(const std::string& key);

  // The required key `name`, not empty.
  std::string name();

  template <class Value>
  std::optional<Value> choice(const std::string& key, const Choices<Value>& choices) {
    const std::optional<std::string> word = text(key);
    if (document_->records_expectations()) {
      std::string words;
      for (const auto& choice : choices) {
        words += words.empty() ? "" : ", ";
        words += in_quotes(choice.first);
      }
      expect(key, words);
    }
    if (!word) return std::nullopt;
    std::vector<std::string> allowed;
    for (const auto& choice : choices) {
      if (choice.first == *word) return choice.second;
      allowed.push_back(choice.first);
    }
    fail_choice(key, *word, allowed);
  }

  // The value of an optional key that this table must have; `description` says what is expected.
  template <class Value>
  Value need(std::optional<Value> value, const std::string& key, const std::string& description) {
    if (!value) fail_missing(key, description);
    return std::move(*value);
  }

  // For the reference of keys: what a value must be, where it is not what the calls above say.
  void expect(const std::string& key, const std::string& allowed);

  bool has(const std::string& key) const { return table_->contains(key); }
  bool is_table(const std::string& key) const {
    const toml::node* node = table_->get(key);
    return node != nullptr && node->is_table();
  }
  std::string field(const std::string& key) const {
    return path_.empty() ? key : path_ + "." + key;
  }
  const std::string& path() const { return path_; }
  Place place() const { return place_; }
  Place place(const std::string& key) const;  // of the value; of the table when absent

  // At most one of the two keys may be there.
  void exclude(const std::string& key, const std::string& other) const;
  // Throws for the first key in the file that was never asked for.
  void finish() const;

  [[noreturn]] void fail(const std::string& key, const std::string& message) const;
  [[noreturn]] void fail_choice(const std::string& key, const std::string& word,
                                const std::vector<std::string>& allowed) const;
  [[noreturn]] void fail_missing(const std::string& key, const std::string& description) const;

  Document& document() const { return *document_; }

 private:
  const toml::node* find(const std::string& key, const char* allowed);
  // What numbers a key takes, one or in an array.
  const toml::node* find(const std::string& key, const char* count, const Range& range);
  // What names something, and is shown to people: a zero byte would cut it, an escape sequence
  // would act on a terminal.
  std::string text_in(const toml::node& node, const std::string& key) const;
  double number_in(const toml::node& node, const std::string& key, const Range& range) const;
  const toml::array& array_in(const toml::node& node, const std::string& key,
                              const std::string& expected) const;
  Vector3 vector_in(const toml::node& node, const std::string& key, const Range& range) const;
  [[noreturn]] void fail_type(const toml::node& node, const std::string& key,
                              const std::string& expected) const;
  [[noreturn]] void fail_unknown(const toml::key& key) const;

  Document* document_;
  const toml::table* table_;
  std::string path_;
  Place place_;
  std::vector<std::string> asked_;
};

// Calls `make` and throws its InputError again with the place of the key that it begins with, of
// the key `otherwise` if that is not there, or of the table.
template <class Make>
auto at_key(const TableReader& reader, Make&& make, const std::string& otherwise = "") {
  try {
    return make();
  } catch (const InputError& error) {
    const std::string text = error.what();
    const std::string key = text.substr(0, text.find(':'));
    const std::string named = reader.has(key) ? key : otherwise;
    if (reader.has(named))
      reader.document().fail_as(reader.place(named), reader.field(named), error);
    reader.document().fail_as(reader.place(), reader.path(), error);
  }
}

}  // namespace scree::scenes
