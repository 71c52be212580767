#include "scenes/read/read_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/read/polygon_plane.hpp"

namespace scree::scenes {
namespace {

constexpr std::size_t most_groups = 16;    // a step has a row for each pair of them
constexpr double most_gauge_cells = 4096;  // and one for each of these

void read_impacts(TableReader& reader, ImpactLogSettings& impacts) {
  const std::optional<double> speed = reader.number("speed", not_negative("[m/s]")),
                              impulse = reader.number("impulse", not_negative("[N s]"));
  if (!speed && !impulse)
    reader.fail_missing("speed", not_negative("[m/s]").text() + ", unless there is `impulse`");
  if (speed) impacts.speed = *speed;
  if (impulse) impacts.impulse = *impulse;
  reader.finish();
}

// "wall-*": all whose names begin so.
bool is_named(const std::string& pattern, const std::string& name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
}

// Calls found(body) for each body of that name or pattern; how many there are.
template <class Found>
std::size_t each_named(const Model& model, const std::string& pattern, Found&& found) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (is_named(pattern, model.name[i])) ++count, found(i);
  }
  return count;
}

void refuse_reserved(const TableReader& reader, const char* key, const std::string& name) {
  if (const std::string fault = fault_of_measured_name(name); !fault.empty())
    reader.fail(key, in_quotes(name) + fault);
}

[[noreturn]] void fail_without_bodies(const TableReader& reader, const char* key,
                                      const std::string& word,
                                      const std::vector<std::string>& known, const char* what) {
  const std::string guess = nearest(word, known);
  std::string message = fmt::format("there is no {} {}", what, in_quotes(word));
  if (!guess.empty()) message += "; did you mean " + in_quotes(guess) + "?";
  reader.fail(key, message);
}

// The group of that name, which is new if there is none.
std::int32_t group_index(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::int32_t>(found - names.begin());
  names.push_back(name);
  return static_cast<std::int32_t>(names.size()) - 1;
}

void check_name(const TableReader& reader, const char* key, const std::string& name) {
  if (name == BodyGroups::others)
    reader.fail(key,
                "\"others\" is not allowed; it is the name of all bodies that are in no group");
  refuse_reserved(reader, key, name);
  if (name.find(':') != std::string::npos)
    reader.fail(key, fmt::format("{} is not allowed; a colon stands between two groups in names "
                                 "of curves",
                                 in_quotes(name)));
}

// [[group]]: a name and bodies by their names.
void read_listed_group(TableReader& reader, const Model& model, BodyGroups& groups) {
  const std::string name = reader.name();
  check_name(reader, "name", name);
  const char* expected = "an array of names of bodies; one that ends in * means all that begin so";
  const auto patterns = reader.need(reader.texts("bodies"), "bodies", expected);
  reader.expect("bodies", expected);
  if (patterns.empty())
    reader.fail("bodies", std::string("an empty array is a group of nothing; must be ") + expected);
  reader.finish();
  const std::int32_t group = group_index(groups.name, name);
  for (const std::string& pattern : patterns) {
    const std::size_t count = each_named(model, pattern, [&](std::size_t i) {
      std::int32_t& mine = groups.of_body[i];
      if (mine >= 0 && mine != group) {
        reader.fail("bodies", fmt::format("{} is in the group {} already; a body is in one group",
                                          in_quotes(model.name[i]),
                                          in_quotes(groups.name[static_cast<std::size_t>(mine)])));
      }
      mine = group;
    });
    if (count == 0) fail_without_bodies(reader, "bodies", pattern, model.name, "body");
  }
}

BodyGroups read_groups(TableReader& file, const Model& model,
                       const std::vector<std::string>& group_of_body) {
  BodyGroups groups;
  groups.of_body.assign(model.name.size(), -1);
  for (std::size_t i = 0; i < group_of_body.size(); ++i) {
    if (!group_of_body[i].empty()) groups.of_body[i] = group_index(groups.name, group_of_body[i]);
  }
  for (TableReader& reader : file.tables("group")) read_listed_group(reader, model, groups);
  if (groups.name.size() > most_groups) {
    file.fail("group", fmt::format("{} groups are not allowed; a scene has at most {}",
                                   groups.name.size(), most_groups));
  }
  std::ranges::replace(groups.of_body, -1, static_cast<std::int32_t>(groups.name.size()));
  return groups;
}

// `bodies` of a device: groups, or bodies by name; without it all. [n_bodies]
std::vector<std::uint8_t> read_watched(TableReader& reader, const Model& model,
                                       const BodyGroups& groups) {
  const auto words = reader.texts("bodies");
  reader.expect("bodies",
                "an array of names of groups and bodies; one that ends in * means all "
                "bodies that begin so");
  std::vector<std::uint8_t> watched(model.name.size(), words ? 0 : 1);
  if (!words) return watched;
  for (const std::string& word : *words) {
    const auto group = std::ranges::find(groups.name, word);
    std::size_t count = each_named(model, word, [&](std::size_t i) { watched[i] = 1; });
    for (std::size_t i = 0; group != groups.name.end() && i < model.name.size(); ++i) {
      if (groups.of_body[i] != group - groups.name.begin()) continue;
      watched[i] = 1;
      ++count;
    }
    if (count > 0) continue;
    std::vector<std::string> known = groups.name;
    known.insert(known.end(), model.name.begin(), model.name.end());
    fail_without_bodies(reader, "bodies", word, known, "group and no body");
  }
  if (words->empty())
    reader.fail("bodies", "an empty array is a group of nothing; must name groups or bodies");
  return watched;
}

bool any_moves(const Model& model, const std::vector<std::uint8_t>& chosen) {
  for (std::size_t i = 0; i < model.kind.size(); ++i) {
    if (chosen[i] != 0 && model.kind[i] == BodyKind::dynamic) return true;
  }
  return false;
}

Screen read_screen(TableReader& reader, const Model& model, const BodyGroups& groups) {
  Screen screen;
  screen.name = reader.name();
  for (const char* key : {"point", "normal"}) reader.exclude("corners", key);
  const auto corners = reader.points("corners", any("[m]"));
  const auto point = reader.vector("point", any("[m]"));
  const auto normal = reader.direction("normal");
  if (corners) {
    screen.corners = *corners;
    const PolygonPlane plane = read_polygon_plane(reader, "corners", screen.corners);
    screen.point = plane.point, screen.normal = plane.normal;
  } else {
    if (!normal) reader.fail_missing("normal", "a direction [x, y, z], or give `corners`");
    screen.point = point.value_or(Vector3::Zero());
    screen.normal = *normal;
  }
  screen.watched = read_watched(reader, model, groups);
  if (reader.has("bodies") && !any_moves(model, screen.watched))
    reader.fail("bodies",
                "all of them are fixed or driven; a screen notes bodies that move freely");
  reader.finish();
  return screen;
}

// "tower:others": what the first group gives the second.
bool is_pair(const BodyGroups& groups, const std::string& name) {
  const auto is_group = [&](const std::string& word) {
    return word == BodyGroups::others || std::ranges::find(groups.name, word) != groups.name.end();
  };
  const std::size_t colon = name.find(':');
  return colon != std::string::npos && is_group(name.substr(0, colon)) &&
         is_group(name.substr(colon + 1));
}

// Curves and measures are asked for as NAME.WORD, so nobody may have the name of a device but
// itself.
void check_device_name(const TableReader& reader, const Model& model,
                       const MeasureSettings& measure, const std::string& name) {
  const auto named = [&](const auto& device) { return device.name == name; };
  const BodyGroups& groups = measure.groups;
  const char* other = nullptr;
  if (std::ranges::any_of(measure.screens, named))
    other = "a screen";
  else if (std::ranges::any_of(measure.gauges, named))
    other = "a gauge";
  else if (std::ranges::find(model.name, name) != model.name.end())
    other = "a body";
  else if (std::ranges::find(groups.name, name) != groups.name.end())
    other = "a group";
  else if (name == BodyGroups::others)
    other = "the bodies that are in no group";
  else if (is_pair(groups, name))
    other = "what one group gives another";
  else if (name == "ground")
    other = "the ground";
  if (other != nullptr) {
    reader.fail("name", fmt::format("{} is not allowed; it means {} already in names of curves",
                                    in_quotes(name), other));
  }
  refuse_reserved(reader, "name", name);
}

void read_screens(TableReader& file, const Model& model, MeasureSettings& measure) {
  for (TableReader& reader : file.tables("screen")) {
    Screen screen = read_screen(reader, model, measure.groups);
    check_device_name(reader, model, measure, screen.name);
    measure.screens.push_back(std::move(screen));
  }
}

// `low` and `high` of a region.
void read_region(TableReader& reader, Gauge& gauge) {
  const char* expected = "a corner of the region, three numbers [m]";
  gauge.low = reader.need(reader.vector("low", any("[m]")), "low", expected);
  gauge.high = reader.need(reader.vector("high", any("[m]")), "high", expected);
  for (int axis = 0; axis < 3; ++axis) {
    if (gauge.low[axis] < gauge.high[axis]) continue;
    reader.fail("high", fmt::format("a gauge without volume is not allowed: along {} it goes from "
                                    "{:g} to {:g} m; must be above `low` along each axis",
                                    "xyz"[axis], gauge.low[axis], gauge.high[axis]));
  }
}

// `cells`: how many along each axis.
void read_cells(TableReader& reader, Gauge& gauge) {
  const std::string expected = fmt::format(
      "three integers >= 1, of cells along x, y and z, {} together at most", most_gauge_cells);
  const auto numbers = reader.numbers("cells", {.low = 1.0, .high = most_gauge_cells});
  reader.expect("cells", expected);
  const auto cells = reader.need(numbers, "cells", expected);
  double together = 1.0;
  bool whole = cells.size() == 3;
  for (const double count : cells) together *= count, whole = whole && count == std::floor(count);
  if (!whole || together > most_gauge_cells)
    reader.fail("cells", "these numbers are not allowed; must be " + expected);
  for (std::size_t k = 0; k < 3; ++k) gauge.cells[k] = static_cast<std::int32_t>(cells[k]);
}

// Volume of a gauge's bodies, or of a cell.
double volume_of(const TableReader& reader, const Model& model, const Gauge& gauge,
                 const std::optional<double>& given) {
  if (given) return *given;
  if (gauge.kind != Gauge::Kind::bodies)
    return (gauge.high - gauge.low).prod() / static_cast<double>(gauge.n_cells());
  double volume = 0.0;
  for (std::size_t i = 0; i < model.volume.size(); ++i) {
    if (gauge.counted[i] != 0 && model.kind[i] == BodyKind::dynamic) volume += model.volume[i];
  }
  if (!(volume > 0.0))
    reader.fail("bodies",
                "a gauge without volume is not allowed, and these have none; give `volume`");
  return volume;
}

Gauge read_gauge(TableReader& reader, const Model& model, const BodyGroups& groups) {
  using Kind = Gauge::Kind;
  static const Choices<Kind> kinds = {
      {"bodies", Kind::bodies}, {"box", Kind::box}, {"grid", Kind::grid}};
  Gauge gauge;
  gauge.name = reader.name();
  if (const std::string fault = fault_of_gauge_name(gauge.name); !fault.empty())
    reader.fail("name", fault);
  gauge.kind = reader.need(reader.choice("kind", kinds), "kind", "\"bodies\", \"box\" or \"grid\"");
  gauge.counted = read_watched(reader, model, groups);
  if (!any_moves(model, gauge.counted)) {
    reader.fail("bodies",
                "none of these moves freely; the stress of what is fixed or driven is not known, "
                "as nothing tells what holds it");
  }
  std::optional<double> volume;
  if (gauge.kind == Kind::bodies) {
    if (!reader.has("bodies"))
      reader.fail_missing("bodies", "an array of names of groups and bodies");
    volume = reader.number("volume", positive("[m3]"));
  } else {
    read_region(reader, gauge);
    if (gauge.kind == Kind::grid) read_cells(reader, gauge);
  }
  gauge.volume = volume_of(reader, model, gauge, volume);
  reader.finish();
  return gauge;
}

void read_gauges(TableReader& file, const Model& model, MeasureSettings& measure) {
  for (TableReader& reader : file.tables("gauge")) {
    Gauge gauge = read_gauge(reader, model, measure.groups);
    check_device_name(reader, model, measure, gauge.name);
    measure.gauges.push_back(std::move(gauge));
  }
}

void read_record(TableReader& reader, const Model& model, MeasureSettings& measure) {
  std::optional<TableReader> impacts = reader.table("impacts");
  if (impacts) read_impacts(*impacts, measure.impacts);
  const auto moved = reader.number("moved", positive("[m]"));
  if (moved) measure.groups.moved = *moved;
  const auto relative_to = reader.text("relative_to");
  reader.expect("relative_to", "the name of a body");
  if (relative_to) {
    const auto found = std::ranges::find(model.name, *relative_to);
    if (found == model.name.end())
      fail_without_bodies(reader, "relative_to", *relative_to, model.name, "body");
    measure.relative_to = static_cast<BodyIndex>(found - model.name.begin());
    const auto i = static_cast<std::size_t>(measure.relative_to);
    if (model.appears_at[i] > 0.0 || std::isfinite(model.vanishes_at[i]))
      reader.fail("relative_to", fmt::format("{} is not there at all times, so nothing can be "
                                             "measured against it; must be a body that is",
                                             in_quotes(*relative_to)));
  }
  reader.finish();
}

}  // namespace

std::string fault_of_measured_name(const std::string& name) {
  return name == "impacts" ? " is not allowed; it means the impact log in names of curves" : "";
}

std::string read_group(TableReader& reader) {
  const std::optional<std::string> group = reader.text("group");
  if (!group) return "";
  if (group->empty()) reader.fail("group", "an empty name is not allowed");
  check_name(reader, "group", *group);
  return *group;
}

void read_measures(TableReader& file, const Scene& scene,
                   const std::vector<std::string>& group_of_body, MeasureSettings& measure) {
  measure.groups = read_groups(file, scene.model, group_of_body);
  read_screens(file, scene.model, measure);
  read_gauges(file, scene.model, measure);
  std::optional<TableReader> record = file.table("record");
  if (record) read_record(*record, scene.model, measure);
}

}  // namespace scree::scenes
