// What `scree bench` shows: table, CSV, JSON and plot.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/bench/measure.hpp"

namespace scree::bench {

struct Summary {
  std::string program, processor;
  int processors = 0;
  int repeats = 0;

  std::map<int, double> triad() const {  // [bytes/s] by number of threads
    std::map<int, double> result;
    for (const Lanes& lane : lanes) result[lane.threads] = lane.triad;
    return result;
  }

  std::vector<Lanes>
      lanes;  // with the bandwidths measured, the same for all lanes of as many threads
  std::vector<Row> rows;
};

// Fills in what compares a row with the row of one thread of the same backend, or else of any
// backend.
void add_speed_ups(std::vector<Row>& rows);

// One line for each row whose state or residuals differ from the first row of its scene and size.
// None is as it must be.
std::vector<std::string> mismatches(const std::vector<Row>& rows);

std::string bench_table(const Summary& summary);
std::string bench_csv(const std::vector<Row>& rows);
nlohmann::ordered_json bench_json(const Summary& summary);
std::string bench_plot(const Summary& summary);  // SVG: speed-up over threads

}  // namespace scree::bench
