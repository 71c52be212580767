// Meshes of blocks made into closed solids, and what is wrong with those that can't be.
#pragma once

#include <string>
#include <vector>

#include "engine/model/shapes/shape.hpp"
#include "scenes/blocks/block_model.hpp"

namespace scree::blocks {

struct SolidOptions {
  double scale = 1.0;        // [-] of the drawing's unit in metres
  bool scale_given = false;  // then any size is taken
  bool repair = false;       // doubled faces, small holes, hanging vertices
  double weld = 1e-9;        // [-] of the block's size: closer vertices are one
  double flat = 1e-5;  // [-] of the block's size: faces whose corners are farther off are split
};

// A closed surface, each edge of two faces, counter-clockwise from outside; seen from within a
// cavity, towards it. Faces are flat within the tolerance: what was not is triangles.
struct Solid {
  std::string name, key;
  std::vector<Vector3> vertices;  // [m]
  std::vector<Face> faces;
  std::vector<std::size_t> piece_end;  // of faces: closed pieces that may touch; empty: one
  bool support = false;
  double density = 0.0;      // [kg/m3]; 0: none
  double size = 0.0;         // [m] diagonal of its box
  double warp = 0.0;         // [m] farthest that a corner was off its face, before that was split
  double flatness = 0.0;     // [m] the same of the faces that are left
  double flat = 0.0;         // [m] triangles with corners this near to a plane are one face
  MassProperties integrals;  // of the surface as drawn
};

// What was done to the meshes.
struct SolidReport {
  std::size_t welded = 0;        // blocks whose vertices were not shared by their faces
  std::size_t turned = 0;        // blocks with faces that looked inward
  std::size_t doubled = 0;       // faces that were there twice and are dropped
  std::size_t filled = 0;        // holes
  std::size_t hanging = 0;       // vertices put into edges that they lie on
  std::size_t split_faces = 0;   // that were not flat
  std::size_t split_blocks = 0;  // made of several closed pieces
  std::size_t clusters = 0;      // bodies of several closed pieces
  std::size_t cavities = 0;      // closed surfaces that look inward within another of their mesh
  std::size_t coincident = 0;    // blocks dropped that were there twice
  double worst_warp = 0.0;       // [-] of the block's size
  std::string worst_block;
  std::vector<std::string> lines() const;
};

// Throws InputError, one line "FILE: block 'NAME': ..." with the face or the edge.
std::vector<Solid> make_solids(const BlockModel& model, const SolidOptions& options,
                               SolidReport& report);

// Volume, centre and inertia within a closed surface, by signed tetrahedra about the mean of its
// vertices.
MassProperties surface_integrals(const std::vector<Vector3>& vertices,
                                 const std::vector<Face>& faces);

// How often a surface goes around a point: 1 within, 0 outside, between on it. By the solid angles
// of triangles (A. van Oosterom, J. Strackee, The solid angle of a plane triangle, IEEE Trans.
// Biomed. Eng. 30, 1983).
double winding(const std::vector<Vector3>& vertices, const std::vector<Face>& faces,
               const Vector3& point);

}  // namespace scree::blocks
