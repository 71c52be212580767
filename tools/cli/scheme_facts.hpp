// What a scene's impact laws and its scheme do: for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "engine/model/materials.hpp"
#include "engine/settings.hpp"

namespace scree {

// One line a pair of materials that has a law: its numbers, and what it does to a contact that
// sticks.
std::vector<std::string> pair_lines(const MaterialTable& materials, const Settings& settings);

struct SchemeChoice {
  const char *key, *value, *meaning;
};

// How steps are made, as far as it is a choice.
std::vector<SchemeChoice> scheme_choices(const StepSettings& step);

}  // namespace scree
