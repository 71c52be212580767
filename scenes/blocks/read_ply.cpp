// PLY: text and binary of either byte order.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "engine/base/check.hpp"
#include "scenes/blocks/block_model.hpp"
#include "scenes/blocks/text_lines.hpp"

namespace scree::blocks {
namespace {

struct Property {
  std::string name, type, count_type;  // count_type: of a list
};
struct Element {
  std::string name;
  std::int64_t count = 0;
  std::vector<Property> properties;
};

std::size_t size_of(const std::string& type) {
  static const std::map<std::string, std::size_t> sizes = {
      {"char", 1},  {"uchar", 1},   {"int8", 1},   {"uint8", 1},  {"short", 2}, {"ushort", 2},
      {"int16", 2}, {"uint16", 2},  {"int", 4},    {"uint", 4},   {"int32", 4}, {"uint32", 4},
      {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8}};
  const auto found = sizes.find(type);
  return found == sizes.end() ? 0 : found->second;
}

class PlyReader {
 public:
  PlyReader(const std::string& text, const std::string& file)
      : text_(text), file_(file), lines_(text, file) {}

  BlockModel read() {
    read_head();
    BlockModel model{file_, "PLY, " + form_, {}};
    for (const Element& element : elements_) read_element(element);
    std::map<std::int64_t, Block> blocks;
    std::map<std::int64_t, std::map<std::int64_t, std::int32_t>> own;
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      Block& block = blocks[face_block_[f]];
      auto& numbers = own[face_block_[f]];
      Face face;
      for (const std::int64_t v : faces_[f]) {
        require(v >= 0 && v < static_cast<std::int64_t>(points_.size()), file_,
                fmt::format("face {}: there is no vertex {}; there are {}, from 0", f, v,
                            points_.size()));
        const auto [known, is_new] =
            numbers.emplace(v, static_cast<std::int32_t>(block.vertices.size()));
        if (is_new) block.vertices.push_back(points_[static_cast<std::size_t>(v)]);
        face.push_back(known->second);
      }
      block.faces.push_back(std::move(face));
    }
    for (auto& [number, block] : blocks) {
      if (number >= 0) block.key = fmt::format("{}", number);
      model.blocks.push_back(std::move(block));
    }
    require(!model.blocks.empty(), file_, "has no faces");
    return model;
  }

 private:
  void read_head() {
    std::string_view line;
    bool ended = false;
    if (!lines_.next(line) || !line.starts_with("ply")) lines_.fail("is no PLY file");
    while (!ended) {
      if (!lines_.next(line)) lines_.fail("the file ends within its head");
      const std::vector<std::string_view> words = words_of(line);
      if (words.empty() || words[0] == "comment" || words[0] == "obj_info") continue;
      if (words[0] == "end_header") {
        ended = true;
      } else if (words[0] == "format" && words.size() > 1) {
        form_ = words[1];
        if (form_ != "ascii" && form_ != "binary_little_endian" && form_ != "binary_big_endian")
          lines_.fail(
              "the format is unknown; must be ascii, binary_little_endian or binary_big_endian");
      } else if (words[0] == "element" && words.size() == 3) {
        elements_.push_back({std::string(words[1]), lines_.integer_in(words[2]), {}});
        if (elements_.back().count < 0) lines_.fail("a count is negative");
      } else if (words[0] == "property") {
        add_property(words);
      } else {
        lines_.fail("this line of the head is not understood");
      }
    }
    if (form_.empty()) lines_.fail("the head has no format");
    at_ = lines_.offset();
  }

  void add_property(const std::vector<std::string_view>& words) {
    if (elements_.empty()) lines_.fail("a property before any element");
    Property property;
    if (words.size() == 5 && words[1] == "list") {
      property = {std::string(words[4]), std::string(words[3]), std::string(words[2])};
    } else if (words.size() == 3) {
      property = {std::string(words[2]), std::string(words[1]), ""};
    } else {
      lines_.fail("this property is not understood");
    }
    if (size_of(property.type) == 0 ||
        (!property.count_type.empty() && size_of(property.count_type) == 0))
      lines_.fail("this type is unknown");
    elements_.back().properties.push_back(std::move(property));
  }

  void read_element(const Element& element) {
    for (std::int64_t i = 0; i < element.count; ++i) {
      if (form_ == "ascii") next_words();
      Vector3 point = Vector3::Zero();
      std::vector<std::int64_t> corners;
      std::int64_t block = -1;
      for (const Property& property : element.properties) {
        if (property.count_type.empty()) {
          const double value = take(property.type);
          if (property.name == "x") point.x() = value;
          if (property.name == "y") point.y() = value;
          if (property.name == "z") point.z() = value;
          if (property.name == "block") block = as_integer(value);
          continue;
        }
        const std::int64_t count = as_integer(take(property.count_type));
        const bool is_face = property.name == "vertex_indices" || property.name == "vertex_index";
        for (std::int64_t k = 0; k < count; ++k) {
          const double value = take(property.type);
          if (is_face) corners.push_back(as_integer(value));
        }
      }
      if (element.name == "vertex") {
        require(point.allFinite(), file_,
                fmt::format("vertex {}: a coordinate is not a finite number", i));
        points_.push_back(point);
      } else if (element.name == "face") {
        faces_.push_back(std::move(corners));
        face_block_.push_back(block);
      }
    }
  }

  std::int64_t as_integer(double value) const {
    require(std::abs(value) < 1e15 && value == std::floor(value), file_,
            fmt::format("{} is not an index", value));
    return static_cast<std::int64_t>(value);
  }

  void next_words() {
    std::string_view line;
    do {
      if (!lines_.next(line)) lines_.fail("the file ends before its last element; it is cut short");
      words_ = words_of(line);
    } while (words_.empty());
    word_ = 0;
  }

  double take(const std::string& type) {
    if (form_ == "ascii") {
      while (word_ >= words_.size()) next_words();
      return lines_.number_in(words_[word_++]);
    }
    const std::size_t size = size_of(type);
    require(at_ + size <= text_.size(), file_,
            "the file ends before its last element; it is cut short");
    char bytes[8];
    std::memcpy(bytes, text_.data() + at_, size);
    at_ += size;
    if (form_ == "binary_big_endian") std::reverse(bytes, bytes + size);
    const auto as = [&]<class T>(T value) {
      std::memcpy(&value, bytes, sizeof value);
      return static_cast<double>(value);
    };
    if (type == "float" || type == "float32") return as(float{});
    if (type == "double" || type == "float64") return as(double{});
    const bool is_unsigned = type.starts_with('u');
    if (size == 1) return is_unsigned ? as(std::uint8_t{}) : as(std::int8_t{});
    if (size == 2) return is_unsigned ? as(std::uint16_t{}) : as(std::int16_t{});
    return is_unsigned ? as(std::uint32_t{}) : as(std::int32_t{});
  }

  const std::string& text_;
  std::string file_, form_;
  Lines lines_;
  std::vector<Element> elements_;
  std::vector<Vector3> points_;
  std::vector<std::vector<std::int64_t>> faces_;
  std::vector<std::int64_t> face_block_;
  std::vector<std::string_view> words_;
  std::size_t word_ = 0, at_ = 0;
};

}  // namespace

BlockModel read_ply(const std::string& text, const std::string& file) {
  return PlyReader(text, file).read();
}

}  // namespace scree::blocks
