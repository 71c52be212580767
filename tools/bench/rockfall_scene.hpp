// scenes/benchmarks/wall_impact.toml, in the program: it works from any folder.
#pragma once

namespace scree::bench {

extern const char* const rockfall_scene;

}  // namespace scree::bench
