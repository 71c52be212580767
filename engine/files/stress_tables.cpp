#include "engine/files/stress_tables.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "contact/laws/laws.hpp"
#include "engine/measure/stress_tensor.hpp"

namespace scree {
namespace {

constexpr hsize_t stress_chunk_bytes = 1 << 16, stress_step_rows = 128, stress_frame_rows = 8;
constexpr int deflate = 6;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// How a column of gauges is stored: as so many numbers a cell.
std::span<const double> numbers_of(const measure::StressTensor& value) { return value; }
std::span<const double> numbers_of(const Vector3& value) { return {value.data(), 3}; }
std::span<const double> numbers_of(const double& value) { return {&value, 1}; }

hsize_t rows_of_chunk(hsize_t numbers, hsize_t most) {
  return std::clamp<hsize_t>(stress_chunk_bytes / (sizeof(double) * std::max<hsize_t>(numbers, 1)),
                             1, most);
}

void create_frame_stress(hid_t file, const Model& model, const Settings& settings) {
  const h5::Handle group = h5::create_group(file, body_stress_group);
  const auto n = static_cast<hsize_t>(model.n_bodies());
  const bool over_frames = settings.output.stress_mean == StressMean::frame;
  h5::write_attribute(group.id(), "mean", over_frames ? "frame" : "step");
  const auto create = [&](const h5::Description& what, std::vector<hsize_t> row) {
    hsize_t numbers = 1;
    for (const hsize_t extent : row) numbers *= extent;
    h5::create_table<double>(group.id(), what, row,
                             {rows_of_chunk(numbers, stress_frame_rows), deflate, row.size() > 1});
  };
  create({"stress", "Pa",
          "mean Cauchy stress of each body: xx, yy, zz, xy, yz, xz, world axes, tension positive. "
          "NaN: it does not move freely, is not there, has no volume, or no step was done"},
         {n, 6});
  create({"asymmetry", "",
          "antisymmetric part that no couple explains over the trace norm of the stress; the error "
          "of the step"},
         {n});
  if (!contact::Laws::any_moments(model.materials)) return;
  create({"couple_stress", "N/m",
          "sum of r (x) m of the contacts' moments m over the volume, row by row: xx, xy, xz, yx, "
          "..."},
         {n, 9});
}

void create_gauges(hid_t file, const Model& model, const std::vector<Gauge>& gauges) {
  const h5::Handle group = h5::create_group(file, gauges_group),
                   steps = h5::create_group(file, every_step_group);
  std::vector<std::string> name, kind;
  std::vector<double> low, high, volume;
  std::vector<std::int32_t> cells;
  std::vector<std::uint8_t> counted;
  for (const Gauge& gauge : gauges) {
    name.push_back(gauge.name);
    kind.emplace_back(gauge.kind == Gauge::Kind::bodies ? "bodies"
                      : gauge.kind == Gauge::Kind::box  ? "box"
                                                        : "grid");
    const bool region = gauge.kind != Gauge::Kind::bodies;
    for (int axis = 0; axis < 3; ++axis) {
      low.push_back(region ? gauge.low[axis] + model.origin[axis] : unknown);
      high.push_back(region ? gauge.high[axis] + model.origin[axis] : unknown);
    }
    cells.insert(cells.end(), gauge.cells.begin(), gauge.cells.end());
    volume.push_back(gauge.volume);
    for (std::size_t i = 0; i < gauge.counted.size(); ++i)
      counted.push_back(gauge.counted[i] != 0 && model.kind[i] == BodyKind::dynamic ? 1 : 0);
    const auto n_cells = static_cast<hsize_t>(gauge.n_cells());
    measure::GaugeRow row;
    measure::GaugeRow::columns(row, [&](const measure::Column& column, const auto& value) {
      std::vector<hsize_t> shape;
      if (gauge.kind == Gauge::Kind::grid) shape.push_back(n_cells);
      const hsize_t width = numbers_of(value).size();
      if (width > 1) shape.push_back(width);
      const std::string table = gauge_table(column.name, gauge.name);
      const std::string own = table.substr(table.find('/') + 1);
      h5::create_table<double>(steps.id(), {own.c_str(), column.unit, column.meaning}, shape,
                               {rows_of_chunk(width * n_cells, stress_step_rows)});
    });
  }
  const hid_t g = group.id();
  const hsize_t n = gauges.size(), bodies = static_cast<hsize_t>(model.n_bodies());
  h5::write_strings(g, {"name", "", "name of each gauge"}, name);
  h5::write_strings(g, {"kind", "", "bodies, box or grid"}, kind);
  h5::write_dataset<double>(g, {"low", "m", "low corner, map coordinates; NaN: of bodies"}, low,
                            {n, 3});
  h5::write_dataset<double>(g, {"high", "m", "high corner"}, high, {n, 3});
  h5::write_dataset<std::int32_t>(
      g, {"cells", "", "along x, y, z; cell (i, j, k) is number (i ny + j) nz + k"}, cells, {n, 3});
  h5::write_dataset<double>(g, {"volume", "m3", "of a cell, or of the bodies"}, volume, {n});
  h5::write_dataset<std::uint8_t>(g, {"counted", "", "1: the body counts"}, counted, {n, bodies});
}

}  // namespace

std::string gauge_table(const char* column, const std::string& gauge) {
  std::string path = every_step_group;
  path += '/';
  path += column;
  path += "_gauge_";
  return path += gauge;
}

std::vector<std::string> stress_frame_tables(hid_t file) {
  std::vector<std::string> tables;
  for (const char* name : {"stress", "asymmetry", "couple_stress"}) {
    std::string path = body_stress_group;
    path += '/';
    path += name;
    if (h5::exists(file, body_stress_group) && h5::exists(file, path)) tables.push_back(path);
  }
  return tables;
}

std::vector<std::string> gauge_tables_of(hid_t file) {
  std::vector<std::string> tables;
  if (!h5::exists(file, gauges_group)) return tables;
  for (const std::string& name : h5::read_strings(file, "gauges/name")) {
    measure::GaugeRow row;
    measure::GaugeRow::columns(row, [&](const measure::Column& column, auto&) {
      tables.push_back(gauge_table(column.name, name));
    });
  }
  return tables;
}

void create_stress_tables(hid_t file, const Model& model, const Settings& settings) {
  if (!settings.measure.gauges.empty()) create_gauges(file, model, settings.measure.gauges);
  const bool bodies = settings.output.writes_stress();
  if (bodies) create_frame_stress(file, model, settings);
  if (!bodies && settings.measure.gauges.empty()) return;
  const h5::Handle group = h5::own(H5Gopen2(file, "bodies", H5P_DEFAULT), &H5Gclose, "bodies");
  h5::write_dataset<double>(group.id(), {"volume", "m3", "0: its shape has none"}, model.volume,
                            {model.volume.size()});
}

StressTables::StressTables(hid_t file, const Settings& settings, measure::StressSums open)
    : over_frames_(settings.output.stress_mean == StressMean::frame),
      sums_(std::move(open)),
      stress_(file, "frames/bodies/stress"),
      asymmetry_(file, "frames/bodies/asymmetry") {
  if (h5::exists(file, "frames/bodies/couple_stress"))
    couple_ = std::make_unique<h5::Appender<double>>(file, "frames/bodies/couple_stress");
}

void StressTables::add(const measure::BodyStress& step) {
  if (!over_frames_) sums_.clear();
  sums_.add(step, couple_ != nullptr);
}

void StressTables::push(const StepView& view, bool started) {
  constexpr std::size_t width = measure::StressSums::width;
  for (std::size_t i = 0; i < view.state.x.size(); ++i) {
    const bool known = started && sums_.steps > 0 && measure::has_stress(view.model, view.state, i);
    measure::StressTensor stress;
    stress.fill(unknown);
    std::array<double, width> couple;
    couple.fill(unknown);
    double asymmetry = unknown;
    if (known) {
      const double per_volume = 1.0 / (view.model.volume[i] * static_cast<double>(sums_.steps));
      const double* sum = sums_.of_body.data() + width * i;
      for (std::size_t k = 0; k < stress.size(); ++k) stress[k] = per_volume * sum[k];
      asymmetry = measure::asymmetry_of(stress, per_volume * Vector3(sum[6], sum[7], sum[8]));
      if (couple_) {
        for (std::size_t k = 0; k < width; ++k)
          couple[k] = per_volume * sums_.of_couple[width * i + k];
      }
    }
    stress_.push(stress);
    asymmetry_.push(asymmetry);
    if (couple_) couple_->push(couple);
  }
  sums_.clear();
}

GaugeTables::GaugeTables(hid_t file, const Model& model, const Settings& settings)
    : gauges_(model, settings.measure.gauges), n_gauges_(settings.measure.gauges.size()) {
  for (const std::string& table : gauge_tables_of(file)) tables_.emplace_back(file, table);
}

void GaugeTables::push(const StepView& view, const measure::BodyStress& stress) {
  gauges_.compute(view, stress);
  std::size_t first = 0;
  for (std::size_t i = 0; i < n_gauges_; ++i) {
    std::size_t columns = 0;
    for (const measure::GaugeRow& row : gauges_.rows(i)) {
      columns = 0;
      measure::GaugeRow::columns(row, [&](const measure::Column&, const auto& value) {
        tables_[first + columns++].push(numbers_of(value));
      });
    }
    first += columns;
  }
}

}  // namespace scree
