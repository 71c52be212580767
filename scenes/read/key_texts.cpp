// What every key of a scene file means. What it may be is asked of the reader (key_reference.cpp).
#include "scenes/read/key_texts.hpp"

#include <utility>

namespace scree::scenes {

const std::vector<KeySection>& key_sections() {
  static const std::vector<KeySection> sections = [] {
    std::vector<KeySection> all = settings_key_sections();
    for (const auto& more : {body_key_sections(), generator_key_sections()})
      all.insert(all.end(), more.begin(), more.end());
    return with_ensemble(std::move(all));
  }();
  return sections;
}

}  // namespace scree::scenes
