#include "engine/model/contact_law.hpp"

namespace scree {
namespace {

// Of a point of a body, world axes.
MaterialIndex material_at(const Model& model, std::span<const Vector3> x, BodyIndex body,
                          const Vector3& point) {
  for (const ZonedBody& zoned : model.zoned) {
    if (zoned.body != body) continue;
    const Vector3 at = point - x[static_cast<std::size_t>(body)] - zoned.shift;
    return zoned.zones->at(at.x(), at.y());
  }
  return model.material[static_cast<std::size_t>(body)];
}

}  // namespace

const PairLaw& law_about(const Model& model, std::span<const Vector3> x, BodyIndex a, BodyIndex b,
                         const Vector3& point) {
  return *model.materials.at(material_at(model, x, a, point), material_at(model, x, b, point));
}

void find_zones(const Model& model, std::span<const Vector3> x, ContactSet& contacts) {
  if (model.zoned.empty()) return;
  const auto n = static_cast<std::int32_t>(model.materials.name.size());
  contacts.pair.resize(contacts.size());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const ContactKey& key = contacts.key[c];
    contacts.pair[c] = material_at(model, x, key.body_a, contacts.point_a[c]) * n +
                       material_at(model, x, key.body_b, contacts.point_b[c]);
  }
}

}  // namespace scree
