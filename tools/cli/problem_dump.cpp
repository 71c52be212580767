#include "tools/cli/problem_dump.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <utility>

#include "contact/fclib/fclib.hpp"
#include "engine/base/check.hpp"
#include "engine/files/output_claim.hpp"
#include "tools/common/output_path.hpp"

namespace scree {
namespace {

using Quantity = double (*)(const StepRecord&);

const std::map<std::string, Quantity> quantities = {
    {"step", [](const StepRecord& r) { return static_cast<double>(r.step); }},
    {"time", [](const StepRecord& r) { return r.time; }},
    {"contacts", [](const StepRecord& r) { return static_cast<double>(r.contacts); }},
    {"iterations", [](const StepRecord& r) { return static_cast<double>(r.iterations); }},
    {"passes", [](const StepRecord& r) { return static_cast<double>(r.passes); }},
    {"converged", [](const StepRecord& r) { return r.converged ? 1.0 : 0.0; }},
    {"residual_scaled", [](const StepRecord& r) { return r.residual.scaled; }},
    {"residual_published", [](const StepRecord& r) { return r.residual.published; }},
    {"residual_siconos", [](const StepRecord& r) { return r.residual.siconos; }},
};

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::vector<std::string> split_by(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find(separator, begin)) != std::string::npos;
       begin = at + separator.size()) {
    parts.push_back(text.substr(begin, at - begin));
  }
  parts.push_back(text.substr(begin));
  return parts;
}

bool compare(const std::string& sign, double a, double b) {
  if (sign == ">") return a > b;
  if (sign == ">=") return a >= b;
  if (sign == "<") return a < b;
  if (sign == "<=") return a <= b;
  return a == b;
}

std::function<bool(const StepRecord&)> parse_comparison(const std::string& text) {
  const std::string where = fmt::format("--dump-when: '{}'", text);
  const std::size_t at = text.find_first_of("<>=");
  require(at != std::string::npos, where,
          "is not a comparison such as \"iterations>200\"; signs: > >= < <= =");
  const std::size_t after = text.find_first_not_of("<>=", at);
  const std::string sign = text.substr(at, (after == std::string::npos ? text.size() : after) - at);
  require(sign == ">" || sign == ">=" || sign == "<" || sign == "<=" || sign == "=" || sign == "==",
          where, "has an unknown sign; signs: > >= < <= =");
  const std::string name = trimmed(text.substr(0, at)),
                    number = trimmed(text.substr(at + sign.size()));
  const auto quantity = quantities.find(name);
  if (quantity == quantities.end()) {
    std::string known;
    for (const auto& entry : quantities) known += (known.empty() ? "" : ", ") + entry.first;
    throw InputError(fmt::format("{}: unknown quantity '{}'; known are {}", where, name, known));
  }
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  require(!number.empty() && *end == '\0' && std::isfinite(value), where,
          fmt::format("'{}' is not a finite number", number));
  return [get = quantity->second, sign, value](const StepRecord& record) {
    return compare(sign, get(record), value);
  };
}

}  // namespace

StepCondition::StepCondition(const std::string& text) {
  if (trimmed(text).empty()) return;
  for (const std::string& part : split_by(text, " and "))
    comparisons_.push_back(parse_comparison(trimmed(part)));
}

bool StepCondition::holds(const StepRecord& record) const {
  for (const auto& comparison : comparisons_) {
    if (!comparison(record)) return false;
  }
  return true;
}

ProblemDump::ProblemDump(std::string folder, const std::string& condition, std::string scene,
                         bool force)
    : folder_(std::move(folder)), scene_(std::move(scene)), condition_(condition) {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string where = "--dump-fclib: " + folder_;
  make_folder(folder_, "--dump-fclib");
  require(force || fs::is_empty(folder_, error), where,
          "has files in it; choose another folder, or use --force to add to it");
  claim_.emplace(folder_);
}

void ProblemDump::update(const StepView& view) {
  const StepRecord& record = view.record;
  if (record.contacts == 0 || !condition_.holds(record)) return;
  const std::string name = fmt::format("{}-s{:07d}-nc{}", scene_, record.step, record.contacts);
  const std::string path = (std::filesystem::path(folder_) / (name + ".hdf5")).string();
  try {
    OutputClaim file(path);
    contact::write_fclib(file.written(), view.problem, name, view.reaction);
    file.publish();
  } catch (const InputError& error) {
    throw RunFailure(error.what());
  } catch (const std::runtime_error& error) {
    throw RunFailure(path + ": " + error.what());
  }
  ++written_;
}

}  // namespace scree
