// What a run starts from: the rock that it draws, put on the ground.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/detect.hpp"
#include "engine/base/check.hpp"
#include "engine/departures.hpp"
#include "engine/scene_warnings.hpp"
#include "scenes/ensemble/ensemble.hpp"
#include "scenes/ensemble/release_place.hpp"
#include "scenes/site/clearance.hpp"

namespace scree::ensemble {
namespace {

RockStart drawn_start(const Ensemble& ensemble, const RunId& id) {
  const site::Site& site = ensemble.site();
  const site::Release& release = site.releases[static_cast<std::size_t>(id.release)];
  const ReleasePlace place = release_place(site, id);
  RockStart start;
  start.id = id;
  start.kind = &rock_of(site, id, place);
  Draws size = draws_of(site, id, Stream::size), form = draws_of(site, id, Stream::form);
  start.rock = drawn_rock(*start.kind, size, form);
  Draws turn = draws_of(site, id, Stream::orientation);
  const auto* point = place.point;
  start.label = point == nullptr ? "" : point->label;
  start.velocity = point != nullptr && point->velocity ? *point->velocity : release.velocity;
  start.spin = point != nullptr && point->spin ? *point->spin : release.spin;
  start.orientation = point != nullptr && point->orientation ? *point->orientation
                      : release.orientation                  ? *release.orientation
                                                             : drawn_orientation(turn);
  const double height =
      point != nullptr && point->z ? *point->z : -std::numeric_limits<double>::infinity();
  start.position = Vector3(place.x, place.y, height);
  return start;
}

// Appends the rock, as SceneBuilder does a [[body]].
void append(RockScene& scene) {
  const RockStart& start = scene.start;
  BodyDefinition definition;
  definition.name = "rock";
  while (std::ranges::find(scene.model.name, definition.name) != scene.model.name.end())
    definition.name += "-";
  definition.shape = start.rock.shape;
  definition.mass = start.rock.mass, definition.density = start.rock.density;
  definition.material = start.kind->material;
  add_body(scene.model, definition);
  scene.rock = scene.model.n_bodies() - 1;
  State& state = scene.state;
  const Quaternion q_WB = start.orientation.normalized() * scene.model.q_BU.back().conjugate();
  state.x.push_back(start.position);
  state.q.push_back(q_WB);
  state.v.push_back(start.velocity);
  state.w.push_back(start.spin.isZero(0.0) ? Vector3(Vector3::Zero())
                                           : Vector3(q_WB.conjugate() * start.spin));
  state.active.push_back(1);
  const double volume = scene.model.volume.back();
  if (definition.mass == 0.0)
    warn_of_density(definition.density, scene.rock, state.warnings);
  else if (volume > 0.0)
    warn_of_density(definition.mass / volume, scene.rock, state.warnings);
}

double depth_of(const RockScene& scene) {
  double depth = 0.0;
  for (const collision::Overlap& overlap :
       collision::find_overlaps(scene.model, {scene.state.x, scene.state.q}, scene.state.active,
                                scene.settings.overlap_tolerance)) {
    if (overlap.body_a == scene.rock || overlap.body_b == scene.rock)
      depth = std::max(depth, overlap.depth);
  }
  return depth;
}

void require_on_terrain(const RockScene& scene) {
  const std::vector<TerrainPart> terrains = terrains_of(scene.model);
  if (terrains.empty() ||
      is_on_terrain(scene.model, scene.state, terrains, static_cast<std::size_t>(scene.rock)))
    return;
  throw InputError(
      "the rock reaches beyond the rim of the terrain, or over cells without data, "
      "at its start");
}

// Up to the least clearance, unless it is higher already; and on until it touches nothing.
void lift(const Ensemble& ensemble, double drop, RockScene& scene) {
  const auto i = static_cast<std::size_t>(scene.rock);
  Vector3& x = scene.state.x[i];
  const double given = x.z();
  const site::GroundSurface::Point ground = ensemble.ground().at(x.x(), x.y());
  if (!std::isfinite(given)) x.z() = ground.height + scene.model.radius[i];
  const double clearance =
      site::rock_clearance(scene.model, scene.state, scene.rock, ensemble.ground());
  if (!std::isfinite(given) || clearance < drop) x.z() += drop - clearance;
  constexpr int most_lifts = 100;
  for (int k = 0; k < most_lifts; ++k) {
    const double depth = depth_of(scene);
    if (depth == 0.0) {
      scene.start.lifted = std::isfinite(given) ? x.z() - given : 0.0;
      scene.start.position = x;
      require_on_terrain(scene);
      return;
    }
    x.z() += depth / ground.normal.z() + 0.01 * drop;
  }
  throw InputError(
      fmt::format("the rock overlaps with the ground or a body at its start, and {} "
                  "lifts did not free it",
                  most_lifts));
}

std::string numbers(std::initializer_list<double> values) {
  std::string text = "[";
  for (const double value : values) text += fmt::format("{}{}", text.size() > 1 ? ", " : "", value);
  return text + "]";
}

std::string numbers(const Vector3& v) { return numbers({v.x(), v.y(), v.z()}); }

}  // namespace

RockScene rock_scene(const Ensemble& ensemble, std::size_t i) {
  const Scene& site = ensemble.scene();
  const RunId& id = ensemble.runs()[i];
  RockScene scene{drawn_start(ensemble, id), site.model, site.settings, site.state, 0};
  scene.settings.measure = {};
  append(scene);
  lift(ensemble, ensemble.site().releases[static_cast<std::size_t>(id.release)].drop, scene);
  return scene;
}

std::string rock_text(const RockStart& start, const Scene& scene, const std::string& name) {
  std::string text = fmt::format("[[body]]\nname = \"{}\"\n", name);
  if (const auto* ball = std::get_if<Sphere>(&start.rock.shape)) {
    text += fmt::format("kind = \"sphere\"\nradius = {}\n", ball->radius);
  } else if (start.rock.vertices.empty()) {
    const auto& box = std::get<ConvexPolyhedron>(start.rock.shape);
    text +=
        fmt::format("kind = \"box\"\nsides = {}\n", numbers(2.0 * box.vertices.front().cwiseAbs()));
  } else {
    text += "kind = \"convex\"\nvertices = [\n";
    for (const Vector3& vertex : start.rock.vertices) text += "  " + numbers(vertex) + ",\n";
    text += "]\n";
  }
  const auto material = static_cast<std::size_t>(start.kind->material);
  text += fmt::format("material = \"{}\"\n", scene.model.materials.name[material]);
  text += start.rock.mass > 0.0 ? fmt::format("mass = {}\n", start.rock.mass)
                                : fmt::format("density = {}\n", start.rock.density);
  const Quaternion& q = start.orientation;
  text += "position = " + numbers(start.position) + "\n";
  text += "orientation = " + numbers({q.w(), q.x(), q.y(), q.z()}) + "\n";
  text += "velocity = " + numbers(start.velocity) + "\n";
  return text + "angular_velocity = " + numbers(start.spin) + "\n";
}

}  // namespace scree::ensemble
