#include "scenes/read/read_generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scenes/generate/block_pyramid.hpp"
#include "scenes/generate/irregular_rock.hpp"
#include "scenes/generate/masonry_wall.hpp"
#include "scenes/generate/rough_plate.hpp"
#include "scenes/generate/voussoir_arch.hpp"

namespace scree::scenes {
namespace {

// [-] by which a plate may miss the period and join it, and from where on it is another thing.
constexpr double joined_share = 1e-3, meant_share = 0.5;

constexpr std::int64_t most_courses = 1000;
constexpr std::int64_t most_in_wall = 1000000;
constexpr std::int64_t most_in_course = 100000;
constexpr double most_in_plate = 1e5;          // grains
constexpr std::int64_t most_in_pyramid = 200;  // courses, and blocks along a side
constexpr std::int64_t most_in_stack = 10000;
constexpr std::int64_t most_voussoirs = 1000;
constexpr double least_slenderness =
    1e-6;  // thinner voussoirs are flat to the hull of their corners

Buttresses read_buttresses(TableReader reader) {
  Buttresses buttresses;
  buttresses.positions =
      reader.need(reader.numbers("positions", any("[m]")), "positions", "an array of numbers [m]");
  const char* expected = "a multiple of 0.5 in [0.5, 1000]";
  const double blocks = reader.need(reader.number("blocks", any("")), "blocks", expected);
  reader.expect("blocks", expected);
  if (!(blocks >= 0.5 && blocks <= 1000.0) || 2.0 * blocks != std::floor(2.0 * blocks)) {
    reader.fail("blocks", fmt::format("{} is not allowed; must be {}", blocks, expected));
  }
  buttresses.half_blocks = static_cast<int>(2.0 * blocks);
  buttresses.courses = read_count(reader, "courses", most_courses);
  buttresses.gap_odd = reader.number("gap_odd", any("[m]")).value_or(0.0);
  buttresses.gap_even = reader.number("gap_even", any("[m]")).value_or(0.0);
  buttresses.turned_blocks = reader.boolean("turned_blocks").value_or(false);
  reader.finish();
  return buttresses;
}

MasonryWall read_wall_layout(TableReader& reader) {
  static const Choices<WallEnds> ends = {{"raking", WallEnds::raking},
                                         {"straight", WallEnds::straight}};
  MasonryWall wall;
  wall.block =
      reader.need(reader.vector("block", positive("[m]")), "block", "three lengths > 0 [m]");
  wall.courses = read_count(reader, "courses", most_courses);
  wall.first_course = read_count(reader, "first_course", most_in_course);
  wall.ends = reader.choice("ends", ends).value_or(wall.ends);
  wall.rake = static_cast<int>(reader.integer("rake", 1, most_courses).value_or(wall.rake));
  if (wall.ends == WallEnds::straight && reader.has("rake"))
    reader.fail("rake", "a wall with straight ends has none");
  if (std::int64_t{wall.courses} * wall.first_course > most_in_wall) {
    reader.fail(
        "courses",
        fmt::format("{} courses of up to {} blocks are not allowed; a wall has at most {} blocks",
                    wall.courses, wall.first_course, most_in_wall));
  }
  const int highest = (wall.first_course - 1) / wall.rake + 1;
  if (wall.ends == WallEnds::raking && wall.courses > highest) {
    reader.fail(
        "courses",
        fmt::format("{} is not allowed; must be at most {}, as the first course has {} and each "
                    "course of this wall {} fewer than the one below",
                    wall.courses, highest, wall.first_course, wall.rake));
  }
  wall.joint_along = reader.number("joint_along", not_negative("[m]")).value_or(0.0);
  wall.joint_up = reader.number("joint_up", not_negative("[m]")).value_or(0.0);
  const std::optional<TableReader> buttresses = reader.table("buttresses");
  if (buttresses) wall.buttresses = read_buttresses(*buttresses);
  return wall;
}

VoussoirArch read_arch_layout(TableReader& reader) {
  VoussoirArch arch;
  arch.voussoirs =
      static_cast<int>(reader.need(reader.integer("voussoirs", 2, most_voussoirs), "voussoirs",
                                   fmt::format("an integer in [2, {}]", most_voussoirs)));
  const Range length = positive("[m]");
  arch.radius = reader.need(reader.number("radius", length), "radius", length.text());
  arch.thickness = reader.need(reader.number("thickness", length), "thickness", length.text());
  if (arch.thickness >= 2.0 * arch.radius) {
    reader.fail("thickness",
                fmt::format("{} is not allowed; must be less than twice the radius, {}",
                            arch.thickness, 2.0 * arch.radius));
  }
  arch.depth = reader.need(reader.number("depth", length), "depth", length.text());
  const double largest = std::max({arch.radius, arch.thickness, arch.depth});
  for (const auto& [key, value] :
       {std::pair("radius", arch.radius), std::pair("thickness", arch.thickness),
        std::pair("depth", arch.depth)}) {
    if (value < least_slenderness * largest) {
      reader.fail(key, fmt::format("{} is not allowed; must be at least {:g} of the largest of "
                                   "radius, thickness and depth, {} [m]",
                                   value, least_slenderness, largest));
    }
  }
  return arch;
}

BlockPyramid read_pyramid_layout(TableReader& reader) {
  BlockPyramid pyramid;
  pyramid.block =
      reader.need(reader.vector("block", positive("[m]")), "block", "three lengths > 0 [m]");
  pyramid.first_course = read_count(reader, "first_course", most_in_pyramid);
  pyramid.courses = static_cast<int>(
      reader.integer("courses", 1, pyramid.first_course).value_or(pyramid.first_course));
  reader.expect("courses", "an integer in [1, `first_course`]");
  pyramid.joint_along = reader.number("joint_along", not_negative("[m]")).value_or(0.0);
  pyramid.joint_up = reader.number("joint_up", not_negative("[m]")).value_or(0.0);
  return pyramid;
}

IrregularRock read_rock_recipe(TableReader& reader) {
  IrregularRock rock;
  rock.seed = read_seed(reader);
  rock.corners = static_cast<int>(reader.integer("corners", 6, 1000).value_or(rock.corners));
  rock.irregularity =
      reader.number("irregularity", {.low = 0.0, .high = 0.9}).value_or(rock.irregularity);
  rock.proportions = reader.vector("proportions", positive("")).value_or(rock.proportions);
  return rock;
}

}  // namespace

void read_wall(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder) {
  const std::string name = reader.name();
  BodyDefinition definition = read_generated_definition(reader, materials);
  const MasonryWall wall = read_wall_layout(reader);
  const Vector3 position = reader.vector("position", any("[m]")).value_or(Vector3::Zero());
  const Quaternion q_W = read_orientation(reader);
  reader.finish();
  for (const MasonryBlock& block : build_masonry_wall(wall)) {
    definition.name = name + "-" + block.name;
    definition.shape = at_key(
        reader, [&] { return make_box(block.sides); }, "block");
    Placement placement;
    placement.position = position + q_W * block.pose.x;
    placement.q_WU = q_W * block.pose.q;
    builder.add(definition, placement, reader.place("name"), reader.path());
  }
}

void read_rock(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder) {
  std::optional<std::vector<Vector3>> vertices = reader.points("vertices", any("[m]"));
  for (const char* key : {"seed", "corners", "irregularity", "proportions"}) {
    reader.exclude(key, "vertices");
  }
  const IrregularRock recipe = read_rock_recipe(reader);
  const std::optional<double> size = reader.number("size", positive("[m]"));
  if (!vertices && !size) reader.fail_missing("size", positive("[m]").text());
  std::vector<Vector3> points = vertices ? std::move(*vertices) : irregular_rock(recipe);
  if (size && !points.empty()) points = scaled_to(points, *size);
  DrawnShape shape;
  shape.shape = at_key(
      reader, [&] { return make_convex_polyhedron(points); },
      reader.has("proportions") ? "proportions" : "seed");
  read_body(reader, materials, shape, builder);
}

// A plate as long as the period joins its own images. One that lies across it, turned or far
// shorter, is meant to be none such.
void warn_of_plate(const RoughPlate& plate, SceneBuilder& builder) {
  const Model& model = builder.scene().model;
  if (!model.cell.is_periodic()) return;
  const BodyIndex body = model.n_bodies() - 1;
  const auto i = static_cast<std::size_t>(body);
  const Matrix3 R = (builder.scene().state.q[i] * model.q_BU[i]).toRotationMatrix();
  for (int side = 0; side < 2; ++side) {
    int axis = 0;
    R.col(side).cwiseAbs().maxCoeff(&axis);
    const double period = model.cell.length(axis), length = side == 0 ? plate.length : plate.width;
    const double share = std::abs(length - period) / period;
    if (period > 0.0 && share > joined_share && share < meant_share)
      builder.warnings().raise(Warning::plate_length, share, {body});
  }
}

void read_rough_plate(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder) {
  const Range length = positive("[m]");
  RoughPlate plate;
  plate.length = reader.need(reader.number("length", length), "length", length.text());
  plate.width = reader.need(reader.number("width", length), "width", length.text());
  plate.grain = reader.need(reader.number("grain", length), "grain", length.text());
  plate.roughness = reader.number("roughness", {.low = 0.0, .high = 0.5}).value_or(plate.roughness);
  plate.seed = read_seed(reader);
  const double places =
      plate.length / plate.grain * (plate.width / plate.grain) * 2.0 / std::sqrt(3.0);
  if (!(places <= most_in_plate)) {
    reader.fail("grain", fmt::format("{:.3g} grains are not allowed; at most {} are", places,
                                     most_in_plate));
  }
  if (const PlateRows rows = plate_rows(plate); rows.along < 1 || rows.rows < 2) {
    reader.fail("grain", fmt::format("{} m is not allowed; must be at most the length, {} m, and "
                                     "width / sqrt(3), {:.6g} m, for two rows of grains",
                                     plate.grain, plate.length, plate.width / std::sqrt(3.0)));
  }
  DrawnShape shape;
  for (const Corners& corners : rough_plate(plate)) {
    Shape grain = at_key(
        reader, [&] { return make_convex_polyhedron(corners); }, "grain");
    if (shape.further_parts.empty() && std::holds_alternative<Sphere>(shape.shape))
      shape.shape = std::move(grain);
    else
      shape.further_parts.push_back(std::move(grain));
  }
  const std::int32_t before = builder.scene().model.n_bodies();
  read_body(reader, materials, shape, builder);
  if (builder.scene().model.n_bodies() > before) warn_of_plate(plate, builder);
}

void read_arch(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder) {
  const std::string name = reader.name();
  BodyDefinition definition = read_generated_definition(reader, materials);
  const VoussoirArch arch = read_arch_layout(reader);
  Placement placement;
  placement.reference = Reference::drawing;
  placement.position = reader.vector("position", any("[m]")).value_or(Vector3::Zero());
  placement.q_WU = read_orientation(reader);
  reader.finish();
  int number = 0;
  for (const std::vector<Vector3>& corners : build_voussoir_arch(arch)) {
    definition.name = fmt::format("{}-{}", name, ++number);
    definition.shape = at_key(
        reader, [&] { return make_convex_polyhedron(corners); }, "thickness");
    builder.add(definition, placement, reader.place("name"), reader.path());
  }
}

void read_pyramid(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder) {
  const std::string name = reader.name();
  BodyDefinition definition = read_generated_definition(reader, materials);
  const BlockPyramid pyramid = read_pyramid_layout(reader);
  const Vector3 position = reader.vector("position", any("[m]")).value_or(Vector3::Zero());
  const Quaternion q_W = read_orientation(reader);
  reader.finish();
  definition.shape = at_key(
      reader, [&] { return make_box(pyramid.block); }, "block");
  for (const PyramidBlock& block : build_block_pyramid(pyramid)) {
    definition.name = name + "-" + block.name;
    Placement placement;
    placement.position = position + q_W * block.centre;
    placement.q_WU = q_W;
    builder.add(definition, placement, reader.place("name"), reader.path());
  }
}

void read_stack(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder) {
  const std::string name = reader.name();
  BodyDefinition definition = read_generated_definition(reader, materials);
  const int count = read_count(reader, "count", most_in_stack);
  const Vector3 sides =
      reader.need(reader.vector("sides", positive("[m]")), "sides", "three lengths > 0 [m]");
  const double gap = reader.number("gap", not_negative("[m]")).value_or(0.0);
  const Vector3 base = reader.vector("position", any("[m]")).value_or(Vector3::Zero());
  reader.finish();
  definition.shape = at_key(reader, [&] { return make_box(sides); });
  for (int i = 0; i < count; ++i) {
    definition.name = fmt::format("{}-{}", name, i + 1);
    Placement placement;
    placement.position = base + Vector3(0.0, 0.0, 0.5 * sides.z() + i * (sides.z() + gap));
    builder.add(definition, placement, reader.place("name"), reader.path());
  }
}

}  // namespace scree::scenes
