// What a run measures besides its frames and its ledger: impacts, screens, groups of bodies, gauges
// of stress. None of it changes the run. The devices themselves are in engine/measure.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/base/indices.hpp"
#include "engine/base/math.hpp"

namespace scree {

// A contact that carries impulse is logged when it was approached at least this fast, or when its
// impulse is at least this large.
struct ImpactLogSettings {
  double speed = std::numeric_limits<double>::infinity();    // [m/s]
  double impulse = std::numeric_limits<double>::infinity();  // [N s]

  bool wanted() const { return std::isfinite(speed) || std::isfinite(impulse); }
};

// A plane, or a polygon in it, that notes whose centre of mass passes.
struct Screen {
  std::string name;
  Vector3 point = Vector3::Zero();    // [m] of the plane, local origin
  Vector3 normal = Vector3::UnitZ();  // unit; who passes along it counts as +1
  std::vector<Vector3> corners = {};  // [m] of the polygon, in the plane; empty: the whole plane
  std::vector<std::uint8_t> watched = {};  // [n_bodies] 1: noted, if it moves freely
};

// Bodies by group. All that are in none are the last group, `others`.
struct BodyGroups {
  static constexpr const char* others = "others";

  std::vector<std::string> name;                           // [n_groups], without `others`
  std::vector<std::int32_t> of_body;                       // [n_bodies] index; n_groups: in none
  double moved = std::numeric_limits<double>::infinity();  // [m] farther than this counts as moved

  bool wanted() const { return !name.empty() || std::isfinite(moved); }
};

// A region, or a set of bodies, whose mean stress, density and velocity are kept at every step.
struct Gauge {
  enum class Kind : std::uint8_t { bodies, box, grid };

  std::string name;
  Kind kind = Kind::bodies;
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();  // [m] corners of a box or a grid, local
                                                          // origin
  std::array<std::int32_t, 3> cells = {1, 1, 1};          // of a grid, along x, y, z
  double volume = 0.0;                                    // [m3] of a cell, or of the bodies
  std::vector<std::uint8_t> counted = {};  // [n_bodies] 1: counts where it moves freely

  std::size_t n_cells() const {
    return static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]) *
           static_cast<std::size_t>(cells[2]);
  }
};

// Why a name cannot be that of a gauge, and so of tables; empty: it can.
inline std::string fault_of_gauge_name(const std::string& name) {
  constexpr std::size_t longest = 100;
  if (name.find('/') == std::string::npos && name.size() <= longest) return "";
  return "is part of the names of tables as well; must be at most 100 bytes without a /";
}

struct MeasureSettings {
  ImpactLogSettings impacts;
  std::vector<Screen> screens;
  BodyGroups groups;
  std::vector<Gauge> gauges;
  BodyIndex relative_to = -1;  // displacements are relative to this body; -1: to the ground

  bool wanted() const {
    return impacts.wanted() || !screens.empty() || groups.wanted() || !gauges.empty();
  }
};

}  // namespace scree
