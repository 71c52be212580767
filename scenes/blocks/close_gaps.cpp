#include "scenes/blocks/close_gaps.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "engine/base/index.hpp"
#include "scenes/blocks/joints.hpp"
#include "scenes/blocks/triangulate.hpp"

namespace scree::blocks {

std::vector<JointBody> faces_of(const std::vector<Solid>& solids) {
  std::vector<JointBody> bodies(solids.size());
  for (std::size_t s = 0; s < solids.size(); ++s) {
    for (const Face& face : solids[s].faces) {
      const std::vector<Face> pieces = is_convex_face(solids[s].vertices, face)
                                           ? std::vector<Face>{face}
                                           : shortest_triangulation(solids[s].vertices, face);
      for (const Face& piece : pieces) {
        std::vector<Vector3> corners;
        for (const std::int32_t v : piece) corners.push_back(solids[s].vertices[index(v)]);
        add_face(bodies[s], std::move(corners));
      }
    }
  }
  return bodies;
}

double shift_faces(std::vector<Solid>& solids, double tolerance) {
  std::vector<JointBody> bodies = faces_of(solids);
  JointOptions options;
  options.tolerance = tolerance;
  const std::vector<Joint> joints = find_joints(bodies, options);
  // By how much each face goes outward: the mean over its joints, by area.
  std::vector<std::vector<double>> shift(solids.size()), weight(solids.size());
  for (std::size_t s = 0; s < solids.size(); ++s) {
    shift[s].assign(solids[s].faces.size(), 0.0);
    weight[s].assign(solids[s].faces.size(), 0.0);
  }
  for (const Joint& joint : joints) {
    for (const auto& [body, outward] : {std::pair(joint.a, 1.0), std::pair(joint.b, -1.0)}) {
      const Solid& solid = solids[index(body)];
      for (std::size_t f = 0; f < solid.faces.size(); ++f) {
        const FacePlane plane = plane_of(solid.vertices, solid.faces[f]);
        if (outward * plane.normal.dot(joint.normal) < std::cos(2.0 * options.angle)) continue;
        // The joint lies in the middle between the faces.
        const double height = plane.normal.dot(joint.centre - plane.point);
        if (std::abs(height) > tolerance * solid.size) continue;
        shift[index(body)][f] += height * joint.area;
        weight[index(body)][f] += joint.area;
      }
    }
  }
  double most = 0.0;
  for (std::size_t s = 0; s < solids.size(); ++s) {
    Solid& solid = solids[s];
    std::vector<std::vector<std::pair<Vector3, double>>> planes(solid.vertices.size());
    for (std::size_t f = 0; f < solid.faces.size(); ++f) {
      const Vector3 normal = plane_of(solid.vertices, solid.faces[f]).normal;
      const double way = weight[s][f] > 0.0 ? shift[s][f] / weight[s][f] : 0.0;
      for (const std::int32_t v : solid.faces[f]) planes[index(v)].emplace_back(normal, way);
    }
    for (std::size_t v = 0; v < solid.vertices.size(); ++v) {
      Eigen::MatrixXd A(static_cast<Eigen::Index>(planes[v].size()), 3);
      Eigen::VectorXd b(static_cast<Eigen::Index>(planes[v].size()));
      for (std::size_t i = 0; i < planes[v].size(); ++i) {
        A.row(static_cast<Eigen::Index>(i)) = planes[v][i].first.transpose();
        b(static_cast<Eigen::Index>(i)) = planes[v][i].second;
      }
      if (b.size() == 0 || b.isZero(0.0)) continue;
      // Least squares of least size: faces that are nearly parallel count as one.
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
      solver.setThreshold(1e-2);
      solver.compute(A);
      const Vector3 way = solver.solve(b);
      most = std::max(most, way.norm());
      solid.vertices[v] += way;
    }
    solid.integrals = surface_integrals(solid.vertices, solid.faces);
    for (const Face& face : solid.faces) {
      const FacePlane plane = plane_of(solid.vertices, face);
      for (const std::int32_t v : face) {
        solid.flatness = std::max(
            solid.flatness, std::abs(plane.normal.dot(solid.vertices[index(v)] - plane.point)));
      }
    }
  }
  return most;
}

}  // namespace scree::blocks
