// The catalogue of warnings, how a run collects them, and the page that explains them.
#include "engine/model/warnings.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/allocation_count.hpp"
#include "tests/support/places.hpp"
#include "tests/support/world.hpp"

namespace scree::warnings_test {
namespace {

// WARNINGS.md with runs of white space as one blank.
std::string page() {
  std::ifstream file(test::source_folder() + "/engine/WARNINGS.md");
  std::ostringstream text;
  text << file.rdbuf();
  return std::regex_replace(text.str(), std::regex("\\s+"), " ");
}

}  // namespace

TEST_CASE("Catalogue of warnings is in the order of the words, each with an id of its own",
          "[engine][unit]") {
  std::set<std::string_view> ids;
  for (std::size_t i = 0; i < n_warnings; ++i) {
    const WarningInfo& info = warning_catalogue[i];
    INFO(info.id);
    CHECK(static_cast<std::size_t>(info.warning) == i);
    CHECK(std::regex_match(std::string(info.id), std::regex("[a-z]+(-[a-z]+)*")));
    CHECK(ids.insert(info.id).second);
    for (const std::string_view text : {info.sentence, info.measure, info.counted, info.advice})
      CHECK(!text.empty());
    CHECK(info.advice.back() == '.');
    CHECK(info.sentence.back() != '.');
  }
}

TEST_CASE("Page of warnings has a section for each, in their words and in their order",
          "[engine][unit]") {
  const std::string text = page();
  REQUIRE(text.size() > 1000);
  std::size_t at = 0, sections = 0;
  for (const WarningInfo& info : warning_catalogue) {
    INFO(info.id);
    const std::string head = "## " + std::string(info.id) + " " + std::string(info.sentence) + ". ";
    const std::size_t begin = text.find(head, at);
    REQUIRE(begin != std::string::npos);
    const std::size_t end = std::min(text.find(" ## ", begin + 1), text.size());
    CHECK(text.substr(begin, end - begin).find("Advice: " + std::string(info.advice) + " ") !=
          std::string::npos);
    at = begin;
  }
  for (std::size_t i = text.find(" ## "); i != std::string::npos; i = text.find(" ## ", i + 1))
    ++sections;
  CHECK(sections == n_warnings);
}

TEST_CASE("Log keeps how often, how bad, when and who", "[engine][unit]") {
  WarningLog step, log;
  CHECK(!log.any());
  step.raise(Warning::deep_overlap, 0.2, {3, 4});
  step.raise(Warning::deep_overlap, 0.5, {5, 6});
  step.raise(Warning::deep_overlap, 0.5, {7, 8});  // the first of equals counts
  log.add_step(step, 0.25);
  CHECK(log[Warning::deep_overlap].count == 1);  // a step counts once
  CHECK(log[Warning::deep_overlap].worst == 0.5);
  CHECK(log[Warning::deep_overlap].time == 0.25);
  CHECK(log[Warning::deep_overlap].bodies == std::array<BodyIndex, 4>{5, 6, -1, -1});
  WarningLog milder;
  milder.raise(Warning::deep_overlap, 0.3, {1, 2});
  log.add_step(milder, 0.5);
  CHECK(log[Warning::deep_overlap].count == 2);
  CHECK(log[Warning::deep_overlap].time == 0.25);
  CHECK(log[Warning::unconverged].count == 0);

  WarningLog small;  // where less is worse
  small.raise(Warning::small_body, 2e-6, {1});
  small.raise(Warning::small_body, 1e-6, {2});
  small.raise(Warning::small_body, 3e-6, {3});
  CHECK(small[Warning::small_body].worst == 1e-6);
  CHECK(small[Warning::small_body].bodies[0] == 2);
  CHECK(small[Warning::small_body].count == 3);
}

TEST_CASE("Message says what, how bad, when, who and how often", "[engine][unit]") {
  const std::vector<std::string> names = {"floor", "rod"};
  WarningEntry entry{120, 0.28, 0.12, {1, 0, -1, -1}};
  CHECK(message_of(info_of(Warning::deep_overlap), entry, names) ==
        "Bodies overlap deeply: 0.28 of the thinnest extent at worst, at t = 0.12 s, bodies 'rod' "
        "and 'floor'; 120 "
        "steps");
  entry = {1, 2e13, WarningEntry::no_time, {1, 7, -1, -1}};  // a body that there is not has no name
  CHECK(message_of(info_of(Warning::heavy_body), entry, names) ==
        "A moving body is as heavy as if lengths or masses were in other units than metres and kg: "
        "2e+13 kg, body 'rod'");
}

TEST_CASE("Warm steps that warn do not allocate", "[engine][property]") {
  test::World world;
  world.add_tower(4);
  world.settings.step.solver.tolerance = 1e-14;
  world.settings.step.solver.max_iterations = 1;
  world.settings.step.solver.measure = contact::Measure::scaled;
  world.settings.time.dt = 0.05;
  test::Stepper stepper(world);
  // With one sweep a step the tower shakes, and until step 25 more and more corners come near each
  // other (16 to 35 candidates): lists grow with their number. From step 45 on no block touches
  // another one at times: lists grow with the number of islands, of which there are no more than
  // blocks. From then on each step must do with what there is.
  stepper.steps(60);
  REQUIRE(world.state.warnings[Warning::unconverged].count > 0);
  const std::int64_t seen = world.state.warnings[Warning::unconverged].count;
  const long before = test::allocations();
  stepper.steps(2 * 64);
  CHECK(test::allocations() == before);
  CHECK(world.state.warnings[Warning::unconverged].count > seen);
}

TEST_CASE("Unconverged steps name the bodies that are far from their law", "[engine][unit]") {
  test::World world;
  world.add_plane();
  for (int i = 0; i < 6; ++i)
    world.add_box(Vector3::Ones(), Pose{Vector3(0.0, 0.0, 0.5 + i), Quaternion::Identity()});
  world.settings.step.solver.max_iterations = 1;
  world.settings.step.solver.tolerance = 1e-12;
  test::Stepper stepper(world);
  stepper.steps(3);
  const WarningEntry& entry = world.state.warnings[Warning::unconverged];
  REQUIRE(entry.count > 0);
  CHECK(entry.worst > 1e-12);
  CHECK(std::isfinite(entry.time));
  CHECK(entry.bodies[1] == entry.bodies[0] + 1);  // neighbours in the tower
}

}  // namespace scree::warnings_test
