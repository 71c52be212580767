#include "scenes/read/grain_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "engine/base/limits.hpp"

namespace scree::scenes {
namespace {

// Sizes by default: largest over smallest 1.3, so that equal balls do not crystallise.
constexpr double mild_low = 0.87, mild_high = 1.13;

constexpr std::array<const char*, 9> generated = {"sphere",      "hull",       "tetrahedron",
                                                  "cube",        "octahedron", "dodecahedron",
                                                  "icosahedron", "cross",      "voronoi"};

void read_grain_shape(TableReader& reader, const ShapeTable& shapes, GrainRecipe& recipe) {
  recipe.shape = reader.need(reader.text("shape"), "shape",
                             "sphere, hull, cube, cross, voronoi, ..., or the name of a [[shape]]");
  const auto found = shapes.find(recipe.shape);
  if (found != shapes.end()) {
    recipe.drawn = {found->second.shape};
    recipe.drawn.insert(recipe.drawn.end(), found->second.further_parts.begin(),
                        found->second.further_parts.end());
    recipe.shape = "drawn";
    const Shape& first = recipe.drawn[0];
    if (!std::holds_alternative<Sphere>(first) &&
        !std::holds_alternative<ConvexPolyhedron>(first)) {
      reader.fail(
          "shape",
          fmt::format(
              "a shape of kind {} is not allowed; must be a sphere, box, convex or compound",
              shape_kind(first)));
    }
    return;
  }
  if (std::find(generated.begin(), generated.end(), recipe.shape) != generated.end()) return;
  std::vector<std::string> allowed(generated.begin(), generated.end());
  for (const auto& shape : shapes) allowed.push_back(shape.first);
  reader.fail_choice("shape", recipe.shape, allowed);
}

GradingCurve read_grading(TableReader reader) {
  GradingCurve curve;
  curve.size =
      reader.need(reader.numbers("size", positive("[m]")), "size", "ascending sizes > 0 [m]");
  curve.fraction = reader.need(reader.numbers("mass", not_negative("")), "mass",
                               "the mass fraction between each two sizes, summing to 1");
  reader.finish();
  return curve;
}

void read_sizes(TableReader& reader, GrainRecipe& recipe) {
  reader.exclude("size", "size_range"), reader.exclude("size", "grading"),
      reader.exclude("size_range", "grading");
  const std::optional<double> size = reader.number("size", positive("[m]"));
  const auto range = reader.numbers("size_range", positive("[m]"));
  const std::optional<TableReader> grading = reader.table("grading");
  if (grading) {
    recipe.grading = read_grading(*grading);
    at_key(reader, [&] { check_grading(*recipe.grading); });
  } else if (range) {
    if (range->size() != 2 || range->at(0) > range->at(1)) {
      reader.fail("size_range", "must be two sizes, the smaller first [m]");
    }
    recipe.low = range->at(0), recipe.high = range->at(1);
  } else {
    const double mean =
        reader.need(size, "size", positive("[m]").text() + ", or size_range or grading");
    recipe.low = mild_low * mean, recipe.high = mild_high * mean;
  }
  // Volumes of sizes beyond these would lose digits unnoticed.
  const double smallest = recipe.grading ? recipe.grading->size.front() : recipe.low,
               largest = recipe.grading ? recipe.grading->size.back() : recipe.high;
  if (smallest < admitted_length.low || largest > admitted_length.high) {
    reader.fail(grading ? "grading"
                : range ? "size_range"
                        : "size",
                fmt::format("sizes must be {}", admitted_length.text));
  }
}

}  // namespace

GrainRecipe read_grain_recipe(TableReader& reader, const ShapeTable& shapes) {
  GrainRecipe recipe;
  read_grain_shape(reader, shapes, recipe);
  read_sizes(reader, recipe);
  recipe.seed = read_seed(reader);
  recipe.hull.corners =
      static_cast<int>(reader.integer("corners", 6, 100).value_or(recipe.hull.corners));
  recipe.hull.sphericity = reader.number("sphericity", {.low = 0.5, .high = 0.99});
  recipe.hull.elongation = reader.number("elongation", {.low = 1.0, .high = 10.0}).value_or(1.0);
  recipe.thickness =
      reader.number("thickness", {.low = 0.05, .high = 0.95}).value_or(recipe.thickness);
  for (const char* key : {"corners", "sphericity", "elongation"}) {
    if (reader.has(key) && recipe.shape != "hull") reader.fail(key, "is for shape = \"hull\" only");
  }
  if (reader.has("thickness") && recipe.shape != "cross")
    reader.fail("thickness", "is for shape = \"cross\" only");
  return recipe;
}

std::vector<Grain> make_grains_at(const TableReader& reader, const GrainRecipe& recipe) {
  return at_key(reader, [&] { return make_grains(recipe); });
}

void add_grains(const TableReader& reader, const std::string& name,
                const std::vector<Grain>& grains, const std::vector<Vector3>& centres,
                BodyDefinition definition, const std::vector<Vector3>& velocities,
                std::uint64_t seed, SceneBuilder& builder) {
  Random random(~seed);
  for (std::size_t i = 0; i < grains.size(); ++i) {
    definition.name = fmt::format("{}-{}", name, i + 1);
    definition.shape = grains[i].parts[0];
    definition.further_parts.assign(grains[i].parts.begin() + 1, grains[i].parts.end());
    Placement placement;
    placement.position = centres[i];
    placement.q_WU = random.rotation();
    placement.v_W = velocities[i];
    builder.add(definition, placement, reader.place("name"), reader.path());
  }
}

}  // namespace scree::scenes
