#include "scenes/blocks/solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/check.hpp"
#include "engine/base/index.hpp"
#include "engine/base/printable.hpp"
#include "engine/model/shapes/volume_integrals.hpp"
#include "scenes/blocks/block_mesh.hpp"
#include "scenes/blocks/block_pieces.hpp"
#include "scenes/blocks/triangulate.hpp"
#include "scenes/blocks/vertex_grid.hpp"

namespace scree::blocks {
namespace {

constexpr double largest_usual =
    200.0;  // [m] median size of blocks: else the unit is not the metre
constexpr double smallest_usual = 1e-3;  // [m]

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
      for (Mesh& mesh : closed_meshes(file, part, options, report))
        bodies.back().push_back(std::move(mesh));
    }
    return bodies;
  }
  for (Mesh& mesh : closed_meshes(file, block, options, report))
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
