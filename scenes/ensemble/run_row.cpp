#include "scenes/ensemble/run_row.hpp"

#include <type_traits>

namespace scree::ensemble {

std::vector<MemberColumn> run_columns() {
  std::vector<MemberColumn> columns;
  const RunRow run;
  RunRow::columns(run, [&]<class T>(const char* name, const char* unit, const char*, const T&) {
    const auto kind = std::is_same_v<T, double>         ? MemberColumn::Kind::number
                      : std::is_same_v<T, std::int64_t> ? MemberColumn::Kind::count
                                                        : MemberColumn::Kind::text;
    columns.push_back({kind, name, unit});
  });
  return columns;
}

MemberRow row_of(const RunRow& run) {
  MemberRow row;
  RunRow::columns(run, [&](const char*, const char*, const char*, const auto& value) {
    row.emplace_back(value);
  });
  return row;
}

RunRow run_of(const MemberRow& row) {
  RunRow run;
  std::size_t c = 0;
  RunRow::columns(run, [&]<class T>(const char*, const char*, const char*, T& value) {
    value = std::get<T>(row[c++]);
  });
  return run;
}

}  // namespace scree::ensemble
