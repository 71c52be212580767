// CSV tables of what devices of the scene measured: impacts, crossings of screens, groups; and of
// the pairs of bodies in frames.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <iterator>
#include <string_view>
#include <vector>

#include "engine/base/printable.hpp"
#include "engine/measure/gauges.hpp"
#include "engine/measure/stress_tensor.hpp"
#include "tools/export/export_source.hpp"

namespace scree {
namespace {

using measure::Column;

std::string with_unit(const std::string& name, const char* unit) {
  if (*unit == '\0') return name;
  return fmt::format("{} [{}]", name, unit);
}

// The names that indices of a column stand for; null: none.
using NamesOf = std::function<const std::vector<std::string>*(std::string_view column)>;

template <class Row>
std::string header_of(const NamesOf& names) {
  std::string text;
  const auto add = [&text](const std::string& field) {
    if (!text.empty()) text += ',';
    text += field;
  };
  Row row;
  Row::columns(row, [&]<class T>(const Column& column, const T&) {
    if constexpr (std::is_arithmetic_v<T>) {
      add(with_unit(column.name, column.unit));
      if (names(column.name) != nullptr) add(fmt::format("name of {}", column.name));
    } else {
      for (const char axis : std::string_view(column.axes))
        add(with_unit(fmt::format("{} {}", column.name, axis), column.unit));
    }
  });
  return text;
}

template <class Row>
std::string fields_of(const Row& row, const NamesOf& names) {
  std::string text;
  const auto out = std::back_inserter(text);
  const auto separate = [&text] {
    if (!text.empty()) text += ',';
  };
  Row::columns(row, [&]<class T>(const Column& column, const T& value) {
    separate();
    if constexpr (std::is_arithmetic_v<T>) {
      fmt::format_to(out, "{}", value);
      const std::vector<std::string>* list = names(column.name);
      if (list != nullptr)
        fmt::format_to(out, ",{}", csv_field(list->at(static_cast<std::size_t>(value))));
    } else if constexpr (std::is_same_v<T, Quaternion>) {
      fmt::format_to(out, "{},{},{},{}", value.w(), value.x(), value.y(), value.z());
    } else {
      fmt::format_to(out, "{},{},{}", value.x(), value.y(), value.z());
    }
  });
  return text;
}

template <class Row>
void write_rows(const std::vector<Row>& rows, const NamesOf& names, OutputFile& file) {
  file.write(header_of<Row>(names) + "\r\n");
  for (const Row& row : rows) file.write(fields_of(row, names) + "\r\n");
}

void write_impacts(const ExportSource& source, OutputFile& file) {
  write_rows(
      source.results.impacts(),
      [&](std::string_view column) {
        return column == "body_a" || column == "body_b" ? &source.bodies.name : nullptr;
      },
      file);
}

void write_below_threshold(const ExportSource& source, OutputFile& file) {
  const std::vector<double> time = source.results.solver("time");
  const NamesOf none = [](std::string_view) { return nullptr; };
  file.write("time [s]," + header_of<measure::BelowThreshold>(none) + "\r\n");
  std::size_t step = 0;
  for (const measure::BelowThreshold& row : source.results.below_threshold())
    file.write(fmt::format("{},{}\r\n", time.at(step++), fields_of(row, none)));
}

void write_crossings(const ExportSource& source, OutputFile& file) {
  std::vector<std::string> screens;
  for (const ResultScreen& screen : source.results.screens()) screens.push_back(screen.name);
  write_rows(
      source.results.crossings(),
      [&](std::string_view column) -> const std::vector<std::string>* {
        if (column == "body") return &source.bodies.name;
        return column == "screen" ? &screens : nullptr;
      },
      file);
}

void write_departures(const ExportSource& source, OutputFile& file) {
  write_rows(
      source.results.departures(),
      [&](std::string_view column) { return column == "body" ? &source.bodies.name : nullptr; },
      file);
}

// One row a step: impulse and mean force on the second group of each pair from the first, and how
// many bodies have moved.
void write_groups(const ExportSource& source, OutputFile& file) {
  const ResultReader& results = source.results;
  const ResultGroups groups = results.groups();
  std::vector<std::string> header = {"time [s]"};
  std::vector<std::vector<double>> columns = {results.solver("time")};
  for (std::size_t pair = 0; pair < groups.pair_a.size(); ++pair) {
    const std::vector<Vector3> impulse = results.group_impulses(pair);
    const std::string on =
        fmt::format("{} on {}", groups.name[static_cast<std::size_t>(groups.pair_a[pair])],
                    groups.name[static_cast<std::size_t>(groups.pair_b[pair])]);
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      header.push_back(csv_field(fmt::format("{}: impulse {} [N s]", on, "xyz"[axis])));
      std::vector<double>& column = columns.emplace_back();
      for (const Vector3& p : impulse) column.push_back(p[axis]);
    }
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      header.push_back(csv_field(fmt::format("{}: mean force {} [N]", on, "xyz"[axis])));
      std::vector<double>& column = columns.emplace_back();
      for (const Vector3& p : impulse) column.push_back(p[axis] / source.dt);
    }
  }
  for (std::size_t group = 0; std::isfinite(groups.moved) && group < groups.name.size(); ++group) {
    header.push_back(csv_field(groups.name[group] + ": bodies moved"));
    const std::vector<std::int32_t> moved = results.group_moved(group);
    columns.emplace_back(moved.begin(), moved.end());
  }
  file.write(fmt::format("{}\r\n", fmt::join(header, ",")));
  for (std::size_t row = 0; row < columns.front().size(); ++row) {
    std::string text;
    for (const std::vector<double>& column : columns)
      fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ",", column.at(row));
    file.write(text + "\r\n");
  }
}

void write_pairs(const ExportSource& source, OutputFile& file) {
  file.write(
      "time [s],step,body_a,body_b,name_a,name_b,impulse x [N s],impulse y [N s],impulse z [N s],"
      "mean force x [N],mean force y [N],mean force z [N],x [m],y [m],z [m],"
      "mean moment x [N m],mean moment y [N m],mean moment z [N m]\r\n");
  for (const std::int64_t index : source.frames) {
    const ResultFrame frame = source.results.frame(index);
    const ResultPairImpulses pairs = source.results.pair_impulses(index);
    std::string text;
    for (std::size_t i = 0; i < pairs.body_a.size(); ++i) {
      const auto a = static_cast<std::size_t>(pairs.body_a[i]),
                 b = static_cast<std::size_t>(pairs.body_b[i]);
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}", frame.time, frame.step, a, b,
                     csv_field(source.bodies.name[a]), csv_field(source.bodies.name[b]));
      for (const Vector3* v :
           {&pairs.impulse_sum[i], &pairs.mean_force[i], &pairs.point[i], &pairs.mean_moment[i]})
        fmt::format_to(std::back_inserter(text), ",{},{},{}", v->x(), v->y(), v->z());
      text += "\r\n";
    }
    file.write(text);
  }
}

// The columns of a gauge's row, with the axes of tensors and vectors.
std::string gauge_header() {
  std::string text;
  measure::GaugeRow row;
  measure::GaugeRow::columns(row, [&]<class T>(const Column& column, const T&) {
    const auto add = [&](const std::string& name) {
      text += ',';
      text += with_unit(name, column.unit);
    };
    if constexpr (std::is_same_v<T, measure::StressTensor>) {
      for (const char* axes : measure::stress_axes) add(fmt::format("{} {}", column.name, axes));
    } else if constexpr (std::is_same_v<T, Vector3>) {
      for (const char axis : {'x', 'y', 'z'}) add(fmt::format("{} {}", column.name, axis));
    } else {
      add(column.name);
    }
  });
  return text + ",pressure [Pa],tau [Pa]";
}

std::string gauge_fields(const measure::GaugeRow& row) {
  std::string text;
  const auto add = [&](double value) { fmt::format_to(std::back_inserter(text), ",{}", value); };
  measure::GaugeRow::columns(row, [&]<class T>(const Column&, const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      add(value);
    } else {
      for (const double number : value) add(number);
    }
  });
  add(measure::pressure_of(row.stress)), add(measure::shear_of(row.stress));
  return text;
}

// One row a step and cell; where a cell is, its middle says.
void write_gauges(const ExportSource& source, OutputFile& file) {
  const ResultReader& results = source.results;
  const std::vector<ResultGauge> gauges = results.gauges();
  const std::vector<double> time = results.solver("time");
  if (gauges.empty()) results.gauge_rows(0);  // says what is missing
  file.write("time [s],gauge,cell,x [m],y [m],z [m]" + gauge_header() + "\r\n");
  for (std::size_t g = 0; g < gauges.size(); ++g) {
    const ResultGauge& gauge = gauges[g];
    const measure::CellGrid grid{gauge.low, gauge.high, gauge.cells};
    const std::vector<measure::GaugeRow> rows = results.gauge_rows(g);
    std::string text;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::size_t cell = r % grid.count();
      const Vector3 middle = grid.middle(cell);
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}{}\r\n", time[r / grid.count()],
                     csv_field(gauge.name), cell, middle.x(), middle.y(), middle.z(),
                     gauge_fields(rows[r]));
    }
    file.write(text);
  }
}

}  // namespace

const std::vector<MeasureTable>& measure_tables() {
  static const std::vector<MeasureTable> tables = {
      {"impacts", false, write_impacts},     {"below_threshold", false, write_below_threshold},
      {"crossings", false, write_crossings}, {"departures", false, write_departures},
      {"groups", false, write_groups},       {"gauges", false, write_gauges},
      {"pairs", true, write_pairs}};
  return tables;
}

}  // namespace scree
