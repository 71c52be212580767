// Keys that [[grains]] and [column] share.
#pragma once

#include "scenes/generate/grains.hpp"
#include "scenes/read/read_body.hpp"

namespace scree::scenes {

// Everything of a recipe but the number of grains.
GrainRecipe read_grain_recipe(TableReader& reader, const ShapeTable& shapes);

// make_grains, with errors at their keys.
std::vector<Grain> make_grains_at(const TableReader& reader, const GrainRecipe& recipe);

// A body for each grain, named NAME-1, NAME-2, ..., at its centre [m], turned at random, all with
// velocities [m/s].
void add_grains(const TableReader& reader, const std::string& name,
                const std::vector<Grain>& grains, const std::vector<Vector3>& centres,
                BodyDefinition definition, const std::vector<Vector3>& velocities,
                std::uint64_t seed, SceneBuilder& builder);

}  // namespace scree::scenes
