// The files that are made of the runs of an ensemble.
#pragma once

#include <string>
#include <vector>

#include "engine/warning_words.hpp"
#include "scenes/ensemble/ensemble.hpp"
#include "scenes/ensemble/statistics.hpp"

namespace scree::ensemble {

struct MapFormats {
  bool asc = true, tif = true;
};

// A line of the table of barriers: one quantity at one line.
struct BarrierQuantity {
  std::string barrier, quantity, unit;
  std::vector<double> sorted;  // largest of each run that crossed
  double mean = 0.0;
  std::vector<Quantile> quantiles;  // of told_shares
};
struct BarrierTable {
  std::int64_t n_runs = 0;                  // with results
  std::vector<std::int64_t> crossed;        // [n_barriers] runs
  std::vector<BarrierQuantity> quantities;  // barrier by barrier
};
BarrierTable barrier_table(const Ensemble& ensemble, const RunTable& table);

// Runs by their largest kinetic energy, the largest first.
std::vector<std::size_t> worst_runs(const RunTable& table, std::size_t count);

// The way of a run: a point every few steps and its end.
struct RunPath {
  std::size_t run = 0;
  std::vector<Vector3> x;                    // [m] local
  std::vector<double> time, energy, height;  // [s], [J], [m] of the centre above ground
};
RunPath path_of(const Ensemble& ensemble, std::size_t i, const std::atomic<bool>& stop);

// What the runs were warned of.
std::vector<WarnedRuns> warnings_of(const RunTable& table);

std::string runs_csv(const RunTable& table);
std::string crossings_csv(const Ensemble& ensemble, const RunTable& table);
std::string barriers_csv(const BarrierTable& table, double confidence);
std::string deposits_geojson(const Ensemble& ensemble, const RunTable& table);
std::string paths_geojson(const Ensemble& ensemble, const RunTable& table,
                          const std::vector<RunPath>& paths);
std::string lines_geojson(const Ensemble& ensemble);
// What the ensemble is, in words of JSON.
std::string summary_json(const Ensemble& ensemble, const RunTable& table,
                         const BarrierTable& barriers);
// maps/NAME.asc and maps/NAME.tif in the folder.
void write_maps(const Ensemble& ensemble, const RunTable& table, const std::string& folder,
                const MapFormats& formats);

struct ReportPage {
  const Ensemble& ensemble;
  const RunTable& table;
  const BarrierTable& barriers;
  const std::vector<RunPath>& paths;
  std::string title, command;  // "scree ensemble site.toml -o out"
};
std::string report_page(const ReportPage& page);

}  // namespace scree::ensemble
