// The table of pairs: which function finds the contacts of two kinds of shapes. A pair is a file of
// its own and a line here; the order of its two shapes is the order in which its function takes
// them.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "collision/pairs/capsule_pairs.hpp"
#include "collision/pairs/pair_list.hpp"
#include "collision/pairs/points_polyhedron.hpp"
#include "collision/pairs/points_sphere.hpp"
#include "collision/pairs/polyhedron_polyhedron.hpp"
#include "collision/pairs/sphere_cylinder_wall.hpp"
#include "collision/pairs/sphere_half_space.hpp"
#include "collision/pairs/sphere_polyhedron.hpp"
#include "collision/pairs/sphere_sphere.hpp"
#include "collision/pairs/terrain_pairs.hpp"
#include "collision/pairs/vertices_cylinder_wall.hpp"
#include "collision/pairs/vertices_half_space.hpp"
#include "engine/model/bodies.hpp"

namespace scree::collision {

using Pairs = PairList<          //
    CapsulePairs, TerrainPairs,  //
    Never<PointSet, PointSet>,   //
    Pair<PointSet, Sphere, points_sphere>, Pair<PointSet, ConvexPolyhedron, points_polyhedron>,
    Pair<PointSet, HalfSpace, vertices_half_space>,
    Pair<PointSet, CylinderWall, vertices_cylinder_wall>,  //
    Pair<Sphere, Sphere, sphere_sphere>, Pair<Sphere, ConvexPolyhedron, sphere_polyhedron>,
    Pair<Sphere, HalfSpace, sphere_half_space>, Pair<Sphere, CylinderWall, sphere_cylinder_wall>,
    Pair<ConvexPolyhedron, ConvexPolyhedron, polyhedron_polyhedron>,
    Pair<ConvexPolyhedron, HalfSpace, vertices_half_space>,
    Pair<ConvexPolyhedron, CylinderWall, vertices_cylinder_wall>>;

// What is known of two kinds in an order.
struct PairEntry {
  PairFunction contacts = nullptr;
  bool mirrored = false;  // the function takes them the other way round
  bool never = false;
};

inline constexpr std::size_t n_kinds = std::variant_size_v<Shape>;
using PairTable = std::array<std::array<PairEntry, n_kinds>, n_kinds>;

template <class T>
constexpr std::size_t kind_index = [] {
  return []<class... Kind>(const std::variant<Kind...>*) {
    std::size_t i = 0, found = 0;
    ((std::is_same_v<T, Kind> ? (found = i) : 0, ++i), ...);
    return found;
  }(static_cast<const Shape*>(nullptr));
}();

namespace pair_table_parts {

template <class A, class B, PairFunction Contacts>
constexpr void enter(PairTable& table, Pair<A, B, Contacts>) {
  table[kind_index<A>][kind_index<B>].contacts = Contacts;
  PairEntry& turned = table[kind_index<B>][kind_index<A>];
  if (kind_index<A> != kind_index<B>) turned = {Contacts, true, false};
}
template <class A, class B>
constexpr void enter(PairTable& table, Never<A, B>) {
  table[kind_index<A>][kind_index<B>].never = table[kind_index<B>][kind_index<A>].never = true;
}
template <class... Entry>
constexpr void enter(PairTable& table, PairList<Entry...>) {
  (enter(table, Entry{}), ...);
}

}  // namespace pair_table_parts

template <class List>
constexpr PairTable make_pair_table() {
  PairTable table = {};
  pair_table_parts::enter(table, List{});
  return table;
}

inline constexpr PairTable pair_table = make_pair_table<Pairs>();

// Two kinds of the model's shapes, at least one of them a dynamic body's, that the table lacks.
std::optional<std::pair<const char*, const char*>> missing_pair(
    const Model& model, const PairTable& table = pair_table);

// Throws InputError if there are such.
void require_pairs(const Model& model);

}  // namespace scree::collision
