// Which format a file has, by its name and its first bytes.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "engine/base/check.hpp"
#include "engine/base/lower_case.hpp"
#include "engine/base/printable.hpp"
#include "scenes/blocks/block_model.hpp"
#include "scenes/blocks/text_lines.hpp"

namespace scree::blocks {
namespace {

std::string lower_extension(const std::string& file) {
  return lower_case(std::filesystem::path(file).extension().string());
}

// The first word that is no comment.
std::string first_word(const std::string& text) {
  Lines lines(std::string_view(text).substr(0, 65536), "");
  std::string_view line;
  while (lines.next(line)) {
    const auto words = words_of(line);
    if (words.empty() || words[0].starts_with('#') || words[0].starts_with('!') ||
        words[0].starts_with(';') || words[0].starts_with('*'))
      continue;
    return std::string(words[0].substr(0, 40));
  }
  return "";
}

BlockModel read_by_format(const std::string& text, const std::string& file,
                          const ReadSibling& sibling) {
  const std::string extension = lower_extension(file), word = first_word(text);
  if (extension == ".obj") return read_obj(text, file);
  if (extension == ".stl") return read_stl(text, file);
  if (extension == ".ply" || word == "ply") return read_ply(text, file);
  if (extension == ".json" || word.starts_with('{') || word.starts_with('['))
    return read_compas(text, file);
  if (std::filesystem::path(file).filename() == "BODIES.DAT" || word == "$bdyty")
    return read_lmgc90(text, file, sibling);
  if (extension == ".3dgrid" || extension == ".3ddat" || word == "block" || word == "poly" ||
      word == "model" || text.find("poly face") != std::string::npos)
    return read_3dec(text, file);
  throw InputError(file +
                   ": what it is can't be told; must be COMPAS .json, .obj, .stl, .ply, a DATBOX "
                   "folder of LMGC90 (or its BODIES.DAT), or 3DEC text (.3ddat, .dat, .3dgrid)");
}

// Names that are there stay, with a number where several have one; else the number of a node, or
// the place in the file.
void name_blocks(std::vector<Block>& blocks) {
  std::map<std::string, int> given;
  for (const Block& block : blocks) ++given[block.name];
  std::set<std::string> taken;
  std::map<std::string, int> used;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Block& block = blocks[i];
    std::string name = block.name;
    const bool many = given[name] > 1;
    if (name.empty() || (many && !block.key.empty()) || name == "Mesh" || name == "Block")
      name = "block-" + (block.key.empty() ? fmt::format("{}", i) : block.key);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '_');
    int& k = used[name];
    const bool numbered = many && name == block.name;
    std::string unique = numbered ? fmt::format("{}.{}", name, ++k) : name;
    while (!taken.insert(unique).second) unique = fmt::format("{}.{}", name, ++k);
    block.name = unique;
  }
}

// Names in another encoding than UTF-8 are taken for Latin-1, of which every byte is a letter.
std::string in_utf8(const std::string& name) {
  if (is_utf8(name)) return name;
  std::string text;
  for (const char letter : name) {
    const auto c = static_cast<unsigned char>(letter);
    if (c < 0x80) {
      text += letter;
    } else {
      text += static_cast<char>(0xC0U | (c >> 6U));
      text += static_cast<char>(0x80U | (c & 0x3FU));
    }
  }
  return text;
}

}  // namespace

std::string file_of_model(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) return path;
  for (const char* inside : {"BODIES.DAT", "DATBOX/BODIES.DAT"}) {
    const fs::path file = fs::path(path) / inside;
    if (fs::exists(file, error)) return file.string();
  }
  throw InputError(path +
                   ": is a folder without BODIES.DAT; must be a file, or a DATBOX of LMGC90");
}

BlockModel read_blocks(const std::string& text, const std::string& file,
                       const ReadSibling& sibling) {
  require(!text.empty(), file, "is empty");
  require(text.size() <= most_bytes, file,
          fmt::format("has {} MB; at most {} MB are read: split it, or write it as OBJ or binary "
                      "STL of fewer triangles",
                      text.size() / 1'000'000, most_bytes / 1'000'000));
  BlockModel model = read_by_format(text, file, sibling);
  for (Block& block : model.blocks) block.name = in_utf8(block.name);
  for (DrawnJoint& joint : model.joints) joint.a = in_utf8(joint.a), joint.b = in_utf8(joint.b);
  name_blocks(model.blocks);
  return model;
}

}  // namespace scree::blocks
