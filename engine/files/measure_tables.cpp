#include "engine/files/measure_tables.hpp"

#include <memory>

namespace scree {
namespace {

constexpr const char* start_position = "groups/start_position";
constexpr const char* start_orientation = "groups/start_orientation";

void create_impacts(hid_t file, const ImpactLogSettings& settings) {
  const h5::Handle impacts = h5::create_group(file, impacts_group);
  h5::write_attribute(impacts.id(), "speed", settings.speed);
  h5::write_attribute(impacts.id(), "impulse", settings.impulse);
  RowTable<measure::Impact>::create(impacts.id());
  const h5::Handle below = h5::create_group(file, below_threshold_group);
  RowTable<measure::BelowThreshold>::create(below.id());
}

void create_screens(hid_t file, const Model& model, const std::vector<Screen>& screens) {
  const h5::Handle group = h5::create_group(file, "screens");
  std::vector<std::string> name;
  std::vector<double> point, normal, corners;
  std::vector<std::int32_t> begin = {0};
  const auto push = [](std::vector<double>& list, const Vector3& v) {
    list.insert(list.end(), {v.x(), v.y(), v.z()});
  };
  for (const Screen& screen : screens) {
    name.push_back(screen.name);
    push(point, screen.point + model.origin), push(normal, screen.normal);
    for (const Vector3& corner : screen.corners) push(corners, corner + model.origin);
    begin.push_back(static_cast<std::int32_t>(corners.size() / 3));
  }
  const hid_t g = group.id();
  const hsize_t n = screens.size();
  h5::write_strings(g, {"name", "", "name of each screen"}, name);
  h5::write_dataset<double>(g, {"point", "m", "of the plane, map coordinates"}, point, {n, 3});
  h5::write_dataset<double>(g, {"normal", "", "unit; who passes along it has direction 1"}, normal,
                            {n, 3});
  h5::write_dataset<double>(g, {"corners", "m", "of all polygons, map coordinates"}, corners,
                            {corners.size() / 3, 3});
  h5::write_dataset<std::int32_t>(g,
                                  {"corner_begin", "",
                                   "corners of screen i are the rows [corner_begin[i], "
                                   "corner_begin[i+1]); none: the whole plane"},
                                  begin, {n + 1});
  const h5::Handle crossings = h5::create_group(file, crossings_group);
  RowTable<measure::Crossing>::create(crossings.id());
}

void create_groups(hid_t file, const Model& model, const MeasureSettings& measure) {
  const h5::Handle group = h5::create_group(file, "groups");
  const hid_t g = group.id();
  std::vector<std::string> name = measure.groups.name;
  name.emplace_back(BodyGroups::others);
  const hsize_t n = static_cast<hsize_t>(model.n_bodies()), groups = name.size();
  std::vector<std::int32_t> a, b;
  for (const auto& [first, second] : measure::group_pairs(name.size()))
    a.push_back(first), b.push_back(second);
  h5::write_attribute(g, "moved", measure.groups.moved);
  h5::write_strings(g, {"name", "", "name of each group; the last one has all that are in none"},
                    name);
  h5::write_dataset<std::int32_t>(g, {"of_body", "", "index of the group of each body"},
                                  measure.groups.of_body, {n});
  h5::write_dataset<std::int32_t>(g, {"pair_a", "", "group a of each pair"}, a, {a.size()});
  h5::write_dataset<std::int32_t>(g, {"pair_b", "", "group b of each pair, a < b"}, b, {b.size()});
  constexpr hsize_t chunk = 128;
  if (!a.empty()) {
    h5::create_table<double>(g,
                             {"impulse", "N s",
                              "sum of the contact impulses of each step on the pair's group b from "
                              "its group a, world axes; divided by dt: mean force [N]"},
                             {a.size(), 3}, {chunk});
  }
  h5::create_table<std::int32_t>(
      g,
      {"moved", "",
       "bodies of each group that move freely and are farther than the attribute `moved` [m] from "
       "where they started, at the end of each step"},
      {groups}, {chunk});
  const std::vector<double> none(4 * n, std::numeric_limits<double>::quiet_NaN());
  h5::write_dataset<double>(g, {"start_position", "m", "at the start, local origin"},
                            std::span<const double>(none).first(3 * n), {n, 3});
  h5::write_dataset<double>(
      g, {"start_orientation", "", "of the principal axes at the start, (w,x,y,z)"}, none, {n, 4});
}

}  // namespace

void create_measure_tables(hid_t file, const Model& model, const Settings& settings) {
  if (!terrains_of(model).empty()) {
    const h5::Handle departures = h5::create_group(file, departures_group);
    RowTable<measure::DepartureRow>::create(departures.id());
  }
  const MeasureSettings& measure = settings.measure;
  if (measure.impacts.wanted()) create_impacts(file, measure.impacts);
  if (!measure.screens.empty()) create_screens(file, model, measure.screens);
  if (measure.groups.wanted()) create_groups(file, model, measure);
}

MeasureTables::MeasureTables(hid_t file, const Settings& settings)
    : file_(file),
      logs_impacts_(settings.measure.impacts.wanted()),
      watches_(!settings.measure.screens.empty()),
      departs_(h5::exists(file, departures_group)) {
  if (logs_impacts_) impacts_ = {file, impacts_group}, below_ = {file, below_threshold_group};
  if (watches_) crossings_ = {file, crossings_group};
  if (departs_) departures_ = {file, departures_group};
  if (!settings.measure.groups.wanted()) return;
  groups_ = std::make_unique<Groups>();
  groups_->sums = measure::GroupSums(settings.measure.groups);
  if (h5::exists(file, "groups/impulse")) groups_->impulse = {file, "groups/impulse"};
  groups_->moved = {file, "groups/moved"};
  const std::vector<double> x = h5::read_rows<double>(file, start_position),
                            q = h5::read_rows<double>(file, start_orientation);
  for (std::size_t i = 0; i + 2 < x.size(); i += 3)
    groups_->start_x.emplace_back(x[i], x[i + 1], x[i + 2]);
  for (std::size_t i = 0; i + 3 < q.size(); i += 4)
    groups_->start_q.emplace_back(q[i], q[i + 1], q[i + 2], q[i + 3]);
}

void MeasureTables::begin(const State& state) {
  go_on_from(state);
  if (!groups_) return;
  groups_->start_x = state.x, groups_->start_q = state.q;
  std::vector<double> x, q;
  for (const Vector3& v : state.x) x.insert(x.end(), {v.x(), v.y(), v.z()});
  for (const Quaternion& r : state.q) q.insert(q.end(), {r.w(), r.x(), r.y(), r.z()});
  h5::overwrite(file_, start_position, x);
  h5::overwrite(file_, start_orientation, q);
}

void MeasureTables::go_on_from(const State& state) {
  if (watches_) screens_.start(state);
}

void MeasureTables::push(const StepView& view) {
  if (logs_impacts_) {
    impacts_of_step_.clear();
    below_.push(measure::log_impacts(view, impacts_of_step_));
    for (const measure::Impact& impact : impacts_of_step_) impacts_.push(impact);
  }
  if (watches_) {
    crossings_of_step_.clear();
    screens_.watch(view, crossings_of_step_);
    for (const measure::Crossing& crossing : crossings_of_step_) crossings_.push(crossing);
  }
  if (departs_) push_departures(view);
  if (groups_) push_groups(view);
}

void MeasureTables::push_departures(const StepView& view) {
  const State& state = view.state;
  for (std::size_t i = 0; i < state.left.size(); ++i) {
    if (state.left[i] == view.record.step)
      departures_.push({departure_of(view.model, state, view.settings.time.dt, i)});
  }
}

void MeasureTables::push_groups(const StepView& view) {
  measure::GroupSums& sums = groups_->sums;
  sums.add(view, groups_->start_x, groups_->start_q);
  for (const Vector3& impulse : sums.impulse()) groups_->impulse.push({impulse.data(), 3});
  groups_->moved.push(sums.moved());
}

std::vector<MeasuredColumn> measured_columns(hid_t file) {
  std::vector<MeasuredColumn> list;
  const auto add = [&](const std::vector<std::string>& paths, const char* steps) {
    for (const std::string& path : paths) {
      if (h5::exists(file, path)) list.push_back({path, steps});
    }
  };
  add(RowTable<measure::Impact>::paths(impacts_group), "impacts/step");
  add(RowTable<measure::BelowThreshold>::paths(below_threshold_group), "");
  add(RowTable<measure::Crossing>::paths(crossings_group), "crossings/step");
  add(RowTable<measure::DepartureRow>::paths(departures_group), "departures/step");
  add({"groups/impulse", "groups/moved"}, "");
  return list;
}

std::vector<std::string> measured_starts(hid_t file) {
  if (!h5::exists(file, start_position)) return {};
  return {start_position, start_orientation};
}

}  // namespace scree
