#include "scenes/read/ground_preset.hpp"

namespace scree::scenes {

namespace {

GroundPreset preset(const char* name, const char* meaning, double mu, double recovery, double rate,
                    double drag, double mu_slip = 2.0) {
  return {name,
          meaning,
          {{"mu", mu},
           {"e", 0.0},
           {"mu_slip", mu_slip},
           {"slip_rate", rate},
           {"slip_recovery", recovery},
           {"scar_drag", drag}}};
}

}  // namespace

const std::vector<GroundPreset>& ground_presets() {
  static const std::vector<GroundPreset> list = {
      preset("extra_soft", "moor, very wet ground: one sinks in", 0.20, 50.0, 1.0, 0.9),
      preset("soft", "deep wet meadow: rocks leave deep scars", 0.25, 100.0, 1.25, 0.8),
      preset("medium_soft", "meadow, deep soil", 0.30, 125.0, 1.5, 0.7),
      preset("medium", "meadow on stony soil: rocks leave flat scars", 0.35, 150.0, 2.0, 0.6),
      preset("medium_hard", "stony meadow, forest road", 0.40, 175.0, 2.5, 0.55),
      preset("hard", "scree, gravel road: rocks leave hardly a scar", 0.55, 185.0, 3.0, 0.4),
      preset("extra_hard", "bedrock", 0.80, 200.0, 4.0, 0.3),
      preset("snow", "snow: rocks slide", 0.10, 150.0, 2.0, 0.7, 0.35)};
  return list;
}

}  // namespace scree::scenes
