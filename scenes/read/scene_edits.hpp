// Values of a scene that are given beside its text, as KEY=VALUE: keys as the scene writes them,
// values in TOML.
//
//     time.dt=1e-4                 a key of a section
//     contact[0].mu=0.3            of the first [[contact]] of the file: numbers count from 0
//     body[rock].velocity=[5,0,0]  of the [[body]] whose name is "rock"; body["2"] is one named 2
//     body[2].position[2]=1.5      an entry of an array
//     body[rock].shape=block       a word that is no value of TOML is a string
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

namespace scree::scenes {

// With this the place of a message begins when the value came from such an edit.
inline constexpr std::string_view edit_option = "--set ";

struct EditText {
  std::string key, value;
};

// The two sides of KEY=VALUE. Throws InputError "--set TEXT: ..." when there are not two.
EditText split_edit(const std::string& edit);

// Makes the edits in their order. A key that is not there is added, so that the reader judges it as
// it judges keys of the file; a table of an array must be there. Throws InputError
// "--set KEY=VALUE: what is wrong and what is allowed". An entry of an array that is not there is
// one of the array that is its default.
void apply_edits(toml::table& root, const std::vector<std::string>& edits);

// "with --set A --set B: ", with which a message about what edits made of a right scene begins;
// empty without edits.
std::string edits_prefix(const std::vector<std::string>& edits);

// Number of the edit that a node or key came from, from 1; 0: from the file.
std::uint32_t edit_number(const toml::source_region& source);

}  // namespace scree::scenes
