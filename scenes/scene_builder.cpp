#include "scenes/scene_builder.hpp"

#include <fmt/format.h>

namespace scree::scenes {

void SceneBuilder::add(const BodyDefinition& definition, const Placement& placement, Place place,
                       const std::string& field) {
  const auto [earlier, is_new] = named_.emplace(definition.name, place);
  if (!is_new) {
    document_.fail(place, field + ".name",
                   fmt::format("there is already a body \"{}\", from line {}; names must be unique", definition.name,
                               earlier->second.line));
  }
  Vector3 centre_U = Vector3::Zero();
  try {
    centre_U = add_body(scene_.model, definition);
  } catch (const InputError& error) {
    document_.fail_as(place, field, error);
  }

  State& state = scene_.state;
  const Quaternion q_WB = placement.q_WU * scene_.model.q_BU.back().conjugate();
  const bool from_drawing = placement.reference == Reference::drawing;
  state.x.push_back(from_drawing ? Vector3(placement.position + placement.q_WU * centre_U) : placement.position);
  state.q.push_back(q_WB);
  state.v.push_back(placement.v_W);
  state.w.push_back(placement.w_W.isZero(0.0) ? Vector3(Vector3::Zero()) : Vector3(q_WB.conjugate() * placement.w_W));
  state.active.push_back(definition.appears_at > 0.0 ? 0 : 1);
}

}  // namespace scree::scenes
