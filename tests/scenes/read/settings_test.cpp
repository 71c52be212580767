#include "engine/settings.hpp"

#include <catch2/catch.hpp>

#include "engine/base/check.hpp"

namespace settings_test {

using namespace scree;

namespace {

// Two materials and, of each, as many fixed and dynamic bodies as asked.
Model model_of(int fixed_0, int dynamic_0, int fixed_1, int dynamic_1) {
  Model model;
  model.materials.name = {"m0", "m1"};
  model.materials.pair_law.assign(4, std::nullopt);
  const int counts[2][2] = {{fixed_0, dynamic_0}, {fixed_1, dynamic_1}};
  for (MaterialIndex material = 0; material < 2; ++material) {
    for (const BodyKind kind : {BodyKind::fixed, BodyKind::dynamic}) {
      for (int i = 0; i < counts[material][kind == BodyKind::dynamic ? 1 : 0]; ++i) {
        model.name.push_back("body " + std::to_string(model.name.size()));
        model.kind.push_back(kind);
        model.material.push_back(material);
      }
    }
  }
  return model;
}

void set_law(Model& model, std::size_t a, std::size_t b, PairLaw law) {
  model.materials.pair_law[2 * a + b] = model.materials.pair_law[2 * b + a] = law;
}

Settings settings_with_theta(double theta) {
  Settings settings;
  settings.time = {.dt = 1e-3, .end = 1.0, .theta = theta};
  return settings;
}

bool accepted(const Model& model, double theta) {
  try {
    check_settings(model, settings_with_theta(theta));
  } catch (const InputError&) {
    return false;
  }
  return true;
}

}  // namespace

TEST_CASE("Settings demand a law only for pairs of materials that can meet", "[scenes][unit]") {
  CHECK(accepted(model_of(3, 0, 2, 0), 0.5));        // fixed bodies never meet
  CHECK(accepted(model_of(0, 1, 0, 0), 0.5));        // one body alone
  CHECK_FALSE(accepted(model_of(0, 2, 0, 0), 0.5));  // 0 with 0
  CHECK_FALSE(accepted(model_of(1, 1, 0, 0), 0.5));  // 0 with 0
  CHECK_FALSE(accepted(model_of(0, 1, 1, 0), 0.5));  // 0 with 1
  CHECK_FALSE(accepted(model_of(1, 0, 0, 1), 0.5));  // 0 with 1
  Model model = model_of(1, 0, 0, 1);
  set_law(model, 0, 1, {.mu = 0.6, .e = 0.2});
  CHECK(accepted(model, 0.5));
}

TEST_CASE("Settings want another name for each body", "[scenes][unit]") {
  Model model = model_of(3, 0, 2, 0);
  CHECK(accepted(model, 0.5));
  model.name[4] = model.name[1];
  CHECK_FALSE(accepted(model, 0.5));
}

TEST_CASE("Settings accept theta up to its bound for every restitution", "[scenes][analytic]") {
  for (int i = 0; i <= 100; ++i) {
    const double e = i / 100.0;
    Model model = model_of(1, 0, 0, 1);
    set_law(model, 0, 1, {.mu = 0.6, .e = e});
    INFO("e = " << e);
    CHECK(accepted(model, 0.5));
    CHECK(accepted(model, 1.0 / (1.0 + e)));
    CHECK_FALSE(accepted(model, 1.0 / (1.0 + e) + 1e-9));
    CHECK_FALSE(accepted(model, 0.5 - 1e-9));
  }
}

TEST_CASE("Settings take the bound of theta from the fremond pairs in use alone",
          "[scenes][unit]") {
  Model model = model_of(1, 1, 0, 1);
  set_law(model, 0, 0, {.mu = 0.6, .e = 0.25, .law = ImpactLaw::fremond});
  set_law(model, 0, 1, {.mu = 0.6, .e = 1.0, .law = ImpactLaw::newton});
  set_law(model, 1, 1,
          {.mu = 0.6, .e = 1.0, .law = ImpactLaw::fremond});  // one body: never meets its like
  CHECK(accepted(model, 0.8));
  CHECK_FALSE(accepted(model, 0.81));
  set_law(model, 0, 0, {.mu = 0.6, .e = 0.25, .law = ImpactLaw::newton});
  CHECK(accepted(model, 1.0));
  CHECK_FALSE(accepted(model, 1.001));
}

}  // namespace settings_test
