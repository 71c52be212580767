// The catalogue of warnings: what a scene or a run may have wrong without being an error.
// engine/WARNINGS.md has an example and more advice for each; a test holds page and catalogue
// together.
//
// To warn of something new: add a word to `Warning` and a row to `warning_catalogue`, describe it
// in WARNINGS.md, and call `record.warnings.raise(Warning::word, how_bad, {body_a, body_b})` inside
// a step, as often as it is seen. The end of the step adds it to State::warnings, which goes to
// summary, --json, result file, checkpoint, report and `info`.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/indices.hpp"

namespace scree {

enum class Warning : std::uint8_t {
  // Of the scene, before the first step.
  no_support,
  nothing_moves,
  driven_still,
  driven_through,
  long_step,
  large_body,
  small_body,
  far_away,
  heavy_body,
  mass_ratio,
  low_density,
  high_density,
  odd_inertia,
  large_gravity,
  large_acceleration,
  large_friction,
  large_cohesion,
  loose_tolerance,
  initial_overlap,
  late_overlap,
  never_happens,
  idle_closing,
  short_step,
  many_steps,
  loose_stop,
  cut_record,
  idle_record,
  far_load,
  plate_length,
  odd_terrain,
  blind_device,
  // Of the run.
  unconverged,
  wedged,
  deep_overlap,
  crushed,
  left_scene,
  flown_off,
  left_terrain,
  no_contact,
  moving_stop,
  fast_motion,
  fast_spin,
  unsolved_spin,
  turns_back,
  left_out,
  positive_work,
  projection_work,
  open_ledger,
  count
};
inline constexpr std::size_t n_warnings = static_cast<std::size_t>(Warning::count);

// Where a warning can be known: `scree check` looks at the scene, a run at its steps.
enum class KnownIn : std::uint8_t { check, run };

struct WarningInfo {
  Warning warning;
  std::string_view id;  // kebab-case word, for programs
  KnownIn known;
  std::string_view sentence;  // what is the matter
  std::string_view measure;   // what `worst` is: "<number> <measure>"
  std::string_view counted;   // what `count` counts: steps, bodies, ...
  std::string_view advice;    // what to do about it
  bool less_is_worse = false;
};

// In the order of the enum.
extern const std::array<WarningInfo, n_warnings> warning_catalogue;

// Whether `a` is worse than `b` in the measure of the warning.
bool is_worse(Warning warning, double a, double b);

inline const WarningInfo& info_of(Warning warning) {
  return warning_catalogue[static_cast<std::size_t>(warning)];
}

// What was seen of one warning.
struct WarningEntry {
  static constexpr double no_time = std::numeric_limits<double>::quiet_NaN();

  std::int64_t count = 0;  // 0: not raised
  double worst = 0.0;      // in the catalogue's measure
  double time = no_time;   // [s] end of the step of the worst; none: of the scene
  std::array<BodyIndex, 4> bodies = {-1, -1, -1, -1};  // concerned at the worst; -1: no more

  // One more body that the warning is about; the first four are named.
  void add(BodyIndex body) {
    if (count < static_cast<std::int64_t>(bodies.size()))
      bodies[static_cast<std::size_t>(count)] = body;
    ++count;
  }
};

// One entry a warning; of fixed size, so that a step can raise warnings without allocating.
class WarningLog {
 public:
  // Seen once more; bodies and time stay those of the worst. The first of equals counts, so callers
  // go in a fixed order. A step gives no time: add_step does.
  void raise(Warning warning, double how_bad, std::initializer_list<BodyIndex> bodies = {},
             double time = WarningEntry::no_time);

  // Says how things are now, in place of what was said before.
  void set(Warning warning, const WarningEntry& entry) {
    entries_[static_cast<std::size_t>(warning)] = entry;
    any_ = any_ || entry.count > 0;
  }

  // The same for all that are raised in `other`.
  void set_raised(const WarningLog& other);

  // What a step raised, which counts once however often it did.
  void add_step(const WarningLog& step, double time) {
    if (step.any_) add_raised(step, time);
  }

  bool any() const { return any_; }
  const WarningEntry& operator[](Warning warning) const {
    return entries_[static_cast<std::size_t>(warning)];
  }

 private:
  void add_raised(const WarningLog& step, double time);

  std::array<WarningEntry, n_warnings> entries_ = {};
  bool any_ = false;
};

// One line: "Bodies overlap deeply: 0.28 of the thinnest extent at worst, at t = 0.12 s, bodies
// 'rod' and 'floor'; 120 steps". Without the advice.
std::string message_of(const WarningInfo& info, const WarningEntry& entry,
                       const std::vector<std::string>& body_names);

// A warning in words, also one that a file has from a program with another catalogue.
struct RecordedWarning {
  std::string id, message, advice;
  WarningEntry entry;
};

RecordedWarning in_words(const std::string& id, const WarningEntry& entry,
                         const std::vector<std::string>& body_names);

// All that were raised, in the order of the catalogue.
std::vector<RecordedWarning> raised_warnings(const WarningLog& log,
                                             const std::vector<std::string>& body_names);

}  // namespace scree
