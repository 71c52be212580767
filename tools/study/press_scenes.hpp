// Scenes of packings under walls: grains in a box below a lid whose pressure grows in stages, and
// the biaxial compression of discs or polygons in a plane.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenes/read/scene.hpp"

namespace scree::study {

enum class PressKind { oedometer, biaxial };

struct PressMember {
  std::int64_t seed = 1;
  double friction = 0.5;  // among grains
  // Biaxial: while they are packed; without, packings are dense. Of an oedometer as above.
  double packing_friction = 0.0;

  std::string name(PressKind kind) const;  // "mu0.5-s1", "mu0.3-packed0-s1"
};

// What all members of a study share. Rigid grains know no stress: what is measured depends on
// ratios of lengths, pressures and times only, and the numbers below stand for themselves.
struct PressSetup {
  PressKind kind = PressKind::oedometer;
  std::int64_t grains = 2000;
  std::string shape = "sphere";  // oedometer: of [[grains]]; biaxial: disc, polygon
  std::string law = "newton";
  double theta = 0.5, tolerance = 1e-4;
  double step = 0.1;           // [-] of d sqrt(rho / p) at the largest pressure
  double wall_friction = 0.0;  // of grains with walls and lid
  // Oedometer.
  int across = 12;                // sides of the box in grains
  std::vector<double> pressures;  // [Pa] one stage each, after that of the weight alone
  // Biaxial.
  double strain = 0.15, inertial = 1e-3;
  std::string folder;  // for the members' files

  double d() const { return kind == PressKind::oedometer ? 1e-3 : 0.3; }  // [m] size of grains
  double side() const { return across * d(); }                            // [m] of the box
  static constexpr double density = 2500.0, g = 9.81;                     // [kg/m3], [m/s2]
  static constexpr double spread = 0.1;                // sizes of balls: within 1 -+ this times d
  static constexpr double p = 1e5;                     // [Pa] on the side of a biaxial specimen
  static constexpr double radii[] = {0.1, 0.15, 0.2};  // [m] of discs, as many of each

  double time_unit(double pressure) const;  // [s] d sqrt(rho / pressure)
  double dt() const;                        // [s]
};

// When the lid of an oedometer presses how much: each stage is a ramp and a hold.
struct PressStage {
  double pressure = 0.0;                     // [Pa] of the load, besides the weight of the lid
  double ramp = 0.0, hold = 0.0, end = 0.0;  // [s] when it begins to change, is there, is over
};
std::vector<PressStage> stages_of(const PressSetup& setup, const PressMember& member);

inline constexpr double lid_thickness = 1e-3;  // [m]

// The text of an oedometer's scene, which `scree run` takes as well.
std::string oedometer_scene(const PressSetup& setup, const PressMember& member);

// Where the platens of a biaxial test are at its start [m], and when it compresses [s].
struct BiaxialFrame {
  double height = 0.0, width = 0.0;            // of the grains' places
  double speed = 0.0;                          // [m/s] of the platen above
  double hold = 0.0, moving = 0.0, end = 0.0;  // [s] it begins to move, has its speed, is there
};
BiaxialFrame biaxial_frame(const PressSetup& setup, const PressMember& member);

// Packing: the platen above stands still, the one at the side presses. Compression: starts where
// `packing`, a result file in the folder of the scene, has left the grains.
std::string biaxial_packing_scene(const PressSetup& setup, const PressMember& member);
std::string biaxial_scene(const PressSetup& setup, const PressMember& member,
                          const std::string& packing);

}  // namespace scree::study
