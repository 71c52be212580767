#include "tools/cli/measure_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/base/printable.hpp"
#include "tools/common/finite_json.hpp"

namespace scree {
namespace {

// How many bodies a screen would note: those that move freely.
std::int64_t watched_bodies(const Model& model, const Screen& screen) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < screen.watched.size(); ++i)
    count += screen.watched[i] != 0 && model.kind[i] == BodyKind::dynamic ? 1 : 0;
  return count;
}

// How many bodies it would not note although one might think so: those that are driven, and those
// that are fixed where the scene names the bodies.
std::int64_t unwatched_bodies(const Model& model, const Screen& screen) {
  const bool all = std::ranges::find(screen.watched, 0) == screen.watched.end();
  std::int64_t count = 0;
  for (std::size_t i = 0; i < screen.watched.size(); ++i) {
    const bool driven = model.kind[i] == BodyKind::driven;
    const bool named = !all && model.kind[i] == BodyKind::fixed;
    count += screen.watched[i] != 0 && (driven || named) ? 1 : 0;
  }
  return count;
}

std::string unwatched_text(const Model& model, const Screen& screen) {
  const std::int64_t count = unwatched_bodies(model, screen);
  if (count == 0) return "";
  return fmt::format("; {} more {} fixed or driven, whose passing is not noted", count,
                     count == 1 ? "is" : "are");
}

// How many bodies a gauge counts, wherever they are.
std::int64_t counted_bodies(const Model& model, const Gauge& gauge) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < gauge.counted.size(); ++i)
    count += gauge.counted[i] != 0 && model.kind[i] == BodyKind::dynamic ? 1 : 0;
  return count;
}

std::string gauge_line(const Model& model, const Gauge& gauge) {
  const std::int64_t bodies = counted_bodies(model, gauge);
  if (gauge.kind == Gauge::Kind::bodies) {
    return fmt::format("gauge        {}: {} bodies, {:.6g} m3\n", printable(gauge.name), bodies,
                       gauge.volume);
  }
  const std::string cells = gauge.kind == Gauge::Kind::box
                                ? std::string("box")
                                : fmt::format("grid of {} x {} x {} cells", gauge.cells[0],
                                              gauge.cells[1], gauge.cells[2]);
  return fmt::format(
      "gauge        {}: {} from ({:g}, {:g}, {:g}) to ({:g}, {:g}, {:g}) m, counts {} bodies\n",
      printable(gauge.name), cells, gauge.low.x(), gauge.low.y(), gauge.low.z(), gauge.high.x(),
      gauge.high.y(), gauge.high.z(), bodies);
}

}  // namespace

std::string measure_lines(const Scene& scene) {
  const MeasureSettings& measure = scene.settings.measure;
  std::string text;
  const auto out = std::back_inserter(text);
  if (measure.impacts.wanted()) {
    std::string from;
    if (std::isfinite(measure.impacts.speed)) from = fmt::format("{:g} m/s", measure.impacts.speed);
    if (std::isfinite(measure.impacts.impulse)) {
      from += from.empty() ? "" : " or ";
      from += fmt::format("{:g} N s", measure.impacts.impulse);
    }
    fmt::format_to(out, "impacts      logged from {} on\n", from);
  }
  for (const Screen& screen : measure.screens) {
    fmt::format_to(out,
                   "screen       {}: {} at ({:g}, {:g}, {:g}), normal ({:.4g}, {:.4g}, {:.4g}), "
                   "notes {} bodies{}\n",
                   printable(screen.name),
                   screen.corners.empty() ? std::string("plane")
                                          : fmt::format("polygon of {}", screen.corners.size()),
                   screen.point.x(), screen.point.y(), screen.point.z(), screen.normal.x(),
                   screen.normal.y(), screen.normal.z(), watched_bodies(scene.model, screen),
                   unwatched_text(scene.model, screen));
  }
  for (std::size_t g = 0; g < measure.groups.name.size(); ++g) {
    fmt::format_to(out, "group        {}: {} bodies\n", printable(measure.groups.name[g]),
                   std::ranges::count(measure.groups.of_body, static_cast<std::int32_t>(g)));
  }
  for (const Gauge& gauge : measure.gauges) text += gauge_line(scene.model, gauge);
  if (scene.settings.output.writes_stress()) {
    fmt::format_to(out, "stress       of each body in each frame, mean over {}\n",
                   scene.settings.output.stress_mean == StressMean::step
                       ? "the frame's step"
                       : "all steps since the frame before");
  }
  if (std::isfinite(measure.groups.moved))
    fmt::format_to(out, "moved        farther than {:g} m is counted, of bodies that move freely\n",
                   measure.groups.moved);
  if (measure.relative_to >= 0) {
    fmt::format_to(out, "displacement relative to {}\n",
                   printable(scene.model.name[static_cast<std::size_t>(measure.relative_to)]));
  }
  return text;
}

nlohmann::ordered_json measures_json(const Scene& scene) {
  const MeasureSettings& measure = scene.settings.measure;
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (measure.impacts.wanted()) {
    json["impacts"] = {{"speed", finite_json(measure.impacts.speed)},
                       {"impulse", finite_json(measure.impacts.impulse)}};
  }
  for (const Screen& screen : measure.screens) {
    json["screens"][screen.name] = {
        {"point", {screen.point.x(), screen.point.y(), screen.point.z()}},
        {"normal", {screen.normal.x(), screen.normal.y(), screen.normal.z()}},
        {"corners", screen.corners.size()},
        {"bodies", watched_bodies(scene.model, screen)},
        {"not_noted", unwatched_bodies(scene.model, screen)}};
  }
  for (std::size_t g = 0; g < measure.groups.name.size(); ++g)
    json["groups"][measure.groups.name[g]] =
        std::ranges::count(measure.groups.of_body, static_cast<std::int32_t>(g));
  for (const Gauge& gauge : measure.gauges) {
    nlohmann::ordered_json& entry = json["gauges"][gauge.name];
    entry["kind"] = gauge.kind == Gauge::Kind::bodies ? "bodies"
                    : gauge.kind == Gauge::Kind::box  ? "box"
                                                      : "grid";
    entry["volume"] = gauge.volume;
    entry["bodies"] = counted_bodies(scene.model, gauge);
    if (gauge.kind == Gauge::Kind::bodies) continue;
    entry["low"] = {gauge.low.x(), gauge.low.y(), gauge.low.z()};
    entry["high"] = {gauge.high.x(), gauge.high.y(), gauge.high.z()};
    entry["cells"] = gauge.cells;
  }
  if (scene.settings.output.writes_stress())
    json["stress"] = scene.settings.output.stress_mean == StressMean::step ? "step" : "frame";
  if (std::isfinite(measure.groups.moved)) json["moved"] = measure.groups.moved;
  if (measure.relative_to >= 0)
    json["relative_to"] = scene.model.name[static_cast<std::size_t>(measure.relative_to)];
  return json;
}

}  // namespace scree
