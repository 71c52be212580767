#include "scenes/blocks/solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <unordered_map>

#include "engine/base/check.hpp"
#include "engine/base/index.hpp"
#include "engine/base/limits.hpp"
#include "engine/base/printable.hpp"
#include "engine/model/shapes/volume_integrals.hpp"
#include "scenes/blocks/triangulate.hpp"
#include "scenes/blocks/vertex_grid.hpp"

namespace scree::blocks {
namespace {

constexpr double least_volume = 1e-9;  // [-] of the cube of the size
constexpr double loose_weld = 2e-6;    // [-] tried where the tight one leaves a mesh open
constexpr double repair_weld = 1e-4;   // [-] tried by repair
constexpr double largest_usual =
    200.0;  // [m] median size of blocks: else the unit is not the metre
constexpr double smallest_usual = 1e-3;   // [m]
constexpr std::size_t largest_hole = 64;  // edges that repair closes with one face

std::string at_point(const Vector3& p) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x(), p.y(), p.z());
}

struct Mesh {
  std::vector<Vector3> vertices;
  std::vector<Face> faces;
};

struct EdgeUse {
  std::int32_t face = 0;
  bool upward = false;  // the face runs from the lower to the higher vertex
};
using EdgeKey = std::pair<std::int32_t, std::int32_t>;
using EdgeMap = std::map<EdgeKey, std::vector<EdgeUse>>;

EdgeMap edges_of(const std::vector<Face>& faces) {
  EdgeMap edges;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Face& face = faces[f];
    for (std::size_t i = 0; i < face.size(); ++i) {
      const std::int32_t u = face[i], v = face[(i + 1) % face.size()];
      edges[{std::min(u, v), std::max(u, v)}].push_back({static_cast<std::int32_t>(f), u < v});
    }
  }
  return edges;
}

struct Shell {
  Mesh mesh;
  double volume = 0.0;  // [m3] as drawn, < 0: it looks inward
};

// The smallest shell around each that looks inward; -1: none, it is the outside of a block.
std::vector<std::int32_t> cavities_of(const std::vector<Shell>& shells) {
  std::vector<std::int32_t> around(shells.size(), -1);
  std::vector<Eigen::AlignedBox3d> box(shells.size());
  for (std::size_t i = 0; i < shells.size(); ++i) {
    for (const Vector3& v : shells[i].mesh.vertices) box[i].extend(v);
  }
  for (std::size_t i = 0; i < shells.size(); ++i) {
    if (!(shells[i].volume < 0.0)) continue;
    for (std::size_t k = 0; k < shells.size(); ++k) {
      const Mesh& outer = shells[k].mesh;
      if (!(shells[k].volume > -shells[i].volume) || !box[k].contains(box[i])) continue;
      const bool within = std::ranges::all_of(shells[i].mesh.vertices, [&](const Vector3& v) {
        return winding(outer.vertices, outer.faces, v) > 0.75;
      });
      if (within && (around[i] < 0 || shells[k].volume < shells[index(around[i])].volume))
        around[i] = static_cast<std::int32_t>(k);
    }
  }
  return around;
}

// Several closed pieces as one mesh.
Mesh joined(const std::vector<Mesh>& parts) {
  Mesh all;
  for (const Mesh& part : parts) {
    const auto first = static_cast<std::int32_t>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), part.vertices.begin(), part.vertices.end());
    for (Face face : part.faces) {
      for (std::int32_t& v : face) v += first;
      all.faces.push_back(std::move(face));
    }
  }
  return all;
}

// One block on its way to a solid.
class BlockMesh {
 public:
  BlockMesh(const std::string& file, const Block& block, const SolidOptions& options,
            SolidReport& report)
      : file_(file), block_(block), options_(options), report_(report) {}

  // Closed components with consistent orientation, outward.
  std::vector<Mesh> closed() {
    check_drawing();
    std::vector<double> tolerances = {options_.weld};
    if (options_.weld < loose_weld) tolerances.push_back(loose_weld);
    if (options_.repair && options_.weld < repair_weld) tolerances.push_back(repair_weld);
    for (std::size_t i = 0; i < tolerances.size(); ++i) {
      weld(tolerances[i]);
      clean_faces();
      handle_doubled();
      if (is_closed()) break;
      if (options_.repair) {
        insert_hanging(tolerances[i]);
        if (is_closed()) break;
        if (i + 1 == tolerances.size()) fill_holes();
      }
    }
    check_edges();
    return oriented_components();
  }

  double size() const { return size_; }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(printable(fmt::format("{}: block '{}': {}", file_, block_.name, message)));
  }

  void check_drawing() {
    Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (std::size_t i = 0; i < block_.vertices.size(); ++i) {
      const Vector3& v = block_.vertices[i];
      for (int k = 0; k < 3; ++k) {
        if (!is_admitted_coordinate(v(k)))
          fail(fmt::format("vertex {}: coordinate {} is not allowed; must be a finite number {}", i,
                           v(k), admitted_coordinate));
      }
      low = low.cwiseMin(v), high = high.cwiseMax(v);
    }
    if (block_.faces.size() < 4) {
      fail(fmt::format("has {} face{}: an open sheet, no solid; a block needs at least 4",
                       block_.faces.size(), block_.faces.size() == 1 ? "" : "s"));
    }
    size_ = (high - low).norm();
    if (!(size_ > 0.0)) fail("all its vertices lie at one point");
    rounding_ = 4e-7 * std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
  }

  void weld(double relative) {
    // Coordinates in single precision, as in STL, are off by their own rounding.
    const double tolerance =
        relative == options_.weld ? relative * size_ : std::max(relative * size_, rounding_);
    VertexGrid grid(tolerance);
    mesh_ = {};
    std::vector<std::int32_t> number;
    for (const Vector3& v : block_.vertices) {
      const std::int32_t known = grid.find(v);
      number.push_back(known >= 0 ? known : grid.add(v));
    }
    mesh_.vertices = grid.points();
    mesh_.faces = block_.faces;
    for (Face& face : mesh_.faces) {
      for (std::int32_t& v : face) v = number[index(v)];
    }
    welded_ = mesh_.vertices.size() < block_.vertices.size();
  }

  // Without corners that follow themselves, spikes, and faces of fewer than three corners.
  void clean_faces() {
    std::vector<Face> faces;
    for (Face& face : mesh_.faces) {
      bool changed = true;
      while (changed && face.size() >= 3) {
        changed = false;
        for (std::size_t i = 0; i < face.size() && face.size() >= 3; ++i) {
          const std::size_t n = face.size();
          if (face[i] == face[(i + 1) % n] || face[i] == face[(i + 2) % n]) {
            face.erase(face.begin() + static_cast<std::ptrdiff_t>((i + 1) % n));
            changed = true;
            break;
          }
        }
      }
      if (face.size() >= 3) faces.push_back(std::move(face));
    }
    mesh_.faces = std::move(faces);
  }

  void handle_doubled() {
    std::map<Face, std::size_t> first;
    std::vector<Face> kept;
    std::size_t doubled = 0, where = 0;
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      Face sorted = mesh_.faces[f];
      std::sort(sorted.begin(), sorted.end());
      if (first.emplace(sorted, f).second) {
        kept.push_back(mesh_.faces[f]);
      } else if (doubled++ == 0) {
        where = f;
      }
    }
    if (doubled == 0) return;
    if (!options_.repair) {
      fail(fmt::format("{} of its {} faces are there twice (first: face {}); --repair drops them",
                       doubled, mesh_.faces.size(), where));
    }
    doubled_ = doubled;
    mesh_.faces = std::move(kept);
  }

  bool is_closed() const {
    for (const auto& [key, uses] : edges_of(mesh_.faces)) {
      if (uses.size() != 2) return false;
    }
    return true;
  }

  // A vertex that lies on an edge of a face without being a corner of it becomes one.
  void insert_hanging(double relative) {
    const double tolerance = std::max(relative, 1e-7) * size_;
    for (int round = 0; round < 20; ++round) {
      bool any = false;
      const EdgeMap edges = edges_of(mesh_.faces);
      std::set<std::int32_t> loose;
      for (const auto& [key, uses] : edges) {
        if (uses.size() == 1) loose.insert({key.first, key.second});
      }
      for (const auto& [key, uses] : edges) {
        if (uses.size() != 1) continue;
        const Vector3 &a = mesh_.vertices[index(key.first)], &b = mesh_.vertices[index(key.second)];
        const Vector3 along = b - a;
        std::int32_t nearest = -1;
        double share = 2.0;
        for (const std::int32_t v : loose) {
          if (v == key.first || v == key.second) continue;
          const Vector3 to = mesh_.vertices[index(v)] - a;
          const double t = to.dot(along) / along.squaredNorm();
          if (t <= 0.0 || t >= 1.0 || (to - t * along).norm() > tolerance || t >= share) continue;
          nearest = v, share = t;
        }
        if (nearest < 0) continue;
        Face& face = mesh_.faces[index(uses[0].face)];
        if (std::find(face.begin(), face.end(), nearest) != face.end()) continue;
        for (std::size_t i = 0; i < face.size(); ++i) {
          const EdgeKey here = std::minmax(face[i], face[(i + 1) % face.size()]);
          if (here != key) continue;
          face.insert(face.begin() + static_cast<std::ptrdiff_t>(i) + 1, nearest);
          ++hanging_;
          any = true;
          break;
        }
      }
      if (!any) return;
    }
  }

  // Rims of holes get a face.
  void fill_holes() {
    std::map<std::int32_t, std::int32_t> next;  // along the rim, against its faces
    for (const auto& [key, uses] : edges_of(mesh_.faces)) {
      if (uses.size() != 1) continue;
      const std::int32_t from = uses[0].upward ? key.second : key.first,
                         to = uses[0].upward ? key.first : key.second;
      if (!next.emplace(from, to).second) return;
    }
    std::size_t filled = 0;
    while (!next.empty()) {
      Face face;
      std::int32_t at = next.begin()->first;
      while (next.contains(at)) {
        face.push_back(at);
        const std::int32_t to = next[at];
        next.erase(at);
        at = to;
      }
      if (face.size() < 3 || face.size() > largest_hole || at != face[0]) return;
      mesh_.faces.push_back(std::move(face));
      ++filled;
    }
    filled_ = filled;
  }

  void check_edges() const {
    std::size_t open = 0;
    const EdgeMap edges = edges_of(mesh_.faces);
    const EdgeMap::value_type *first_open = nullptr, *first_many = nullptr;
    for (const auto& edge : edges) {
      if (edge.second.size() == 1) {
        ++open;
        if (first_open == nullptr) first_open = &edge;
      }
      if (edge.second.size() > 2 && first_many == nullptr) first_many = &edge;
    }
    const auto ends = [&](const EdgeMap::value_type& edge) {
      return at_point(mesh_.vertices[index(edge.first.first)]) + " - " +
             at_point(mesh_.vertices[index(edge.first.second)]);
    };
    if (first_many != nullptr) {
      fail(fmt::format("the edge {} belongs to {} faces; must be 2", ends(*first_many),
                       first_many->second.size()));
    }
    if (first_open != nullptr) {
      fail(fmt::format("is open: {} edges belong to one face only (first: {} of face {}){}", open,
                       ends(*first_open), first_open->second[0].face,
                       options_.repair ? "; --repair found no way to close it"
                                       : "; --repair closes small holes"));
    }
  }

  std::vector<Mesh> oriented_components() {
    const EdgeMap edges = edges_of(mesh_.faces);
    std::vector<std::vector<std::pair<std::int32_t, bool>>> neighbours(mesh_.faces.size());
    for (const auto& [key, uses] : edges) {
      const bool alike = uses[0].upward == uses[1].upward;  // then one of the two is turned
      neighbours[index(uses[0].face)].emplace_back(uses[1].face, alike);
      neighbours[index(uses[1].face)].emplace_back(uses[0].face, alike);
    }
    std::vector<int> component(mesh_.faces.size(), -1);
    std::vector<std::uint8_t> turn(mesh_.faces.size(), 0);
    int count = 0;
    for (std::size_t start = 0; start < mesh_.faces.size(); ++start) {
      if (component[start] >= 0) continue;
      std::vector<std::int32_t> todo = {static_cast<std::int32_t>(start)};
      component[start] = count;
      while (!todo.empty()) {
        const std::int32_t f = todo.back();
        todo.pop_back();
        for (const auto& [other, alike] : neighbours[index(f)]) {
          const auto wanted = static_cast<std::uint8_t>(turn[index(f)] ^ (alike ? 1 : 0));
          if (component[index(other)] < 0) {
            component[index(other)] = count;
            turn[index(other)] = wanted;
            todo.push_back(other);
          } else if (turn[index(other)] != wanted) {
            fail(fmt::format("face {} has no outer side: the surface is one-sided", other));
          }
        }
      }
      ++count;
    }
    bool turned = false;
    std::vector<Shell> shells;
    for (int c = 0; c < count; ++c) {
      Mesh part;
      std::map<std::int32_t, std::int32_t> own;
      for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
        if (component[f] != c) continue;
        Face face = mesh_.faces[f];
        if (turn[f] != 0) std::reverse(face.begin(), face.end()), turned = true;
        for (std::int32_t& v : face) {
          const auto [known, is_new] =
              own.emplace(v, static_cast<std::int32_t>(part.vertices.size()));
          if (is_new) part.vertices.push_back(mesh_.vertices[index(v)]);
          v = known->second;
        }
        part.faces.push_back(std::move(face));
      }
      const double volume = surface_integrals(part.vertices, part.faces).volume;
      if (!(std::abs(volume) > least_volume * size_ * size_ * size_)) {
        // Of several pieces, one without volume is a leftover of drawing.
        if (count > 1) continue;
        fail(fmt::format("has no volume: {:.3g} m3 for a size of {:.3g} m", std::abs(volume),
                         size_));
      }
      shells.push_back({std::move(part), volume});
    }
    std::vector<Mesh> parts = outward(shells, turned);
    if (parts.empty()) fail(fmt::format("has no volume for a size of {:.3g} m", size_));
    report_.turned += turned ? 1 : 0;
    report_.welded += welded_ ? 1 : 0;
    report_.doubled += doubled_;
    report_.filled += filled_;
    report_.hanging += hanging_;
    return parts;
  }

  // Shells that look outward, each with its cavities.
  std::vector<Mesh> outward(std::vector<Shell>& shells, bool& turned) {
    const std::vector<std::int32_t> around = cavities_of(shells);
    std::vector<Mesh> parts;
    for (std::size_t i = 0; i < shells.size(); ++i) {
      if (around[i] >= 0) continue;
      if (shells[i].volume < 0.0) {
        for (Face& face : shells[i].mesh.faces) std::reverse(face.begin(), face.end());
        turned = true;
      }
      std::vector<Mesh> own = {std::move(shells[i].mesh)};
      for (std::size_t k = 0; k < shells.size(); ++k) {
        if (around[k] != static_cast<std::int32_t>(i)) continue;
        own.push_back(shells[k].mesh);
        ++report_.cavities;
      }
      parts.push_back(joined(own));
    }
    return parts;
  }

  const std::string& file_;
  const Block& block_;
  const SolidOptions& options_;
  SolidReport& report_;
  Mesh mesh_;
  double size_ = 0.0, rounding_ = 0.0;
  bool welded_ = false;
  std::size_t doubled_ = 0, filled_ = 0, hanging_ = 0;
};

// A block of some of another's faces, with the vertices that these have.
Block part_of(const Block& block, const std::vector<std::size_t>& faces) {
  Block part;
  part.key = block.key, part.support = block.support, part.density = block.density;
  std::map<std::int32_t, std::int32_t> own;
  for (const std::size_t f : faces) {
    Face face = block.faces[f];
    for (std::int32_t& v : face) {
      const auto [known, is_new] = own.emplace(v, static_cast<std::int32_t>(part.vertices.size()));
      if (is_new) part.vertices.push_back(block.vertices[index(v)]);
      v = known->second;
    }
    part.faces.push_back(std::move(face));
  }
  return part;
}

// Faces that hang together by the vertices that they share as the file numbers them.
std::vector<std::vector<std::size_t>> sharing_vertices(const Block& block) {
  std::vector<std::int32_t> root(block.vertices.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t i) {
    while (root[index(i)] != i) i = root[index(i)] = root[index(root[index(i)])];
    return i;
  };
  for (const Face& face : block.faces) {
    for (const std::int32_t v : face) root[index(find(v))] = find(face[0]);
  }
  std::map<std::int32_t, std::size_t> number;
  std::vector<std::vector<std::size_t>> pieces;
  for (std::size_t f = 0; f < block.faces.size(); ++f) {
    const auto [known, is_new] = number.emplace(find(block.faces[f][0]), pieces.size());
    if (is_new) pieces.emplace_back();
    pieces[known->second].push_back(f);
  }
  return pieces;
}

// Shells in the order of the file: a piece ends where all its edges have met. Empty where the last
// one stays open, or a face is there twice.
std::vector<std::vector<std::size_t>> shells_in_order(const Block& block) {
  Vector3 low = block.vertices[0], high = low;
  for (const Vector3& v : block.vertices) {
    for (int k = 0; k < 3; ++k) {
      if (!is_admitted_coordinate(v(k))) return {};  // said later, of the block
    }
    low = low.cwiseMin(v), high = high.cwiseMax(v);
  }
  const double rounding = 4e-7 * std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
  VertexGrid grid(std::max(1e-9 * (high - low).norm(), rounding));
  std::vector<std::int32_t> number;
  for (const Vector3& v : block.vertices) {
    const std::int32_t known = grid.find(v);
    number.push_back(known >= 0 ? known : grid.add(v));
  }
  std::vector<std::vector<std::size_t>> pieces(1);
  std::set<EdgeKey> open;
  std::set<Face> seen;
  for (std::size_t f = 0; f < block.faces.size(); ++f) {
    Face face = block.faces[f];
    for (std::int32_t& v : face) v = number[index(v)];
    std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
    if (!seen.insert(face).second) return {};
    pieces.back().push_back(f);
    for (std::size_t i = 0; i < face.size(); ++i) {
      const std::int32_t u = face[i], v = face[(i + 1) % face.size()];
      if (u == v) continue;
      if (open.erase({v, u}) == 0) open.insert({u, v});
    }
    if (open.empty()) pieces.emplace_back();
  }
  if (!open.empty()) return {};
  pieces.pop_back();
  return pieces;
}

bool is_closed_by_itself(const Block& block) {
  if (block.faces.size() < 4) return false;
  for (const auto& [key, uses] : edges_of(block.faces)) {
    if (uses.size() != 2) return false;
  }
  return true;
}

// Pieces that look inward within another are cavities of that one.
void add_cavities(const Block& block, const std::vector<std::vector<std::size_t>>& pieces,
                  std::vector<Block>& parts) {
  std::vector<double> volume;
  for (const Block& part : parts)
    volume.push_back(surface_integrals(part.vertices, part.faces).volume);
  if (std::ranges::none_of(volume, [](double v) { return v < 0.0; })) return;
  std::vector<Shell> shells;
  for (std::size_t i = 0; i < parts.size(); ++i)
    shells.push_back({{parts[i].vertices, parts[i].faces}, volume[i]});
  const std::vector<std::int32_t> around = cavities_of(shells);
  std::vector<std::vector<std::size_t>> faces = pieces;
  for (std::size_t i = 0; i < around.size(); ++i) {
    if (around[i] < 0) continue;
    std::vector<std::size_t>& outer = faces[index(around[i])];
    outer.insert(outer.end(), faces[i].begin(), faces[i].end());
    faces[i].clear();
  }
  parts.clear();
  for (const auto& own : faces) {
    if (!own.empty()) parts.push_back(part_of(block, own));
  }
}

// One mesh of many blocks, in pieces. Blocks that touch have corners at the same places, so this
// comes before vertices are welded.
std::vector<Block> pieces_of(const Block& block) {
  if (block.cluster || block.faces.size() < 8) return {block};
  // Faces without corners are told of later, of the block.
  if (std::ranges::any_of(block.faces, [](const Face& face) { return face.empty(); }))
    return {block};
  for (const bool in_order : {false, true}) {
    const auto pieces = in_order ? shells_in_order(block) : sharing_vertices(block);
    if (pieces.size() < 2 || 4 * pieces.size() > block.faces.size()) continue;
    std::vector<Block> parts;
    for (const auto& faces : pieces) parts.push_back(part_of(block, faces));
    add_cavities(block, pieces, parts);
    if (parts.size() == 1) return {block};
    if (in_order || std::all_of(parts.begin(), parts.end(), is_closed_by_itself)) {
      for (std::size_t i = 0; i < parts.size(); ++i)
        parts[i].name = fmt::format("{}.{}", block.name, i + 1);
      return parts;
    }
  }
  return {block};
}

// A point for each vertex that is the same for vertices of neighbours at one place, so that a
// warped face is split alike on both sides.
std::vector<std::vector<Vector3>> common_places(const std::vector<Solid>& solids) {
  double size = 0.0;
  for (const Solid& solid : solids) size = std::max(size, solid.size);
  VertexGrid grid(1e-4 * size);
  std::vector<std::vector<Vector3>> places;
  for (const Solid& solid : solids) {
    std::vector<Vector3>& own = places.emplace_back();
    for (const Vector3& v : solid.vertices) {
      const std::int32_t known = grid.find(v);
      own.push_back(grid.points()[index(known >= 0 ? known : grid.add(v))]);
    }
  }
  return places;
}

void split_warped(std::vector<Solid>& solids, const SolidOptions& options, SolidReport& report) {
  bool any = false;
  std::vector<std::vector<double>> off(solids.size());
  for (std::size_t s = 0; s < solids.size(); ++s) {
    for (const Face& face : solids[s].faces) {
      off[s].push_back(off_plane(solids[s].vertices, face));
      solids[s].warp = std::max(solids[s].warp, off[s].back());
    }
    if (solids[s].warp > report.worst_warp * solids[s].size) {
      report.worst_warp = solids[s].warp / solids[s].size;
      report.worst_block = solids[s].name;
    }
    any = any || solids[s].warp > options.flat * solids[s].size;
  }
  const std::vector<std::vector<Vector3>> places =
      any ? common_places(solids) : std::vector<std::vector<Vector3>>();
  for (std::size_t s = 0; s < solids.size(); ++s) {
    Solid& solid = solids[s];
    std::vector<Face> faces;
    std::size_t piece = 0;
    for (std::size_t f = 0; f < solid.faces.size(); ++f) {
      if (f == solid.piece_end[piece]) solid.piece_end[piece++] = faces.size();
      if (off[s][f] <= options.flat * solid.size) {
        solid.flatness = std::max(solid.flatness, off[s][f]);
        faces.push_back(solid.faces[f]);
        continue;
      }
      ++report.split_faces;
      for (Face& triangle : shortest_triangulation(places[s], solid.faces[f]))
        faces.push_back(std::move(triangle));
    }
    solid.piece_end[piece] = faces.size();
    solid.faces = std::move(faces);
    solid.integrals = surface_integrals(solid.vertices, solid.faces);
  }
}

// The bodies that a block of the file is, each of closed pieces. Those of a cluster may touch: they
// are closed each for itself.
std::vector<std::vector<Mesh>> bodies_of(const std::string& file, const Block& block,
                                         const SolidOptions& options, SolidReport& report) {
  std::vector<std::vector<Mesh>> bodies;
  const std::vector<std::vector<std::size_t>> pieces =
      block.cluster ? sharing_vertices(block) : std::vector<std::vector<std::size_t>>();
  if (pieces.size() > 1) {
    ++report.clusters;
    bodies.emplace_back();
    for (const std::vector<std::size_t>& faces : pieces) {
      Block part = part_of(block, faces);
      part.name = block.name;
      for (Mesh& mesh : BlockMesh(file, part, options, report).closed())
        bodies.back().push_back(std::move(mesh));
    }
    return bodies;
  }
  for (Mesh& mesh : BlockMesh(file, block, options, report).closed())
    bodies.push_back({std::move(mesh)});
  return bodies;
}

Solid solid_of(const Block& block, const std::vector<Mesh>& pieces, const SolidOptions& options) {
  Solid solid;
  solid.name = block.name, solid.key = block.key;
  solid.support = block.support, solid.density = block.density;
  for (const Mesh& piece : pieces)
    solid.piece_end.push_back((solid.piece_end.empty() ? 0 : solid.piece_end.back()) +
                              piece.faces.size());
  Mesh all = joined(pieces);
  solid.vertices = std::move(all.vertices), solid.faces = std::move(all.faces);
  Vector3 low = solid.vertices[0], high = low;
  for (const Vector3& v : solid.vertices) low = low.cwiseMin(v), high = high.cwiseMax(v);
  solid.size = (high - low).norm();
  // A corner of a quadrangle is four times as far from the plane of the others as from the mean.
  solid.flat = 4.0 * options.flat * solid.size;
  return solid;
}

// One solid that is drawn twice at the same place: every face of a mesh twice, or an object copied.
void handle_coincident(const std::string& file, const SolidOptions& options,
                       std::vector<Solid>& solids, SolidReport& report) {
  double size = 0.0;
  for (const Solid& solid : solids) size = std::max(size, solid.size);
  VertexGrid centres(1e-6 * size);
  std::vector<std::vector<std::size_t>> at;  // [n_centres] solids there
  std::vector<MassProperties> integrals;
  std::vector<std::uint8_t> drop(solids.size(), 0);
  for (std::size_t s = 0; s < solids.size(); ++s) {
    integrals.push_back(surface_integrals(solids[s].vertices, solids[s].faces));
    const std::int32_t known = centres.find(integrals[s].centre);
    const std::size_t place = index(known >= 0 ? known : centres.add(integrals[s].centre));
    at.resize(std::max(at.size(), place + 1));
    for (const std::size_t other : at[place]) {
      const auto same = [&](double one, double two) {
        return std::abs(one - two) <= 1e-6 * std::abs(one);
      };
      if (!same(integrals[s].volume, integrals[other].volume) ||
          !same(solids[s].size, solids[other].size) ||
          !(integrals[s].inertia - integrals[other].inertia)
               .isZero(1e-6 * integrals[s].inertia.norm()))
        continue;
      if (!options.repair) {
        throw InputError(printable(fmt::format(
            "{}: block '{}': is the same solid at the same place as block '{}', as if every face "
            "were there twice; --repair drops one",
            file, solids[s].name, solids[other].name)));
      }
      drop[s] = 1;
      solids[other].support = solids[other].support || solids[s].support;
      ++report.coincident;
      break;
    }
    if (drop[s] == 0) at[place].push_back(s);
  }
  std::size_t kept = 0;
  for (std::size_t s = 0; s < solids.size(); ++s) {
    if (drop[s] != 0) continue;
    if (kept != s) solids[kept] = std::move(solids[s]);
    ++kept;
  }
  solids.resize(kept);
}

void refuse_other_units(const std::string& file, const std::vector<Solid>& solids,
                        const SolidOptions& options) {
  if (options.scale_given) return;
  std::vector<double> sizes;
  for (const Solid& solid : solids) sizes.push_back(solid.size);
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2),
                   sizes.end());
  const double median = sizes[sizes.size() / 2];
  require(median >= smallest_usual && median <= largest_usual, file,
          fmt::format("half of its blocks are {} than {:.3g} m, as if drawn in another unit: say "
                      "--scale 0.001 for millimetres, 0.01 for centimetres, 1 for metres",
                      median > largest_usual ? "larger" : "smaller", median));
}

}  // namespace

MassProperties surface_integrals(const std::vector<Vector3>& vertices,
                                 const std::vector<Face>& faces) {
  Vector3 o = Vector3::Zero();
  for (const Vector3& v : vertices) o += v / static_cast<double>(vertices.size());
  VolumeIntegrals sums;
  for (const Face& face : faces) {
    const auto corner = [&](std::size_t i) -> Vector3 { return vertices[index(face[i])] - o; };
    for (std::size_t i = 1; i + 1 < face.size(); ++i) sums.add(corner(0), corner(i), corner(i + 1));
  }
  return sums.volume == 0.0 ? MassProperties() : sums.about(o);
}

double winding(const std::vector<Vector3>& vertices, const std::vector<Face>& faces,
               const Vector3& point) {
  double angle = 0.0;
  for (const Face& face : faces) {
    for (std::size_t k = 1; k + 1 < face.size(); ++k) {
      angle += solid_angle(vertices[index(face[0])] - point, vertices[index(face[k])] - point,
                           vertices[index(face[k + 1])] - point);
    }
  }
  return angle / (4.0 * std::numbers::pi);
}

std::vector<std::string> SolidReport::lines() const {
  std::vector<std::string> text;
  if (welded > 0)
    text.push_back(
        fmt::format("vertices welded in {} blocks whose faces did not share them", welded));
  if (turned > 0) text.push_back(fmt::format("faces turned outward in {} blocks", turned));
  if (doubled > 0) text.push_back(fmt::format("{} faces that were there twice dropped", doubled));
  if (hanging > 0) text.push_back(fmt::format("{} hanging vertices put into edges", hanging));
  if (filled > 0) text.push_back(fmt::format("{} holes closed", filled));
  if (split_blocks > 0)
    text.push_back(
        fmt::format("{} meshes of several closed pieces made one block a piece", split_blocks));
  if (clusters > 0)
    text.push_back(fmt::format("{} bodies are made of several closed pieces", clusters));
  if (cavities > 0) text.push_back(fmt::format("{} cavities within blocks", cavities));
  if (coincident > 0)
    text.push_back(fmt::format("{} blocks dropped that were there twice", coincident));
  if (split_faces > 0) {
    text.push_back(
        fmt::format("{} faces that are not flat split into triangles; worst: {:.2g} of "
                    "the size of '{}'",
                    split_faces, worst_warp, worst_block));
  }
  return text;
}

std::vector<Solid> make_solids(const BlockModel& model, const SolidOptions& options,
                               SolidReport& report) {
  std::vector<Solid> solids;
  std::vector<Block> drawn;
  for (const Block& block : model.blocks) {
    std::vector<Block> pieces = pieces_of(block);
    if (pieces.size() > 1) ++report.split_blocks;
    std::move(pieces.begin(), pieces.end(), std::back_inserter(drawn));
  }
  for (Block& block : drawn) {
    for (Vector3& v : block.vertices) v *= options.scale;
    const std::vector<std::vector<Mesh>> bodies = bodies_of(model.file, block, options, report);
    if (bodies.size() > 1) ++report.split_blocks;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      solids.push_back(solid_of(block, bodies[i], options));
      if (bodies.size() > 1) solids.back().name = fmt::format("{}.{}", block.name, i + 1);
    }
  }
  handle_coincident(model.file, options, solids, report);
  refuse_other_units(model.file, solids, options);
  split_warped(solids, options, report);
  for (const Solid& solid : solids) {
    require(solid.integrals.volume > least_volume * std::pow(solid.size, 3), model.file,
            fmt::format("block '{}': has no volume", printable(solid.name)));
  }
  return solids;
}

}  // namespace scree::blocks
