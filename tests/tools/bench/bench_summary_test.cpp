#include <catch2/catch.hpp>

#include "tools/bench/summary.hpp"

namespace bench_summary_test {

using namespace scree::bench;

namespace {

Row row(const std::string& scene, const std::string& backend, int threads, double step,
        double solve) {
  Row row;
  row.scene = scene, row.size = 10, row.backend = backend, row.threads = threads;
  row.step_seconds_mean = step, row.solve_seconds = solve;
  row.residual_scaled = row.residual_published = row.residual_siconos = 1e-7;
  row.state_hash = "abc";
  return row;
}

}  // namespace

TEST_CASE("Bench compares a row with one thread of its own backend, or else of any",
          "[tools][unit]") {
  std::vector<Row> rows = {row("wall", "serial", 1, 8.0, 4.0), row("wall", "openmp", 2, 4.0, 1.0),
                           row("wall", "tbb", 1, 6.0, 3.0), row("wall", "tbb", 2, 4.0, 2.0),
                           row("pile", "openmp", 4, 1.0, 1.0)};
  add_speed_ups(rows);
  CHECK(rows[1].speed_up_step == 2.0);
  CHECK(rows[1].speed_up_solve == 4.0);
  CHECK(rows[1].efficiency_step == 1.0);
  CHECK(rows[1].efficiency_solve == 2.0);
  CHECK(rows[3].speed_up_step == 1.5);
  CHECK(std::isnan(rows[4].speed_up_step));  // nothing to compare it with
}

TEST_CASE("Bench names every row that is not the problem of the first", "[tools][unit]") {
  std::vector<Row> rows = {row("wall", "serial", 1, 1.0, 1.0), row("wall", "openmp", 2, 1.0, 1.0),
                           row("pile", "serial", 1, 1.0, 1.0), row("pile", "tbb", 3, 1.0, 1.0)};
  rows[2].state_hash = rows[3].state_hash = "def";  // another scene may end elsewhere
  rows[0].residual_siconos = rows[1].residual_siconos = not_known;
  CHECK(mismatches(rows).empty());

  rows[3].state_hash = "bad";
  REQUIRE(mismatches(rows).size() == 1);
  CHECK(mismatches(rows)[0] ==
        "pile 10: the state of tbb with 3 threads differs from that of serial with 1: states bad "
        "and def");

  rows[1].residual_scaled = 2e-7;
  REQUIRE(mismatches(rows).size() == 2);
  CHECK(mismatches(rows)[0].find("wall 10: the residual of openmp with 2") == 0);
}

TEST_CASE("Bench table says what a share of the triad above 100 % means", "[tools][unit]") {
  Summary summary;
  summary.rows = {row("wall", "serial", 1, 1.0, 1.0), row("pile", "serial", 1, 1.0, 1.0)};
  const auto explained = [&] {
    return bench_table(summary).find(
               "\n% triad above 100 %: the data of that row stay in the caches\n") !=
           std::string::npos;
  };
  summary.rows[0].triad_share = 1.0;  // and the other's is not known
  CHECK_FALSE(explained());
  summary.rows[1].triad_share = 1.001;
  CHECK(explained());
}

TEST_CASE("Bench rows survive the way through JSON with every bit", "[tools][unit]") {
  Row sent = row("wall", "serial", 1, 0.1, 1.0 / 3.0);
  const Row received =
      row_from_json(nlohmann::json::parse(row_to_json<nlohmann::json>(sent).dump()));
  CHECK(received.solve_seconds == sent.solve_seconds);
  CHECK(received.state_hash == sent.state_hash);
  CHECK(std::isnan(received.sweep_ns));
}

}  // namespace bench_summary_test
