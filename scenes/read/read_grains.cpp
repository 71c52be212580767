#include "scenes/read/read_grains.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "scenes/generate/column.hpp"
#include "scenes/generate/voronoi_fragments.hpp"
#include "scenes/read/grain_keys.hpp"

namespace scree::scenes {
namespace {

constexpr std::int64_t most_grains = 1000000;
constexpr double least_side =
    1e-4;  // [-] of the largest side of a block: cells of thinner ones are flat
constexpr double default_packing = 0.58;  // [-] of angular grains let fall with friction
constexpr double default_width = 5.0;     // [-] of a slice, in mean sizes

FillRegion read_region(TableReader reader) {
  static const Choices<bool> kinds = {{"cylinder", true}, {"box", false}};
  const Range length = positive("[m]");
  FillRegion region;
  region.round = reader.need(reader.choice("kind", kinds), "kind", "cylinder or box");
  if (region.round) {
    region.radius = reader.need(reader.number("radius", length), "radius", length.text());
  } else {
    region.length =
        reader.need(reader.number("length", length), "length", length.text() + ", along x");
    region.width =
        reader.need(reader.number("width", length), "width", length.text() + ", along y");
  }
  region.height = reader.number("height", length).value_or(std::numeric_limits<double>::infinity());
  reader.finish();
  return region;
}

struct ColumnKeys {
  bool round = false, has_release = false;
  double aspect = 1.0, width = 0.0, packing = default_packing, release = 0.0, lift_speed = 0.0;
  MaterialIndex base = 0, wall = 0, side = 0;
};

MaterialIndex read_other_material(TableReader& reader, const MaterialNames& materials,
                                  const char* key, MaterialIndex usual) {
  const std::optional<std::string> name = reader.text(key);
  if (!name) return usual;
  const auto found = materials.index.find(*name);
  if (found != materials.index.end()) return found->second;
  std::vector<std::string> allowed;
  for (const auto& entry : materials.index) allowed.push_back(entry.first);
  reader.fail_choice(key, *name, allowed);
}

ColumnKeys read_column_keys(TableReader& reader, const MaterialNames& materials,
                            MaterialIndex grain) {
  static const Choices<bool> kinds = {{"axisymmetric", true}, {"slice", false}};
  ColumnKeys keys;
  keys.round = reader.need(reader.choice("kind", kinds), "kind", "axisymmetric or slice");
  const Range aspect = {.low = 0.05, .high = 100.0};
  keys.aspect = reader.need(reader.number("aspect", aspect), "aspect", aspect.text());
  keys.packing = reader.number("packing", {.low = 0.1, .high = 0.9}).value_or(default_packing);
  keys.base = read_other_material(reader, materials, "base_material", grain);
  keys.wall = read_other_material(reader, materials, "wall_material", keys.base);
  keys.side = read_other_material(reader, materials, "side_material", keys.wall);
  if (!keys.round && !reader.has("side_material")) {
    reader.fail_missing(
        "side_material",
        "the material of the side walls of the slice, with mu = 0 against the grains");
  }
  const std::optional<double> release = reader.number("release", not_negative("[s]"));
  keys.has_release = release.has_value();
  keys.release = release.value_or(0.0);
  const std::optional<double> lift = reader.number("lift_speed", positive("[m/s]"));
  if (lift && !release)
    reader.fail("lift_speed", "needs release, the time at which the gate is lifted [s]");
  keys.lift_speed = lift.value_or(0.0);
  return keys;
}

void add_fixed(const TableReader& reader, const std::string& name, const Shape& shape,
               const Vector3& x, MaterialIndex material, SceneBuilder& builder) {
  BodyDefinition wall;
  wall.name = name;
  wall.kind = BodyKind::fixed;
  wall.shape = shape;
  wall.centre_is_origin = true;
  wall.material = material;
  Placement placement;
  placement.position = x;
  builder.add(wall, placement, reader.place("kind"), reader.path());
}

// The gate: gone from `release` on, or lifted from then on; of a column that is not released, there
// for good.
void add_gate(const TableReader& reader, const ColumnKeys& keys, const ColumnLayout& column,
              double top, SceneBuilder& builder) {
  BodyDefinition gate;
  gate.name = "gate";
  gate.kind = BodyKind::fixed;
  gate.centre_is_origin = true;
  gate.material = keys.wall;
  Placement placement;
  const bool lifted = keys.lift_speed > 0.0;
  if (keys.round) {
    CylinderWall wall;
    wall.radius = column.length;
    if (lifted) wall.bottom = 0.0, wall.top = top;
    gate.shape = wall;
  } else if (lifted) {
    // A plate behind the plane x = length, as thick as the slice is wide.
    gate.shape = make_box({column.width, column.width, top});
    placement.position = Vector3(column.length + 0.5 * column.width, 0.0, 0.5 * top);
  } else {
    gate.shape = HalfSpace{-Vector3::UnitX(), -column.length};
  }
  if (lifted) {
    gate.kind = BodyKind::driven;
    const Vector3 up(0.0, 0.0, keys.lift_speed);
    gate.history = {HistoryKind::velocity, {}, {keys.release}, {up}, {Vector3::Zero()}};
    if (keys.release > 0.0) {
      const double start = keys.release * (1.0 - 1e-9);
      gate.history.time.insert(gate.history.time.begin(), start);
      gate.history.linear.insert(gate.history.linear.begin(), Vector3::Zero());
      gate.history.angular.push_back(Vector3::Zero());
    } else {
      placement.v_W = up;
    }
    gate.vanishes_at = keys.release + 1.5 * column.height / keys.lift_speed;
  } else if (keys.has_release && keys.release == 0.0) {
    return;
  } else if (keys.has_release) {
    gate.vanishes_at = keys.release;
  }
  builder.add(gate, placement, reader.place("kind"), reader.path());
}

// Mean volume of a grain of the recipe, from many: a column of a given length has as many as fill
// it.
double mean_volume(const TableReader& reader, GrainRecipe recipe) {
  recipe.shape = "sphere";
  recipe.count = 10000;
  const std::vector<Grain> sample = make_grains_at(reader, recipe);
  return volume_of(sample) / static_cast<double>(sample.size());
}

}  // namespace

void read_grains(TableReader& reader, const MaterialNames& materials, const ShapeTable& shapes,
                 SceneBuilder& builder) {
  const std::string name = reader.name();
  const BodyDefinition definition = read_generated_definition(reader, materials);
  GrainRecipe recipe = read_grain_recipe(reader, shapes);
  recipe.count = read_count(reader, "count", most_grains);
  const FillRegion region = read_region(
      reader.need(reader.table("region"), "region", "a table with kind = cylinder or box"));
  const Vector3 base = reader.vector("position", any("[m]")).value_or(Vector3::Zero());
  const Vector3 velocity = reader.vector("velocity", any("[m/s]")).value_or(Vector3::Zero());
  const Vector3 gradient =
      reader.vector("velocity_gradient", any("[1/s]")).value_or(Vector3::Zero());
  reader.finish();
  at_key(reader, [&] { require_room(recipe, region); });
  const std::vector<Grain> grains = make_grains_at(reader, recipe);
  Random random(recipe.seed);
  std::vector<Vector3> centres =
      at_key(reader, [&] { return fill_positions(grains, region, random); });
  std::vector<Vector3> velocities;
  velocities.reserve(centres.size());
  for (Vector3& centre : centres) {
    velocities.emplace_back(velocity + centre.z() * gradient);
    centre += base;
  }
  add_grains(reader, name, grains, centres, definition, velocities, recipe.seed, builder);
}

void read_fragments(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder) {
  const std::string name = reader.name();
  BodyDefinition definition = read_generated_definition(reader, materials);
  const Vector3 sides =
      reader.need(reader.vector("sides", positive("[m]")), "sides", "three lengths > 0 [m]");
  if (sides.minCoeff() < least_side * sides.maxCoeff()) {
    reader.fail(
        "sides",
        fmt::format("{} beside {} is not allowed; must be at least {:g} of the largest side [m]",
                    sides.minCoeff(), sides.maxCoeff(), least_side));
  }
  const int count = read_count(reader, "count", most_grains);
  const std::uint64_t seed = read_seed(reader);
  Placement placement;
  placement.reference = Reference::drawing;
  placement.position = reader.vector("position", any("[m]")).value_or(Vector3::Zero());
  placement.q_WU = read_orientation(reader);
  reader.finish();
  int number = 0;
  for (Corners corners : voronoi_fragments(sides, count, seed)) {
    for (Vector3& corner : corners) corner -= Vector3(0.5 * sides.x(), 0.5 * sides.y(), 0.0);
    definition.name = fmt::format("{}-{}", name, ++number);
    definition.shape = at_key(
        reader, [&] { return make_convex_polyhedron(without_short_edges(corners)); }, "sides");
    builder.add(definition, placement, reader.place("name"), reader.path());
  }
}

void read_column(TableReader& reader, const MaterialNames& materials, const ShapeTable& shapes,
                 SceneBuilder& builder) {
  const std::string name = reader.text("name").value_or("grain");
  const BodyDefinition definition = read_generated_definition(reader, materials);
  GrainRecipe recipe = read_grain_recipe(reader, shapes);
  const ColumnKeys keys = read_column_keys(reader, materials, definition.material);
  reader.exclude("grains", "length");
  const std::optional<std::int64_t> count = reader.integer("grains", 1, most_grains);
  const std::optional<double> length = reader.number("length", positive(""));
  if (!count && !length)
    reader.fail_missing("grains",
                        fmt::format("an integer in [1, {}], or length in mean sizes", most_grains));
  const std::optional<double> width = reader.number("width", positive(""));
  if (width && keys.round) reader.fail("width", "is for a slice only");
  reader.finish();

  const double volume = mean_volume(reader, recipe), size = cube_root(volume * 6.0 / M_PI);
  const double slice = width.value_or(default_width) * size;
  const double wanted =
      count ? static_cast<double>(*count)
            : column_grains(keys.round, keys.aspect, *length * size, slice, volume, keys.packing);
  if (!(wanted <= most_grains))
    reader.fail("length", fmt::format("{:g} mean sizes take {:.3g} grains; at most {}", *length,
                                      wanted, most_grains));
  recipe.count = static_cast<int>(wanted);
  const std::vector<Grain> grains = make_grains_at(reader, recipe);
  const ColumnLayout column =
      column_layout(keys.round, keys.aspect, slice, volume_of(grains), keys.packing);
  FillRegion region{keys.round, column.length, column.length, column.width,
                    std::numeric_limits<double>::infinity()};
  Random random(recipe.seed);
  std::vector<Vector3> centres =
      at_key(reader, [&] { return fill_positions(grains, region, random); });
  double top = column.height;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    if (!keys.round) centres[i].x() += 0.5 * column.length;
    top = std::max(top, centres[i].z() + grains[i].radius);
  }
  add_fixed(reader, "base", HalfSpace{}, Vector3::Zero(), keys.base, builder);
  if (!keys.round) {
    add_fixed(reader, "back", HalfSpace{Vector3::UnitX(), 0.0}, Vector3::Zero(), keys.wall,
              builder);
    add_fixed(reader, "side-1", HalfSpace{Vector3::UnitY(), -0.5 * column.width}, Vector3::Zero(),
              keys.side, builder);
    add_fixed(reader, "side-2", HalfSpace{-Vector3::UnitY(), -0.5 * column.width}, Vector3::Zero(),
              keys.side, builder);
  }
  add_gate(reader, keys, column, top, builder);
  add_grains(reader, name, grains, centres, definition,
             std::vector<Vector3>(centres.size(), Vector3::Zero()), recipe.seed, builder);
}

}  // namespace scree::scenes
