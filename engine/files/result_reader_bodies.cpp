// What a result file says of bodies, their shapes and what moves them.
#include "engine/files/result_reader.hpp"

#include <array>

#include "engine/base/check.hpp"
#include "engine/base/hdf5_file.hpp"
#include "engine/files/result_checks.hpp"
#include "engine/files/result_reader_impl.hpp"
#include "engine/model/shapes/shapes.hpp"

namespace scree {

using files::to_vectors;

ResultBodies ResultReader::bodies() const {
  return impl_->guarded([&](hid_t f) {
    ResultBodies bodies;
    bodies.name = h5::read_names(f, "bodies/name");
    bodies.shape = h5::read_rows<std::int32_t>(f, "bodies/shape");
    bodies.material = h5::read_rows<std::int32_t>(f, "bodies/material");
    bodies.mass = h5::read_rows<double>(f, "bodies/mass");
    const std::vector<double> inertia = h5::read_rows<double>(f, "bodies/inertia");
    for (std::size_t i = 0; i + 8 < inertia.size(); i += 9)
      bodies.inertia.emplace_back(Eigen::Map<const Matrix3>(inertia.data() + i));
    bodies.fixed = h5::read_rows<std::uint8_t>(f, "bodies/fixed");
    const std::size_t n = bodies.name.size();
    check(bodies.shape.size() == n && bodies.material.size() == n && bodies.mass.size() == n &&
              bodies.inertia.size() == n && bodies.fixed.size() == n,
          "bodies", "not one row a body");
    std::size_t shapes = 0;
    while (h5::exists(f, "shapes/" + std::to_string(shapes))) ++shapes;
    check_indices(bodies.shape, shapes, "bodies/shape");
    check_indices(bodies.material, static_cast<std::size_t>(impl_->rows("materials/name")),
                  "bodies/material");
    return bodies;
  });
}

namespace {

// Reads the fields of a shape that is drawn by its surface.
struct FieldReader {
  hid_t file;
  std::string group;

  void operator()(const ShapeField& field, double& value) const { value = numbers(field).at(0); }
  void operator()(const ShapeField& field, Vector3& value) const {
    const std::vector<double> n = numbers(field);
    value = Vector3(n.at(0), n.at(1), n.at(2));
  }
  template <std::size_t N>
  void operator()(const ShapeField& field, std::array<Vector3, N>& points) const {
    const std::vector<double> n = numbers(field);
    for (std::size_t i = 0; i < N; ++i)
      points[i] = Vector3(n.at(3 * i), n.at(3 * i + 1), n.at(3 * i + 2));
  }
  // Of shapes that are corners and faces: those are read as they are.
  template <class T>
  void operator()(const ShapeField&, std::vector<T>&) const {}

 private:
  std::vector<double> numbers(const ShapeField& field) const {
    return h5::read_rows<double>(file, group + "/" + field.name);
  }
};

// Corners and faces of shapes that have neither, and a surface.
void draw_surface(hid_t file, const std::string& group, ResultShape& shape) {
  Shape known = shape_named(shape.kind);
  if (shape.kind != shape_kind(known)) return;
  std::visit(
      [&]<class T>(T& s) {
        if constexpr (requires { s.surface(); }) {
          T::fields(s, FieldReader{file, group});
          check_shape(s, group);
          if constexpr (requires { s.integrals(); }) shape.volume = s.integrals().volume;
        }
      },
      known);
  const Surface surface = surface_of(known);
  if (surface.triangles.empty()) return;
  shape.vertices = surface.vertices;
  shape.face_begin = {0};
  for (const auto& triangle : surface.triangles) {
    shape.faces.insert(shape.faces.end(), triangle.begin(), triangle.end());
    shape.face_begin.push_back(static_cast<std::int32_t>(shape.faces.size()));
  }
}

// Of a closed surface of flat faces, counter-clockwise from outside.
double enclosed_volume(const ResultShape& shape) {
  double six_fold = 0.0;
  for (std::size_t f = 0; f + 1 < shape.face_begin.size(); ++f) {
    const auto corner = [&](std::int32_t k) -> const Vector3& {
      return shape.vertices[static_cast<std::size_t>(shape.faces[static_cast<std::size_t>(k)])];
    };
    const std::int32_t begin = shape.face_begin[f], end = shape.face_begin[f + 1];
    for (std::int32_t k = begin + 1; k + 1 < end; ++k)
      six_fold += corner(begin).dot(corner(k).cross(corner(k + 1)));
  }
  return six_fold / 6.0;
}

}  // namespace

std::vector<ResultShape> ResultReader::shapes() const {
  return impl_->guarded([](hid_t f) {
    std::vector<ResultShape> shapes;
    for (std::string group = "shapes/0"; h5::exists(f, group);
         group = "shapes/" + std::to_string(shapes.size())) {
      ResultShape& shape = shapes.emplace_back();
      shape.kind = h5::read_strings(f, group + "/kind").at(0);
      const auto has = [&](const char* name) { return h5::exists(f, group + name); };
      const auto numbers = [&](const char* name) { return h5::read_rows<double>(f, group + name); };
      if (has("/vertices")) shape.vertices = to_vectors(numbers("/vertices"));
      if (has("/faces")) shape.faces = h5::read_rows<std::int32_t>(f, group + "/faces");
      if (has("/face_begin"))
        shape.face_begin = h5::read_rows<std::int32_t>(f, group + "/face_begin");
      if (has("/part_face_begin"))
        shape.part_face_begin = h5::read_rows<std::int32_t>(f, group + "/part_face_begin");
      if (has("/radius")) shape.radius = numbers("/radius").at(0);
      if (has("/centre")) shape.centre = to_vectors(numbers("/centre")).at(0);
      if (has("/normal")) shape.normal = to_vectors(numbers("/normal")).at(0);
      if (has("/offset")) shape.offset = numbers("/offset").at(0);
      if (has("/bottom")) shape.bottom = numbers("/bottom").at(0);
      if (has("/top")) shape.top = numbers("/top").at(0);
      if (shape.vertices.empty()) draw_surface(f, group, shape);
      check_shape(shape, group);
      if (shape.kind == "sphere")
        shape.volume = Sphere{shape.radius, Vector3::Zero()}.integrals().volume;
      if (is_solid(shape)) shape.volume = enclosed_volume(shape);
    }
    return shapes;
  });
}

std::vector<std::int32_t> ResultReader::loaded_bodies() const {
  return impl_->guarded([&](hid_t f) {
    if (!h5::exists(f, "loads")) return std::vector<std::int32_t>();
    const auto bodies = h5::read_rows<std::int32_t>(f, "loads/body");
    check_indices(bodies, static_cast<std::size_t>(impl_->bodies), "loads/body");
    return bodies;
  });
}

std::vector<ResultLoad> ResultReader::loads() const {
  const std::vector<std::int32_t> bodies = loaded_bodies();
  return impl_->guarded([&](hid_t f) {
    std::vector<ResultLoad> loads(bodies.size());
    if (bodies.empty()) return loads;
    const auto n = static_cast<std::size_t>(impl_->steps) * bodies.size();
    const auto read = [&](const char* name) {
      const std::vector<Vector3> all = to_vectors(h5::read_rows<double>(f, name, 0, impl_->steps));
      check(all.size() == n, name, "not one row a loaded body");
      return all;
    };
    const std::vector<Vector3> force = read("loads/force"), torque = read("loads/torque");
    for (std::size_t i = 0; i < n; ++i) {
      ResultLoad& load = loads[i % bodies.size()];
      load.body = bodies[i % bodies.size()];
      load.force.push_back(force[i]), load.torque.push_back(torque[i]);
    }
    return loads;
  });
}

ResultGround ResultReader::ground() const {
  return impl_->guarded([&](hid_t f) {
    ResultGround ground;
    if (!h5::exists(f, "ground")) return ground;
    const auto read = [&](const char* name) {
      const std::vector<Vector3> all = to_vectors(h5::read_rows<double>(f, name, 0, impl_->steps));
      check(all.size() == static_cast<std::size_t>(impl_->steps), name, "not one row a step");
      return all;
    };
    ground.acceleration = read("ground/acceleration");
    ground.velocity = read("ground/velocity");
    ground.displacement = read("ground/displacement");
    return ground;
  });
}

}  // namespace scree
