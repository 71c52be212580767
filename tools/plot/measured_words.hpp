// What can be told of a row of the measuring devices as one number: one list for plots of result
// files and for the measures of sweeps.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "contact/laws/laws.hpp"
#include "engine/measure/gauges.hpp"
#include "engine/measure/impact_log.hpp"
#include "engine/measure/screens.hpp"
#include "engine/measure/stress_tensor.hpp"

namespace scree::plot {

template <class Row>
struct Word {
  const char* name;
  const char* label;
  const char* unit;  // "": a number
  double (*value)(const Row& row);
};

inline constexpr std::array impact_words = {
    Word<measure::Impact>{"speed", "approach speed of impacts", "m/s",
                          [](const measure::Impact& i) { return -i.velocity_before.x(); }},
    Word<measure::Impact>{"impulse", "impulse of impacts", "N s",
                          [](const measure::Impact& i) { return i.impulse.norm(); }},
    Word<measure::Impact>{"energy_lost", "energy lost in impacts", "J",
                          [](const measure::Impact& i) { return i.energy_lost; }}};

inline constexpr std::array crossing_words = {
    Word<measure::Crossing>{"speed", "speed at a screen", "m/s",
                            [](const measure::Crossing& c) { return c.velocity.norm(); }},
    Word<measure::Crossing>{"spin", "spin at a screen", "rad/s",
                            [](const measure::Crossing& c) { return c.spin.norm(); }},
    Word<measure::Crossing>{"energy", "kinetic energy at a screen", "J",
                            [](const measure::Crossing& c) { return c.kinetic + c.rotation; }},
    Word<measure::Crossing>{"height", "height at a screen", "m",
                            [](const measure::Crossing& c) { return c.height; }}};

inline constexpr std::array gauge_words = {
    Word<measure::GaugeRow>{
        "pressure", "pressure of a gauge", "Pa",
        [](const measure::GaugeRow& r) { return measure::pressure_of(r.stress); }},
    Word<measure::GaugeRow>{"tau", "shear stress tau of a gauge", "Pa",
                            [](const measure::GaugeRow& r) { return measure::shear_of(r.stress); }},
    Word<measure::GaugeRow>{"sigma_xx", "stress of a gauge", "Pa",
                            [](const measure::GaugeRow& r) { return r.stress[0]; }},
    Word<measure::GaugeRow>{"sigma_yy", "stress of a gauge", "Pa",
                            [](const measure::GaugeRow& r) { return r.stress[1]; }},
    Word<measure::GaugeRow>{"sigma_zz", "stress of a gauge", "Pa",
                            [](const measure::GaugeRow& r) { return r.stress[2]; }},
    Word<measure::GaugeRow>{"sigma_xy", "stress of a gauge", "Pa",
                            [](const measure::GaugeRow& r) { return r.stress[3]; }},
    Word<measure::GaugeRow>{"sigma_yz", "stress of a gauge", "Pa",
                            [](const measure::GaugeRow& r) { return r.stress[4]; }},
    Word<measure::GaugeRow>{"sigma_xz", "stress of a gauge", "Pa",
                            [](const measure::GaugeRow& r) { return r.stress[5]; }},
    Word<measure::GaugeRow>{"density", "density in a gauge", "kg/m3",
                            [](const measure::GaugeRow& r) { return r.density; }},
    Word<measure::GaugeRow>{"solid_fraction", "solid fraction of a gauge", "",
                            [](const measure::GaugeRow& r) { return r.solid_fraction; }},
    Word<measure::GaugeRow>{"temperature", "granular temperature", "m2/s2",
                            [](const measure::GaugeRow& r) { return r.temperature; }}};

// Whether numbers of all impacts or of all passages can be added up.
inline bool impacts_add_up(std::string_view word) { return word != "speed"; }
inline bool crossings_add_up(std::string_view word) { return word == "energy"; }

// Of the contact impulses of a step on one group of bodies from another: mean force, or the impulse
// added up; size, or a component in world axes.
inline constexpr std::array pair_words = {"force", "fx", "fy", "fz", "impulse", "px", "py", "pz"};
inline constexpr std::size_t n_pair_forces = 4;

inline bool tells_of_pairs(std::string_view word) {
  return std::ranges::find(pair_words, word) != pair_words.end();
}

inline double component(const Vector3& vector, std::size_t pair_word) {
  const std::size_t which = pair_word % n_pair_forces;
  return which == 0 ? vector.norm() : vector[static_cast<Eigen::Index>(which) - 1];
}

template <class Row, std::size_t N>
const Word<Row>* find_word(const std::array<Word<Row>, N>& words, std::string_view name) {
  const auto found =
      std::ranges::find_if(words, [&](const Word<Row>& word) { return name == word.name; });
  return found == words.end() ? nullptr : &*found;
}

template <class Row, std::size_t N>
std::string names_of(const std::array<Word<Row>, N>& words) {
  std::string list;
  for (const Word<Row>& word : words) list += (list.empty() ? "" : ", ") + std::string(word.name);
  return list;
}

// Terms of the ledger that are of a step, and so can be added up; the others are of a state, or
// are extremes.
inline bool adds_up(std::string_view ledger_term) {
  return ledger_term != "kinetic" && ledger_term != "potential" && ledger_term != "energy_scale" &&
         !ledger_term.starts_with("max_");
}

// The terms of the ledger that `contact_work` and `total_work` are the sums of; none of other
// names.
inline std::vector<std::string> terms_of_sum(std::string_view quantity) {
  const bool total = quantity == "total_work";
  if (quantity != "contact_work" && !total) return {};
  std::vector<std::string> terms = {"contact_normal_work", "contact_tangential_work",
                                    "contact_rolling_work"};
  for (const contact::LawEnergy& energy : contact::Laws::energies) terms.emplace_back(energy.name);
  if (total) {
    terms.insert(terms.end(), {"external_work", "drag_work", "driven_work", "shear_work",
                               "numerical_dissipation", "projection_work", "event_energy"});
  }
  return terms;
}

// What `sum(...)` takes, for help and messages.
inline constexpr const char* known_sums =
    "works of the ledger, columns of the solver, impacts.impulse, impacts.energy_lost and "
    "SCREEN.energy";

// What can be asked of devices, for help and messages.
inline constexpr const char* device_quantities =
    "impacts.speed, .impulse, .energy_lost, SCREEN.passed, .speed, .spin, .energy, .height, "
    "GROUP.moved (bodies that move freely), GROUP:GROUP.force, .fx, .fy, .fz, .impulse, .px, .py, "
    ".pz (on the second from "
    "the first), GAUGE.pressure, .tau, .sigma_xx, ..., .sigma_xz, .density, .solid_fraction, "
    ".temperature";

}  // namespace scree::plot
