// Names of the solver's choices on the command line.
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "contact/solver/solver.hpp"
#include "engine/base/executor.hpp"
#include "tools/common/number_choices.hpp"

namespace scree::choices {

template <class Value>
using Table = std::vector<std::pair<std::string, Value>>;

inline const Table<contact::Measure> measures = {{"combined", contact::Measure::combined},
                                                 {"scaled", contact::Measure::scaled},
                                                 {"published", contact::Measure::published},
                                                 {"siconos", contact::Measure::siconos}};
inline const Table<contact::Method> methods = {{"nsgs", contact::Method::nsgs},
                                               {"nncg", contact::Method::nncg},
                                               {"apgd", contact::Method::apgd},
                                               {"interior", contact::Method::interior},
                                               {"auto", contact::Method::automatic}};
inline const Table<Backend> backends = {
    {"serial", Backend::serial}, {"openmp", Backend::openmp}, {"tbb", Backend::tbb}};

// The value of a name that is in the table.
template <class Value>
Value lookup(const Table<Value>& table, const std::string& name) {
  return std::find_if(table.begin(), table.end(),
                      [&](const auto& entry) { return entry.first == name; })
      ->second;
}

template <class Value>
std::string name_of(const Table<Value>& table, Value value) {
  return std::find_if(table.begin(), table.end(),
                      [&](const auto& entry) { return entry.second == value; })
      ->first;
}

template <class Value>
std::vector<std::string> names(const Table<Value>& table) {
  std::vector<std::string> list;
  for (const auto& entry : table) list.push_back(entry.first);
  return list;
}

template <class Value>
CLI::Validator one_of(const Table<Value>& table) {
  return CLI::IsMember(names(table));
}

// A number of threads or processes; `low` 0: that stands for all processors.
inline CLI::Validator thread_count(int low = 0) { return integer_within(low, most_threads); }

}  // namespace scree::choices
