// The law of a contact: of the materials of its bodies, or where a ground has zones, of the place.
#pragma once

#include <optional>
#include <span>

#include "engine/model/bodies.hpp"
#include "engine/model/contact_set.hpp"

namespace scree {

// By the materials of two bodies, wherever they touch: the law of their contacts, and of what is
// the same in all zones of a ground (laws that remember are; check_settings sees to it).
inline const PairLaw& law_between(const Model& model, BodyIndex a, BodyIndex b) {
  return *model.materials.at(model.material[static_cast<std::size_t>(a)],
                             model.material[static_cast<std::size_t>(b)]);
}

inline const std::optional<PairLaw>& law_of(const ContactSet& contacts, std::size_t c,
                                            const MaterialTable& materials,
                                            std::span<const MaterialIndex> material) {
  if (!contacts.pair.empty()) return materials.pair_law[static_cast<std::size_t>(contacts.pair[c])];
  const ContactKey& key = contacts.key[c];
  return materials.at(material[static_cast<std::size_t>(key.body_a)],
                      material[static_cast<std::size_t>(key.body_b)]);
}

inline const PairLaw& law_of(const Model& model, const ContactSet& contacts, ContactIndex c) {
  return *law_of(contacts, static_cast<std::size_t>(c), model.materials, model.material);
}

// Of two bodies that touch about a point [m], world axes.
const PairLaw& law_about(const Model& model, std::span<const Vector3> x, BodyIndex a, BodyIndex b,
                         const Vector3& point);

// Fills in contacts.pair; leaves it empty in models without zones.
void find_zones(const Model& model, std::span<const Vector3> x, ContactSet& contacts);

}  // namespace scree
