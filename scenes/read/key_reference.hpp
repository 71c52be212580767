// Every key of a scene file: what it means, its default, and what the reader takes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/read/document.hpp"

namespace scree::scenes {

struct KeyText {
  std::string key;            // below its section: "mu", "rotation.axis"
  std::string default_value;  // as it would stand in a file, or in words; "required": there is none
  std::string meaning;        // one line
};

struct KeySection {
  std::string name;  // "contact"; empty: keys above all sections
  bool repeats;      // [[contact]], one for each
  std::string about;
  std::vector<KeyText> keys;
};

// The texts, in the order in which a file is explained.
const std::vector<KeySection>& key_sections();

// The sections with those of [ensemble] behind them.
std::vector<KeySection> with_ensemble(std::vector<KeySection> sections);

// A scene in which the reader asks for every key that it knows.
std::string scene_with_every_key();

// What the files hold that it names.
std::string file_of_every_key(const std::string& name);

// What the reader takes for every field, "contact.mu": asked of the reader itself.
const std::map<std::string, Document::Expectation>& reader_expectations();

// The section and the key that tell of a field that the reader asks for. Some are told once: a rock
// has the keys of a body, a body those of a shape, a column those of grains. Null: nothing tells.
const KeyText* text_of_field(const std::string& field);

}  // namespace scree::scenes
