#include "engine/files/load_tables.hpp"

#include <algorithm>

namespace scree {

namespace {

constexpr hsize_t chunk_bytes = 1 << 16, chunk_rows = 128;
const std::vector<std::string> of_loads = {"loads/force", "loads/torque"};
const std::vector<std::string> of_ground = {"ground/acceleration", "ground/velocity",
                                            "ground/displacement"};

}  // namespace

std::vector<std::string> load_tables_of(hid_t file) {
  std::vector<std::string> tables;
  for (const auto* group : {&of_loads, &of_ground}) {
    if (h5::exists(file, group->front().substr(0, group->front().find('/'))))
      tables.insert(tables.end(), group->begin(), group->end());
  }
  return tables;
}

void create_load_tables(hid_t file, const Model& model) {
  std::vector<std::int32_t> bodies;
  for (const SteeredBody& steered : model.steered) {
    if (steered.load_end > steered.load_begin) bodies.push_back(steered.body);
  }
  if (!bodies.empty()) {
    const h5::Handle group = h5::create_group(file, "loads");
    const hsize_t n = bodies.size();
    h5::write_dataset<std::int32_t>(
        group.id(), {"body", "", "indices of the bodies that carry loads [n_loaded]"}, bodies, {n});
    const hsize_t rows = std::clamp<hsize_t>(chunk_bytes / (3 * sizeof(double) * n), 1, chunk_rows);
    h5::create_table<double>(
        group.id(), {"force", "N", "resultant of a body's loads, mean over each step, world axes"},
        {n, 3}, {rows, 1, false});
    h5::create_table<double>(group.id(),
                             {"torque", "N m",
                              "their moment about its centre of mass, mean over each step, world "
                              "axes at the start of the step"},
                             {n, 3}, {rows, 1, false});
  }
  if (!has_ground(model.field)) return;
  const h5::Handle group = h5::create_group(file, "ground");
  h5::create_table<double>(group.id(),
                           {"acceleration", "m/s2", "of the ground, at the end of each step"}, {3},
                           {chunk_rows});
  h5::create_table<double>(group.id(), {"velocity", "m/s", "of the ground since t = 0, likewise"},
                           {3}, {chunk_rows});
  h5::create_table<double>(group.id(), {"displacement", "m", "of the ground since t = 0, likewise"},
                           {3}, {chunk_rows});
}

LoadTables::LoadTables(hid_t file)
    : loads_(h5::exists(file, "loads")), ground_(h5::exists(file, "ground")) {
  for (const std::string& table : load_tables_of(file)) tables_.emplace_back(file, table);
}

void LoadTables::push(const StepView& view) {
  const auto append = [](h5::Appender<double>& table, const Vector3& value) {
    table.push({value.data(), 3});
  };
  if (loads_) {
    for (const Vector3& force : view.load_force) append(tables_[0], force);
    for (const Vector3& torque : view.load_torque) append(tables_[1], torque);
  }
  if (!ground_) return;
  const GroundMotion ground = ground_motion(view.model.field, view.state.time);
  const std::size_t first = loads_ ? of_loads.size() : 0;
  append(tables_[first], ground.acceleration);
  append(tables_[first + 1], ground.velocity);
  append(tables_[first + 2], ground.displacement);
}

}  // namespace scree
