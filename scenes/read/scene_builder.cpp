#include "scenes/read/scene_builder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/scene_warnings.hpp"
#include "scenes/read/plane_mode.hpp"
#include "scenes/read/read_measures.hpp"
#include "scenes/read/table_reader.hpp"

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
  if (const std::string fault = fault_of_measured_name(definition.name); !fault.empty())
    document_.fail(place, field + ".name", in_quotes(definition.name) + fault);
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
  lock(definition, placement, place, field);
  group_of_body_.push_back(group_);
  if (definition.kind == BodyKind::dynamic) warn_of_matter(definition);
}

// Of the density, given or that of a given mass, and of a given inertia.
void SceneBuilder::warn_of_matter(const BodyDefinition& definition) {
  const BodyIndex body = scene_.model.n_bodies() - 1;
  WarningLog& log = scene_.state.warnings;
  const double volume = scene_.model.volume.back();
  if (definition.mass == 0.0) {
    warn_of_density(definition.density, body, log);
  } else if (volume > 0.0) {
    warn_of_density(definition.mass / volume, body, log);
  }
  if (definition.inertia.isZero(0.0) || !(volume > 0.0)) return;
  const MassProperties filled = mass_properties(std::span<const Shape>(parts_of(definition)));
  if (filled.volume > 0.0) {
    warn_of_inertia(definition.inertia, scene_.model.mass.back() / filled.volume * filled.inertia,
                    body, log);
  }
}

// What `free` and the plane leave free.
std::vector<std::string> SceneBuilder::free_names(const Placement& placement, Place place,
                                                  const std::string& field) const {
  const int normal = scene_.model.plane_normal;
  if (normal < 0) return *placement.free;
  const std::vector<std::string> in_plane = free_in_plane(normal);
  if (!placement.free) return in_plane;
  for (const std::string& name : *placement.free) {
    if (std::ranges::find(in_plane, name) != in_plane.end()) continue;
    document_.fail(place, field + ".free",
                   fmt::format("\"{}\" is not allowed in [world] plane = \"{}\"; must be among {}",
                               name, plane_name(normal), fmt::join(in_plane, ", ")));
  }
  return *placement.free;
}

void SceneBuilder::lock(const BodyDefinition& definition, const Placement& placement, Place place,
                        const std::string& field) {
  Model& model = scene_.model;
  State& state = scene_.state;
  const std::size_t i = state.x.size() - 1;
  if (model.plane_normal >= 0) {
    const std::string fault = out_of_plane(model, state, i, plane_);
    if (!fault.empty()) {
      document_.fail(place, field,
                     fmt::format("in [world] plane = \"{}\" the body \"{}\" {}",
                                 plane_name(model.plane_normal), definition.name, fault));
    }
  }
  if (definition.kind != BodyKind::dynamic || (model.plane_normal < 0 && !placement.free)) return;
  Freedom freedom;
  try {
    freedom = freedom_of(free_names(placement, place, field), model.inertia.back(), state.q.back());
  } catch (const InputError& error) {
    // "free: what is wrong", unless it has its place already.
    const std::string_view text = error.what();
    if (!text.starts_with("free: ")) throw;
    document_.fail_as(place, field + ".free", error);
  }
  const Vector3 spin = freedom.of_spin(state.w[i]);
  if (freedom.of_velocity(state.v[i]) != state.v[i])
    document_.fail(place, field + ".velocity", "has a part along a locked direction");
  if ((spin - state.w[i]).norm() > 1e-9 * state.w[i].norm())
    document_.fail(place, field + ".angular_velocity", "has a part about a locked axis");
  state.w[i] = spin;
  set_freedom(model, freedom);
}

BodyIndex SceneBuilder::body_named(const std::string& name, Place place,
                                   const std::string& field) const {
  const std::vector<std::string>& names = scene_.model.name;
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<BodyIndex>(found - names.begin());
  const std::string guess = nearest(name, names);
  document_.fail(place, field,
                 fmt::format("there is no body \"{}\"{}", name,
                             guess.empty() ? "" : "; did you mean \"" + guess + "\"?"));
}

void SceneBuilder::finish_loads() {
  for (const NamedLoad& load : loads_) body_named(load.body, load.place, "load.body");
  Model& model = scene_.model;
  for (const SteeredBody& steered : model.steered) {
    const Place place = scene_.body_place[static_cast<std::size_t>(steered.body)];
    for (std::int32_t k = steered.load_begin; k < steered.load_end; ++k) {
      std::optional<SpanArea>& span = model.loads[static_cast<std::size_t>(k)].span;
      if (!span) continue;
      std::array<Vector3, 2> x;
      for (std::size_t end = 0; end < 2; ++end) {
        span->wall[end] = body_named(span->between[end], place, "load.span.between");
        x[end] = scene_.state.x[static_cast<std::size_t>(span->wall[end])];
      }
      span->offset = span->length - span->axis.dot(x[1] - x[0]);
    }
  }
}

}  // namespace scree::scenes
