// An assembly in the JSON of compas_assembly: blocks where they started, with the transformation to
// where they are on the nodes, and the joints with their corner forces on the edges.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "tools/joints/write_joints.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

Json list(const Vector3& v) { return Json::array({v.x(), v.y(), v.z()}); }

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

Json interface_of(const JointForce& f) {
  const Frame frame(f.joint.normal);
  Json points = Json::array(), forces = Json::array();
  std::vector<Vector3> vertices;
  std::vector<std::int32_t> loop;
  for (const CornerForce& corner : f.corners) {
    points.push_back(typed("compas.geometry/Point", list(corner.point)));
    forces.push_back({{"c_np", frame.z.dot(corner.force)},
                      {"c_nn", 0.0},
                      {"c_u", frame.x.dot(corner.force)},
                      {"c_v", frame.y.dot(corner.force)}});
    loop.push_back(static_cast<std::int32_t>(vertices.size()));
    vertices.push_back(corner.point);
  }
  Json data = {{"points", std::move(points)},
               {"size", f.joint.area},
               {"frame", typed("compas.geometry/Frame", {{"point", list(f.joint.centre)},
                                                         {"xaxis", list(frame.x)},
                                                         {"yaxis", list(frame.y)}})},
               {"forces", std::move(forces)},
               {"mesh", nullptr}};
  if (vertices.size() >= 3)
    data["mesh"] = typed("compas.datastructures/Mesh", mesh_data(vertices, {loop}, Json::object()));
  return typed("compas_assembly.datastructures/Interface", std::move(data));
}

// Polygons of a body's outer surface: faces that two of its parts share are left out.
std::vector<std::vector<std::int32_t>> outer_faces(const ResultShape& shape) {
  std::vector<std::vector<std::int32_t>> faces;
  for (std::size_t f = 0; f + 1 < shape.face_begin.size(); ++f) {
    faces.emplace_back(shape.faces.begin() + shape.face_begin[f],
                       shape.faces.begin() + shape.face_begin[f + 1]);
  }
  return faces;
}

}  // namespace

Json joints_compas(const JointReport& report, const ResultReader& results) {
  const ResultBodies bodies = results.bodies();
  const std::vector<ResultShape> shapes = results.shapes();
  const ResultFrame first = results.frame(0), last = results.last_frame();
  Json node = Json::object(), edge = Json::object();
  for (std::size_t i = 0; i < report.name.size(); ++i) {
    if (report.bodies[i].faces.empty()) continue;
    const ResultShape& shape = shapes.at(index(bodies.shape[i]));
    std::vector<Vector3> vertices;
    for (const Vector3& v : shape.vertices)
      vertices.push_back(first.position[i] + first.orientation[i] * v);
    const Vector3 centre = first.position[i];
    Json block = typed("compas_assembly.datastructures/Block",
                       mesh_data(vertices, outer_faces(shape),
                                 {{"name", report.name[i]}, {"node", static_cast<int>(i)}}));
    block["name"] = report.name[i];
    node[fmt::format("{}", i)] = {
        {"block", std::move(block)},
        {"x", centre.x()},
        {"y", centre.y()},
        {"z", centre.z()},
        {"is_support", report.fixed[i] != 0},
        {"transformation", transformation(first.position[i], first.orientation[i], last.position[i],
                                          last.orientation[i])}};
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
    of["interfaces"].push_back(interface_of(f));
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
