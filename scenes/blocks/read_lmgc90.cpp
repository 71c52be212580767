// LMGC90: the fixed text of a DATBOX folder. BODIES.DAT has the shapes, BULK_BEHAV.DAT densities,
// TACT_BEHAV.DAT friction, DRV_DOF.DAT which bodies stand still.
#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "engine/base/check.hpp"
#include "engine/model/shapes/convex_polyhedron.hpp"
#include "scenes/blocks/block_model.hpp"
#include "scenes/blocks/text_lines.hpp"

namespace scree::blocks {
namespace {

// "coo1= 0.1D+01 coo2=-3" as {"coo1": "0.1D+01", "coo2": "-3"}.
std::map<std::string, std::string> fields_of(std::string_view line) {
  std::map<std::string, std::string> fields;
  std::size_t at = 0;
  while ((at = line.find('=', at)) != std::string_view::npos) {
    std::size_t name = at;
    while (name > 0 && line[name - 1] == ' ') --name;
    const std::size_t name_end = name;
    while (name > 0 && line[name - 1] != ' ' && line[name - 1] != '=') --name;
    std::size_t value = line.find_first_not_of(" \t", at + 1);
    if (value == std::string_view::npos) break;
    std::size_t end = value;
    while (end < line.size() && std::isspace(static_cast<unsigned char>(line[end])) == 0) ++end;
    fields[std::string(line.substr(name, name_end - name))] =
        std::string(line.substr(value, end - value));
    at = at + 1;
  }
  return fields;
}

class BodiesReader {
 public:
  BodiesReader(const std::string& text, const std::string& file) : lines_(text, file) {
    model_.file = file;
    model_.format = "LMGC90 DATBOX";
  }

  BlockModel read() {
    while (next()) read_keyword();
    close();
    return std::move(model_);
  }

  // [n_blocks] the material of each.
  const std::vector<std::string>& behaviours() const { return behaviours_; }

 private:
  bool next() {
    if (!lines_.next(line_)) return false;
    words_ = words_of(line_);
    return true;
  }

  void need_line(const char* what) {
    do {
      if (!next()) lines_.fail(fmt::format("the file ends where {} should be", what));
    } while (words_.empty());
  }

  void read_keyword() {
    if (words_.empty() || words_[0].starts_with('!')) return;
    if (words_[0] == "$bdyty") {
      close();
      need_line("a body");
      if (words_.size() < 2) lines_.fail("a body has no number");
      open_ = true;
      block_.key = std::string(words_[1]);
      if (words_[0] != "RBDY3")
        lines_.fail(fmt::format("bodies of kind {} are not read; must be RBDY3 (rigid, in space)",
                                std::string(words_[0].substr(0, 20))));
    } else if (words_[0] == "PLAIN") {
      for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
        if (words_[i] == "behav") behaviour_ = std::string(words_[i + 1]);
      }
    } else if (words_[0].starts_with("NO6") || words_[0].starts_with("NO3")) {
      const auto fields = fields_of(line_);
      centre_ = point(fields);
    } else if (words_[0] == "POLYR") {
      read_polyhedron();
    } else if (words_[0] == "PLANx") {
      read_plane();
    } else if (words_[0] == "SPHER" || words_[0] == "CYLND" || words_[0] == "DNLYC" ||
               words_[0] == "PT3Dx") {
      lines_.fail(fmt::format("body {}: contactors of kind {} are not blocks; POLYR and PLANx are",
                              block_.key, std::string(words_[0])));
    }
  }

  double field(const std::map<std::string, std::string>& fields, const std::string& name) const {
    const auto found = fields.find(name);
    if (found == fields.end()) lines_.fail(fmt::format("{}= is missing here", name));
    return lines_.number_in(found->second);
  }

  Vector3 point(const std::map<std::string, std::string>& fields) const {
    return {field(fields, "coo1"), field(fields, "coo2"), field(fields, "coo3")};
  }

  std::int64_t count(const std::map<std::string, std::string>& fields,
                     std::initializer_list<const char*> names) const {
    for (const char* name : names) {
      const auto found = fields.find(name);
      if (found == fields.end()) continue;
      const std::int64_t n = lines_.integer_in(found->second);
      if (n < 3 || n > 10'000'000) lines_.fail(fmt::format("a count of {} is not allowed", n));
      return n;
    }
    lines_.fail(fmt::format("{}= is missing here", *names.begin()));
  }

  void read_polyhedron() {
    const auto head = fields_of(line_);
    const std::int64_t n_vertices = count(head, {"nb_vertex", "nb_vertices"}),
                       n_faces = count(head, {"nb_face(s)", "nb_faces", "nb_face"});
    const auto first = static_cast<std::int32_t>(block_.vertices.size());
    for (std::int64_t i = 0; i < n_vertices; ++i) {
      need_line("a vertex");
      block_.vertices.push_back(point(fields_of(line_)));
    }
    for (std::int64_t i = 0; i < n_faces; ++i) {
      need_line("a face");
      const auto fields = fields_of(line_);
      Face face;
      for (const char* name : {"ver1", "ver2", "ver3"}) {
        const auto found = fields.find(name);
        if (found == fields.end()) lines_.fail(fmt::format("{}= is missing here", name));
        const std::int64_t v = lines_.integer_in(found->second);
        if (v < 1 || v > n_vertices)
          lines_.fail(fmt::format("there is no vertex {}; must be within 1 and {}", v, n_vertices));
        face.push_back(first + static_cast<std::int32_t>(v - 1));
      }
      block_.faces.push_back(std::move(face));
    }
    ++parts_;
  }

  // A box with the half sides axe1, axe2, axe3.
  void read_plane() {
    const auto fields = fields_of(line_);
    const Vector3 half(field(fields, "axe1"), field(fields, "axe2"), field(fields, "axe3"));
    if (!(half.minCoeff() > 0.0)) lines_.fail("half sides must be > 0");
    const auto first = static_cast<std::int32_t>(block_.vertices.size());
    for (int i = 0; i < 8; ++i) {
      const Vector3 corner((i & 1) != 0 ? half.x() : -half.x(), (i & 2) != 0 ? half.y() : -half.y(),
                           (i & 4) != 0 ? half.z() : -half.z());
      block_.vertices.push_back(corner);
    }
    for (const auto& f : box_faces) {
      Face face;
      for (const std::int32_t v : f) face.push_back(first + v);
      block_.faces.push_back(std::move(face));
    }
    ++parts_;
    is_plane_ = true;
  }

  void close() {
    if (!open_) return;
    if (block_.faces.empty())
      lines_.fail(fmt::format("body {} has no faces (POLYR, PLANx)", block_.key));
    for (Vector3& v : block_.vertices) v += centre_;
    block_.cluster = parts_ > 1;
    block_.support = is_plane_;
    model_.blocks.push_back(std::move(block_));
    behaviours_.push_back(behaviour_);
    if (model_.blocks.size() > most_blocks)
      lines_.fail(fmt::format("more than {} blocks", most_blocks));
    block_ = {};
    centre_ = Vector3::Zero();
    behaviour_.clear();
    parts_ = 0;
    open_ = is_plane_ = false;
  }

  Lines lines_;
  std::string_view line_;
  std::vector<std::string_view> words_;
  BlockModel model_;
  Block block_;
  Vector3 centre_ = Vector3::Zero();
  std::string behaviour_;
  std::vector<std::string> behaviours_;
  int parts_ = 0;
  bool open_ = false, is_plane_ = false;
};

std::map<std::string, double> densities(const std::string& text, const std::string& file) {
  std::map<std::string, double> of;
  Lines lines(text, file);
  std::string_view line;
  std::string name;
  bool begins = false;
  while (lines.next(line)) {
    const auto words = words_of(line);
    if (words.empty()) continue;
    if (words[0].starts_with("$behav")) {
      begins = true;
      continue;
    }
    if (words[0].starts_with('$')) begins = false;
    if (begins) {
      name = std::string(words[0]);
      begins = false;
    }
    const auto fields = fields_of(line);
    const auto density = fields.find("Umas");
    if (density != fields.end() && !name.empty()) of[name] = lines.number_in(density->second);
  }
  return of;
}

// grv1= grv2= grv3= of BULK_BEHAV.DAT; nothing where one is missing.
std::optional<Vector3> gravity_in(const std::string& text, const std::string& file) {
  Lines lines(text, file);
  std::string_view line;
  while (lines.next(line)) {
    const auto fields = fields_of(line);
    Vector3 gravity;
    bool all = true;
    for (int k = 0; k < 3; ++k) {
      const auto found = fields.find(fmt::format("grv{}", k + 1));
      all = all && found != fields.end();
      if (all) gravity(k) = lines.number_in(found->second);
    }
    if (all) return gravity;
  }
  return std::nullopt;
}

// Laws of contact that are more than friction: springs, cohesion, restitution.
void note_laws(const std::string& text, const std::string& file, std::vector<std::string>& notes) {
  Lines lines(text, file);
  std::string_view line;
  bool begins = false;
  while (lines.next(line)) {
    const auto words = words_of(line);
    if (words.empty() || words[0].starts_with('!')) continue;
    if (begins && words.size() > 1 && words[1] != "IQS_CLB" && words[1] != "GAP_SGR_CLB") {
      notes.push_back(
          fmt::format("law {} of TACT_BEHAV.DAT is of kind {}; its friction alone is taken over",
                      std::string(words[0].substr(0, 20)), std::string(words[1].substr(0, 40))));
    }
    begins = words[0].starts_with("$behav");
  }
}

std::set<double> frictions(const std::string& text, const std::string& file) {
  std::set<double> values;
  Lines lines(text, file);
  std::string_view line;
  while (lines.next(line)) {
    const auto fields = fields_of(line);
    for (const char* name : {"fric", "dyfr"}) {
      const auto found = fields.find(name);
      if (found != fields.end()) values.insert(lines.number_in(found->second));
    }
  }
  return values;
}

// Bodies of which all six velocities are prescribed to be zero.
std::set<std::string> standing_bodies(const std::string& text, const std::string& file,
                                      std::vector<std::string>& notes) {
  std::map<std::string, int> locked;
  std::set<std::string> moved;
  Lines lines(text, file);
  std::string_view line;
  std::string body;
  while (lines.next(line)) {
    const auto words = words_of(line);
    if (words.empty()) continue;
    if (words[0].starts_with("RBDY3") && words.size() > 1) body = std::string(words[1]);
    if (words[0] != "vlocy" && words[0] != "force") continue;
    if (words.size() < 4) lines.fail("a driven degree of freedom is not understood");
    double size = 0.0;
    if (words[2] != "evolution") {
      // CT + AMP cos(OMEGA t + PHI)
      for (std::size_t i = 2; i < std::min<std::size_t>(words.size(), 4); ++i)
        size = std::max(size, std::abs(lines.number_in(words[i])));
    } else {
      size = 1.0;
    }
    if (size > 0.0) moved.insert(body);
    if (words[0] == "vlocy" && size == 0.0) ++locked[body];
  }
  std::set<std::string> standing;
  for (const auto& [name, count] : locked) {
    if (count == 6 && !moved.contains(name)) standing.insert(name);
  }
  for (const std::string& name : moved)
    notes.push_back(
        fmt::format("body {} is driven or loaded in {}, which is not taken over", name, file));
  return standing;
}

}  // namespace

BlockModel read_lmgc90(const std::string& bodies, const std::string& file,
                       const ReadSibling& sibling) {
  BodiesReader reader(bodies, file);
  BlockModel model = reader.read();
  require(!model.blocks.empty(), file, "has no bodies ($bdyty)");
  if (!sibling) return model;
  const std::string folder = std::filesystem::path(file).parent_path().string();
  const auto path = [&](const char* name) {
    return (std::filesystem::path(folder) / name).string();
  };
  if (const auto bulk = sibling("BULK_BEHAV.DAT")) {
    const auto density = densities(*bulk, path("BULK_BEHAV.DAT"));
    for (std::size_t i = 0; i < model.blocks.size(); ++i) {
      const auto found = density.find(reader.behaviours()[i]);
      if (found != density.end() && found->second > 0.0) model.blocks[i].density = found->second;
    }
    model.gravity = gravity_in(*bulk, path("BULK_BEHAV.DAT"));
  }
  if (const auto contacts = sibling("TACT_BEHAV.DAT")) {
    note_laws(*contacts, path("TACT_BEHAV.DAT"), model.notes);
    const std::set<double> values = frictions(*contacts, path("TACT_BEHAV.DAT"));
    if (!values.empty()) model.friction = *values.begin();
    if (values.size() > 1) {
      model.notes.push_back(
          fmt::format("TACT_BEHAV.DAT has friction from {:g} to {:g}; the lowest is taken",
                      *values.begin(), *values.rbegin()));
    }
  }
  if (const auto driven = sibling("DRV_DOF.DAT")) {
    const std::set<std::string> standing =
        standing_bodies(*driven, path("DRV_DOF.DAT"), model.notes);
    for (Block& block : model.blocks) {
      if (standing.contains(block.key)) block.support = true;
    }
  }
  return model;
}

}  // namespace scree::blocks
