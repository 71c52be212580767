// Options that take a list, as --threads 1,2,4.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/base/check.hpp"
#include "tools/common/number_choices.hpp"

namespace scree {

// The entries of a list that commas separate, empty ones too.
inline std::vector<std::string> entries_of(const std::string& list) {
  std::vector<std::string> entries;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = list.find(',', begin);
    entries.push_back(list.substr(begin, end - begin));
  }
  return entries;
}

// So many finite numbers, separated by commas. `allowed` says what else they must be, for the
// message.
inline std::vector<double> parse_numbers(const std::string& option, const std::string& text,
                                         std::size_t count, const std::string& allowed) {
  std::vector<double> numbers;
  bool right = true;
  for (const std::string& entry : entries_of(text)) {
    const std::optional<double> number = choices::decimal_of(entry);
    right = right && number && std::isfinite(*number);
    numbers.push_back(number.value_or(0.0));
  }
  require(right && numbers.size() == count, option, fmt::format("'{}' is not {}", text, allowed));
  return numbers;
}

// Adds an option whose values are separated by commas, or that is given several times, and end up
// in `list`. The parser's own lists pass over empty entries: here an entry that is empty, that
// `allowed` refuses or that has come before is bad usage. `list` must outlive the parsing, and
// stays as it is when the option is not given.
template <class Value>
CLI::Option* add_list_option(CLI::App& command, const std::string& names, std::vector<Value>& list,
                             const std::string& description,
                             const std::optional<CLI::Validator>& allowed = {}) {
  const std::string name = names.substr(0, names.find(','));
  const auto read = [&list, name, allowed](const CLI::results_t& arguments) {
    list.clear();
    for (const std::string& argument : arguments) {
      for (const std::string& entry : entries_of(argument)) {
        const auto refuse = [&](const std::string& why) { throw CLI::ValidationError(name, why); };
        if (entry.empty()) refuse(fmt::format("an entry of the list '{}' is empty", argument));
        std::string text = entry;
        if (const std::string why = allowed ? (*allowed)(text) : ""; !why.empty()) refuse(why);
        Value value{};
        if constexpr (std::is_floating_point_v<Value>) {
          const std::optional<double> number = choices::decimal_of(text);
          if (!number) refuse(choices::no_decimal(entry));
          value = *number;
        } else if (!CLI::detail::lexical_cast(text, value)) {
          refuse(fmt::format("'{}' is not allowed; must be an integer, without a unit", entry));
        }
        if (std::find(list.begin(), list.end(), value) != list.end())
          refuse(fmt::format("'{}' is there twice", entry));
        list.push_back(value);
      }
    }
    return true;
  };
  return command.add_option(names, read, description)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1)
      ->type_name("LIST");
}

}  // namespace scree
