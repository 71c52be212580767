#include "engine/files/warning_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace scree {
namespace {

constexpr std::size_t named = std::tuple_size_v<decltype(WarningEntry::bodies)>;

// The columns of the table, one value (bodies: `named` values) a warning.
struct Columns {
  std::vector<std::int64_t> count, bodies;
  std::vector<double> worst, time;
};

Columns columns_of(const WarningLog& log) {
  Columns columns;
  for (const WarningInfo& info : warning_catalogue) {
    const WarningEntry& entry = log[info.warning];
    columns.count.push_back(entry.count);
    columns.worst.push_back(entry.worst);
    columns.time.push_back(entry.time);
    columns.bodies.insert(columns.bodies.end(), entry.bodies.begin(), entry.bodies.end());
  }
  return columns;
}

std::vector<std::string> ids() {
  std::vector<std::string> list;
  for (const WarningInfo& info : warning_catalogue) list.emplace_back(info.id);
  return list;
}

// Those raised, with their ids.
std::vector<std::pair<std::string, WarningEntry>> read_entries(hid_t file) {
  std::vector<std::pair<std::string, WarningEntry>> list;
  if (!has_warning_table(file)) return list;
  const std::vector<std::string> id = h5::read_strings(file, "warnings/id");
  const auto count = h5::read_exactly<std::int64_t>(file, "warnings/count");
  const auto bodies = h5::read_exactly<std::int64_t>(file, "warnings/bodies", {named});
  const auto worst = h5::read_exactly<double>(file, "warnings/worst"),
             time = h5::read_exactly<double>(file, "warnings/time");
  const std::size_t n = id.size();
  if (count.size() != n || worst.size() != n || time.size() != n || bodies.size() != named * n) {
    throw h5::Error("warnings: not one row a warning");
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (count[i] <= 0) continue;
    WarningEntry entry{count[i], worst[i], time[i], {}};
    for (std::size_t k = 0; k < named; ++k) {
      const std::int64_t body = bodies[named * i + k];
      if (body < -1 || body > std::numeric_limits<BodyIndex>::max())
        throw h5::Error("warnings/bodies: a body that there is not");
    }
    for (std::size_t k = 0; k < named; ++k)
      entry.bodies[k] = static_cast<BodyIndex>(bodies[named * i + k]);
    list.emplace_back(id[i], entry);
  }
  return list;
}

}  // namespace

void create_warning_table(hid_t file) {
  const h5::Handle group = h5::create_group(file, "warnings");
  const hid_t g = group.id();
  const Columns columns = columns_of({});
  const hsize_t n = n_warnings;
  h5::write_strings(g, {"id", "", "what the run could warn of; engine/WARNINGS.md explains each"},
                    ids());
  h5::write_dataset<std::int64_t>(g, {"count", "", "how often it was seen; 0: never"},
                                  columns.count, {n});
  h5::write_dataset<double>(g,
                            {"worst", "", "how bad it was at worst, in the measure of the warning"},
                            columns.worst, {n});
  h5::write_dataset<double>(g, {"time", "s", "when that was; NaN: before the first step"},
                            columns.time, {n});
  h5::write_dataset<std::int64_t>(g,
                                  {"bodies", "", "indices of bodies concerned then; -1: no more"},
                                  columns.bodies, {n, named});
}

void write_warnings(hid_t file, const WarningLog& log) {
  const Columns columns = columns_of(log);
  h5::overwrite(file, "warnings/count", columns.count);
  h5::overwrite(file, "warnings/worst", columns.worst);
  h5::overwrite(file, "warnings/time", columns.time);
  h5::overwrite(file, "warnings/bodies", columns.bodies);
}

bool has_warning_table(hid_t file) { return h5::exists(file, "warnings/id"); }

std::vector<RecordedWarning> read_warnings(hid_t file, const std::vector<std::string>& body_names) {
  std::vector<RecordedWarning> list;
  for (const auto& [id, entry] : read_entries(file))
    list.push_back(in_words(id, entry, body_names));
  return list;
}

void check_warning_table(hid_t file, std::int64_t n_bodies, std::int64_t step, double time) {
  if (!has_warning_table(file)) throw h5::Error("warnings/id: is missing");
  if (h5::shape(file, "warnings/id").size() != 1)
    throw h5::Error("warnings/id: is not a list of texts");
  const std::vector<std::string> id = h5::read_strings(file, "warnings/id");
  const auto count = h5::read_exactly<std::int64_t>(file, "warnings/count");
  const auto bodies = h5::read_exactly<std::int64_t>(file, "warnings/bodies", {named});
  const auto worst = h5::read_exactly<double>(file, "warnings/worst"),
             at = h5::read_exactly<double>(file, "warnings/time");
  const std::size_t n = id.size();
  if (n == 0 || count.size() != n || worst.size() != n || at.size() != n ||
      bodies.size() != named * n) {
    throw h5::Error("warnings: not one row a warning");
  }
  for (std::size_t i = 0; i < n; ++i) {
    const bool raised = count[i] != 0, of_scene = std::isnan(at[i]);
    // Of a run: steps, or bodies. Of a scene: also pairs of bodies, so no bound is known; all of
    // its measures are positive.
    if (count[i] < 0 || (!of_scene && count[i] > std::max(step, n_bodies)))
      throw h5::Error("warnings/count: more than there can be");
    if (raised ? std::isnan(worst[i]) || (of_scene && !(worst[i] > 0.0)) : worst[i] != 0.0)
      throw h5::Error("warnings/worst: is no measure");
    if (!of_scene && !(raised && at[i] >= 0.0 && at[i] <= time))
      throw h5::Error("warnings/time: is no time of the run");
    for (std::size_t k = named * i; k < named * (i + 1); ++k) {
      if (bodies[k] < -1 || bodies[k] >= (raised ? n_bodies : 0))
        throw h5::Error("warnings/bodies: a body that there is not");
    }
  }
}

WarningLog read_warning_log(hid_t file) {
  WarningLog log;
  for (const auto& [id, entry] : read_entries(file)) {
    const auto known = std::ranges::find(warning_catalogue, id, &WarningInfo::id);
    if (known != warning_catalogue.end()) log.set(known->warning, entry);
  }
  return log;
}

}  // namespace scree
