// Wavefront OBJ: a block begins at `o` or `g`; polygons are kept.
#include <fmt/format.h>

#include <map>
#include <set>

#include "engine/base/check.hpp"
#include "engine/base/printable.hpp"
#include "scenes/blocks/block_model.hpp"
#include "scenes/blocks/text_lines.hpp"

namespace scree::blocks {
namespace {

class ObjReader {
 public:
  ObjReader(const std::string& text, const std::string& file) : lines_(text, file) {
    model_.file = file;
    model_.format = "OBJ";
  }

  BlockModel read() {
    std::string_view line;
    std::string joined;
    while (lines_.next(line)) {
      // A backslash at the end of a line goes on in the next.
      joined = line;
      while (joined.ends_with('\\') || joined.ends_with("\\\r")) {
        joined.erase(joined.rfind('\\'));
        if (!lines_.next(line)) break;
        joined += ' ';
        joined += line;
      }
      read_line(joined);
    }
    close();
    name_joints();
    return std::move(model_);
  }

 private:
  void read_line(const std::string& line) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty() || words[0].starts_with('#')) return;
    if (words[0] == "v") {
      points_.push_back(lines_.point_in(words, 1));
    } else if (words[0] == "f") {
      read_face(words);
    } else if (words[0] == "o" || words[0] == "g") {
      const std::size_t begin = line.find(words[0]) + 1;
      const std::size_t first = line.find_first_not_of(" \t", begin),
                        last = line.find_last_not_of(" \t\r");
      begin_block(
          first == std::string::npos || last < first ? "" : line.substr(first, last - first + 1),
          words[0] == "o");
    } else if (words[0] == "usemtl" && words.size() > 1) {
      material_ = words[1];
    }
  }

  // `g` below an `o` only names it again: with `o` in the file, `o` alone begins blocks.
  void begin_block(const std::string& name, bool object) {
    if (object) has_objects_ = true;
    if (!object && has_objects_) return;
    close();
    name_ = name;
    named_ = true;
  }

  void read_face(const std::vector<std::string_view>& words) {
    if (words.size() < 4) lines_.fail("a face needs at least three corners");
    Face face;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::int64_t number = lines_.integer_in(words[i].substr(0, words[i].find('/')));
      const auto count = static_cast<std::int64_t>(points_.size());
      const std::int64_t index = number > 0 ? number - 1 : count + number;
      if (number == 0 || index < 0 || index >= count) {
        lines_.fail(fmt::format("there is no vertex {}; must be within 1 and {}, or -1 and -{}",
                                number, count, count));
      }
      const auto [known, is_new] =
          own_.emplace(index, static_cast<std::int32_t>(block_.vertices.size()));
      if (is_new) block_.vertices.push_back(points_[static_cast<std::size_t>(index)]);
      face.push_back(known->second);
    }
    block_.faces.push_back(std::move(face));
    read_material();
  }

  // What is written of a block: words between semicolons.
  void read_material() {
    for (std::string_view rest = material_; !rest.empty();) {
      const std::size_t end = std::min(rest.find(';'), rest.size());
      const std::string_view word = rest.substr(0, end);
      if (word.starts_with("support")) block_.support = true;
      if (word.starts_with("density=")) block_.density = lines_.number_in(word.substr(8));
      if (word == "cluster") block_.cluster = true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  // The blocks of a joint are told apart by their names, which may have colons too.
  void add_joint() {
    for (const Face& face : block_.faces) {
      DrawnJoint joint{name_, "", {}};
      for (const std::int32_t v : face)
        joint.corners.push_back(block_.vertices[static_cast<std::size_t>(v)]);
      model_.joints.push_back(std::move(joint));
    }
  }

  void name_joints() {
    std::set<std::string> names;
    for (const Block& block : model_.blocks) names.insert(block.name);
    for (DrawnJoint& joint : model_.joints) {
      const std::string both = joint.a;
      for (std::size_t colon = both.find(':'); colon != std::string::npos && joint.b.empty();
           colon = both.find(':', colon + 1)) {
        const std::string a = both.substr(0, colon), b = both.substr(colon + 1);
        if (names.contains(a) && names.contains(b)) joint.a = a, joint.b = b;
      }
      require(!joint.b.empty(), model_.file,
              fmt::format("joint '{}': must be the names of two blocks with a colon between them",
                          printable(both)));
    }
  }

  void close() {
    if (material_ == "joint" && !block_.faces.empty()) {
      add_joint();
    } else if (!block_.faces.empty()) {
      block_.name = name_;
      model_.blocks.push_back(std::move(block_));
      if (model_.blocks.size() > most_blocks)
        lines_.fail(fmt::format("more than {} blocks", most_blocks));
    } else if (named_ && !points_.empty() && !name_.empty()) {
      ++empty_;
    }
    block_ = {};
    own_.clear();
    material_.clear();
  }

  Lines lines_;
  BlockModel model_;
  std::vector<Vector3> points_;
  std::map<std::int64_t, std::int32_t> own_;  // numbers of the block's vertices
  Block block_;
  std::string name_, material_;
  bool named_ = false, has_objects_ = false;
  int empty_ = 0;
};

}  // namespace

BlockModel read_obj(const std::string& text, const std::string& file) {
  BlockModel model = ObjReader(text, file).read();
  require(!model.blocks.empty(), file, "has no faces (lines that begin with f)");
  return model;
}

std::string write_obj(const BlockModel& model, const std::string& heading) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "# {}\n", heading);
  std::size_t before = 1;
  for (const Block& block : model.blocks) {
    fmt::format_to(out, "o {}\n", block.name);
    std::string material = block.cluster ? "cluster" : "";
    if (block.support || block.density > 0.0) material += block.cluster ? ";" : "";
    if (block.support)
      material += "support";
    else if (block.density > 0.0)
      material += fmt::format("density={}", block.density);
    if (!material.empty()) text += "usemtl " + material + "\n";
    for (const Vector3& v : block.vertices)
      fmt::format_to(out, "v {} {} {}\n", v.x(), v.y(), v.z());
    for (const Face& face : block.faces) {
      text += 'f';
      for (const std::int32_t v : face)
        fmt::format_to(out, " {}", before + static_cast<std::size_t>(v));
      text += '\n';
    }
    before += block.vertices.size();
  }
  for (const DrawnJoint& joint : model.joints) {
    fmt::format_to(out, "o {}:{}\nusemtl joint\n", joint.a, joint.b);
    std::string face = "f";
    for (const Vector3& v : joint.corners) {
      fmt::format_to(out, "v {} {} {}\n", v.x(), v.y(), v.z());
      face += fmt::format(" {}", before++);
    }
    text += face + "\n";
  }
  return text;
}

}  // namespace scree::blocks
