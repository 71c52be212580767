// What the writers of other formats share: bodies as meshes, and the frames to write.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/files/result_reader.hpp"
#include "tools/common/output_file.hpp"

namespace scree {

// A closed surface in the user's axes of a body; a half-space is a square as large as the scene, a
// cylinder wall an open tube.
struct Mesh {
  std::vector<Vector3> points;  // [m]
  std::vector<std::vector<std::int32_t>>
      faces;  // planar convex polygons, counter-clockwise from outside

  std::size_t corners() const;  // of all faces together
};

struct ExportSource {
  const ResultReader& results;
  std::vector<std::int64_t> frames;  // ascending
  ResultBodies bodies;
  std::vector<Mesh> meshes;   // one a shape
  double dt = 0.0;            // [s] step length, turns impulses into mean forces
  std::vector<double> times;  // [s] of `frames`

  const Mesh& mesh(std::size_t body) const {
    return meshes[static_cast<std::size_t>(bodies.shape[body])];
  }
};

ExportSource make_source(const ResultReader& results, std::vector<std::int64_t> frames);

// Points of a body in a frame [m], map coordinates.
Vector3 place(const ResultFrame& frame, std::size_t body, const Vector3& point);

inline void append(std::vector<double>& values, const Vector3& v) {
  values.insert(values.end(), {v.x(), v.y(), v.z()});
}

// What a writer needs to know besides the run. It writes and finishes `out`.
struct ExportTask {
  OutputFile& out;
  std::string table = "bodies";  // of a .csv: bodies, ledger, solver, contacts, a MeasureTable
};

// Tables of a .csv that devices of the scene fill, and of pairs of bodies.
struct MeasureTable {
  const char* name;
  bool of_frames;  // a row for what is in frames; else the whole run
  void (*write)(const ExportSource&, OutputFile&);
};
const std::vector<MeasureTable>& measure_tables();

void write_gltf(const ExportSource& source, const ExportTask& task);    // .glb
void write_vtkhdf(const ExportSource& source, const ExportTask& task);  // .vtkhdf
void write_paraview(const ExportSource& source,
                    const ExportTask& task);                         // .pvd with a folder of .vtp
std::string paraview_folder(const std::string& out);                 // that folder
void write_csv(const ExportSource& source, const ExportTask& task);  // .csv
void write_obj(const ExportSource& source, const ExportTask& task);  // .obj, the only frame

}  // namespace scree
