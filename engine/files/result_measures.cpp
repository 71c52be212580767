// The part of ResultReader that reads what devices of the scene measured, and pairs of bodies.
#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/files/measure_tables.hpp"
#include "engine/files/result_checks.hpp"
#include "engine/files/result_reader_impl.hpp"

namespace scree {
namespace {

constexpr const char* no_groups =
    "has no groups of bodies; [[group]] or `group` of a body in the scene makes one";
constexpr const char* no_screen = "has no screen; [[screen]] in the scene makes one";
constexpr const char* no_log = "has no impact log; [record] impacts in the scene asks for one";

// That bodies are bodies of the file, and steps are in order and of the file.
template <class Row>
void check_rows(const std::vector<Row>& rows, const std::string& group, std::int64_t steps) {
  std::int64_t last = 1;
  for (const Row& row : rows) {
    check(row.step >= last && row.step <= steps, group + "/step", "steps that are not in order");
    last = row.step;
  }
}

std::vector<Vector3> vectors_of(const std::vector<double>& numbers) {
  std::vector<Vector3> vectors;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    vectors.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  return vectors;
}

// Entry `column` of each row, of a table whose rows have `width` of them.
template <class T>
std::vector<T> column_of(const std::vector<T>& rows, std::size_t width, std::size_t column) {
  std::vector<T> entries;
  for (std::size_t i = column; i < rows.size(); i += width) entries.push_back(rows[i]);
  return entries;
}

}  // namespace

bool ResultReader::logs_impacts() const {
  return impl_->guarded([](hid_t f) { return h5::exists(f, impacts_group); });
}

std::int64_t ResultReader::n_impacts() const {
  if (!logs_impacts()) return 0;
  return impl_->guarded([](hid_t f) { return RowTable<measure::Impact>::count(f, impacts_group); });
}

std::vector<measure::Impact> ResultReader::impacts() const {
  if (!logs_impacts()) files::refuse(impl_->path, no_log);
  const std::int64_t count = n_impacts();
  return impl_->guarded([&](hid_t f) {
    std::vector<measure::Impact> log = RowTable<measure::Impact>::read(f, impacts_group, 0, count);
    check_rows(log, impacts_group, impl_->steps);
    for (const measure::Impact& impact : log) {
      check_indices({impact.body_a, impact.body_b}, static_cast<std::size_t>(impl_->bodies),
                    "impacts/body_a, body_b");
    }
    return log;
  });
}

std::vector<measure::BelowThreshold> ResultReader::below_threshold() const {
  if (!logs_impacts()) files::refuse(impl_->path, no_log);
  return impl_->guarded([&](hid_t f) {
    return RowTable<measure::BelowThreshold>::read(f, below_threshold_group, 0, impl_->steps);
  });
}

std::vector<ResultScreen> ResultReader::screens() const {
  return impl_->guarded([](hid_t f) {
    std::vector<ResultScreen> screens;
    if (!h5::exists(f, "screens")) return screens;
    const std::vector<std::string> name = h5::read_names(f, "screens/name");
    const std::vector<Vector3> point = vectors_of(h5::read_rows<double>(f, "screens/point")),
                               normal = vectors_of(h5::read_rows<double>(f, "screens/normal")),
                               corners = vectors_of(h5::read_rows<double>(f, "screens/corners"));
    const auto begin = h5::read_rows<std::int32_t>(f, "screens/corner_begin");
    check(point.size() == name.size() && normal.size() == name.size() &&
              begin.size() == name.size() + 1,
          "screens", "not one row a screen");
    check_begins(begin, corners.size(), "screens/corner_begin");
    for (std::size_t i = 0; i < name.size(); ++i) {
      screens.push_back({name[i],
                         point[i],
                         normal[i],
                         {corners.begin() + begin[i], corners.begin() + begin[i + 1]}});
    }
    return screens;
  });
}

std::vector<measure::Crossing> ResultReader::crossings() const {
  const std::size_t n_screens = screens().size();
  if (n_screens == 0) files::refuse(impl_->path, no_screen);
  return impl_->guarded([&](hid_t f) {
    using Table = RowTable<measure::Crossing>;
    std::vector<measure::Crossing> rows =
        Table::read(f, crossings_group, 0, Table::count(f, crossings_group));
    check_rows(rows, crossings_group, impl_->steps);
    for (const measure::Crossing& crossing : rows) {
      check_indices({crossing.body}, static_cast<std::size_t>(impl_->bodies), "crossings/body");
      check_indices({crossing.screen}, n_screens, "crossings/screen");
    }
    return rows;
  });
}

bool ResultReader::has_groups() const {
  return impl_->guarded([](hid_t f) { return h5::exists(f, "groups"); });
}

ResultGroups ResultReader::groups() const {
  if (!has_groups()) files::refuse(impl_->path, no_groups);
  return impl_->guarded([&](hid_t f) {
    ResultGroups groups;
    groups.name = h5::read_names(f, "groups/name");
    groups.of_body = h5::read_rows<std::int32_t>(f, "groups/of_body");
    groups.pair_a = h5::read_rows<std::int32_t>(f, "groups/pair_a");
    groups.pair_b = h5::read_rows<std::int32_t>(f, "groups/pair_b");
    const h5::Handle group = h5::own(H5Gopen2(f, "groups", H5P_DEFAULT), &H5Gclose, "groups");
    groups.moved = h5::read_double_attribute(group.id(), "moved");
    check(groups.of_body.size() == static_cast<std::size_t>(impl_->bodies), "groups/of_body",
          "not one row a body");
    check(groups.pair_a.size() == groups.pair_b.size(), "groups/pair_a", "not one row a pair");
    for (const auto* indices : {&groups.of_body, &groups.pair_a, &groups.pair_b})
      check_indices(*indices, groups.name.size(), "groups/of_body, pair_a, pair_b");
    return groups;
  });
}

std::vector<Vector3> ResultReader::group_impulses(std::size_t pair) const {
  const std::size_t n = groups().pair_a.size();
  require(pair < n, impl_->path, "has no such pair of groups");
  return impl_->guarded([&](hid_t f) {
    const std::vector<Vector3> all =
        vectors_of(h5::read_rows<double>(f, "groups/impulse", 0, impl_->steps));
    check(all.size() == n * static_cast<std::size_t>(impl_->steps), "groups/impulse",
          "not one row a step");
    return column_of(all, n, pair);
  });
}

std::vector<std::int32_t> ResultReader::group_moved(std::size_t group) const {
  const std::size_t n = groups().name.size();
  require(group < n, impl_->path, "has no such group");
  return impl_->guarded([&](hid_t f) {
    const auto all = h5::read_rows<std::int32_t>(f, "groups/moved", 0, impl_->steps);
    check(all.size() == n * static_cast<std::size_t>(impl_->steps), "groups/moved",
          "not one row a step");
    return column_of(all, n, group);
  });
}

std::string ResultReader::relative_to() const {
  const std::map<std::string, std::string> values = settings();
  const auto found = values.find("relative_to");
  return found == values.end() ? "" : found->second;
}

ResultPairImpulses ResultReader::pair_impulses(std::int64_t frame) const {
  require(frame >= 0 && frame < impl_->frames, impl_->path, fmt::format("has no frame {}", frame));
  require(impl_->contacts, impl_->path, "keeps no contacts");
  return impl_->guarded([&](hid_t f) {
    const std::string group = "frames/pairs/";
    const auto offset = h5::read_rows<std::int64_t>(f, group + "offset", frame, 2);
    check(offset[0] >= 0 && offset[1] >= offset[0], group + "offset", "falls");
    const std::int64_t first = offset[0], count = offset[1] - first;
    const auto vectors = [&](const char* name) {
      return vectors_of(h5::read_rows<double>(f, group + name, first, count));
    };
    ResultPairImpulses pairs;
    pairs.body_a = h5::read_rows<std::int32_t>(f, group + "body_a", first, count);
    pairs.body_b = h5::read_rows<std::int32_t>(f, group + "body_b", first, count);
    pairs.impulse_sum = vectors("impulse_sum"), pairs.mean_force = vectors("mean_force");
    pairs.point = vectors("point"), pairs.mean_moment = vectors("mean_moment");
    for (const auto* bodies : {&pairs.body_a, &pairs.body_b})
      check_indices(*bodies, static_cast<std::size_t>(impl_->bodies), group + "body_a, body_b");
    const auto n = static_cast<std::size_t>(count);
    for (const auto* column :
         {&pairs.impulse_sum, &pairs.mean_force, &pairs.point, &pairs.mean_moment})
      check(column->size() == n, group + "impulse_sum", "rows of another shape");
    return pairs;
  });
}

}  // namespace scree
