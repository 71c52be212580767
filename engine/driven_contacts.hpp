// Contacts with driven bodies that turn, so that what sticks to them stays
// (engine/method/driven_bodies.md).
//
// In a step a driven body takes a point at the arm r from its centre along by d + (Q - 1) r, and (Q
// - 1) r = h W x (A r) (DrivenStep). A body B that sticks to it, X away from centre to centre, has
// to move by d + (Q - 1) X and to turn by Q. With the arms r_B and r_D = X + r_B replaced by A r_B
// and A r_D on both sides, u_theta of that motion is
//
//   (d + (Q - 1) X) / h + W x A r_B - (d / h + W x A r_D) = W x A X + W x A r_B - W x A (X + r_B) =
//   0
//
// at every point of contact, so it is a solution, whatever the frame. This holds for points that
// are fixed on the driven body: those of polyhedra, point sets and half-spaces. The surface of a
// ball or a cylinder wall slides along under the contact, which keeps its arms of t_k.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/workspace.hpp"

namespace scree {

// How far the surface of driven body i may move in a step [m]; its pose of t_{k+1} is known and
// becomes the one ahead.
double look_ahead_of_driven(const Model& model, const State& state, double h, std::size_t i,
                            Workspace& work);

// Adds to the reach of a wall without bounds what its turn moves it where the moving bodies are.
void spread_turning_walls(const Model& model, double h, const State& state, Workspace& work);

// Arms of contacts with a driven body that turns become A r; normals that are normals of its faces
// turn half way. Under `frames = "middle"` all contacts have one point for both bodies, and are in
// the middle already: arms r of the driven body become A r of the point that was r at t_k, and the
// other body's that less A X.
void carry_to_middle(const Model& model, const Settings& settings, const State& state,
                     Workspace& work);

// Points and normals as they were at t_k.
void carry_back(Workspace& work);

}  // namespace scree
