// What a run says at its end: tables for people, one JSON object for programs.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

#include "engine/files/result_reader.hpp"
#include "engine/run.hpp"
#include "scenes/read/scene.hpp"

namespace scree {

struct RunSummary {
  const Scene& scene;  // with the overrides of the command line
  std::string file;    // result file
  RunReport report;
  std::optional<double> resumed_at;  // [s] the report is about the steps after this
  std::vector<std::string> disturbances =
      {};  // what others did to the result file meanwhile, a sentence each
};

std::string summary_table(const RunSummary& run);
nlohmann::ordered_json summary_json(const RunSummary& run);

// Of a run that failed: what it was, and why.
nlohmann::ordered_json failure_json(const std::string& scene, const std::string& title,
                                    const std::string& file, const std::string& reason);

// Of a result file that was finished before.
nlohmann::ordered_json finished_json(const Scene& scene, const std::string& file,
                                     const ResultReader& results);

// "fremond", "newton", or "mixed" when the pairs differ.
std::string law_name(const MaterialTable& materials);

}  // namespace scree
