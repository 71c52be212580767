#include "scenes/read/read_loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/read/ground_record.hpp"
#include "scenes/read/history_csv.hpp"

namespace scree::scenes {
namespace {

// Acceleration by unit, the first where none is given.
const std::vector<std::pair<std::string, double>> acceleration_units = {
    {"m/s2", 1.0}, {"g", standard_gravity}, {"cm/s2", 0.01}};

// `outside`: whether a table keeps its first and last values before and after it, or is zero there.
bool read_holds(TableReader& reader, bool otherwise) {
  static const Choices<bool> choices = {{"hold", true}, {"zero", false}};
  return reader.choice("outside", choices).value_or(otherwise);
}

void require_count(const TableReader& reader, const std::string& key, std::size_t count,
                   std::size_t times) {
  if (count == times) return;
  reader.fail(key, fmt::format("an array of {} is not allowed; must be one value for each of the "
                               "{} times",
                               count, times));
}

// One vector when there are no times, else one for each.
Record read_vectors(TableReader& reader, const std::string& key, const char* unit,
                    const std::vector<double>& times, bool holds) {
  Record record;
  if (times.empty()) {
    const std::optional<Vector3> value = reader.vector(key, any(unit));
    if (value) record = constant_record(*value);
  } else if (auto values = reader.points(key, any(unit))) {
    require_count(reader, key, values->size(), times.size());
    record.time = times, record.value = std::move(*values), record.holds = holds;
  }
  return record;
}

// Three columns of a CSV file, if it has any of them.
Record record_of(const CsvTable& table, std::size_t first, bool holds) {
  Record record;
  if (!table.given[first] && !table.given[first + 1] && !table.given[first + 2]) return record;
  record.time = table.time, record.holds = holds;
  for (std::size_t i = 0; i < table.time.size(); ++i) {
    record.value.emplace_back(table.value[first][i], table.value[first + 1][i],
                              table.value[first + 2][i]);
  }
  return record;
}

// Text of the file that `file` names.
const std::string& text_of_file(TableReader& reader, const std::string& name) {
  if (name.empty()) reader.fail("file", "is empty; must be the name of a file");
  return reader.document().read_file(reader.place("file"), reader.field("file"), name);
}

void read_load_file(TableReader& reader, const std::string& name, bool holds, Load& load) {
  for (const char* key : {"time", "force", "torque", "pressure"}) reader.exclude("file", key);
  CsvFormat format;
  for (const char* column : {"force_x", "force_y", "force_z"})
    format.columns.push_back({column, {{"[N]", 1.0}, {"[kN]", 1e3}}});
  for (const char* column : {"torque_x", "torque_y", "torque_z"})
    format.columns.push_back({column, {{"[N m]", 1.0}, {"[kN m]", 1e3}}});
  const CsvTable table =
      read_csv_table(text_of_file(reader, name), reader.document().path_of(name), format);
  load.force = record_of(table, 0, holds);
  load.torque = record_of(table, 3, holds);
}

// `span`: the area that changes.
SpanArea read_span(TableReader reader) {
  SpanArea span;
  const char* expected = "the names of two bodies";
  const auto between = reader.need(reader.texts("between"), "between", expected);
  if (between.size() != 2 || between[0] == between[1])
    reader.fail("between", std::string("must be ") + expected);
  span.between = {between[0], between[1]};
  span.axis = reader.need(reader.direction("axis"), "axis", "the direction from one to the other");
  const Range length = positive("[m]");
  span.length = reader.need(reader.number("length", length), "length", length.text());
  span.depth = reader.need(reader.number("depth", length), "depth", length.text());
  reader.finish();
  return span;
}

// `pressure` on an area, a force along `direction`.
void read_pressure(TableReader& reader, const std::vector<double>& times, bool holds, Load& load) {
  const std::optional<std::vector<double>> listed =
      times.empty() ? std::nullopt : reader.numbers("pressure", any("[Pa]"));
  const std::optional<double> constant =
      times.empty() ? reader.number("pressure", any("[Pa]")) : std::nullopt;
  const std::optional<Vector3> direction = reader.direction("direction");
  const std::optional<double> area = reader.number("area", positive("[m2]"));
  const std::optional<TableReader> span = reader.table("span");
  if (!listed && !constant) {
    for (const char* key : {"direction", "area", "span"}) {
      if (reader.has(key))
        reader.fail(key, "goes with a pressure, and there is none; leave it out");
    }
    return;
  }
  reader.exclude("force", "pressure");
  reader.exclude("area", "span");
  if (!area && !span) {
    reader.fail_missing("area",
                        "the area on which the pressure acts [m2], or a span that it changes with");
  }
  const Vector3 along =
      area.value_or(1.0) *
      reader.need(direction, "direction", "the direction in which the pressure pushes the body");
  if (span) load.span = read_span(*span);
  if (constant) load.force = constant_record(*constant * along);
  if (!listed) return;
  require_count(reader, "pressure", listed->size(), times.size());
  load.force.time = times, load.force.holds = holds;
  for (const double value : *listed) load.force.value.push_back(value * along);
}

Load read_load(TableReader reader) {
  static const Choices<LoadAxes> axes = {{"world", LoadAxes::world}, {"body", LoadAxes::body}};
  Load load;
  const bool holds = read_holds(reader, true);
  const std::optional<std::string> file = reader.text("file");
  const std::vector<double> times =
      reader.has("time") && !file ? read_times(reader) : std::vector<double>();
  if (!reader.has("time")) reader.numbers("time", not_negative("[s]"));
  load.force = read_vectors(reader, "force", "[N]", times, holds);
  load.torque = read_vectors(reader, "torque", "[N m]", times, holds);
  read_pressure(reader, times, holds, load);
  if (file) read_load_file(reader, *file, holds, load);
  const std::optional<Vector3> point = reader.vector("at", any("[m]"));
  if (point && load.force.empty())
    reader.fail("at", "is where a force acts, and there is none; leave it out");
  load.central = !point.has_value();
  if (point) load.point = *point;
  load.axes = reader.choice("axes", axes).value_or(LoadAxes::world);
  if (load.force.empty() && load.torque.empty())
    reader.fail_missing("force",
                        "a force [N] or a torque [N m]: three numbers, or one vector for "
                        "each time");
  reader.finish();
  return load;
}

// The record of one acceleration as the table has it: in its own unit, from its own start.
struct GivenRecord {
  std::vector<double> time;
  std::vector<Vector3> value;
};

// Times of `count` values: `time`, or `time_step`.
std::vector<double> times_of(TableReader& reader, std::size_t count,
                             const std::optional<double>& step) {
  if (!step) return read_times(reader);
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) times.push_back(static_cast<double>(i) * *step);
  return times;
}

GivenRecord read_inline(TableReader& reader, const std::optional<Vector3>& direction,
                        const std::optional<double>& step) {
  GivenRecord given;
  const bool changes = step || reader.has("time");
  reader.exclude("time", "time_step");
  if (direction) {
    const auto numbers = reader.need(reader.numbers("acceleration", any("")), "acceleration",
                                     "one number for each time, along `direction`");
    for (const double number : numbers) given.value.push_back(number * *direction);
  } else if (changes) {
    given.value = reader.need(reader.points("acceleration", any("")), "acceleration",
                              "one vector for each time");
  } else {
    given.value = {reader.need(reader.vector("acceleration", any("")), "acceleration",
                               "three numbers, or one vector for each time")};
  }
  given.time = changes || given.value.size() != 1 ? times_of(reader, given.value.size(), step)
                                                  : std::vector<double>{0.0};
  require_count(reader, "acceleration", given.value.size(), given.time.size());
  return given;
}

// A CSV file with x, y, z, or with one column along `direction`; a file of the PEER database.
GivenRecord read_record_file(TableReader& reader, const std::string& name,
                             const std::optional<Vector3>& direction,
                             const std::optional<double>& step, double factor) {
  for (const char* key : {"time", "acceleration"}) reader.exclude("file", key);
  const std::string& text = text_of_file(reader, name);
  const std::string path = reader.document().path_of(name);
  GivenRecord given;
  if (is_at2(name)) {
    if (!direction)
      reader.fail_missing("direction", "the direction of the motion in the file " + name);
    for (const char* key : {"unit", "time_step"}) {
      if (reader.has(key))
        reader.fail(key, "the file " + name + " says it itself; leave " + key + " out");
    }
    const At2Record record = read_at2(text, path);
    for (std::size_t i = 0; i < record.acceleration.size(); ++i) {
      given.time.push_back(static_cast<double>(i) * record.time_step);
      given.value.push_back(record.acceleration[i] * record.unit / factor * *direction);
    }
    return given;
  }
  CsvFormat format;
  format.time_step = step;
  // Values come out in the unit of `unit`; where the scene gives it, the file may not name another.
  if (reader.has("unit")) format.unit_reason = ", as the scene's `unit` says";
  std::vector<std::pair<std::string, double>> units;
  for (const auto& [unit, size] : acceleration_units) {
    std::string bracketed = "[" + unit;
    bracketed += "]";
    if (reader.has("unit") && size != factor) continue;
    const auto at = size == factor ? units.begin() : units.end();
    units.insert(at, {bracketed, size / factor});
  }
  const std::vector<std::string> names = direction ? std::vector<std::string>{"acceleration"}
                                                   : std::vector<std::string>{"x", "y", "z"};
  for (const std::string& column : names) format.columns.push_back({column, units});
  const CsvTable table = read_csv_table(text, path, format);
  given.time = table.time;
  for (std::size_t i = 0; i < table.time.size(); ++i) {
    const auto& v = table.value;
    given.value.push_back(direction ? Vector3(v[0][i] * *direction)
                                    : Vector3(v[0][i], v[1][i], v[2][i]));
  }
  return given;
}

FieldRecord read_acceleration(TableReader reader) {
  static const Choices<bool> kinds = {{"ground", true}, {"field", false}};
  static const Choices<Baseline> baselines = {
      {"none", Baseline::none}, {"constant", Baseline::constant}, {"linear", Baseline::linear}};
  FieldRecord field;
  field.ground = reader.need(reader.choice("kind", kinds), "kind", "ground or field");
  const std::optional<Vector3> direction = reader.direction("direction");
  const double factor = reader.choice("unit", acceleration_units).value_or(1.0);
  const double scale = reader.number("scale", any("")).value_or(1.0);
  const std::optional<double> step = reader.number("time_step", positive("[s]"));
  const double start = reader.number("start", not_negative("[s]")).value_or(0.0);
  const std::optional<std::string> file = reader.text("file");
  reader.numbers("time", not_negative("[s]"));
  if (file) reader.numbers("acceleration", any(""));
  GivenRecord given = file ? read_record_file(reader, *file, direction, step, factor)
                           : read_inline(reader, direction, step);
  Record& record = field.acceleration;
  record.holds = read_holds(reader, !field.ground);
  record.time = std::move(given.time), record.value = std::move(given.value);
  if (record.time.size() == 1 && !record.holds)
    reader.fail("kind",
                "a motion of the ground of one entry moves nothing, as it is zero outside "
                "of its times; must have two entries, or outside = \"hold\"");
  const Baseline baseline = reader.choice("baseline", baselines).value_or(Baseline::none);
  if (baseline != Baseline::none && record.time.size() < 2)
    reader.fail("baseline", "a record of one entry has no baseline; leave it out");
  correct_baseline(record, baseline);
  for (double& time : record.time) time += start;
  const double sign = field.ground ? -1.0 : 1.0;
  for (Vector3& value : record.value) value *= sign * scale * factor;
  at_key(
      reader, [&] { return check_record(record, "time"), 0; }, file ? "file" : "time");
  sum_up(record);
  reader.finish();
  return field;
}

}  // namespace

std::vector<double> read_times(TableReader& reader) {
  const char* expected = "times [s], each later than the one before";
  auto times = reader.need(reader.numbers("time", not_negative("[s]")), "time", expected);
  if (times.empty())
    reader.fail("time", std::string("an empty list is not allowed; must be ") + expected);
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] <= times[i - 1]) {
      reader.fail("time", fmt::format("{} after {} is not allowed; must be {}", times[i],
                                      times[i - 1], expected));
    }
  }
  return times;
}

std::vector<NamedLoad> read_named_loads(TableReader& file) {
  std::vector<NamedLoad> loads;
  for (TableReader& reader : file.one_or_more("load")) {
    const std::string body =
        reader.need(reader.text("body"), "body", "the name of the body that carries it");
    const Place place = reader.place("body");
    loads.push_back({body, place, read_load(reader)});
  }
  return loads;
}

std::vector<Load> read_loads(TableReader& body) {
  std::vector<Load> loads;
  for (TableReader& reader : body.one_or_more("load")) loads.push_back(read_load(reader));
  return loads;
}

Drag read_drag(TableReader& body) {
  Drag drag;
  std::optional<TableReader> reader = body.table("drag");
  if (!reader) return drag;
  const Range linear = {.low = 0.0, .high = 1e40, .unit = "[N s/m]"},
              angular = {.low = 0.0, .high = 1e40, .unit = "[N m s]"};
  drag.linear = reader->number("linear", linear).value_or(0.0);
  drag.angular = reader->number("angular", angular).value_or(0.0);
  reader->finish();
  return drag;
}

std::vector<FieldRecord> read_field(TableReader& world) {
  std::vector<FieldRecord> field;
  for (TableReader& reader : world.one_or_more("acceleration"))
    field.push_back(read_acceleration(reader));
  return field;
}

}  // namespace scree::scenes
