// Scenes of flows in periodic cells: plane shear between two rough plates under a pressure, and a
// layer that flows down a rough slope.
#pragma once

#include <cstdint>
#include <string>

#include "scenes/read/scene.hpp"

namespace scree::study {

enum class FlowKind { shear, chute };

struct FlowMember {
  double value = 0.0;  // shear: inertial number asked for; chute: slope [degrees]
  std::int64_t seed = 1;
  double friction = 0.5, restitution = 0.1;

  std::string name(FlowKind kind) const;  // "I0.1-s1-mu0.5-e0.1", "a24-s1-mu0.5-e0.1"
};

// What all members of a study share. Lengths are in grain sizes d, pressures P: numbers of the
// scenes follow from d, density, P and gravity below, and nothing that is measured depends on them.
struct FlowSetup {
  FlowKind kind = FlowKind::shear;
  std::int64_t grains = 2000;
  int across = 12;               // grains of a plate along x
  std::string shape = "sphere";  // of [[grains]]; hulls have a sphericity of 0.8
  std::string law = "newton";
  double theta = 0.5, tolerance = 1e-3;
  double step = 0.1;  // [-] of d sqrt(rho / P); shorter where grains pass fast
  // Shear: strains; chute: in sqrt(d / g).
  double settle = 5.0, measure = 5.0;
  std::string folder;  // for the members' files

  static constexpr double d = 1e-3, density = 2500.0;  // [m], [kg/m3]
  static constexpr double P = 1000.0, g = 9.81;        // [Pa], [m/s2]
  static constexpr double packing = 0.58;              // expected
  static constexpr double spread = 0.1;                // sizes are within 1 -+ this times d

  double length() const;  // [m] of the cell along x
  double width() const;   // [m] along y: rows of a plate that fit
  double area() const { return length() * width(); }
  double height() const;                                       // [m] expected, of the grains
  double time_unit() const;                                    // [s] d sqrt(rho / P), sqrt(d / g)
  double dt(const FlowMember& member) const;                   // [s]
  double time(const FlowMember& member, double amount) const;  // [s] of strains or time units
  double start_speed(const FlowMember& member) const;          // [m/s] of all grains on a slope
  double plate_speed(const FlowMember& member) const;          // [m/s]
};

// The text of a member's scene, which `scree run` takes as well.
std::string flow_scene(const FlowSetup& setup, const FlowMember& member);

}  // namespace scree::study
