#include "scenes/blocks/block_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "engine/base/index.hpp"
#include "engine/base/limits.hpp"
#include "engine/model/shapes/volume_integrals.hpp"
#include "scenes/blocks/block_mesh.hpp"
#include "scenes/blocks/vertex_grid.hpp"

namespace scree::blocks {

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

namespace {

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

}  // namespace

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

}  // namespace scree::blocks
