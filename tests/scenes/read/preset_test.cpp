#include "scenes/read/preset.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "engine/run.hpp"
#include "engine/state_hash.hpp"
#include "tests/scenes/read/bad_input.hpp"

namespace preset_test {

using namespace scree;
using namespace scree::test;

namespace {

std::string with_preset(const std::string& use) {
  return block_on_ground + "\n[preset]\nuse = \"" + use + "\"\n";
}

// Angular grains that fall into a heap.
const std::string heap = R"([time]
dt = 0.0005
end = 0.3

[[material]]
name = "rock"
density = 2600

[[contact]]
between = ["rock", "rock"]
mu = 0.5
e = 0.3

[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "rock"

[[grains]]
name = "grain"
material = "rock"
count = 150
shape = "hull"
corners = 8
size = 0.01
region = { kind = "cylinder", radius = 0.05 }
)";

struct Heap {
  std::int64_t sweeps = 0;
  double height = 0.0;  // [m] of the centre of the grains, at the end
};

Heap settle(const std::string& text) {
  Scene scene = parse_scene(text, "heap.toml");
  Heap result;
  const Observer count[] = {[&](const StepView& view) { result.sweeps += view.record.iterations; }};
  run(scene.model, scene.settings, scene.state, count);
  for (std::size_t i = 1; i < scene.state.x.size(); ++i) result.height += scene.state.x[i].z();
  result.height /= static_cast<double>(scene.state.x.size() - 1);
  return result;
}

}  // namespace

TEST_CASE("Presets set what the scene would say in words", "[scenes][unit]") {
  for (const scenes::Preset& preset : scenes::presets()) {
    std::string written = block_on_ground;
    for (const auto& [section, key, value] : preset.keys)
      written = fmt::format("{}.{} = {}\n", section, key, value) + written;
    Scene by_use = parse_scene(with_preset(preset.use), "scene.toml"),
          by_words = parse_scene(written, "scene.toml");
    CHECK(by_use.preset.use == preset.use);
    CHECK(by_use.preset.settings.size() == preset.keys.size());
    for (Scene* scene : {&by_use, &by_words}) {
      scene->settings.time.end = 0.02;
      run(scene->model, scene->settings, scene->state, {});
    }
    CHECK(by_use.settings.step.solver.tolerance == by_words.settings.step.solver.tolerance);
    CHECK(by_use.settings.step.correction == by_words.settings.step.correction);
    CHECK(by_use.settings.step.correction_slop == by_words.settings.step.correction_slop);
    CHECK(state_hash(by_use.state) == state_hash(by_words.state));
  }
}

TEST_CASE("Presets leave alone what the scene says", "[scenes][unit]") {
  const Scene scene = parse_scene(
      "solver.tolerance = 2e-9\nlaw.correction = \"none\"\n" + with_preset("flow"), "scene.toml");
  CHECK(scene.settings.step.solver.tolerance == 2e-9);
  CHECK(scene.settings.step.correction == PositionCorrection::none);
  CHECK(scene.settings.step.correction_slop == 1e-3);
  REQUIRE(scene.preset.settings.size() == 3);
  CHECK(scene.preset.settings[0].field == "solver.tolerance");
  CHECK(scene.preset.settings[0].in_scene == "2e-09");
  CHECK(scene.preset.settings[2].in_scene.empty());
}

TEST_CASE("Presets of unknown use are refused in one line", "[scenes][unit]") {
  const BadInput bad[] = {
      {"a word with a slip", "[time]", "[preset]\nuse = \"flwo\"\n[time]",
       "2:7: preset.use: unknown value \"flwo\"; did you mean \"flow\"? Allowed here: masonry, "
       "impact, flow"},
      {"no word", "[time]", "[preset]\n[time]",
       "1:1: preset.use: missing; must be \"masonry\", \"impact\" or \"flow\""},
      {"another key", "[time]", "[preset]\nuse = \"flow\"\ntolerance = 1\n[time]",
       "3:1: preset.tolerance: unknown key; allowed here: use"},
      {"a number", "[time]", "preset = 3\n[time]",
       "1:10: preset: the integer 3 is not allowed; must be a table"},
      {"a section that is none", "[time]", "solver = 3\npreset.use = \"flow\"\n[time]",
       "1:10: solver: the integer 3 is not allowed; must be a table"}};
  for (const BadInput& input : bad) check_message(input);
}

// Sweeps do not depend on the machine. The heights of the two heaps differ as those of two seeds
// do: scenes/results/presets.md.
TEST_CASE("Preset flow saves nine in ten sweeps of angular grains", "[scenes][property]") {
  const Heap by_default = settle(heap), flow = settle("preset.use = \"flow\"\n" + heap);
  CAPTURE(by_default.sweeps, flow.sweeps, by_default.height, flow.height);
  CHECK(10 * flow.sweeps < by_default.sweeps);
  CHECK(std::abs(flow.height - by_default.height) < 0.1 * by_default.height);
}

}  // namespace preset_test
