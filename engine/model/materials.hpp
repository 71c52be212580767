// Contact laws by pair of materials.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/indices.hpp"

namespace scree {

enum class ImpactLaw { fremond, newton };

// Law of one pair of materials.
struct PairLaw {
  double mu = 0.0;  // [-] Coulomb friction, >= 0
  double e = 0.0;   // [-] restitution, in [0, 1]
  ImpactLaw law = ImpactLaw::fremond;
  double rolling = 0.0,
         spinning = 0.0;  // [-] >= 0: moment about the tangent axes, about the normal, at most this
                          // times the effective radius times the normal force

  bool resists_rolling() const { return rolling > 0.0 || spinning > 0.0; }
};

// Symmetric table; a pair without an entry is an error of the scene, found before the run starts.
struct MaterialTable {
  std::vector<std::string> name;                 // [n_materials]
  std::vector<std::optional<PairLaw>> pair_law;  // [n_materials * n_materials]

  const std::optional<PairLaw>& at(MaterialIndex a, MaterialIndex b) const {
    return pair_law[static_cast<std::size_t>(a) * name.size() + static_cast<std::size_t>(b)];
  }

  // Whether any pair resists rolling or spinning.
  bool resists_rolling() const {
    return std::any_of(pair_law.begin(), pair_law.end(),
                       [](const auto& pair) { return pair && pair->resists_rolling(); });
  }
};

}  // namespace scree
