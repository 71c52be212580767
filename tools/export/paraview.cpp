// ParaView's XML files: RUN.pvd lists one .vtp of the bodies and one of the contacts for each
// frame, in the folder RUN.
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "engine/measure/stress_tensor.hpp"
#include "tools/common/base64.hpp"
#include "tools/common/output_file.hpp"
#include "tools/export/export_source.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

template <class T>
constexpr const char* type_name = "Float64";
template <>
constexpr const char* type_name<std::int32_t> = "Int32";
template <>
constexpr const char* type_name<std::int64_t> = "Int64";
template <>
constexpr const char* type_name<std::uint8_t> = "UInt8";

// One array: its size in bytes, then its bytes, in base64.
template <class T>
std::string data_array(const std::string& name, const std::vector<T>& values, int components = 1) {
  const std::uint64_t size = values.size() * sizeof(T);
  std::string bytes(sizeof size + size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, values.data(), size);
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" "
      "format=\"binary\">{}</DataArray>\n",
      type_name<T>, name, components, encode_base64(bytes));
}

// Vertices or polygons of a piece.
struct Cells {
  std::vector<std::int64_t> connectivity, offsets;

  std::string text(const char* kind) const {
    return fmt::format("<{0}>\n{1}{2}</{0}>\n", kind, data_array("connectivity", connectivity),
                       data_array("offsets", offsets));
  }
};

struct PolyData {
  std::vector<double> points;
  Cells vertices, polygons;
  std::string point_data, cell_data;

  void write(const std::string& path) const {
    OutputFile file(path);
    file.write(
        fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                    "byte_order=\"LittleEndian\" "
                    "header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"{}\" "
                    "NumberOfVerts=\"{}\" NumberOfLines=\"0\" "
                    "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
                    points.size() / 3, vertices.offsets.size(), polygons.offsets.size()));
    file.write("<Points>\n" + data_array("points", points, 3) + "</Points>\n");
    file.write(vertices.text("Verts") + polygons.text("Polys"));
    file.write("<PointData>\n" + point_data + "</PointData>\n<CellData>\n" + cell_data +
               "</CellData>\n");
    file.write("</Piece>\n</PolyData>\n</VTKFile>\n");
    file.finish();
  }
};

PolyData bodies_of(const ExportSource& source, std::int64_t index, const ResultFrame& frame) {
  PolyData data;
  std::vector<std::int32_t> body;
  std::vector<double> speed, velocity, tensor, pressure, tau;
  const bool stressed = source.results.has_stress();
  const ResultStress stress = stressed ? source.results.stress(index) : ResultStress();
  for (std::size_t i = 0; i < frame.position.size(); ++i) {
    if (frame.active[i] == 0) continue;
    const Mesh& mesh = source.mesh(i);
    const auto first = static_cast<std::int64_t>(data.points.size() / 3);
    for (const Vector3& point : mesh.points) append(data.points, place(frame, i, point));
    for (const auto& face : mesh.faces) {
      for (const std::int32_t corner : face) data.polygons.connectivity.push_back(first + corner);
      data.polygons.offsets.push_back(static_cast<std::int64_t>(data.polygons.connectivity.size()));
      body.push_back(static_cast<std::int32_t>(i));
      speed.push_back(frame.velocity[i].norm());
      append(velocity, frame.velocity[i]);
      if (!stressed) continue;
      const measure::StressTensor& s = stress.stress[i];
      tensor.insert(tensor.end(), s.begin(), s.end());
      pressure.push_back(measure::pressure_of(s)), tau.push_back(measure::shear_of(s));
    }
  }
  data.cell_data = data_array("body", body) + data_array("speed [m/s]", speed) +
                   data_array("velocity [m/s]", velocity, 3);
  if (stressed) {
    data.cell_data += data_array("stress [Pa]", tensor, 6) + data_array("pressure [Pa]", pressure) +
                      data_array("tau [Pa]", tau);
  }
  return data;
}

PolyData contacts_of(const ExportSource& source, const ResultContacts& contacts) {
  PolyData data;
  std::vector<double> impulse, force, normal;
  for (std::size_t c = 0; c < contacts.point.size(); ++c) {
    append(data.points, contacts.point[c]);
    append(normal, contacts.normal[c]);
    append(impulse, contacts.impulse_world[c]);
    append(force, contacts.impulse_world[c] / source.dt);
    data.vertices.connectivity.push_back(static_cast<std::int64_t>(c));
    data.vertices.offsets.push_back(static_cast<std::int64_t>(c + 1));
  }
  data.point_data = data_array("impulse [N s]", impulse, 3) +
                    data_array("mean force [N]", force, 3) + data_array("normal", normal, 3) +
                    data_array("gap [m]", contacts.gap) + data_array("status", contacts.status) +
                    data_array("body_a", contacts.body_a) + data_array("body_b", contacts.body_b);
  return data;
}

}  // namespace

namespace {

// What a failed export has written goes again, and the folder, if it was made for it.
class PieceFolder {
 public:
  explicit PieceFolder(const fs::path& path) : path_(path) {
    std::error_code error;
    made_ = fs::create_directory(path_, error);
    if (error) throw std::runtime_error(path_.string() + ": cannot be written: " + error.message());
  }
  ~PieceFolder() {
    std::error_code ignored;
    for (const fs::path& piece : pieces_) fs::remove(piece, ignored);
    if (made_) fs::remove(path_, ignored);
  }
  PieceFolder(const PieceFolder&) = delete;
  PieceFolder& operator=(const PieceFolder&) = delete;

  void add(const PolyData& data, const std::string& name) {
    data.write((path_ / name).string());
    pieces_.push_back(path_ / name);
  }
  void keep() { pieces_.clear(), made_ = false; }

 private:
  fs::path path_;
  bool made_ = false;
  std::vector<fs::path> pieces_;
};

}  // namespace

std::string paraview_folder(const std::string& out) {
  return (fs::path(out).parent_path() / fs::path(out).stem()).string();
}

void write_paraview(const ExportSource& source, const ExportTask& task) {
  const fs::path folder = paraview_folder(task.out.path());
  PieceFolder pieces(folder);
  std::string list =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  const auto add = [&](const PolyData& data, double time, int part, const std::string& name) {
    pieces.add(data, name);
    list += fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"{}\" file=\"{}/{}\"/>\n", time,
                        part, folder.filename().string(), name);
  };
  for (const std::int64_t index : source.frames) {
    const ResultFrame frame = source.results.frame(index);
    add(bodies_of(source, index, frame), frame.time, 0, fmt::format("bodies_{:05}.vtp", index));
    if (!source.results.has_contacts()) continue;
    add(contacts_of(source, source.results.contacts(index)), frame.time, 1,
        fmt::format("contacts_{:05}.vtp", index));
  }
  task.out.write(list + "</Collection>\n</VTKFile>\n");
  task.out.finish();
  pieces.keep();
}

}  // namespace scree
