// Warnings of many runs: those of one in a cell of a table, and what all of them gave.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/warnings.hpp"

namespace scree {

// "long-step=34.2 crushed=1210": each with how bad it was at worst, in the measure of the warning.
// Empty: none.
std::string warning_words(std::span<const RecordedWarning> warnings);

// One warning that some of many runs gave.
struct WarnedRuns {
  std::string id;
  std::int64_t runs = 0;
  std::string worst_run;
  double worst = 0.0;           // in the measure of the warning
  std::string message, advice;  // of the worst
};

// In the order of the catalogue, of runs as (name, words); the first of equals is the worst. Words
// that name no warning of the catalogue come last.
std::vector<WarnedRuns> warned_runs(std::span<const std::pair<std::string, std::string>> runs);

}  // namespace scree
