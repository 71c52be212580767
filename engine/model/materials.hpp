// Contact laws by pair of materials.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/indices.hpp"

namespace scree {

// Number of an impact law in the table of laws (contact/laws/laws.hpp); only those that are asked
// for by name in code have one here.
enum class ImpactLaw : std::int32_t { fremond = 0, newton = 1 };

// Numbers that a pair may have besides friction and restitution, all laws together.
inline constexpr std::size_t most_law_numbers = 16;

// Law of one pair of materials. Friction and restitution are every law's; what the further numbers
// are is said by the table of laws alone.
struct PairLaw {
  double mu = 0.0;  // [-] Coulomb friction, >= 0
  double e = 0.0;   // [-] restitution, in [0, 1]
  ImpactLaw law = ImpactLaw::fremond;
  std::array<double, most_law_numbers> numbers = {};
};

// Symmetric table; a pair without an entry is an error of the scene, found before the run starts.
struct MaterialTable {
  std::vector<std::string> name;                 // [n_materials]
  std::vector<std::optional<PairLaw>> pair_law;  // [n_materials * n_materials]

  const std::optional<PairLaw>& at(MaterialIndex a, MaterialIndex b) const {
    return pair_law[static_cast<std::size_t>(a) * name.size() + static_cast<std::size_t>(b)];
  }
};

}  // namespace scree
