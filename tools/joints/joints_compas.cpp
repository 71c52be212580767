// An assembly in the JSON of compas_assembly: blocks where they started, with the transformation to
// where they are on the nodes, and the joints with their corner forces on the edges.
#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/base/check.hpp"
#include "engine/base/index.hpp"
#include "scenes/blocks/solids.hpp"
#include "tools/joints/outer_surface.hpp"
#include "tools/joints/polygons.hpp"
#include "tools/joints/write_joints.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

Json typed(const char* dtype, Json data) { return {{"dtype", dtype}, {"data", std::move(data)}}; }

Json mesh_data(const std::vector<Vector3>& vertices,
               const std::vector<std::vector<std::int32_t>>& faces, Json attributes) {
  Json vertex = Json::object(), face = Json::object(), facedata = Json::object();
  for (std::size_t v = 0; v < vertices.size(); ++v)
    vertex[fmt::format("{}", v)] = {
        {"x", vertices[v].x()}, {"y", vertices[v].y()}, {"z", vertices[v].z()}};
  for (std::size_t f = 0; f < faces.size(); ++f) {
    face[fmt::format("{}", f)] = faces[f];
    facedata[fmt::format("{}", f)] = Json::object();
  }
  return {{"attributes", std::move(attributes)},
          {"default_vertex_attributes", {{"x", 0.0}, {"y", 0.0}, {"z", 0.0}}},
          {"default_edge_attributes", Json::object()},
          {"default_face_attributes", Json::object()},
          {"vertex", std::move(vertex)},
          {"face", std::move(face)},
          {"facedata", std::move(facedata)},
          {"edgedata", Json::object()},
          {"max_vertex", static_cast<int>(vertices.size()) - 1},
          {"max_face", static_cast<int>(faces.size()) - 1}};
}

Json transformation(const Vector3& x0, const Quaternion& q0, const Vector3& x,
                    const Quaternion& q) {
  const Matrix3 R = (q * q0.conjugate()).toRotationMatrix();
  const Vector3 t = x - R * x0;
  Json rows = Json::array();
  for (int i = 0; i < 3; ++i) rows.push_back({R(i, 0), R(i, 1), R(i, 2), t(i)});
  rows.push_back({0.0, 0.0, 0.0, 1.0});
  return rows;
}

// Contact axes as compas has them: z along the normal from a to b.
struct Frame {
  Vector3 x, y, z;
  explicit Frame(const Vector3& normal) : z(normal) {
    x = (std::abs(z.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY());
    x = (x - x.dot(z) * z).normalized();
    y = z.cross(x);
  }
};

// A polygon with a force at each corner.
struct Loaded {
  std::vector<Vector3> points, forces;
};

// Contacts at its corners load these. One on an edge is a corner between. One inside loads the
// three corners around it, with the same resultant and moment.
class PolygonLoads {
 public:
  explicit PolygonLoads(const std::vector<Vector3>& polygon)
      : n_(polygons::area_vector(polygon).normalized()),
        near_(1e-4 * std::sqrt(polygons::area(polygon))) {
    for (const Vector3& p : polygon) corners_.push_back({p, Vector3::Zero(), false});
  }

  void add(const CornerForce& contact) {
    std::size_t nearest = 0, side = 0;
    double to_corner = std::numeric_limits<double>::infinity(), to_side = to_corner;
    const auto off = [&](const Vector3& way) { return (way - way.dot(n_) * n_).norm(); };
    for (std::size_t k = 0; k < corners_.size(); ++k) {
      const double d = off(corners_[k].point - contact.point);
      if (d < to_corner) to_corner = d, nearest = k;
      const Vector3 level = contact.point - n_.dot(contact.point - corners_[k].point) * n_;
      const double s = polygons::distance_to_segment(level, corners_[k].point, after(k).point);
      if (s < to_side) to_side = s, side = k;
    }
    Corner& corner = corners_[nearest];
    if (to_corner <= near_ && (!corner.taken || corner.point == contact.point)) {
      corner = {contact.point, corner.force + contact.force, true};
      return;
    }
    if (to_side <= near_ || !inside(contact.point)) {
      corners_.insert(corners_.begin() + static_cast<std::ptrdiff_t>(side) + 1,
                      {contact.point, contact.force, true});
      return;
    }
    inside_.push_back(contact);
  }

  Loaded loaded() {
    for (const CornerForce& contact : inside_) spread(contact);
    inside_.clear();
    Loaded loaded;
    for (const Corner& corner : corners_)
      loaded.points.push_back(corner.point), loaded.forces.push_back(corner.force);
    return loaded;
  }

 private:
  struct Corner {
    Vector3 point, force;
    bool taken;  // it is where a contact is
  };
  const Corner& after(std::size_t k) const { return corners_[(k + 1) % corners_.size()]; }

  bool inside(const Vector3& p) const {
    for (std::size_t k = 0; k < corners_.size(); ++k) {
      const Vector3& a = corners_[k].point;
      if (n_.cross(after(k).point - a).dot(p - a) < 0.0) return false;
    }
    return true;
  }

  // Onto a triangle of the fan that the point is in: shares of the force, and for the height of the
  // point over the triangle compressions that amount to its moment.
  void spread(const CornerForce& contact) {
    for (std::size_t k = 1; k + 1 < corners_.size(); ++k) {
      const std::array<std::size_t, 3> of = {0, k, k + 1};
      const Vector3 &a = corners_[0].point, u = corners_[k].point - a,
                    w = corners_[k + 1].point - a, m = u.cross(w);
      const Vector3 at = contact.point - a;
      const double first = at.cross(w).dot(m) / m.squaredNorm(),
                   second = u.cross(at).dot(m) / m.squaredNorm();
      const bool last = k + 2 == corners_.size();
      if (!last && (first < 0.0 || second < 0.0 || first + second > 1.0)) continue;
      const Vector3 normal = m.normalized();
      // The moment of shear at a height: normal x force, in the plane.
      const Vector3 moment = normal.dot(at) * normal.cross(contact.force);
      // Compressions c at both corners, and minus their sum at the first: u x n c1 + w x n c2.
      Eigen::Matrix<double, 3, 2> arms;
      arms << u.cross(normal), w.cross(normal);
      const Eigen::Vector2d c = arms.colPivHouseholderQr().solve(moment);
      corners_[of[0]].force += (1.0 - first - second) * contact.force - (c(0) + c(1)) * normal;
      corners_[of[1]].force += first * contact.force + c(0) * normal;
      corners_[of[2]].force += second * contact.force + c(1) * normal;
      return;
    }
  }

  Vector3 n_;
  double near_;
  std::vector<Corner> corners_;
  std::vector<CornerForce> inside_;  // when all corners are where they stay
};

// Contacts without a polygon, in the order around them.
Loaded around(const JointForce& f) {
  const Frame frame(f.joint.normal);
  std::vector<const CornerForce*> order;
  Vector3 middle = Vector3::Zero();
  for (const CornerForce& corner : f.corners) {
    order.push_back(&corner);
    middle += corner.point / static_cast<double>(f.corners.size());
  }
  const auto angle = [&](const CornerForce* corner) {
    const Vector3 arm = corner->point - middle;
    return std::atan2(frame.y.dot(arm), frame.x.dot(arm));
  };
  std::stable_sort(
      order.begin(), order.end(),
      [&](const CornerForce* one, const CornerForce* other) { return angle(one) < angle(other); });
  Loaded loaded;
  for (const CornerForce* const corner : order)
    loaded.points.push_back(corner->point), loaded.forces.push_back(corner->force);
  return loaded;
}

Json interface_of(const JointForce& f, const Loaded& loaded) {
  const double area = polygons::area(loaded.points);
  Vector3 normal = polygons::area_vector(loaded.points).normalized();
  const bool flat = loaded.points.size() >= 3 && area > 1e-12 * f.joint.area && area > 0.0;
  if (!flat) normal = f.joint.normal;
  if (normal.dot(f.joint.normal) < 0.0) normal = -normal;
  const Frame frame(normal);
  Json points = Json::array(), forces = Json::array();
  std::vector<std::int32_t> loop;
  Vector3 middle = Vector3::Zero();
  for (std::size_t k = 0; k < loaded.points.size(); ++k) {
    const Vector3& force = loaded.forces[k];
    points.push_back(typed("compas.geometry/Point", list(loaded.points[k])));
    const double compression = frame.z.dot(force);
    forces.push_back({{"c_np", std::max(0.0, compression)},
                      {"c_nn", std::max(0.0, -compression)},
                      {"c_u", frame.x.dot(force)},
                      {"c_v", frame.y.dot(force)}});
    loop.push_back(static_cast<std::int32_t>(k));
    middle += loaded.points[k] / static_cast<double>(loaded.points.size());
  }
  const Vector3 centre = flat ? polygons::centre(loaded.points) : middle;
  Json data = {{"points", std::move(points)},
               {"size", flat ? area : 0.0},
               {"frame", typed("compas.geometry/Frame", {{"point", list(centre)},
                                                         {"xaxis", list(frame.x)},
                                                         {"yaxis", list(frame.y)}})},
               {"forces", std::move(forces)},
               {"mesh", nullptr}};
  if (flat)
    data["mesh"] =
        typed("compas.datastructures/Mesh", mesh_data(loaded.points, {loop}, Json::object()));
  return typed("compas_assembly.datastructures/Interface", std::move(data));
}

// One a polygon: of the joint, or of the faces that it has opened between. Else its contacts alone.
void add_interfaces(const JointForce& f, Json& interfaces) {
  if (f.state == JointState::edge || f.face.empty()) {
    if (!f.corners.empty()) interfaces.push_back(interface_of(f, around(f)));
    return;
  }
  std::vector<PolygonLoads> loads;
  for (std::vector<Vector3> polygon : f.face) {
    if (polygons::area_vector(polygon).dot(f.joint.normal) < 0.0)
      std::reverse(polygon.begin(), polygon.end());
    loads.emplace_back(polygon);
  }
  for (const CornerForce& corner : f.corners) {
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < f.face.size(); ++k) {
      const double distance = polygons::distance_to(corner.point, f.face[k]);
      if (distance < least) least = distance, nearest = k;
    }
    loads[nearest].add(corner);
  }
  for (PolygonLoads& polygon : loads) interfaces.push_back(interface_of(f, polygon.loaded()));
}

// The solids of the files that the scene names, as drawn; files that hold none are others.
std::vector<blocks::Solid> drawn_solids(const ResultReader& results) {
  std::vector<blocks::Solid> drawn;
  for (const SceneFile& file : results.scene_files()) {
    try {
      blocks::SolidReport ignored;
      std::vector<blocks::Solid> solids =
          blocks::make_solids(blocks::read_blocks(file.text, file.name), {}, ignored);
      drawn.insert(drawn.end(), solids.begin(), solids.end());
    } catch (const InputError&) {
      continue;
    }
  }
  return drawn;
}

// The drawing of a body, if each of its vertices is one of the body's, `at_start` in world axes.
const blocks::Solid* drawing_of(const std::string& name, const std::vector<Vector3>& at_start,
                                const std::vector<blocks::Solid>& drawn) {
  for (const blocks::Solid& solid : drawn) {
    if (name != solid.name && !name.ends_with("-" + solid.name)) continue;
    const bool fits =
        std::all_of(solid.vertices.begin(), solid.vertices.end(), [&](const Vector3& p) {
          return std::any_of(at_start.begin(), at_start.end(),
                             [&](const Vector3& q) { return (p - q).norm() <= 1e-6 * solid.size; });
        });
    if (fits) return &solid;
  }
  return nullptr;
}

}  // namespace

Json joints_compas(const JointReport& report, const ResultReader& results,
                   std::vector<std::string>& as_parts) {
  const ResultBodies bodies = results.bodies();
  const std::vector<ResultShape> shapes = results.shapes();
  const ResultFrame first = results.frame(0), now = results.frame(report.frame);
  Json node = Json::object(), edge = Json::object();
  std::optional<std::vector<blocks::Solid>> drawn;
  for (std::size_t i = 0; i < report.name.size(); ++i) {
    if (report.bodies[i].faces.empty()) continue;
    const ResultShape& shape = shapes.at(index(bodies.shape[i]));
    OuterSurface surface = outer_surface(shape);
    const auto place = [&](std::vector<Vector3> points) {
      for (Vector3& p : points) p = first.position[i] + first.orientation[i] * p;
      return points;
    };
    surface.vertices = place(std::move(surface.vertices));
    if (!surface.closed || surface.shells > 1) {
      if (!drawn) drawn = drawn_solids(results);
      if (const blocks::Solid* const solid =
              drawing_of(report.name[i], place(shape.vertices), *drawn)) {
        surface.vertices = solid->vertices, surface.faces = solid->faces;
      } else {
        as_parts.push_back(report.name[i]);
      }
    }
    const Vector3 centre = first.position[i];
    Json block = typed("compas_assembly.datastructures/Block",
                       mesh_data(surface.vertices, surface.faces,
                                 {{"name", report.name[i]}, {"node", static_cast<int>(i)}}));
    block["name"] = report.name[i];
    node[fmt::format("{}", i)] = {
        {"block", std::move(block)},
        {"x", centre.x()},
        {"y", centre.y()},
        {"z", centre.z()},
        {"is_support", report.fixed[i] != 0},
        {"transformation", transformation(first.position[i], first.orientation[i], now.position[i],
                                          now.orientation[i])}};
    edge[fmt::format("{}", i)] = Json::object();
  }
  for (const JointForce& f : report.joints) {
    const std::string a = fmt::format("{}", f.joint.a), b = fmt::format("{}", f.joint.b);
    if (!node.contains(a) || !node.contains(b)) continue;
    Json& of = edge[a][b];
    if (of.is_null())
      of = {{"interfaces", Json::array()},
            {"force", {0.0, 0.0, 0.0}},
            {"contact_point", Json::array()},
            {"force_vector", Json::array()},
            {"force_normal", Json::array()}};
    add_interfaces(f, of["interfaces"]);
    for (std::size_t k = 0; k < 3; ++k)
      of["force"][k] = of["force"][k].get<double>() + f.force(static_cast<Eigen::Index>(k));
    for (const CornerForce& corner : f.corners) {
      of["contact_point"].push_back(list(corner.point));
      of["force_vector"].push_back(list(corner.force));
      of["force_normal"].push_back(corner.normal);
    }
  }
  Json graph = {{"attributes", Json::object()},
                {"default_node_attributes",
                 {{"x", 0.0}, {"y", 0.0}, {"z", 0.0}, {"block", nullptr}, {"is_support", false}}},
                {"default_edge_attributes", {{"interfaces", nullptr}}},
                {"node", std::move(node)},
                {"edge", std::move(edge)},
                {"max_node", static_cast<int>(report.name.size()) - 1}};
  return typed("compas_assembly.datastructures/Assembly",
               {{"attributes", {{"name", report.title}, {"units", "N, m"}}},
                {"graph", typed("compas.datastructures/Graph", std::move(graph))}});
}

}  // namespace scree
