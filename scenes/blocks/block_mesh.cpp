#include "scenes/blocks/block_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/base/check.hpp"
#include "engine/base/index.hpp"
#include "engine/base/limits.hpp"
#include "engine/base/printable.hpp"
#include "engine/model/shapes/volume_integrals.hpp"
#include "scenes/blocks/vertex_grid.hpp"

namespace scree::blocks {
namespace {

constexpr double loose_weld = 2e-6;       // [-] tried where the tight one leaves a mesh open
constexpr double repair_weld = 1e-4;      // [-] tried by repair
constexpr std::size_t largest_hole = 64;  // edges that repair closes with one face

std::string at_point(const Vector3& p) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x(), p.y(), p.z());
}

}  // namespace

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

namespace {

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

}  // namespace

std::vector<Mesh> closed_meshes(const std::string& file, const Block& block,
                                const SolidOptions& options, SolidReport& report) {
  return BlockMesh(file, block, options, report).closed();
}

}  // namespace scree::blocks
