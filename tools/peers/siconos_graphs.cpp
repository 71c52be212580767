// Preloaded before Debian's Siconos, whose assertions look through whole graphs each time that a
// contact comes or goes: with some hundred contacts that is most of a step. Here are the functions
// that do so without them, from Siconos' own header, compiled with -DNDEBUG. (`state_assert` and
// `adjacent_vertices_ok`, which nothing but assertions call, are not declared then: install.py
// answers those.)
#include <SimulationGraphs.hpp>

using Systems = SiconosGraph<SP::DynamicalSystem, SP::Interaction, DynamicalSystemProperties,
                             InteractionProperties, GraphProperties>;
using Interactions = SiconosGraph<SP::Interaction, SP::DynamicalSystem, InteractionProperties,
                                  DynamicalSystemProperties, GraphProperties>;

// Whether a vertex has a neighbour: asked in assertions only, and answered there by trying all
// vertices.
template <>
bool Systems::adjacent_vertex_exists(const VDescriptor& vertex) const {
  return boost::out_degree(vertex, g) > 0;
}
template <>
bool Interactions::adjacent_vertex_exists(const VDescriptor& vertex) const {
  return boost::out_degree(vertex, g) > 0;
}

template void Systems::remove_vertex(const SP::DynamicalSystem&);
template void Interactions::remove_vertex(const SP::Interaction&);
