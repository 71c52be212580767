// VTKHDF, UnstructuredGrid of polygons. One frame: the static form (version 1.0, read from VTK 9.1
// on). Several: version 2.0 with Steps; cells are written once, points of every frame follow each
// other and are found by offsets.
#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "engine/base/hdf5_file.hpp"
#include "engine/files/result_path.hpp"
#include "engine/measure/stress_tensor.hpp"
#include "tools/export/export_source.hpp"

namespace scree {
namespace {

constexpr std::uint8_t vtk_polygon = 7;
constexpr std::array stress_names = {"stress", "pressure", "tau"};

struct Grid {
  std::vector<std::int64_t> connectivity, offsets = {0}, body, material;
  std::vector<double> mass;
  std::vector<std::uint8_t> types;
  std::int64_t points = 0;

  explicit Grid(const ExportSource& source) {
    for (std::size_t i = 0; i < source.bodies.name.size(); ++i) {
      const Mesh& mesh = source.mesh(i);
      for (const auto& face : mesh.faces) {
        for (const std::int32_t corner : face) connectivity.push_back(points + corner);
        offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
        types.push_back(vtk_polygon);
        body.push_back(static_cast<std::int64_t>(i));
        material.push_back(source.bodies.material[i]);
        mass.push_back(source.bodies.mass[i]);
      }
      points += static_cast<std::int64_t>(mesh.points.size());
    }
  }
  std::int64_t cells() const { return static_cast<std::int64_t>(types.size()); }
};

// The format wants its name in ASCII and its version as two integers.
void write_head(hid_t group, std::int64_t major) {
  const std::string name = "UnstructuredGrid";
  const h5::Handle type = h5::own(H5Tcopy(H5T_C_S1), &H5Tclose, "Type"),
                   scalar = h5::own(H5Screate(H5S_SCALAR), &H5Sclose, "Type");
  h5::check(H5Tset_size(type.id(), name.size()), "Type");
  h5::check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "Type");
  const h5::Handle written =
      h5::own(H5Acreate2(group, "Type", type.id(), scalar.id(), H5P_DEFAULT, H5P_DEFAULT),
              &H5Aclose, "Type");
  h5::check(H5Awrite(written.id(), type.id(), name.data()), "Type");
  const hsize_t two = 2;
  const std::int64_t numbers[] = {major, 0};
  const h5::Handle pair = h5::own(H5Screate_simple(1, &two, nullptr), &H5Sclose, "Version");
  const h5::Handle version =
      h5::own(H5Acreate2(group, "Version", H5T_NATIVE_INT64, pair.id(), H5P_DEFAULT, H5P_DEFAULT),
              &H5Aclose, "Version");
  h5::check(H5Awrite(version.id(), H5T_NATIVE_INT64, numbers), "Version");
}

void write_integers(hid_t group, const char* name, const std::vector<std::int64_t>& values) {
  h5::write_dataset<std::int64_t>(group, {name, "", "as the VTKHDF format defines it"}, values,
                                  {values.size()});
}

// What changes from frame to frame, appended a frame at a time so that memory does not grow with
// their number.
struct Fields {
  h5::Appender<double> points, speed, velocity, displacement, spin;
  h5::Appender<std::uint8_t> active;
  // None unless the file has stresses: of the whole tensor, pressure, tau.
  std::vector<h5::Appender<double>> stress = {};
  std::vector<Vector3> start = {};  // [n_bodies] [m] positions in the first frame of the run
  Cell cell = {};                   // periodic directions

  void push(const ExportSource& source, std::int64_t index) {
    const ResultFrame frame = source.results.frame(index);
    push_motion(source, frame);
    if (!stress.empty()) push_stress(source, source.results.stress(index));
  }

 private:
  void push_stress(const ExportSource& source, const ResultStress& of) {
    for (std::size_t i = 0; i < of.stress.size(); ++i) {
      for (std::size_t f = 0; f < source.mesh(i).faces.size(); ++f) {
        stress[0].push(of.stress[i]);
        stress[1].push(measure::pressure_of(of.stress[i]));
        stress[2].push(measure::shear_of(of.stress[i]));
      }
    }
    for (h5::Appender<double>& table : stress) table.write_out();
  }

  void push_motion(const ExportSource& source, const ResultFrame& frame) {
    std::vector<double> place_of, v, way, w;
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
      const Mesh& mesh = source.mesh(i);
      for (const Vector3& point : mesh.points) append(place_of, place(frame, i, point));
      for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        append(v, frame.velocity[i]);
        append(way, path_of(cell, frame, i) - start[i]);
        append(w, frame.orientation[i] * frame.spin[i]);
        speed.push(frame.velocity[i].norm());
        active.push(frame.active[i]);
      }
    }
    points.push(place_of), velocity.push(v), displacement.push(way), spin.push(w);
    points.write_out(), speed.write_out(), velocity.write_out(), active.write_out();
    displacement.write_out(), spin.write_out();
  }
};

// "index of the material: 0 stone, 1 steel".
std::string names_of_materials(const ExportSource& source) {
  std::string text = "index of the material:";
  const std::vector<std::string> names = source.results.materials();
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{} {} {}", i == 0 ? "" : ",", i, names[i]);
  return text;
}

Fields create_fields(hid_t group, const ExportSource& source, const Grid& grid) {
  const h5::Handle cell_data = h5::create_group(group, "CellData");
  const auto rows = static_cast<hsize_t>(std::max<std::int64_t>(grid.cells(), 1));
  const auto points = static_cast<hsize_t>(std::max<std::int64_t>(grid.points, 1));
  h5::create_table<double>(group, {"Points", "m", "corners, map coordinates"}, {3}, {points, 1});
  h5::create_table<double>(cell_data.id(), {"speed", "m/s", "of the body's centre of mass"}, {},
                           {rows, 1});
  h5::create_table<double>(cell_data.id(), {"velocity", "m/s", "of the body's centre of mass"}, {3},
                           {rows, 1});
  h5::create_table<double>(
      cell_data.id(),
      {"displacement", "m", "of the body's centre of mass, from the first frame of the run"}, {3},
      {rows, 1});
  h5::create_table<double>(cell_data.id(), {"spin", "rad/s", "angular velocity, world axes"}, {3},
                           {rows, 1});
  h5::create_table<std::uint8_t>(cell_data.id(), {"active", "", "1: the body takes part"}, {},
                                 {rows, 1});
  h5::write_dataset<std::int64_t>(cell_data.id(), {"body", "", "index of the body"}, grid.body,
                                  {grid.body.size()});
  h5::write_dataset<double>(cell_data.id(), {"mass", "kg", "of the body; 0: fixed or driven"},
                            grid.mass, {grid.mass.size()});
  h5::write_dataset<std::int64_t>(cell_data.id(),
                                  {"material", "", names_of_materials(source).c_str()},
                                  grid.material, {grid.material.size()});
  Fields fields = {h5::Appender<double>(group, "Points"),
                   h5::Appender<double>(group, "CellData/speed"),
                   h5::Appender<double>(group, "CellData/velocity"),
                   h5::Appender<double>(group, "CellData/displacement"),
                   h5::Appender<double>(group, "CellData/spin"),
                   h5::Appender<std::uint8_t>(group, "CellData/active")};
  if (!source.results.has_stress()) return fields;
  h5::create_table<double>(
      cell_data.id(),
      {"stress", "Pa", "mean of the body, XX, YY, ZZ, XY, YZ, XZ, tension positive; NaN: none"},
      {6}, {rows, 1});
  h5::create_table<double>(cell_data.id(), {"pressure", "Pa", "-tr(stress)/3"}, {}, {rows, 1});
  h5::create_table<double>(cell_data.id(), {"tau", "Pa", "sqrt(s:s/2) of the deviator s"}, {},
                           {rows, 1});
  for (const char* name : stress_names)
    fields.stress.emplace_back(group, std::string("CellData/") + name);
  return fields;
}

// One part a step, always the first: the cells stay, points and cell data move on.
void write_steps(hid_t group, const ExportSource& source, const Grid& grid) {
  const h5::Handle steps = h5::create_group(group, "Steps");
  const h5::Handle cell_offsets = h5::create_group(steps.id(), "CellDataOffsets");
  const std::size_t n = source.frames.size();
  std::vector<std::int64_t> points, cells;
  for (std::size_t i = 0; i < n; ++i) {
    points.push_back(static_cast<std::int64_t>(i) * grid.points);
    cells.push_back(static_cast<std::int64_t>(i) * grid.cells());
  }
  const std::vector<std::int64_t> zeros(n, 0), ones(n, 1);
  h5::write_attribute(steps.id(), "NSteps", static_cast<std::int64_t>(n));
  h5::write_dataset<double>(steps.id(), {"Values", "s", "times"}, source.times, {n});
  write_integers(steps.id(), "PartOffsets", zeros);
  write_integers(steps.id(), "NumberOfParts", ones);
  write_integers(steps.id(), "PointOffsets", points);
  for (const char* name : {"CellOffsets", "ConnectivityIdOffsets"}) {
    h5::write_dataset<std::int64_t>(steps.id(), {name, "", "one column: one topology"}, zeros,
                                    {n, 1});
  }
  for (const char* name : {"speed", "velocity", "displacement", "spin", "active"})
    write_integers(cell_offsets.id(), name, cells);
  for (const char* name : stress_names) {
    if (source.results.has_stress()) write_integers(cell_offsets.id(), name, cells);
  }
  for (const char* name : {"body", "mass", "material"})
    write_integers(cell_offsets.id(), name, zeros);
}

void write_grid(hid_t file, const ExportSource& source) {
  const Grid grid(source);
  const h5::Handle group = h5::create_group(file, "VTKHDF");
  const hid_t g = group.id();
  const bool one = source.frames.size() == 1;
  write_head(g, one ? 1 : 2);
  write_integers(g, "NumberOfPoints", {grid.points});
  write_integers(g, "NumberOfCells", {grid.cells()});
  write_integers(g, "NumberOfConnectivityIds",
                 {static_cast<std::int64_t>(grid.connectivity.size())});
  write_integers(g, "Connectivity", grid.connectivity);
  write_integers(g, "Offsets", grid.offsets);
  h5::write_dataset<std::uint8_t>(g, {"Types", "", "VTK cell types"}, grid.types,
                                  {grid.types.size()});
  Fields fields = create_fields(g, source, grid);
  fields.start = source.results.frame(0).position;
  fields.cell = source.results.cell();
  for (const std::int64_t index : source.frames) fields.push(source, index);
  if (!one) write_steps(g, source, grid);
}

}  // namespace

void write_vtkhdf(const ExportSource& source, const ExportTask& task) {
  const h5::Quiet quiet;
  try {
    const h5::Handle access = h5::own(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, "file access");
    h5::check(H5Pset_file_locking(access.id(), false, true),
              "file access");  // OutputFile has its own lock
    h5::Handle file =
        h5::own(H5Fcreate(task.out.written().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()),
                &H5Fclose, "cannot be written");
    write_grid(file.id(), source);
    h5::check(H5Fflush(file.id(), H5F_SCOPE_LOCAL), "cannot be written");
    file.reset();
  } catch (const std::exception& error) {
    throw std::runtime_error(task.out.path() + ": " + error.what());
  }
  task.out.finish();
}

}  // namespace scree
