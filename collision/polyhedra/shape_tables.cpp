#include "collision/polyhedra/shape_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "collision/polyhedra/gjk_axis.hpp"
#include "engine/base/direction_index.hpp"
#include "engine/model/extent.hpp"

namespace scree::collision {
namespace {

void group_edges_by_direction(const ConvexPolyhedron& solid, ShapeTables& tables) {
  constexpr double tolerance = 1e-9;  // far above the round-off of turned directions
  DirectionIndex directions;
  for (const Vector3& direction : solid.edge_directions) directions.add(direction);
  const std::size_t n_directions = solid.edge_directions.size();
  tables.group_begin.assign(n_directions + 1, 0);
  for (const ConvexPolyhedron::Edge& edge : solid.edges) {
    const Vector3 along = (solid.vertices[static_cast<std::size_t>(edge.vertex_1)] -
                           solid.vertices[static_cast<std::size_t>(edge.vertex_0)])
                              .normalized();
    const std::int32_t nearest = std::max(directions.find(along, tolerance), 0);
    tables.edge_direction.push_back(nearest);
    tables.edge_sign.push_back(
        along.dot(solid.edge_directions[static_cast<std::size_t>(nearest)]) > 0.0 ? 1.0 : -1.0);
    ++tables.group_begin[static_cast<std::size_t>(nearest) + 1];
  }
  std::partial_sum(tables.group_begin.begin(), tables.group_begin.end(),
                   tables.group_begin.begin());
  std::vector<std::int32_t> at(tables.group_begin.begin(), tables.group_begin.end());
  tables.group_edges.resize(solid.edges.size());
  for (std::size_t e = 0; e < solid.edges.size(); ++e) {
    const auto k = static_cast<std::size_t>(tables.edge_direction[e]);
    tables.group_edges[static_cast<std::size_t>(at[k]++)] = static_cast<std::int32_t>(e);
  }
}

// Edges are sorted by their vertices.
void find_loop_edges(const ConvexPolyhedron& solid, ShapeTables& tables) {
  using Ends = std::pair<std::int32_t, std::int32_t>;
  const auto before = [](const ConvexPolyhedron::Edge& edge, const Ends& ends) {
    return Ends{edge.vertex_0, edge.vertex_1} < ends;
  };
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    const auto loop = solid.face(f);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const std::int32_t u = loop[i], v = loop[(i + 1) % loop.size()];
      const auto found = std::lower_bound(solid.edges.begin(), solid.edges.end(),
                                          Ends{std::min(u, v), std::max(u, v)}, before);
      tables.loop_edges.push_back(static_cast<std::int32_t>(found - solid.edges.begin()));
    }
  }
}

void find_vertex_faces(const ConvexPolyhedron& solid, ShapeTables& tables) {
  tables.vertex_face_begin.assign(solid.vertices.size() + 1, 0);
  for (const std::int32_t v : solid.face_vertices)
    ++tables.vertex_face_begin[static_cast<std::size_t>(v) + 1];
  std::partial_sum(tables.vertex_face_begin.begin(), tables.vertex_face_begin.end(),
                   tables.vertex_face_begin.begin());
  std::vector<std::int32_t> at(tables.vertex_face_begin.begin(), tables.vertex_face_begin.end());
  tables.vertex_faces.resize(solid.face_vertices.size());
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    for (const std::int32_t v : solid.face(f)) {
      tables.vertex_faces[static_cast<std::size_t>(at[static_cast<std::size_t>(v)]++)] = f;
    }
  }
}

// The edges about a vertex, in groups of neighbours: a face there asks for the lowest of their
// other ends above it without looking at all of them, as about the tip of a cone there are as many
// as it has faces.
class EdgeFan {
 public:
  // `edges`: of the solid, those that leave `vertex`.
  EdgeFan(const ConvexPolyhedron& solid, std::int32_t vertex, std::span<const std::int32_t> edges)
      : solid_(solid) {
    const Vector3& from = solid.vertices[static_cast<std::size_t>(vertex)];
    for (const std::int32_t e : edges) {
      const ConvexPolyhedron::Edge& edge = solid.edges[static_cast<std::size_t>(e)];
      const std::int32_t to = edge.vertex_0 == vertex ? edge.vertex_1 : edge.vertex_0;
      const Vector3& end = solid.vertices[static_cast<std::size_t>(to)];
      spokes_.push_back({end, (end - from).norm(), edge.face_0, edge.face_1});
    }
    split(0, spokes_.size());
  }

  // Lowers `clearance` and `steepness` of a face at the vertex to the least of depth and of depth
  // over length among the edges that are not its own.
  void lower(std::int32_t face, double& clearance, double& steepness) const {
    const auto f = static_cast<std::size_t>(face);
    look(0, face, solid_.face_normal[f], solid_.face_offset[f], clearance, steepness);
  }

 private:
  static constexpr std::size_t few = 8;

  struct Spoke {
    Vector3 end;
    double length;
    std::int32_t face_0, face_1;
  };
  struct Group {
    Vector3 low, high;
    double shortest, longest;
    std::size_t begin, end;
    std::array<std::int32_t, 2> half{-1, -1};
  };

  std::int32_t split(std::size_t begin, std::size_t end) {
    const Spoke& first = spokes_[begin];
    Group group{first.end, first.end, first.length, first.length, begin, end};
    for (std::size_t i = begin; i < end; ++i) {
      const Spoke& spoke = spokes_[i];
      group.low = group.low.cwiseMin(spoke.end), group.high = group.high.cwiseMax(spoke.end);
      group.shortest = std::min(group.shortest, spoke.length);
      group.longest = std::max(group.longest, spoke.length);
    }
    const auto number = static_cast<std::int32_t>(groups_.size());
    groups_.push_back(group);
    if (end - begin <= few) return number;
    Eigen::Index axis = 0;
    (group.high - group.low).maxCoeff(&axis);
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [&](std::size_t i) { return spokes_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [axis](const Spoke& one, const Spoke& other) {
      return one.end(axis) < other.end(axis);
    });
    const std::int32_t one = split(begin, middle), other = split(middle, end);
    groups_[static_cast<std::size_t>(number)].half = {one, other};
    return number;
  }

  // Depth below the face that no end of the group is above, less what round-off may add.
  double least_depth(const Group& group, const Vector3& normal, double offset) const {
    constexpr double round_off = 1e-14;
    const Vector3 highest = (normal.array() > 0.0).select(group.high, group.low);
    return offset - normal.dot(highest) - round_off * (std::abs(offset) + highest.norm());
  }

  void look(std::int32_t number, std::int32_t face, const Vector3& normal, double offset,
            double& clearance, double& steepness) const {
    const Group& group = groups_[static_cast<std::size_t>(number)];
    const double depth = least_depth(group, normal, offset);
    if (depth >= clearance && depth >= steepness * (depth > 0.0 ? group.longest : group.shortest))
      return;
    if (group.half[0] < 0) {
      for (std::size_t i = group.begin; i < group.end; ++i) {
        const Spoke& spoke = spokes_[i];
        if (face == spoke.face_0 || face == spoke.face_1) continue;
        const double below = offset - normal.dot(spoke.end);
        clearance = std::min(clearance, below);
        steepness = std::min(steepness, below / spoke.length);
      }
      return;
    }
    const auto depth_of = [&](std::int32_t half) {
      return least_depth(groups_[static_cast<std::size_t>(half)], normal, offset);
    };
    const bool first_is_lower = depth_of(group.half[0]) <= depth_of(group.half[1]);
    look(group.half[first_is_lower ? 0 : 1], face, normal, offset, clearance, steepness);
    look(group.half[first_is_lower ? 1 : 0], face, normal, offset, clearance, steepness);
  }

  const ConvexPolyhedron& solid_;
  std::vector<Spoke> spokes_;
  std::vector<Group> groups_;
};

// A convex body's vertices next above those of a face are neighbours of them.
void find_surroundings(const ConvexPolyhedron& solid, ShapeTables& tables) {
  const auto n_faces = static_cast<std::size_t>(solid.n_faces());
  tables.face_clearance.assign(n_faces, solid.size);
  tables.face_steepness.assign(n_faces, 1.0);
  const std::size_t n_vertices = solid.vertices.size();
  std::vector<std::int32_t> begin(n_vertices + 1, 0), edges(2 * solid.edges.size());
  for (const ConvexPolyhedron::Edge& edge : solid.edges) {
    ++begin[static_cast<std::size_t>(edge.vertex_0) + 1];
    ++begin[static_cast<std::size_t>(edge.vertex_1) + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::int32_t> at(begin.begin(), begin.end());
  for (std::size_t e = 0; e < solid.edges.size(); ++e) {
    for (const std::int32_t v : {solid.edges[e].vertex_0, solid.edges[e].vertex_1})
      edges[static_cast<std::size_t>(at[static_cast<std::size_t>(v)]++)] =
          static_cast<std::int32_t>(e);
  }
  for (std::size_t v = 0; v < n_vertices; ++v) {
    const auto count = static_cast<std::size_t>(begin[v + 1] - begin[v]);
    const EdgeFan fan(solid, static_cast<std::int32_t>(v),
                      std::span(edges).subspan(static_cast<std::size_t>(begin[v]), count));
    for (std::int32_t i = tables.vertex_face_begin[v]; i < tables.vertex_face_begin[v + 1]; ++i) {
      const std::int32_t face = tables.vertex_faces[static_cast<std::size_t>(i)];
      const auto f = static_cast<std::size_t>(face);
      fan.lower(face, tables.face_clearance[f], tables.face_steepness[f]);
    }
  }
}

}  // namespace

ShapeTables make_shape_tables(const Shape& shape) {
  ShapeTables tables;
  tables.thickness = thinnest_extent(shape);
  tables.kind = static_cast<PartKind>(shape.index());
  std::visit([&](const auto& s) { tables.size = s.diameter(), tables.rounding = s.rounding(); },
             shape);
  if (const auto* solid = std::get_if<ConvexPolyhedron>(&shape)) {
    group_edges_by_direction(*solid, tables);
    find_loop_edges(*solid, tables);
    find_vertex_faces(*solid, tables);
    find_surroundings(*solid, tables);
    tables.unit_hull = make_unit_hull(*solid);
  }
  return tables;
}

}  // namespace scree::collision
