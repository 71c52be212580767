// COMPAS JSON: the layouts of compas_rbe, compas_assembly, compas_cra, compas_model and compas_dem.
//
// Blocks are meshes wherever they stand; who supports, which density and which friction depends on
// the layout:
//   A  {blocks: {id: mesh}, assembly: {vertex: {id: {is_support}}}}          compas_rbe
//   B  {node: {id: {block, is_support}}}                                     compas 0.16 to 0.19
//   C  [mesh, ...] or [[mesh, ...], ...]
//   D  {graph: {node: {id: {block, is_support}}, default_node_attributes}}   compas_assembly, _cra
//   E  {elements: [{data: {shape | geometry, is_support}}], graph}           compas_dem <= 0.3
//   F  {elements: {guid: {data: {geometry, is_support, material}}}}          compas_dem >= 0.4
//   G  {model: F, boundary_conditions, contact_properties}                   compas_dem.problem
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <set>

#include "engine/base/check.hpp"
#include "engine/base/printable.hpp"
#include "engine/model/shapes/convex_polyhedron.hpp"
#include "scenes/blocks/block_model.hpp"
#include "scenes/blocks/json_text.hpp"

namespace scree::blocks {
namespace {

using Json = nlohmann::json;

constexpr int deepest_level = 200;  // levels of nesting

const Json& null_value() {
  static const Json null;
  return null;
}

// The value of a key; null where there is none.
const Json& at(const Json& object, const char* key) {
  if (!object.is_object()) return null_value();
  const auto found = object.find(key);
  return found == object.end() ? null_value() : *found;
}

// What stands in an envelope {dtype, data} or {datatype, value}, however often it is wrapped.
const Json& unwrapped(const Json& json) {
  const Json* inner = &json;
  for (int depth = 0; depth < deepest_level && inner->is_object(); ++depth) {
    const bool typed = inner->contains("dtype") || inner->contains("datatype");
    const Json* content = nullptr;
    for (const char* key : {"data", "value"}) {
      const auto found = inner->find(key);
      if (found != inner->end() && found->is_object()) content = &*found;
    }
    if (!typed || content == nullptr) break;
    inner = content;
  }
  return *inner;
}

bool is_mesh(const Json& json) {
  const Json& inner = unwrapped(json);
  return at(inner, "vertex").is_object() && at(inner, "face").is_object();
}

bool is_true(const Json& json) {
  return (json.is_boolean() && json.get<bool>()) || (json.is_number() && json.get<double>() != 0.0);
}

// Entries by number where the keys are numbers, else by name.
std::vector<std::pair<std::string, const Json*>> entries_of(const Json& object) {
  std::vector<std::pair<std::string, const Json*>> entries;
  if (object.is_array()) {
    for (std::size_t i = 0; i < object.size(); ++i)
      entries.emplace_back(fmt::format("{}", i), &object[i]);
    return entries;
  }
  if (!object.is_object()) return entries;
  for (const auto& [key, value] : object.items()) entries.emplace_back(key, &value);
  const auto is_number = [](const std::string& text) {
    return !text.empty() && text.size() < 16 &&
           text.find_first_not_of("0123456789") == std::string::npos;
  };
  const bool numbers = std::all_of(entries.begin(), entries.end(),
                                   [&](const auto& entry) { return is_number(entry.first); });
  if (numbers) {
    std::sort(entries.begin(), entries.end(), [](const auto& one, const auto& other) {
      return std::stoll(one.first) < std::stoll(other.first);
    });
  }
  return entries;
}

bool is_box(const Json& json) {
  const Json& inner = unwrapped(json);
  return at(inner, "frame").is_object() && at(inner, "xsize").is_number() &&
         at(inner, "ysize").is_number() && at(inner, "zsize").is_number();
}

Vector3 vector_of(const Json& json) {
  const Json& values = json.is_object() ? at(json, "data") : json;
  Vector3 vector = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < 3; ++i) {
    if (values.is_array() && values.size() == 3 && values[i].is_number())
      vector(static_cast<Eigen::Index>(i)) = values[i].get<double>();
  }
  return vector;
}

// compas.geometry/Box: sides along the axes of its frame, about its origin.
Json mesh_of_box(const Json& json) {
  const Json& box = unwrapped(json);
  const Json& frame = unwrapped(at(box, "frame"));
  const Vector3 x = vector_of(at(frame, "xaxis")).normalized(),
                z = x.cross(vector_of(at(frame, "yaxis"))).normalized(), y = z.cross(x),
                centre = vector_of(at(frame, "point"));
  Json mesh;
  for (int i = 0; i < 8; ++i) {
    const auto half = [&](const char* key, int bit) {
      return ((i & bit) != 0 ? 0.5 : -0.5) * at(box, key).get<double>();
    };
    const Vector3 corner =
        centre + half("xsize", 1) * x + half("ysize", 2) * y + half("zsize", 4) * z;
    mesh["vertex"][fmt::format("{}", i)] = {
        {"x", corner.x()}, {"y", corner.y()}, {"z", corner.z()}};
  }
  int number = 0;
  for (const auto& face : box_faces) mesh["face"][fmt::format("{}", number++)] = face;
  return mesh;
}

std::string text_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_integer()) return fmt::format("{}", json.get<std::int64_t>());
  return "";
}

class CompasReader {
 public:
  CompasReader(const Json& root, const std::string& file) : root_(root) { model_.file = file; }

  BlockModel read() {
    // A network of compas 0.18 may have keys of what it holds beside its own: its nodes count.
    if (has_blocks(at(root_, "node"))) {
      read_nodes(root_, "B");
    } else if (root_.is_array()) {
      model_.format = "COMPAS JSON, list of meshes";
      read_list(root_, 0);
    } else {
      read_object(unwrapped(root_));
    }
    read_joints();
    if (model_.blocks.empty())
      fail("has no meshes of at least 4 faces; must be JSON of COMPAS with blocks");
    return std::move(model_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(printable(fmt::format("{}: {}", model_.file, message)));
  }

  static bool has_blocks(const Json& nodes) {
    return nodes.is_object() && !nodes.empty() &&
           std::any_of(nodes.begin(), nodes.end(),
                       [](const Json& node) { return is_mesh(at(node, "block")); });
  }

  // Edges of the graph hold what their blocks touch in: `interface_points` (A), `interface` (B),
  // `interfaces` (D), `contacts` (E to G).
  void read_joints() {
    const Json& outer = has_blocks(at(root_, "node")) ? root_ : unwrapped(root_);
    const Json& model = at(outer, "model").is_null() ? outer : unwrapped(at(outer, "model"));
    const Json& graph = !at(model, "graph").is_null()      ? unwrapped(at(model, "graph"))
                        : !at(model, "assembly").is_null() ? unwrapped(at(model, "assembly"))
                                                           : model;
    if (!at(graph, "edge").is_object()) return;
    std::set<std::pair<std::string, std::string>> read;
    for (const auto& [u, others] : entries_of(at(graph, "edge"))) {
      if (!others->is_object()) continue;
      for (const auto& [v, edge] : entries_of(*others)) {
        if (read.contains({v, u})) continue;
        const std::size_t before = model_.joints.size();
        add_joint(u, v, at(*edge, "interface_points"));
        add_joint(u, v, at(unwrapped(at(*edge, "interface")), "points"));
        for (const char* key : {"interfaces", "contacts"}) {
          if (!at(*edge, key).is_array()) continue;
          for (const Json& one : at(*edge, key)) add_joint(u, v, at(unwrapped(one), "points"));
        }
        if (model_.joints.size() > before) read.insert({u, v});
      }
    }
  }

  void add_joint(const std::string& u, const std::string& v, const Json& points) {
    if (!points.is_array()) return;
    DrawnJoint joint{u, v, {}};
    for (const Json& item : points) {
      const Json& point = item.is_object() ? at(item, "data") : item;
      Vector3 corner;
      for (std::size_t i = 0; i < 3; ++i) {
        if (!point.is_array() || point.size() != 3 || !point[i].is_number())
          fail(fmt::format("edge {}-{}: a point of its interface is not three numbers", u, v));
        corner(static_cast<Eigen::Index>(i)) = point[i].get<double>();
      }
      joint.corners.push_back(corner);
    }
    model_.joints.push_back(std::move(joint));
  }

  void read_object(const Json& object) {
    if (!at(object, "model").is_null()) {
      read_model(unwrapped(at(object, "model")));
      model_.format = "COMPAS JSON, problem";
      read_problem(object);
    } else if (!at(object, "elements").is_null()) {
      read_model(object);
    } else if (!at(object, "graph").is_null()) {
      read_nodes(unwrapped(at(object, "graph")), "D");
    } else if (at(object, "blocks").is_object()) {
      read_rbe(object);
    } else if (is_mesh(object)) {
      model_.format = "COMPAS JSON, one mesh";
      add_block(object, "", false);
    } else {
      model_.format = "COMPAS JSON, meshes";
      walk(object, 0);
    }
  }

  void read_list(const Json& list, int depth) {
    if (depth > deepest_level) fail("goes too deep");
    for (const Json& item : list) {
      if (item.is_array())
        read_list(item, depth + 1);
      else if (is_mesh(item))
        add_block(item, fmt::format("{}", model_.blocks.size()), false);
      else
        walk(item, depth + 1);
    }
  }

  // Any mesh anywhere; what has fewer than 4 faces is an interface.
  void walk(const Json& json, int depth) {
    if (depth > deepest_level) fail("goes too deep");
    if (is_mesh(json)) {
      if (at(unwrapped(json), "face").size() >= 4)
        add_block(json, fmt::format("{}", model_.blocks.size()), false);
      return;
    }
    if (json.is_array()) {
      for (const Json& item : json) walk(item, depth + 1);
    } else if (json.is_object()) {
      for (const auto& entry : entries_of(json)) walk(*entry.second, depth + 1);
    }
  }

  // Layouts B and D.
  void read_nodes(const Json& graph, const char* layout) {
    model_.format = std::string("COMPAS JSON, ") + (layout[0] == 'B' ? "network" : "assembly");
    const Json& defaults = unwrapped(at(graph, "default_node_attributes"));
    for (const auto& [key, node] : entries_of(at(graph, "node"))) {
      const Json& block = at(*node, "block");
      if (block.is_null()) continue;
      if (!is_mesh(block)) fail(fmt::format("node {}: its block is no mesh", key));
      const Json& flag = at(*node, "is_support");
      add_block(block, key, is_true(flag.is_null() ? at(defaults, "is_support") : flag));
    }
  }

  // Layout A.
  void read_rbe(const Json& object) {
    model_.format = "COMPAS JSON, compas_rbe";
    const Json& assembly = unwrapped(at(object, "assembly"));
    const Json& nodes =
        at(assembly, "vertex").is_null() ? at(assembly, "node") : at(assembly, "vertex");
    for (const auto& [key, mesh] : entries_of(at(object, "blocks"))) {
      if (!is_mesh(*mesh)) fail(fmt::format("block '{}' is no mesh", key));
      add_block(*mesh, key, is_true(at(at(nodes, key.c_str()), "is_support")));
    }
  }

  // Layouts E and F.
  void read_model(const Json& model) {
    model_.format = "COMPAS JSON, block model";
    std::map<std::string, std::string> number;  // of the graph's node, by guid or index
    for (const auto& [key, node] : entries_of(at(unwrapped(at(model, "graph")), "node")))
      number[text_of(at(*node, "element"))] = key;
    collect_transformations(unwrapped(at(unwrapped(at(model, "tree")), "root")),
                            transformation_of(at(model, "transformation")), 0);
    struct Element {
      std::string guid, node;
      const Json* json;
    };
    std::vector<Element> elements;
    for (const auto& [key, element] : entries_of(at(model, "elements"))) {
      const std::string guid =
          at(model, "elements").is_object() ? key : text_of(at(*element, "guid"));
      const auto node = number.find(guid);
      elements.push_back({guid, node == number.end() ? key : node->second, element});
    }
    const auto by_number = [](const std::string& text) {
      return text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos &&
                     !text.empty()
                 ? std::stol(text)
                 : -1L;
    };
    std::stable_sort(elements.begin(), elements.end(),
                     [&](const Element& one, const Element& other) {
                       return by_number(one.node) < by_number(other.node);
                     });
    const Json& root_transformation = at(model, "transformation");
    for (const Element& element : elements) {
      const Json& data = unwrapped(*element.json);
      const Json* mesh = nullptr;
      Json box;
      for (const char* key : {"geometry", "shape", "mesh"}) {
        if (mesh == nullptr && is_mesh(at(data, key))) mesh = &at(data, key);
        if (mesh == nullptr && is_box(at(data, key))) box = mesh_of_box(at(data, key));
      }
      if (mesh == nullptr && !box.is_null()) mesh = &box;
      if (mesh == nullptr) {
        model_.notes.push_back(fmt::format("element {} has no mesh and is left out", element.node));
        continue;
      }
      add_block(*mesh, element.node, is_true(at(data, "is_support")));
      if (std::string name = text_of(at(*element.json, "name")); !name.empty())
        model_.blocks.back().name = std::move(name);
      const auto placed = placed_.find(element.guid);
      const Matrix4 outer =
          placed == placed_.end() ? transformation_of(root_transformation) : placed->second;
      move(model_.blocks.back(), outer * transformation_of(at(data, "transformation")));
      const std::string material = text_of(at(data, "material"));
      const Json& of_element = at(at(model, "element_material"), element.guid.c_str());
      model_.blocks.back().density =
          density_of(model, material.empty() ? text_of(of_element) : material);
    }
  }

  using Matrix4 = Eigen::Matrix4d;

  Matrix4 transformation_of(const Json& json) const {
    const Json& rows = at(unwrapped(json), "matrix");
    if (!rows.is_array()) return Matrix4::Identity();
    Matrix4 matrix;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        const Json& entry = rows.size() == 4 && rows[i].is_array() && rows[i].size() == 4
                                ? rows[i][j]
                                : null_value();
        if (!entry.is_number()) fail("a transformation is no matrix of 4 by 4 numbers");
        matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = entry.get<double>();
      }
    }
    return matrix;
  }

  // Of the parents of each element in the tree, by guid.
  void collect_transformations(const Json& node, const Matrix4& outer, int depth) {
    if (depth > deepest_level) fail("the tree of elements goes too deep");
    const Json& element = at(node, "element");
    Matrix4 inner = outer;
    if (element.is_string()) {
      const std::string guid = element.get<std::string>();
      placed_[guid] = outer;
      inner = outer * transformation_of(at(unwrapped(element_named(guid)), "transformation"));
    }
    const Json& children = at(node, "children");
    if (!children.is_array()) return;
    for (const Json& child : children) collect_transformations(unwrapped(child), inner, depth + 1);
  }

  const Json& element_named(const std::string& guid) const {
    const Json& root = unwrapped(root_);
    const Json& model = at(root, "model").is_null() ? root : unwrapped(at(root, "model"));
    const Json& elements = at(model, "elements");
    if (elements.is_object()) return at(elements, guid.c_str());
    if (by_guid_.empty() && elements.is_array()) {
      for (const Json& element : elements) by_guid_[text_of(at(element, "guid"))] = &element;
    }
    const auto found = by_guid_.find(guid);
    return found == by_guid_.end() ? null_value() : *found->second;
  }

  static void move(Block& block, const Matrix4& matrix) {
    if (matrix.isIdentity(0.0)) return;
    for (Vector3& v : block.vertices) {
      const Eigen::Vector4d moved = matrix * Eigen::Vector4d(v.x(), v.y(), v.z(), 1.0);
      v = moved.head<3>();
    }
    if (matrix.topLeftCorner<3, 3>().determinant() < 0.0) {
      for (Face& face : block.faces) std::reverse(face.begin(), face.end());
    }
  }

  double density_of(const Json& model, const std::string& material) const {
    if (material.empty()) return 0.0;
    const Json& materials = at(model, "materials");
    const Json* found = &null_value();
    if (materials.is_object()) found = &at(materials, material.c_str());
    if (materials.is_array()) {
      for (const Json& one : materials) {
        if (text_of(at(one, "guid")) == material || text_of(at(one, "name")) == material)
          found = &one;
      }
    }
    const Json& density = at(unwrapped(*found), "density");
    return density.is_number() && density.get<double>() > 0.0 ? density.get<double>() : 0.0;
  }

  // Layout G: what a problem adds to its model.
  void read_problem(const Json& problem) {
    const Json& law = unwrapped(at(unwrapped(at(problem, "contact_properties")), "contact_model"));
    if (at(law, "mu").is_number())
      model_.friction = at(law, "mu").get<double>();
    else if (at(law, "phi").is_number())
      model_.friction = std::tan(at(law, "phi").get<double>() * std::numbers::pi / 180.0);
    for (const auto& [key, meaning] : {std::pair("c", "cohesion"), std::pair("t_c", "tension")}) {
      if (at(law, key).is_number() && at(law, key).get<double>() > 0.0)
        model_.notes.push_back(fmt::format("the problem has a {} of {} Pa, which is not taken over",
                                           meaning, at(law, key).get<double>()));
    }
    const Json& conditions = unwrapped(at(problem, "boundary_conditions"));
    if (at(conditions, "gravity").is_boolean() && !at(conditions, "gravity").get<bool>()) {
      model_.notes.emplace_back(
          "the problem says gravity = false, though its solvers act with gravity; the scene has it "
          "([world] gravity)");
    }
    for (const char* key : {"point_loads", "surface_loads", "body_forces"}) {
      const std::size_t count = at(conditions, key).is_array() ? at(conditions, key).size() : 0;
      if (count > 0)
        model_.notes.push_back(fmt::format(
            "the problem has {} {}, which are not taken over; see [[load]]", count, key));
    }
    std::map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < model_.blocks.size(); ++i) index[model_.blocks[i].key] = i;
    const Json& displacements = at(conditions, "displacements");
    std::size_t moved = 0, partly = 0;
    for (const auto& entry : entries_of(displacements)) {
      const Json& row = unwrapped(*entry.second);
      double size = 0.0;
      bool whole = true;
      for (const char* key : {"translation", "rotation"}) {
        const Json& values = at(row, key);
        if (!values.is_array()) whole = false;
        for (const auto& value : entries_of(values)) {
          if (value.second->is_number())
            size = std::max(size, std::abs(value.second->get<double>()));
          else
            whole = false;
        }
      }
      const auto block = index.find(text_of(at(row, "block_index")));
      if (block == index.end()) continue;
      if (size > 0.0)
        ++moved;
      else if (whole)
        model_.blocks[block->second].support = true;
      else
        ++partly;
    }
    if (partly > 0) {
      model_.notes.push_back(fmt::format(
          "the problem holds {} blocks in some directions, which is not taken over; see "
          "`free` of [[body]]",
          partly));
    }
    if (moved > 0)
      model_.notes.push_back(fmt::format(
          "the problem moves {} blocks, which is not taken over; see [body.motion]", moved));
  }

  void add_block(const Json& json, const std::string& key, bool support) {
    const Json& mesh = unwrapped(json);
    const Json& attributes = at(mesh, "attributes");
    Block block;
    block.key = key;
    block.name = text_of(at(json, "name"));
    if (block.name.empty()) block.name = text_of(at(attributes, "name"));
    block.support = support || is_true(at(attributes, "is_support"));
    const std::string where = "block '" + (key.empty() ? block.name : key) + "'";
    Vector3 absent = Vector3::Zero();
    for (const char* name : {"default_vertex_attributes", "dva"}) {
      const Json& defaults = at(mesh, name);
      for (int i = 0; i < 3; ++i) {
        const Json& value = at(defaults, axis_name(i));
        if (value.is_number()) absent(i) = value.get<double>();
      }
    }
    std::map<std::string, std::int32_t> number;
    for (const auto& [name, vertex] : entries_of(at(mesh, "vertex"))) {
      Vector3 point = absent;
      for (int i = 0; i < 3; ++i) {
        const Json& value = at(*vertex, axis_name(i));
        if (value.is_null() && !vertex->contains(axis_name(i))) continue;
        if (!value.is_number())
          fail(fmt::format("{}: vertex {}: {} is no finite number", where, name, axis_name(i)));
        point(i) = value.get<double>();
      }
      number.emplace(name, static_cast<std::int32_t>(block.vertices.size()));
      block.vertices.push_back(point);
    }
    for (const auto& [name, loop] : entries_of(at(mesh, "face"))) {
      if (loop->is_null()) continue;
      if (!loop->is_array()) fail(fmt::format("{}: face {} is no list of vertices", where, name));
      Face face;
      for (const Json& corner : *loop) {
        const auto found = number.find(text_of(corner));
        if (found == number.end())
          fail(fmt::format("{}: face {}: there is no vertex {}", where, name,
                           corner.dump().substr(0, 40)));
        face.push_back(found->second);
      }
      block.faces.push_back(std::move(face));
    }
    model_.blocks.push_back(std::move(block));
    if (model_.blocks.size() > most_blocks) fail(fmt::format("more than {} blocks", most_blocks));
  }

  static const char* axis_name(int i) { return i == 0 ? "x" : i == 1 ? "y" : "z"; }

  const Json& root_;
  BlockModel model_;
  std::map<std::string, Matrix4> placed_;
  mutable std::map<std::string, const Json*> by_guid_;
};

// How deep brackets lie in each other.
int nesting(const std::string& text) {
  int depth = 0, most = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size() && most <= deepest_level; ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      most = std::max(most, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return most;
}

// With the depth bounded, so that nothing below needs much stack.
Json parsed(const std::string& text, const std::string& file) {
  require(nesting(text) <= deepest_level, file,
          fmt::format("goes deeper than {} levels", deepest_level));
  std::optional<JsonFault> fault;
  Json value = parse_json(text, fault);
  if (fault) {
    throw InputError(fmt::format("{}:{}:{}: is no sound JSON: {}", printable(file), fault->line,
                                 fault->column, fault->what));
  }
  return value;
}

}  // namespace

BlockModel read_compas(const std::string& text, const std::string& file) {
  const Json root = parsed(text, file);
  return CompasReader(root, file).read();
}

}  // namespace scree::blocks
