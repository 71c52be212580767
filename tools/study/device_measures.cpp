#include "tools/study/device_measures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "engine/base/check.hpp"
#include "tools/plot/measured_words.hpp"

namespace scree::study {
namespace {

// `others`: what the device can tell besides, "passed, ".
template <class Row, std::size_t N>
const plot::Word<Row>& word_of(const std::array<plot::Word<Row>, N>& words, const char* device,
                               const std::string& name, const char* others = "") {
  const plot::Word<Row>* word = plot::find_word(words, name);
  if (word == nullptr) {
    throw InputError(
        fmt::format("{} has no '{}'; known are {}{}", device, name, others, plot::names_of(words)));
  }
  return *word;
}

template <class List>
std::optional<std::size_t> place_of(const List& list, const std::string& name) {
  const auto found = std::ranges::find_if(list, [&](const auto& of) { return of.name == name; });
  if (found == list.end()) return std::nullopt;
  return static_cast<std::size_t>(found - list.begin());
}

DeviceQuantity of_impacts(Devices& devices, const std::string& name) {
  const plot::Word<measure::Impact>& word = word_of(plot::impact_words, "an impact", name);
  devices.want_impacts();
  return {word.unit, plot::impacts_add_up(name),
          [&devices, value = word.value](const StepView&, std::vector<double>& values) {
            for (const measure::Impact& impact : devices.impacts()) values.push_back(value(impact));
          }};
}

DeviceQuantity of_screen(Devices& devices, std::size_t screen, const std::string& name) {
  devices.want_screens();
  const auto index = static_cast<std::int32_t>(screen);
  if (name == "passed") {
    return {"", false,
            [&devices, index, passed = 0](const StepView&, std::vector<double>& values) mutable {
              for (const measure::Crossing& crossing : devices.crossings())
                if (crossing.screen == index) passed += crossing.direction;
              values.push_back(passed);
            }};
  }
  const plot::Word<measure::Crossing>& word =
      word_of(plot::crossing_words, "a screen", name, "passed, ");
  return {word.unit, plot::crossings_add_up(name),
          [&devices, index, value = word.value](const StepView&, std::vector<double>& values) {
            for (const measure::Crossing& crossing : devices.crossings())
              if (crossing.screen == index) values.push_back(value(crossing));
          }};
}

DeviceQuantity of_gauge(Devices& devices, const Gauge& gauge, std::size_t index,
                        const std::string& name) {
  const plot::Word<measure::GaugeRow>& word = word_of(plot::gauge_words, "a gauge", name);
  if (gauge.n_cells() != 1)
    throw InputError("the gauge is a grid; its cells are in a result file (scree run)");
  devices.want_gauges();
  return {word.unit, false,
          [&devices, index, value = word.value](const StepView& view, std::vector<double>& values) {
            if (view.record.step > 0) values.push_back(value(devices.gauge(index)));
          }};
}

// Index of a group; `others` is the last one.
std::optional<std::size_t> group_of(const BodyGroups& groups, const std::string& name) {
  const auto found = std::ranges::find(groups.name, name);
  if (found == groups.name.end() && name != BodyGroups::others) return std::nullopt;
  return static_cast<std::size_t>(found - groups.name.begin());
}

DeviceQuantity of_pair(Devices& devices, const BodyGroups& groups, const std::string& name,
                       const std::string& word, double dt) {
  const std::size_t colon = name.find(':');
  const auto index = [&](const std::string& group) {
    const std::optional<std::size_t> found = group_of(groups, group);
    if (!found) throw InputError(fmt::format("there is no group '{}'", group));
    return *found;
  };
  const std::size_t from = index(name.substr(0, colon)), on = index(name.substr(colon + 1));
  if (from == on) throw InputError("impulses within a group are not recorded");
  const auto which = static_cast<std::size_t>(
      std::ranges::find(plot::pair_words, std::string_view(word)) - plot::pair_words.begin());
  if (which == plot::pair_words.size()) {
    throw InputError(fmt::format("a pair of groups has no '{}'; known are {}", word,
                                 fmt::join(plot::pair_words, ", ")));
  }
  devices.want_groups();
  const auto pairs = measure::group_pairs(groups.name.size() + 1);
  const std::pair<std::int32_t, std::int32_t> wanted = {std::min(from, on), std::max(from, on)};
  const auto pair = static_cast<std::size_t>(std::ranges::find(pairs, wanted) - pairs.begin());
  const bool force = which < plot::n_pair_forces;
  const double sign = from < on ? 1.0 : -1.0;
  return {
      force ? "N" : "N s", false,
      [&devices, pair, which, force, scale = force ? sign / dt : sign,
       sum = Vector3(Vector3::Zero())](const StepView& view, std::vector<double>& values) mutable {
        if (view.record.step == 0) return;
        const Vector3& impulse = devices.groups().impulse()[pair];
        sum += impulse;
        values.push_back(plot::component(scale * (force ? impulse : sum), which));
      }};
}

DeviceQuantity of_group(Devices& devices, const BodyGroups& groups, std::size_t index,
                        const std::string& word) {
  if (word != "moved") throw InputError(fmt::format("a group has no '{}'; known is moved", word));
  if (!std::isfinite(groups.moved))
    throw InputError("is not recorded; moved in [record] says from how far on a body has moved");
  devices.want_groups();
  return {"", false, [&devices, index](const StepView& view, std::vector<double>& values) {
            if (view.record.step > 0) values.push_back(devices.groups().moved()[index]);
          }};
}

}  // namespace

Devices::Devices(const Model& model, const MeasureSettings& settings)
    : groups_(settings.groups), gauges_(model, settings.gauges) {}

void Devices::follow(const StepView& view) {
  impacts_.clear();
  crossings_.clear();
  if (view.record.step == 0) {
    if (wants_screens_) screens_.start(view.state);
    if (wants_groups_) start_x_ = view.state.x, start_q_ = view.state.q;
    if (wants_gauges_) stress_.start(view.state);
    return;
  }
  if (wants_impacts_) measure::log_impacts(view, impacts_);
  if (wants_screens_) screens_.watch(view, crossings_);
  if (wants_groups_) groups_.add(view, start_x_, start_q_);
  if (!wants_gauges_) return;
  stress_.compute(view);
  gauges_.compute(view, stress_);
}

std::optional<DeviceQuantity> device_quantity(Devices& devices, const MeasureSettings& settings,
                                              const std::string& name, const std::string& word,
                                              double dt, bool is_body) {
  if (name == "impacts" && settings.impacts.wanted()) return of_impacts(devices, word);
  if (const auto screen = place_of(settings.screens, name))
    return of_screen(devices, *screen, word);
  if (const auto gauge = place_of(settings.gauges, name))
    return of_gauge(devices, settings.gauges[*gauge], *gauge, word);
  if (!settings.groups.wanted()) return std::nullopt;
  const bool is_pair = name.find(':') != std::string::npos;
  if (is_pair && is_body && !plot::tells_of_pairs(word)) return std::nullopt;
  if (is_pair) return of_pair(devices, settings.groups, name, word, dt);
  const std::optional<std::size_t> group = group_of(settings.groups, name);
  if (!group || (is_body && word != "moved")) return std::nullopt;
  return of_group(devices, settings.groups, *group, word);
}

}  // namespace scree::study
