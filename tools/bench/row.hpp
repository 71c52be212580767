// One line of the bench's table: a scene of one size with one backend and number of threads.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace scree::bench {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

// Each measured step has the median of its times over the repeats; phases are means over steps, so
// that they add up. What does not apply is not a number (null, or empty in CSV).
struct Row {
  std::string scene;
  std::int64_t size = 0;                  // as asked for
  std::int64_t bodies = 0, contacts = 0;  // contacts: median of the problem solved
  std::string method, measure;            // what ends a solve
  double tolerance = not_known;
  std::string backend;
  std::int64_t threads = 0;
  std::int64_t steps = 0, unconverged_steps = 0;
  double step_seconds = not_known, step_seconds_p95 = not_known;  // median and 95 % of steps
  double step_seconds_mean = not_known;
  double detect_seconds = not_known, assemble_seconds = not_known, solve_seconds = not_known,
         advance_seconds = not_known;
  double sweeps_median = not_known, sweeps_p95 = not_known;  // of a step, all passes together
  double solve_ns =
      not_known;  // solver time per contact and sweep, everything in it: set-up, tests, ...
  double sweep_ns = not_known;                // a plain Gauss-Seidel sweep alone, per contact
  double triad_bytes_per_second = not_known;  // of this machine's memory with these threads
  double triad_share = not_known;  // 256 bytes a contact and sweep, over sweep_ns, over the triad
  double triad_at_size_bytes_per_second =
      not_known;  // of arrays as large as what a sweep of this row goes through
  double triad_at_size_share =
      not_known;  // the same bytes over that: at most 1 also where the problem fits in caches
  double speed_up_step = not_known, speed_up_solve = not_known, efficiency_step = not_known,
         efficiency_solve = not_known;  // mean times against one thread's
  double bytes_per_body = not_known, bytes_per_contact = not_known;
  double residual_scaled = not_known, residual_published = not_known,
         residual_siconos = not_known;  // largest of a step
  std::string state_hash;               // at the end of each repeat
};

// Calls f(name, field) for every column, in the order of the table.
template <class AnyRow, class Function>
void for_each_column(AnyRow& row, Function&& f) {
  f("scene", row.scene), f("size", row.size), f("bodies", row.bodies), f("contacts", row.contacts);
  f("method", row.method), f("measure", row.measure), f("tolerance", row.tolerance);
  f("backend", row.backend), f("threads", row.threads);
  f("steps", row.steps), f("unconverged_steps", row.unconverged_steps);
  f("step_seconds", row.step_seconds), f("step_seconds_p95", row.step_seconds_p95),
      f("step_seconds_mean", row.step_seconds_mean);
  f("detect_seconds", row.detect_seconds), f("assemble_seconds", row.assemble_seconds);
  f("solve_seconds", row.solve_seconds), f("advance_seconds", row.advance_seconds);
  f("sweeps_median", row.sweeps_median), f("sweeps_p95", row.sweeps_p95);
  f("solve_ns_per_contact_sweep", row.solve_ns), f("sweep_ns_per_contact", row.sweep_ns);
  f("triad_bytes_per_second", row.triad_bytes_per_second), f("triad_share", row.triad_share);
  f("triad_at_size_bytes_per_second", row.triad_at_size_bytes_per_second),
      f("triad_at_size_share", row.triad_at_size_share);
  f("speed_up_step", row.speed_up_step), f("speed_up_solve", row.speed_up_solve);
  f("efficiency_step", row.efficiency_step), f("efficiency_solve", row.efficiency_solve);
  f("bytes_per_body", row.bytes_per_body), f("bytes_per_contact", row.bytes_per_contact);
  f("residual_scaled", row.residual_scaled), f("residual_published", row.residual_published);
  f("residual_siconos", row.residual_siconos), f("state_hash", row.state_hash);
}

// Numbers that are not finite become null, and null not a number.
template <class Json>
Json row_to_json(const Row& row) {
  Json json = Json::object();
  for_each_column(row, [&](const char* name, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
      if (!std::isfinite(value)) return json[name] = nullptr, void();
    }
    json[name] = value;
  });
  return json;
}

inline Row row_from_json(const nlohmann::json& json) {
  Row row;
  for_each_column(row, [&](const char* name, auto& value) {
    if (!json.at(name).is_null()) json.at(name).get_to(value);
  });
  return row;
}

}  // namespace scree::bench
