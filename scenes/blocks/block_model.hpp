// Blocks as somebody drew them: polygon meshes with names, before they are looked at.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/math.hpp"

namespace scree::blocks {

using Face = std::vector<std::int32_t>;  // vertices, counter-clockwise seen from outside

struct Block {
  std::string name;               // unique in its model
  std::string key;                // what the file calls it otherwise: the number of a node
  std::vector<Vector3> vertices;  // [m] after scaling
  std::vector<Face> faces;
  bool support = false;
  double density = 0.0;  // [kg/m3]; 0: the file has none
  bool cluster = false;  // closed meshes with vertices of their own are one body
};

// A polygon in which two blocks touch, as a file states it.
struct DrawnJoint {
  std::string a, b;              // key or name of the blocks
  std::vector<Vector3> corners;  // before scaling, in order around it
};

struct BlockModel {
  std::string file;    // name for messages
  std::string format;  // "COMPAS JSON, layout D", "OBJ", ...
  std::vector<Block> blocks = {};
  std::vector<DrawnJoint> joints = {};
  double friction = std::numeric_limits<double>::quiet_NaN();  // that the file states
  std::optional<Vector3> gravity = std::nullopt;               // [m/s2] that the file states
  std::vector<std::string> notes = {};  // what a reader should know, a line each
};

// Text of a file beside the model's; nothing: there is none.
using ReadSibling = std::function<std::optional<std::string>(const std::string& name)>;

// Largest file [bytes] and most blocks that are read.
constexpr std::size_t most_bytes = 256'000'000;
constexpr std::size_t most_blocks = 200'000;

// The file of a model: of a DATBOX folder of LMGC90, or one around it, its BODIES.DAT. Throws
// InputError for any other folder.
std::string file_of_model(const std::string& path);

// Reads the blocks of a file by its name and content. Throws InputError, one line "FILE: ...".
BlockModel read_blocks(const std::string& text, const std::string& file,
                       const ReadSibling& sibling = {});

// One a format. Each throws InputError, one line that begins with `file` and, where the format has
// lines, the number of one.
BlockModel read_compas(const std::string& text, const std::string& file);
BlockModel read_obj(const std::string& text, const std::string& file);
BlockModel read_stl(const std::string& text, const std::string& file);
BlockModel read_ply(const std::string& text, const std::string& file);
BlockModel read_lmgc90(const std::string& bodies, const std::string& file,
                       const ReadSibling& sibling);
BlockModel read_3dec(const std::string& text, const std::string& file);

// The blocks as OBJ that read_obj gives back bit for bit: supports have the material `support`,
// blocks with a density of their own `density=2400`, bodies of several closed pieces `cluster`,
// with a semicolon between such words. A joint is an object "A:B" of one face and the material
// `joint`.
std::string write_obj(const BlockModel& model, const std::string& heading);

}  // namespace scree::blocks
