#include "tools/common/warnings.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "tools/common/finite_json.hpp"

namespace scree {

nlohmann::ordered_json warnings_json(const std::vector<RecordedWarning>& warnings,
                                     const std::vector<std::string>& body_names) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RecordedWarning& warning : warnings) {
    const WarningEntry& entry = warning.entry;
    nlohmann::ordered_json bodies = nlohmann::ordered_json::array(), time, worst;
    for (const BodyIndex body : entry.bodies) {
      if (body >= 0 && static_cast<std::size_t>(body) < body_names.size())
        bodies.push_back(body_names[static_cast<std::size_t>(body)]);
    }
    if (std::isfinite(entry.time)) time = entry.time;
    if (std::isfinite(entry.worst)) worst = entry.worst;
    list.push_back({{"id", warning.id},
                    {"message", warning.message},
                    {"advice", warning.advice},
                    {"count", entry.count},
                    {"worst", worst},
                    {"time", time},
                    {"bodies", bodies}});
  }
  return list;
}

std::string warnings_text(const std::vector<RecordedWarning>& warnings) {
  std::string text;
  for (const RecordedWarning& warning : warnings) {
    fmt::format_to(std::back_inserter(text), "warning      {}: {}\n             {}\n", warning.id,
                   warning.message, warning.advice);
  }
  return text;
}

nlohmann::ordered_json warned_runs_json(const std::vector<WarnedRuns>& warnings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const WarnedRuns& warning : warnings) {
    list.push_back({{"id", warning.id},
                    {"message", warning.message},
                    {"advice", warning.advice},
                    {"runs", warning.runs},
                    {"worst", finite_json(warning.worst)},
                    {"worst_run", warning.worst_run}});
  }
  return list;
}

std::string warned_runs_text(const std::vector<WarnedRuns>& warnings, std::size_t n_runs) {
  std::string text;
  for (const WarnedRuns& warning : warnings) {
    fmt::format_to(std::back_inserter(text),
                   "warning      {}: in {} of {} runs, worst in run {}: {}\n             {}\n",
                   warning.id, warning.runs, n_runs, warning.worst_run, warning.message,
                   warning.advice);
  }
  return text;
}

}  // namespace scree
