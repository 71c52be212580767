// Everything a run can be told, with defaults. Checked once, by check_settings, before the run.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "contact/solver/solver.hpp"
#include "engine/base/executor.hpp"
#include "engine/measure_settings.hpp"
#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "integrators/moreau_theta.hpp"

namespace scree {

enum class Activation { predict, paper, forecast, gamma, mid };
inline constexpr std::array activation_names = {"predict", "paper", "forecast", "gamma", "mid"};
enum class Closing { impact, two_step };
enum class Rest { published, clamped, damped };
inline constexpr std::array rest_names = {"published", "clamped", "damped"};
enum class Frames { start, middle };
enum class PositionCorrection { none, projection, repeated };
using integrators::RotationUpdate;

struct TimeSettings {
  double dt = 0.0;     // [s] step length h, > 0
  double end = 0.0;    // [s] > start
  double theta = 0.5;  // [-] in [1/2, 1], and at most 1/(1+e) over the fremond pairs

  // Number of the step that reaches `end`, to round-off of end / dt.
  std::int64_t last_step() const { return static_cast<std::int64_t>(std::ceil(end / dt - 1e-9)); }
};

struct StepSettings {
  Activation activation = Activation::predict;
  double activation_gamma = 0.5;      // [-] of the step, of the rule `gamma`
  Closing closing = Closing::impact;  // of pairs without restitution
  Rest rest =
      Rest::clamped;  // damped: sticking contacts under fremond do not reverse their
                      // tangential velocity; clamped: only where they did in the steps before
  PositionCorrection correction = PositionCorrection::none;
  double correction_slop =
      1e-5;                  // [-] penetration left alone, as a share of the smallest body's size
  double catch_share = 0.5;  // [-] of the thinner one's thickness: an impact that may go deeper
                             // ends the way at the touch
  RotationUpdate rotation = RotationUpdate::cayley;
  Frames frames = Frames::start;  // the poses that contacts are found at (contact_frames.hpp)
  int max_passes =
      10;  // gyroscopic passes before a step is unconverged; rounds of added contacts do not count
  contact::SolverOptions solver = combined_measure();

 private:
  static contact::SolverOptions combined_measure() {
    contact::SolverOptions options;
    options.measure = contact::Measure::combined;
    return options;
  }
};

// Of the velocities in frames. Single precision rounds them to 6e-8 of their size and saves a
// quarter of a frame; those of the last frame are kept in double as well, so that other runs can
// start from them.
enum class VelocityPrecision { double_precision, single_precision };

// What the stress of a body in a frame is the mean of: the frame's own step, or all steps since the
// frame before.
enum class StressMean { step, frame };

struct OutputSettings {
  double frames_per_second = 100.0;  // [1/s] 0: only the first and the last frame
  bool contacts = true;              // write the contacts of each frame
  bool keep_frames = true;           // false: ledger and solver tables only
  VelocityPrecision velocities = VelocityPrecision::single_precision;
  bool stress = false;  // write the mean stress of each body
  StressMean stress_mean = StressMean::step;

  bool writes_stress() const { return stress && keep_frames; }
};

// When a run leaves a checkpoint (engine/files/checkpoint.hpp). With both, whichever comes first.
// With neither there is one every so many minutes as well, which goes when the run is finished; one
// that is asked for stays.
struct CheckpointSettings {
  static constexpr double unasked_minutes = 5.0;  // [min] of wall time

  std::int64_t every_steps = 0;  // 0: not by steps
  double every_minutes = 0.0;    // [min] of wall time; 0: not by time

  bool wanted() const { return every_steps > 0 || every_minutes > 0.0; }
};

// When a run ends before its time is up: no point of any moving body has been farther than
// `displacement` from where it was at the start of a window of that length. Displacement, not
// speed: see engine/method/rest.md.
struct StopSettings {
  double displacement = 0.0;  // [m] 0: runs to the end
  double window = 0.0;        // [s] > 0 if displacement is
  double after = 0.0;         // [s] the first window starts no earlier
  // So many steps on end without a solution end the run; 0: it goes on.
  std::int64_t wedged_steps = 50;

  bool wanted() const { return displacement > 0.0; }
};

struct Settings {
  TimeSettings time;
  StepSettings step;
  OutputSettings output;
  CheckpointSettings checkpoint;
  StopSettings stop;
  MeasureSettings measure;
  Backend backend = Backend::serial;
  int threads = 1;                  // up to most_threads; 0: all
  double overlap_tolerance = 1e-6;  // [-] of the smaller body's size
  bool allow_initial_overlap = false;
};

// Largest theta that the pairs of materials in use allow: 1/(1+e) over those under `fremond`,
// else 1.
double largest_theta(const Model& model);

// Throws InputError: a stop rule without a window; dt, end, theta outside its interval (stated),
// tolerance, a pair of materials in use without a law.
void check_settings(const Model& model, const Settings& settings);

// Throws InputError: a body that would go farther in one step than the space that is computed, 1e12
// m.
void check_motion(const Model& model, const Settings& settings, const State& state);

}  // namespace scree
