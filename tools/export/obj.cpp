// Wavefront OBJ: the bodies of one frame, one object each.
#include <fmt/format.h>

#include <iterator>

#include "tools/common/output_file.hpp"
#include "tools/export/export_source.hpp"

namespace scree {
namespace {

// Names end at white space in this format.
std::string object_name(std::string name) {
  for (char& c : name) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') c = '_';
  }
  return name;
}

}  // namespace

void write_obj(const ExportSource& source, const ExportTask& task) {
  OutputFile& file = task.out;
  const ResultFrame frame = source.results.frame(source.frames.front());
  file.write(fmt::format("# t = {} s, metres, map coordinates\n", frame.time));
  std::int64_t first = 1;
  for (std::size_t i = 0; i < frame.position.size(); ++i) {
    if (frame.active[i] == 0) continue;
    const Mesh& mesh = source.mesh(i);
    std::string text = fmt::format("o {}\n", object_name(source.bodies.name[i]));
    const auto out = std::back_inserter(text);
    for (const Vector3& point : mesh.points) {
      const Vector3 x = place(frame, i, point);
      fmt::format_to(out, "v {} {} {}\n", x.x(), x.y(), x.z());
    }
    for (const auto& face : mesh.faces) {
      text += "f";
      for (const std::int32_t corner : face) fmt::format_to(out, " {}", first + corner);
      text += "\n";
    }
    first += static_cast<std::int64_t>(mesh.points.size());
    file.write(text);
  }
  file.finish();
}

}  // namespace scree
