// 3DEC: command text ("block create group ... poly face x,y,z ...") and grid files (.3dgrid).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include "engine/base/check.hpp"
#include "engine/base/lower_case.hpp"
#include "scenes/blocks/block_model.hpp"
#include "scenes/blocks/text_lines.hpp"

namespace scree::blocks {
namespace {

bool is_number(std::string_view word) {
  return !word.empty() && (std::isdigit(static_cast<unsigned char>(word[0])) != 0 ||
                           word[0] == '-' || word[0] == '+' || word[0] == '.');
}

// Words, with commas, quotes and brackets as blanks; what is in quotes is one word.
std::vector<std::string> command_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  const auto close = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  for (const char c : line) {
    if (c == '"' || c == '\'') {
      close();
      quoted = !quoted;
    } else if (!quoted &&
               (c == ' ' || c == '\t' || c == '\r' || c == ',' || c == '(' || c == ')')) {
      close();
    } else if (!quoted && c == ';') {
      break;
    } else {
      word += c;
    }
  }
  close();
  return words;
}

class CommandReader {
 public:
  CommandReader(const std::string& text, const std::string& file) : lines_(text, file) {
    model_.file = file;
    model_.format = "3DEC commands";
  }

  BlockModel read() {
    std::string_view line;
    std::string command;
    while (lines_.next(line)) {
      command += line;
      const std::size_t last = command.find_last_not_of(" \t\r");
      if (last != std::string::npos &&
          (command[last] == '&' || command.compare(last >= 2 ? last - 2 : 0, 3, "...") == 0)) {
        command.erase(command[last] == '&' ? last : last - 2);
        command += ' ';
        continue;
      }
      read_command(command_words(command));
      command.clear();
    }
    if (density_ > 0.0) {
      for (Block& block : model_.blocks) block.density = density_;
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (fixed_.contains(groups_[i])) model_.blocks[i].support = true;
    }
    if (!left_out_.empty()) {
      std::string list;
      for (const std::string& one : left_out_) {
        if (!list.empty()) list += ", ";
        list += one;
      }
      model_.notes.push_back("commands that are not taken over: " + list);
    }
    return std::move(model_);
  }

 private:
  // The value behind a word, as in "density 2400"; nothing: it is not there.
  std::optional<double> value_of(const std::vector<std::string>& words, const char* name) const {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (lower_case(words[i]) == name && is_number(words[i + 1]))
        return lines_.number_in(words[i + 1]);
    }
    return std::nullopt;
  }

  // What a run of 3DEC itself needs, or only says how it looks.
  static bool is_of_no_matter(const std::string& second) {
    static const std::set<std::string> words = {
        "new",    "restore", "save",  "config",  "large-strain", "title",  "random",
        "domain", "solve",   "cycle", "display", "precision",    "history"};
    return words.contains(second);
  }

  void leave_out(const std::vector<std::string>& words) {
    if (lower_case(words[0]) == "model" && words.size() > 1 &&
        is_of_no_matter(lower_case(words[1])))
      return;
    constexpr std::size_t most = 8;
    std::string command = words[0].substr(0, 20);
    if (words.size() > 1) command.append(" ").append(words[1].substr(0, 20));
    if (left_out_.size() < most) left_out_.insert(command);
  }

  void read_command(const std::vector<std::string>& words) {
    if (words.empty()) return;
    const std::string first = lower_case(words[0]);
    if (first == "poly") return read_poly(words, 0);
    if (first == "model" && words.size() > 1 && lower_case(words[1]).starts_with("grav"))
      return read_gravity(words);
    if (first != "block" || words.size() < 2) return leave_out(words);
    if (read_property(words)) return;
    const auto poly = std::find_if(words.begin(), words.end(), [](const std::string& word) {
      const std::string low = lower_case(word);
      return low == "poly" || low == "polyhedron";
    });
    if (lower_case(words[1]) == "create" && poly != words.end())
      return read_poly(words, static_cast<std::size_t>(poly - words.begin()));
    if (lower_case(words[1]) == "create") {
      const std::string what = words.size() > 2 ? words[2] : "";
      lines_.fail(fmt::format("block create {} is not read; only 'poly face ...' is", what));
    }
    leave_out(words);
  }

  // "model gravity x y z", or one number: downward.
  void read_gravity(const std::vector<std::string>& words) {
    std::vector<double> values;
    for (std::size_t i = 2; i < words.size() && is_number(words[i]); ++i)
      values.push_back(lines_.number_in(words[i]));
    if (values.size() == 1)
      model_.gravity = Vector3(0.0, 0.0, -std::abs(values[0]));
    else if (values.size() == 3)
      model_.gravity = Vector3(values[0], values[1], values[2]);
    else
      lines_.fail("model gravity: must be one number or three");
  }

  // Density of all blocks, friction of all joints, groups that stand still. Whatever is said of a
  // range otherwise is left out.
  bool read_property(const std::vector<std::string>& words) {
    const bool ranged = std::ranges::any_of(
        words, [](const std::string& word) { return lower_case(word) == "range"; });
    const std::string second = lower_case(words[1]);
    if (second == "fix" && ranged) {
      for (std::size_t i = 2; i + 1 < words.size(); ++i) {
        if (lower_case(words[i]) != "group") continue;
        fixed_.insert(words[i + 1]);
        return true;
      }
    }
    if (ranged) return false;
    if (second.starts_with("prop")) {
      const std::optional<double> density = value_of(words, "density");
      if (density) density_ = *density;
      return density && words.size() == 4;
    }
    if (second == "contact") {
      const std::optional<double> angle = value_of(words, "friction");
      if (angle) model_.friction = std::tan(*angle * std::numbers::pi / 180.0);
      for (const char* more : {"cohesion", "tension"}) {
        if (value_of(words, more).value_or(0.0) > 0.0)
          model_.notes.push_back(fmt::format("joints have a {}, which is not taken over", more));
      }
      return angle.has_value();
    }
    return false;
  }

  void read_poly(const std::vector<std::string>& words, std::size_t poly) {
    Block block;
    std::vector<double> numbers;
    std::string group, region;
    const auto close_face = [&] {
      if (numbers.empty()) return;
      if (numbers.size() % 3 != 0 || numbers.size() < 9)
        lines_.fail(
            fmt::format("face {} has {} numbers; must be three a corner, at least three corners",
                        block.faces.size() + 1, numbers.size()));
      Face face;
      for (std::size_t i = 0; i < numbers.size(); i += 3) {
        const Vector3 p(numbers[i], numbers[i + 1], numbers[i + 2]);
        const auto known = std::find(block.vertices.begin(), block.vertices.end(), p);
        face.push_back(static_cast<std::int32_t>(known - block.vertices.begin()));
        if (known == block.vertices.end()) block.vertices.push_back(p);
      }
      // Clockwise from outside in 3DEC.
      std::reverse(face.begin(), face.end());
      block.faces.push_back(std::move(face));
      numbers.clear();
    };
    bool in_face = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string low = lower_case(words[i]);
      if (low == "face") {
        close_face();
        in_face = true;
      } else if (low == "group" && i + 1 < words.size()) {
        group = words[++i];
      } else if (low.starts_with("r=") || low.starts_with("reg=") || low.starts_with("region=")) {
        region = words[i].substr(words[i].find('=') + 1);
      } else if ((low == "region" || low == "reg") && i + 1 < words.size()) {
        region = words[++i];
      } else if (in_face && i > poly && is_number(words[i])) {
        numbers.push_back(lines_.number_in(words[i]));
      }
    }
    close_face();
    if (block.faces.empty()) lines_.fail("this block has no faces");
    block.key = region;
    block.support = lower_case(group).starts_with("support") || lower_case(group) == "fixed";
    model_.blocks.push_back(std::move(block));
    groups_.push_back(group);
    if (model_.blocks.size() > most_blocks)
      lines_.fail(fmt::format("more than {} blocks", most_blocks));
  }

  Lines lines_;
  BlockModel model_;
  double density_ = 0.0;
  std::vector<std::string> groups_;  // [n_blocks]
  std::set<std::string> fixed_, left_out_;
};

// `G id x y z`, `F id g1 g2 ...`, `Z id g1 g2 g3 g4`, `B id zone F f1 f2 ...`.
BlockModel read_grid(const std::string& text, const std::string& file) {
  BlockModel model{file, "3DEC grid", {}};
  Lines lines(text, file);
  std::map<std::int64_t, Vector3> points;
  std::map<std::int64_t, std::vector<std::int64_t>> faces, zones;
  std::string_view line;
  const auto integers = [&](const std::vector<std::string_view>& words, std::size_t from) {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = from; i < words.size(); ++i) numbers.push_back(lines.integer_in(words[i]));
    return numbers;
  };
  const auto add_face = [&](Block& block, std::map<std::int64_t, std::int32_t>& own,
                            const std::vector<std::int64_t>& corners) {
    Face face;
    for (const std::int64_t g : corners) {
      const auto point = points.find(g);
      if (point == points.end()) lines.fail(fmt::format("there is no grid point {}", g));
      const auto [known, is_new] = own.emplace(g, static_cast<std::int32_t>(block.vertices.size()));
      if (is_new) block.vertices.push_back(point->second);
      face.push_back(known->second);
    }
    block.faces.push_back(std::move(face));
  };
  while (lines.next(line)) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty() || words[0].starts_with('*')) continue;
    if (words[0] == "G" && words.size() >= 5) {
      points[lines.integer_in(words[1])] = lines.point_in(words, 2);
    } else if (words[0] == "F" && words.size() >= 5) {
      faces[lines.integer_in(words[1])] = integers(words, 2);
    } else if (words[0] == "Z" && words.size() == 6) {
      zones[lines.integer_in(words[1])] = integers(words, 2);
    } else if (words[0] == "B" && words.size() >= 5) {
      Block block;
      block.key = std::string(words[1]);
      std::map<std::int64_t, std::int32_t> own;
      const bool of_faces = words[3] == "F";
      if (!of_faces && words[3] != "Z") lines.fail("a block is made of F (faces) or Z (zones)");
      std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> outer;
      for (const std::int64_t id : integers(words, 4)) {
        const auto& list = of_faces ? faces : zones;
        const auto found = list.find(id);
        if (found == list.end())
          lines.fail(fmt::format("there is no {} {}", of_faces ? "face" : "zone", id));
        if (of_faces) {
          add_face(block, own, found->second);
          continue;
        }
        // Faces of tetrahedra that only one of them has.
        const auto& z = found->second;
        for (const auto& face : {std::vector{z[0], z[1], z[2]},
                                 {z[0], z[3], z[1]},
                                 {z[1], z[3], z[2]},
                                 {z[2], z[3], z[0]}}) {
          auto sorted = face;
          std::sort(sorted.begin(), sorted.end());
          if (!outer.emplace(sorted, face).second) outer.erase(sorted);
        }
      }
      for (const auto& face : outer) add_face(block, own, face.second);
      model.blocks.push_back(std::move(block));
    }
  }
  return model;
}

}  // namespace

BlockModel read_3dec(const std::string& text, const std::string& file) {
  const std::string name = lower_case(file);
  BlockModel model =
      name.ends_with(".3dgrid") ? read_grid(text, file) : CommandReader(text, file).read();
  require(!model.blocks.empty(), file, "has no blocks ('block create ... poly face ...')");
  return model;
}

}  // namespace scree::blocks
