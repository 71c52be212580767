#include "tools/study/sweep_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "engine/base/check.hpp"
#include "engine/base/printable.hpp"
#include "scenes/draws.hpp"
#include "scenes/read/document.hpp"
#include "scenes/read/scene_edits.hpp"

namespace scree::study {
namespace {

constexpr const char* known_calls =
    "uniform(low,high), uniform_int(low,high), normal(mean,deviation), linspace(first,last,count)";
constexpr std::int64_t largest_integer = 1000000000;  // of uniform_int

// What separates entries of a list, outside of brackets and strings. An empty entry stays one.
std::vector<std::string> split_at_top(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      const bool escape = c == '\\' && quote == '"' && i + 1 < text.size();
      if (escape) parts.back() += text[i++];
      if (!escape && c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '(' || c == '{') {
      ++depth;
    } else if (c == ']' || c == ')' || c == '}') {
      --depth;
    } else if (c == separator && depth == 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += text[i];
  }
  for (std::string& part : parts) {
    part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    part.erase(part.find_last_not_of(' ') + 1);
  }
  return parts;
}

template <class Value>
std::optional<Value> number_of(const std::string& text) {
  Value value{};
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
}

// Reads one --set KEY=LIST; every message names it as it was typed.
class AxisReader {
 public:
  explicit AxisReader(const std::string& set) : set_(set) {
    const scenes::EditText parts = scenes::split_edit(set);
    axis_.key = parts.key, list_ = parts.value;
  }

  SweepAxis read() {
    const std::vector<std::string> entries = split_at_top(list_, ',');
    for (const std::string& entry : entries) read_entry(entry, entries.size());
    std::set<std::string> seen;
    for (const std::string& value : axis_.values) {
      const std::optional<double> number = number_of<double>(value);  // 0.1 and 0.10 are one value
      if (!seen.insert(number ? fmt::format("{}", *number) : value).second)
        fail(fmt::format("{} is there twice", value));
    }
    return axis_;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(printable(fmt::format("{}{}: {}", scenes::edit_option, set_, message)));
  }

  double finite(const std::string& text, const std::string& entry) const {
    const std::optional<double> value = number_of<double>(text);
    if (!value || !std::isfinite(*value))
      fail(fmt::format("'{}' in {} is not allowed; must be a finite number", text, entry));
    return *value;
  }

  void check_integer(const std::string& text, const std::string& entry) const {
    const std::optional<std::int64_t> value = number_of<std::int64_t>(text);
    if (!value || *value < -largest_integer || *value > largest_integer) {
      fail(fmt::format("'{}' in {} is not allowed; must be an integer from {} to {}", text, entry,
                       -largest_integer, largest_integer));
    }
  }

  void read_entry(const std::string& entry, std::size_t n_entries) {
    if (entry.empty()) fail(fmt::format("an entry of the list '{}' is empty", list_));
    const std::size_t open = entry.find('(');
    const bool call =
        open != std::string::npos && entry.back() == ')' && open > 0 &&
        std::all_of(entry.begin(), entry.begin() + static_cast<std::ptrdiff_t>(open), [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        });
    const std::vector<std::string> range = split_at_top(entry, ':');
    if (call)
      read_call(entry, open, n_entries);
    else if (range.size() > 1)
      read_range(entry, range);
    else
      axis_.values.push_back(entry);
  }

  void read_call(const std::string& entry, std::size_t open, std::size_t n_entries) {
    const std::string name = entry.substr(0, open);
    const std::vector<std::string> arguments =
        split_at_top(entry.substr(open + 1, entry.size() - open - 2), ',');
    const std::vector<std::string> names = {"uniform_int", "uniform", "normal", "linspace"};
    if (std::ranges::find(names, name) == names.end()) {
      const std::string guess = scenes::nearest(name, names);
      fail(fmt::format("unknown '{}'{}; known are {}", name,
                       guess.empty() ? "" : fmt::format("; did you mean {}?", guess), known_calls));
    }
    const std::size_t wanted = name == "linspace" ? 3 : 2;
    if (arguments.size() != wanted)
      fail(fmt::format("{} has {} numbers; known are {}", entry, arguments.size(), known_calls));
    axis_.a = finite(arguments[0], entry), axis_.b = finite(arguments[1], entry);
    if (name == "linspace") {
      read_linspace(entry, arguments[2]);
      return;
    }
    if (n_entries > 1) fail(fmt::format("{} must stand alone, not in a list", entry));
    axis_.kind = name == "uniform"       ? SweepAxis::Kind::uniform
                 : name == "uniform_int" ? SweepAxis::Kind::uniform_int
                                         : SweepAxis::Kind::normal;
    if (axis_.kind == SweepAxis::Kind::uniform_int) {
      for (const std::string& argument : arguments) check_integer(argument, entry);
    }
    if (axis_.kind != SweepAxis::Kind::normal &&
        !(axis_.a < axis_.b && std::isfinite(axis_.b - axis_.a)))
      fail(fmt::format("{} is not allowed; low must be below high", entry));
    if (axis_.kind == SweepAxis::Kind::normal && !(axis_.b > 0.0))
      fail(fmt::format("{} is not allowed; the deviation must be above 0", entry));
  }

  void read_linspace(const std::string& entry, const std::string& count) {
    const std::optional<std::int64_t> n = number_of<std::int64_t>(count);
    if (!n || *n < 2 || *n > static_cast<std::int64_t>(most_runs)) {
      fail(fmt::format("'{}' in {} is not allowed; the count must be an integer from 2 to {}",
                       count, entry, most_runs));
    }
    const double step = (axis_.b - axis_.a) / static_cast<double>(*n - 1);
    if (!(std::abs(step) > 0.0) || !std::isfinite(step))
      fail(fmt::format("{} is not allowed; first and last must differ", entry));
    add_range(axis_.a, step, *n, axis_.b);
  }

  void read_range(const std::string& entry, const std::vector<std::string>& parts) {
    if (parts.size() != 3)
      fail(fmt::format("'{}' is no range; a range is first:last:step, as 0.1:0.5:0.1", entry));
    const double first = finite(parts[0], entry), last = finite(parts[1], entry),
                 step = finite(parts[2], entry);
    if (step == 0.0) fail(fmt::format("the step of the range {} is 0", entry));
    // A last value that the steps meet but for round-off is of the range.
    const double steps = (last - first) / step * (1.0 + 1e-12) + 1e-9;
    if (!(steps >= 0.0)) fail(fmt::format("the range {} is empty", entry));
    if (!(steps < static_cast<double>(most_runs)))
      fail(fmt::format("the range {} has more than {} values", entry, most_runs));
    const auto count = static_cast<std::int64_t>(steps) + 1;
    const auto a = number_of<std::int64_t>(parts[0]), b = number_of<std::int64_t>(parts[2]);
    if (a && b && number_of<std::int64_t>(parts[1])) {
      for (std::int64_t i = 0; i < count; ++i) axis_.values.push_back(std::to_string(*a + i * *b));
    } else {
      add_range(first, step, count, {});
    }
  }

  void add_range(double first, double step, std::int64_t count, std::optional<double> last) {
    for (std::int64_t i = 0; i < count; ++i) {
      const bool end = last && i + 1 == count;
      const double value = end ? *last : first + static_cast<double>(i) * step;
      // Steps such as 0.1 are no doubles: their multiples differ from 0.3 in the last digits. What
      // passes zero leaves round-off of a step there.
      const bool zero = std::abs(value) < 1e-12 * std::abs(step);
      axis_.values.push_back(zero ? "0.0" : fmt::format("{:.15g}", value));
    }
  }

  const std::string& set_;
  std::string list_;
  SweepAxis axis_;
};

std::string drawn(const SweepAxis& axis, Draws& draws) {
  if (axis.kind == SweepAxis::Kind::normal) return fmt::format("{}", draws.normal(axis.a, axis.b));
  if (axis.kind == SweepAxis::Kind::uniform)
    return fmt::format("{}", draws.uniform(axis.a, axis.b));
  return fmt::format(
      "{}", draws.integer(static_cast<std::int64_t>(axis.a), static_cast<std::int64_t>(axis.b)));
}

}  // namespace

bool SweepPlan::draws() const {
  return std::ranges::any_of(
      axes, [](const SweepAxis& axis) { return axis.kind != SweepAxis::Kind::list; });
}

std::size_t SweepPlan::n_runs() const {
  auto n = static_cast<std::size_t>(samples);
  for (const SweepAxis& axis : axes) {
    if (axis.kind == SweepAxis::Kind::list) n *= axis.values.size();
  }
  return n;
}

SweepRun SweepPlan::run(std::size_t i) const {
  const auto n = static_cast<std::size_t>(samples);
  SweepRun run{static_cast<std::int64_t>(i % n), std::vector<std::string>(axes.size())};
  i /= n;
  for (std::size_t k = axes.size(); k-- > 0;) {
    const SweepAxis& axis = axes[k];
    if (axis.kind == SweepAxis::Kind::list) {
      run.values[k] = axis.values[i % axis.values.size()];
      i /= axis.values.size();
      continue;
    }
    Draws draws(seed, static_cast<std::uint64_t>(run.sample), axis.stream);
    run.values[k] = drawn(axis, draws);
  }
  return run;
}

SweepRun SweepPlan::choice(std::size_t i) const {
  SweepRun chosen = run(i * static_cast<std::size_t>(samples));
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const SweepAxis& axis = axes[k];
    if (axis.kind == SweepAxis::Kind::list) continue;
    const double middle = axis.kind == SweepAxis::Kind::normal ? axis.a : 0.5 * (axis.a + axis.b);
    chosen.values[k] =
        fmt::format("{}", axis.kind == SweepAxis::Kind::uniform_int ? std::floor(middle) : middle);
  }
  return chosen;
}

std::vector<std::string> SweepPlan::edits(const SweepRun& run) const {
  std::vector<std::string> edits;
  for (std::size_t k = 0; k < axes.size(); ++k)
    edits.push_back(fmt::format("{}={}", axes[k].key, run.values[k]));
  return edits;
}

SweepPlan plan_sweep(const std::vector<std::string>& sets, std::uint64_t seed,
                     std::int64_t samples) {
  SweepPlan plan{{}, seed, std::max<std::int64_t>(samples, 1)};
  std::set<std::string> keys;
  std::uint32_t stream = 0;
  double n = static_cast<double>(plan.samples);
  for (const std::string& set : sets) {
    SweepAxis axis = AxisReader(set).read();
    require(keys.insert(axis.key).second, fmt::format("--set {}", set),
            fmt::format("{} is set twice; give it once", axis.key));
    if (axis.kind == SweepAxis::Kind::list) {
      n *= static_cast<double>(axis.values.size());
    } else {
      require(samples > 0, fmt::format("--set {}", set),
              "draws values, so --samples must say how many");
      axis.stream = stream++;
    }
    plan.axes.push_back(std::move(axis));
  }
  require(samples == 0 || plan.draws(), "--samples",
          "has no effect on lists and ranges; it is for uniform(low,high), uniform_int(low,high) "
          "and normal(mean,deviation)");
  require(n <= static_cast<double>(most_runs), "--set",
          fmt::format("the lists together are {:.6g} runs; at most {} are allowed", n, most_runs));
  return plan;
}

}  // namespace scree::study
