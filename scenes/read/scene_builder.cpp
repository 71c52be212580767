#include "scenes/read/scene_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/scene_warnings.hpp"

namespace scree::scenes {
namespace {

// From the point that `position` is given for to the origin of the body's axes, in drawing axes
// [m]. That origin is the centre of mass `centre_U` of a dynamic body, but the origin of the
// drawing of a fixed one.
Vector3 origin_offset(const BodyDefinition& definition, Reference reference,
                      const Vector3& centre_U) {
  if (reference == Reference::drawing) return centre_U;
  const bool in_drawing = definition.kind != BodyKind::dynamic && !definition.centre_is_origin;
  return in_drawing ? Vector3(-mass_properties(std::span<const Shape>(parts_of(definition))).centre)
                    : Vector3(Vector3::Zero());
}

}  // namespace

void SceneBuilder::add(const BodyDefinition& drawn, const Placement& placement, Place place,
                       const std::string& field) {
  const auto names_it = [&](const NamedLoad& load) { return load.body == drawn.name; };
  if (std::ranges::none_of(loads_, names_it)) return append(drawn, placement, place, field);
  BodyDefinition definition = drawn;
  for (const NamedLoad& named : loads_) {
    if (!names_it(named)) continue;
    if (definition.kind != BodyKind::dynamic) {
      document_.fail(named.place, "load.body",
                     fmt::format("\"{}\" {}, so no force moves it; take the load away", named.body,
                                 definition.kind == BodyKind::fixed ? "is fixed"
                                                                    : "moves as its motion says"));
    }
    definition.loads.push_back(named.load);
  }
  append(definition, placement, place, field);
}

void SceneBuilder::append(const BodyDefinition& definition, const Placement& placement, Place place,
                          const std::string& field) {
  const auto [earlier, is_new] = named_.emplace(definition.name, place);
  if (!is_new) {
    document_.fail(place, field + ".name",
                   fmt::format("there is already a body \"{}\", from line {}; names must be unique",
                               definition.name, earlier->second.line));
  }
  Vector3 offset_U = Vector3::Zero();
  try {
    offset_U = origin_offset(definition, placement.reference, add_body(scene_.model, definition));
  } catch (const InputError& error) {
    document_.fail_as(place, field, error);
  }

  State& state = scene_.state;
  const Quaternion q_WB = placement.q_WU * scene_.model.q_BU.back().conjugate();
  state.x.push_back(placement.position + placement.q_WU * offset_U);
  state.q.push_back(q_WB);
  state.v.push_back(placement.v_W);
  state.w.push_back(placement.w_W.isZero(0.0) ? Vector3(Vector3::Zero())
                                              : Vector3(q_WB.conjugate() * placement.w_W));
  state.active.push_back(definition.appears_at > 0.0 ? 0 : 1);
  scene_.body_place.push_back(place);
  group_of_body_.push_back(group_);
  if (definition.kind == BodyKind::dynamic && definition.mass == 0.0) {
    warn_of_density(definition.density, scene_.model.n_bodies() - 1, state.warnings);
  }
}

void SceneBuilder::check_loads() const {
  for (const NamedLoad& load : loads_) {
    if (named_.contains(load.body)) continue;
    std::vector<std::string> names;
    for (const auto& body : named_) names.push_back(body.first);
    const std::string guess = nearest(load.body, names);
    document_.fail(load.place, "load.body",
                   fmt::format("there is no body \"{}\"{}", load.body,
                               guess.empty() ? "" : "; did you mean \"" + guess + "\"?"));
  }
}

}  // namespace scree::scenes
