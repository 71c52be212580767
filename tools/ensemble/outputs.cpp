#include "tools/ensemble/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/base/printable.hpp"
#include "engine/base/version.hpp"
#include "engine/files/scene_text.hpp"
#include "tools/common/finite_json.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/warnings.hpp"
#include "tools/ensemble/grid_files.hpp"

namespace scree::ensemble {
namespace {

using json = nlohmann::ordered_json;

std::string csv_cell(const MemberCell& cell) {
  if (const auto* number = std::get_if<double>(&cell))
    return std::isnan(*number) ? "" : fmt::format("{}", *number);
  if (const auto* count = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *count);
  return csv_field(std::get<std::string>(cell));
}

std::string number_text(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

// In GeoJSON's first edition a file may name its coordinate system; QGIS and GDAL read it.
json feature_collection(const Ensemble& ensemble, json features) {
  json collection = {{"type", "FeatureCollection"}};
  if (const std::int64_t epsg = ensemble.site().epsg; epsg > 0) {
    collection["crs"] = {{"type", "name"},
                         {"properties", {{"name", fmt::format("urn:ogc:def:crs:EPSG::{}", epsg)}}}};
  }
  collection["features"] = std::move(features);
  return collection;
}

std::string as_text(const json& object) {
  return object.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

// Of the crossings that barriers tell of.
struct Told {
  const char* name;
  const char* unit;
  double (*value)(const LineCrossing&);
};
constexpr Told told[] = {
    {"energy", "J", [](const LineCrossing& c) { return c.energy; }},
    {"velocity", "m/s", [](const LineCrossing& c) { return c.velocity; }},
    {"spin", "rad/s", [](const LineCrossing& c) { return c.spin; }},
    {"jump", "m", [](const LineCrossing& c) { return c.jump; }},
    {"centre", "m", [](const LineCrossing& c) { return c.centre; }},
    {"top", "m", [](const LineCrossing& c) { return c.top; }},
    {"top_normal", "m", [](const LineCrossing& c) { return c.top * c.normal_z; }}};

}  // namespace

BarrierTable barrier_table(const Ensemble& ensemble, const RunTable& table) {
  BarrierTable made;
  made.n_runs = table.n_with_results();
  const site::Site& site = ensemble.site();
  for (std::size_t b = 0; b < site.barriers.size(); ++b) {
    for (const Told& one : told) {
      BarrierQuantity quantity{site.barriers[b].name, one.name, one.unit, {}, 0.0, {}};
      quantity.sorted = values_at(table, static_cast<std::int64_t>(b), one.value);
      std::ranges::sort(quantity.sorted);
      for (const double value : quantity.sorted) quantity.mean += value;
      quantity.mean /= static_cast<double>(quantity.sorted.size());  // NaN: none crossed
      for (const double share : told_shares)
        quantity.quantiles.push_back(quantile_of(quantity.sorted, share, site.confidence));
      if (&one == told) made.crossed.push_back(static_cast<std::int64_t>(quantity.sorted.size()));
      made.quantities.push_back(std::move(quantity));
    }
  }
  return made;
}

std::vector<std::size_t> worst_runs(const RunTable& table, std::size_t count) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < table.n_runs; ++i) {
    if (table.has_results(i)) order.emplace_back(-table.run(i).energy, i);
  }
  std::ranges::sort(order);
  std::vector<std::size_t> runs;
  for (std::size_t k = 0; k < std::min(count, order.size()); ++k) runs.push_back(order[k].second);
  return runs;
}

RunPath path_of(const Ensemble& ensemble, std::size_t i, const std::atomic<bool>& stop) {
  constexpr std::int64_t every = 10;
  RunPath path{i, {}, {}, {}, {}};
  run_rock(ensemble, i, stop,
           [&](const StepView& view, BodyIndex rock, std::span<const LineCrossing>) {
             if (view.record.step % every != 0 && !view.last) return false;
             const auto b = static_cast<std::size_t>(rock);
             const Vector3 &x = view.state.x[b], &w = view.state.w[b];
             path.x.push_back(x);
             path.time.push_back(view.state.time);
             path.energy.push_back(0.5 * view.model.mass[b] * view.state.v[b].squaredNorm() +
                                   0.5 * w.dot(view.model.inertia[b].cwiseProduct(w)));
             path.height.push_back(x.z() - ensemble.ground().at(x.x(), x.y()).height);
             return false;
           });
  return path;
}

std::vector<WarnedRuns> warnings_of(const RunTable& table) {
  std::vector<std::pair<std::string, std::string>> runs;
  for (std::size_t i = 0; i < table.n_runs; ++i)
    runs.emplace_back(fmt::format("{}", i), table.run(i).warnings);
  return warned_runs(runs);
}

std::string runs_csv(const RunTable& table) {
  const std::vector<MemberColumn>& columns = table.store.table().columns;
  const std::size_t n = columns.size() - n_trace_columns;
  std::string text = "run";
  for (std::size_t c = 0; c < n; ++c) {
    text += ",";
    text += csv_field(columns[c].unit.empty()
                          ? columns[c].name
                          : fmt::format("{} [{}]", columns[c].name, columns[c].unit));
  }
  text += "\r\n";
  for (std::size_t i = 0; i < table.n_runs; ++i) {
    text += fmt::format("{}", i);
    for (std::size_t c = 0; c < n; ++c) {
      text += ",";
      text += csv_cell((*table.store.row(i))[c]);
    }
    text += "\r\n";
  }
  return text;
}

std::string crossings_csv(const Ensemble& ensemble, const RunTable& table) {
  std::string text = "run,barrier";
  const LineCrossing none;
  LineCrossing::columns(none, [&](const std::string& name, const std::string& unit, const auto&) {
    if (name == "barrier") return;
    text += ',';
    text += csv_field(unit.empty() ? name : fmt::format("{} [{}]", name, unit));
  });
  text += "\r\n";
  for (std::size_t i = 0; i < table.n_runs; ++i) {
    for (const LineCrossing& crossing : table.crossings(i)) {
      const auto& barrier = ensemble.site().barriers[static_cast<std::size_t>(crossing.barrier)];
      text += fmt::format("{},{}", i, csv_field(barrier.name));
      LineCrossing::columns(crossing, [&](const std::string& name, const char*, const auto& value) {
        if (name != "barrier") text += fmt::format(",{}", value);
      });
      text += "\r\n";
    }
  }
  return text;
}

std::string barriers_csv(const BarrierTable& table, double confidence) {
  std::string text = "barrier,quantity,unit,runs,crossed,share,share_error,confidence,mean";
  for (const double share : told_shares) {
    const std::string p = fmt::format("p{:.0f}", 100.0 * share);
    text += fmt::format(",{},{}_low,{}_high", p, p, p);
  }
  text += ",max\r\n";
  const auto runs = static_cast<double>(table.n_runs);
  for (const BarrierQuantity& quantity : table.quantities) {
    const double p = static_cast<double>(quantity.sorted.size()) / runs;
    text += fmt::format("{},{},{},{},{},{},{},{},{}", csv_field(quantity.barrier),
                        quantity.quantity, quantity.unit, table.n_runs, quantity.sorted.size(),
                        number_text(p), number_text(std::sqrt(p * (1.0 - p) / runs)), confidence,
                        number_text(quantity.mean));
    for (const Quantile& one : quantity.quantiles) {
      text += fmt::format(",{},{},{}", number_text(one.value), number_text(one.low),
                          number_text(one.high));
    }
    text +=
        fmt::format(",{}\r\n", quantity.sorted.empty() ? "" : number_text(quantity.sorted.back()));
  }
  return text;
}

std::string deposits_geojson(const Ensemble& ensemble, const RunTable& table) {
  json features = json::array();
  for (std::size_t i = 0; i < table.n_runs; ++i) {
    if (!table.has_results(i)) continue;
    const RunRow run = table.run(i);
    features.push_back(
        {{"type", "Feature"},
         {"geometry", {{"type", "Point"}, {"coordinates", {run.end_x, run.end_y, run.end_z}}}},
         {"properties",
          {{"run", i},
           {"end", run.end},
           {"rock", run.rock},
           {"mass", run.mass},
           {"run_out", run.run_out},
           {"energy", run.energy},
           {"velocity", run.velocity}}}});
  }
  return as_text(feature_collection(ensemble, std::move(features)));
}

std::string paths_geojson(const Ensemble& ensemble, const RunTable& table,
                          const std::vector<RunPath>& paths) {
  const Vector3& origin = ensemble.scene().model.origin;
  json features = json::array();
  for (const RunPath& path : paths) {
    json points = json::array();
    for (const Vector3& x : path.x)
      points.push_back({x.x() + origin.x(), x.y() + origin.y(), x.z() + origin.z()});
    const RunRow run = table.run(path.run);
    features.push_back({{"type", "Feature"},
                        {"geometry", {{"type", "LineString"}, {"coordinates", points}}},
                        {"properties",
                         {{"run", path.run},
                          {"rock", run.rock},
                          {"mass", run.mass},
                          {"energy", run.energy},
                          {"end", run.end}}}});
  }
  return as_text(feature_collection(ensemble, std::move(features)));
}

std::string lines_geojson(const Ensemble& ensemble) {
  const Vector3& origin = ensemble.scene().model.origin;
  json features = json::array();
  for (const site::Barrier& barrier : ensemble.site().barriers) {
    json points = json::array();
    for (const Vector3& corner : barrier.corners)
      points.push_back({corner.x() + origin.x(), corner.y() + origin.y()});
    features.push_back({{"type", "Feature"},
                        {"geometry", {{"type", "LineString"}, {"coordinates", points}}},
                        {"properties", {{"name", barrier.name}}}});
  }
  return as_text(feature_collection(ensemble, std::move(features)));
}

std::string summary_json(const Ensemble& ensemble, const RunTable& table,
                         const BarrierTable& barriers) {
  const site::Site& site = ensemble.site();
  const Scene& scene = ensemble.scene();
  std::map<std::string, std::int64_t> status, end;
  std::vector<double> run_out;
  for (std::size_t i = 0; i < table.n_runs; ++i) {
    const RunRow run = table.run(i);
    ++status[run.status];
    if (!table.has_results(i)) continue;
    ++end[run.end];
    run_out.push_back(run.run_out);
  }
  double mean = 0.0, square = 0.0;
  for (const double one : run_out) mean += one;
  mean /= static_cast<double>(run_out.size());
  for (const double one : run_out) square += (one - mean) * (one - mean);
  json object = {
      {"format", "scree-ensemble"},
      {"version", 1},
      {"program", program_name()},
      {"scene", scene.source_name},
      {"title", scene.title},
      {"scene_hash", scene_hash(scene.source, scene.files)},
      {"seed", site.seed},
      {"runs", table.n_runs},
      {"runs_planned", ensemble.runs().size()},
      {"runs_hash", table.store.hash(table.n_runs)},
      {"status", status},
      {"end", end},
      {"run_out_mean", run_out.empty() ? json() : json(mean)},
      {"run_out_deviation",
       run_out.size() < 2 ? json()
                          : json(std::sqrt(square / static_cast<double>(run_out.size() - 1)))},
      {"map",
       {{"cell", ensemble.map().cell},
        {"columns", ensemble.map().columns},
        {"rows", ensemble.map().rows},
        {"west", ensemble.map().low.x() + scene.model.origin.x()},
        {"south", ensemble.map().low.y() + scene.model.origin.y()},
        {"epsg", site.epsg}}}};
  object["warnings"] = warned_runs_json(warnings_of(table));
  object["barriers"] = json::object();
  for (std::size_t b = 0; b < site.barriers.size(); ++b)
    object["barriers"][site.barriers[b].name] = {{"crossed", barriers.crossed[b]}};
  if (site.until) {
    double width = 0.0;
    const bool known = is_known(table, site, width);
    object["until"] = {{"known", known},
                       {"relative_half_width", finite_json(width)},
                       {"tolerance", site.until->tolerance}};
  }
  return as_text(object);
}

void write_maps(const Ensemble& ensemble, const RunTable& table, const std::string& folder,
                const MapFormats& formats) {
  const std::filesystem::path maps = std::filesystem::path(folder) / "maps";
  std::filesystem::create_directories(maps);
  const MapFrame frame =
      map_frame(ensemble.map(), ensemble.scene().model.origin, ensemble.site().epsg);
  for_each_layer(table, ensemble.map(), ensemble.scene().model.origin, [&](const MapLayer& layer) {
    if (formats.asc)
      write_file((maps / (layer.name + ".asc")).string(), esri_ascii(frame, layer.values));
    if (formats.tif) {
      write_file((maps / (layer.name + ".tif")).string(),
                 geotiff(frame, layer.values,
                         layer.unit.empty() ? layer.name
                                            : fmt::format("{} [{}]", layer.name, layer.unit)));
    }
  });
}

}  // namespace scree::ensemble
