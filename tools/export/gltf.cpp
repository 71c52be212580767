// glTF 2.0, binary: one node a body, one animation with translations and rotations. glTF has y up:
// the root node turns z up to it. Lengths are single precision there, so a scene in map coordinates
// is moved to a round point near it, named in the root's extras.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numbers>
#include <tuple>

#include <nlohmann/json.hpp>

#include "engine/base/check.hpp"
#include "tools/common/output_file.hpp"
#include "tools/export/export_source.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

constexpr int float_type = 5126, vertex_buffer = 34962;

class Gltf {
 public:
  explicit Gltf(const ExportSource& source) : source_(source) {
    first_ = source.results.frame(source.frames.front());
    for (int axis = 0; axis < 3; ++axis)
      origin_[axis] =
          std::abs(middle()[axis]) < 1e4 ? 0.0 : std::round(middle()[axis] / 1000.0) * 1000.0;
  }

  void write(OutputFile& file) {
    add_nodes();
    if (source_.frames.size() > 1) add_animation();
    Json json = {{"asset", {{"version", "2.0"}, {"generator", source_.results.program()}}},
                 {"scene", 0}};
    json["scenes"] = {{{"nodes", {0}}, {"name", source_.results.title()}}};
    json["nodes"] = nodes_, json["meshes"] = meshes_, json["materials"] = materials_;
    if (!animation_.empty()) json["animations"] = Json::array({animation_});
    json["accessors"] = accessors_, json["bufferViews"] = views_;
    json["buffers"] = {{{"byteLength", bytes_.size()}}};
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    file.write("glTF" + word(2) + word(12 + 8 + text.size() + 8 + bytes_.size()) +
               word(text.size()) + "JSON" + text);
    file.write(word(bytes_.size()) + std::string("BIN\0", 4) + bytes_);
    file.finish();
  }

 private:
  static std::string word(std::size_t value) {
    const auto number = static_cast<std::uint32_t>(value);
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &number, 4);
    return bytes;
  }

  // The format has no other numbers.
  static void need_finite(bool finite) {
    require(finite, "frames",
            "hold a place or a turn that is no finite number in single precision, which glTF "
            "cannot have");
  }

  Vector3 middle() const {
    Vector3 sum = Vector3::Zero();
    for (const Vector3& x : first_.position) sum += x;
    return sum / static_cast<double>(std::max<std::size_t>(first_.position.size(), 1));
  }

  // Stores numbers; returns the accessor's index.
  std::size_t add(const std::vector<float>& numbers, const char* type, std::size_t components,
                  bool vertices = false) {
    need_finite(std::all_of(numbers.begin(), numbers.end(),
                            [](float number) { return std::isfinite(number); }));
    Json view = {{"buffer", 0},
                 {"byteOffset", bytes_.size()},
                 {"byteLength", numbers.size() * sizeof(float)}};
    if (vertices) view["target"] = vertex_buffer;
    Json low = Json::array(), high = Json::array();
    for (std::size_t k = 0; k < components; ++k) {
      float least = numbers.at(k), most = numbers.at(k);
      for (std::size_t i = k; i < numbers.size(); i += components)
        least = std::min(least, numbers[i]), most = std::max(most, numbers[i]);
      low.push_back(least), high.push_back(most);
    }
    accessors_.push_back({{"bufferView", views_.size()},
                          {"componentType", float_type},
                          {"count", numbers.size() / components},
                          {"type", type},
                          {"min", low},
                          {"max", high}});
    views_.push_back(view);
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
    return accessors_.size() - 1;
  }

  std::size_t add_material(std::int32_t material, bool fixed) {
    constexpr double palette[][3] = {{0.55, 0.42, 0.30},
                                     {0.25, 0.42, 0.60},
                                     {0.62, 0.30, 0.24},
                                     {0.33, 0.50, 0.30},
                                     {0.52, 0.45, 0.60}};
    const auto& colour = palette[static_cast<std::size_t>(material) % std::size(palette)];
    const Json factor =
        fixed ? Json{0.6, 0.6, 0.58, 1.0} : Json{colour[0], colour[1], colour[2], 1.0};
    materials_.push_back(
        {{"pbrMetallicRoughness",
          {{"baseColorFactor", factor}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.9}}}});
    return materials_.size() - 1;
  }

  // Flat faces: every triangle has corners and a normal of its own.
  std::size_t add_mesh(const Mesh& mesh, std::size_t material) {
    std::vector<float> positions, normals;
    const auto push = [](std::vector<float>& numbers, const Vector3& v) {
      for (int k = 0; k < 3; ++k) numbers.push_back(static_cast<float>(v[k]));
    };
    for (const auto& face : mesh.faces) {
      for (std::size_t i = 1; i + 1 < face.size(); ++i) {
        const Vector3 corners[] = {mesh.points[static_cast<std::size_t>(face[0])],
                                   mesh.points[static_cast<std::size_t>(face[i])],
                                   mesh.points[static_cast<std::size_t>(face[i + 1])]};
        const Vector3 n = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        if (n.isZero(0.0)) continue;
        for (const Vector3& corner : corners)
          push(positions, corner), push(normals, n.normalized());
      }
    }
    const std::size_t position = add(positions, "VEC3", 3, true),
                      normal = add(normals, "VEC3", 3, true);
    meshes_.push_back({{"primitives",
                        {{{"attributes", {{"POSITION", position}, {"NORMAL", normal}}},
                          {"material", material}}}}});
    return meshes_.size() - 1;
  }

  std::size_t mesh_of(std::size_t body) {
    const bool fixed = source_.bodies.fixed[body] != 0;
    const std::int32_t material = source_.bodies.material[body];
    const auto [look, new_look] = looks_.try_emplace({material, fixed}, 0);
    if (new_look) look->second = add_material(material, fixed);
    const auto [mesh, new_mesh] =
        shapes_.try_emplace({source_.bodies.shape[body], material, fixed}, 0);
    if (new_mesh) mesh->second = add_mesh(source_.mesh(body), look->second);
    return mesh->second;
  }

  Json translation(const Vector3& x) const {
    return {x.x() - origin_.x(), x.y() - origin_.y(), x.z() - origin_.z()};
  }

  void add_nodes() {
    const double half = std::numbers::sqrt2 / 2.0;
    Json children = Json::array();
    for (std::size_t i = 0; i < source_.bodies.name.size(); ++i) children.push_back(i + 1);
    nodes_.push_back({{"name", "z up"},
                      {"rotation", {-half, 0.0, 0.0, half}},
                      {"children", children},
                      {"extras", {{"origin", {origin_.x(), origin_.y(), origin_.z()}}}}});
    for (std::size_t i = 0; i < source_.bodies.name.size(); ++i) {
      // Single precision, as in the animation: a component that is 1 + 2e-16 by round-off would be
      // out of range.
      const Eigen::Vector4f q = first_.orientation[i].coeffs().cast<float>();
      need_finite(q.allFinite() && first_.position[i].cast<float>().allFinite());
      Json node = {{"name", source_.bodies.name[i]},
                   {"mesh", mesh_of(i)},
                   {"translation", translation(first_.position[i])},
                   {"rotation", {q.x(), q.y(), q.z(), q.w()}}};
      if (first_.active[i] == 0) node["scale"] = {0.0, 0.0, 0.0};
      nodes_.push_back(node);
    }
  }

  struct Track {
    std::vector<float> translation, rotation, scale;
    // Of a body that passes a face of a periodic cell; else those of the frames.
    std::vector<float> times;
    bool moves = false, turns = false, appears = false;
  };

  static float seconds(double from, double time) { return static_cast<float>(time - from); }

  void push_place(Track& track, const Vector3& x) const {
    for (int k = 0; k < 3; ++k) track.translation.push_back(static_cast<float>(x[k] - origin_[k]));
  }

  // A body that goes on as its image flies out of the cell for half of the way between two frames,
  // and comes in on the other side for the rest: two moments next to each other, half way.
  void pass_face(Track& track, std::size_t frame, const Vector3& from, const Vector3& to,
                 const Vector3& offset) const {
    const double start = source_.times.front();
    if (track.times.empty()) {
      for (std::size_t f = 0; f < frame; ++f)
        track.times.push_back(seconds(start, source_.times[f]));
    }
    const Vector3 half = 0.5 * (from + to + offset);
    const float moment = seconds(start, 0.5 * (source_.times[frame - 1] + source_.times[frame]));
    const float next = std::nextafter(moment, std::numeric_limits<float>::max());
    // Frames so near each other that there is no room: the jump is between them.
    if (!(moment > track.times.back()) || !(next < seconds(start, source_.times[frame]))) return;
    track.times.push_back(moment), push_place(track, half);
    track.times.push_back(next), push_place(track, half - offset);
  }

  // Signs are chosen so that neighbours are near: players interpolate without asking.
  static void follow(Track& track, const Quaternion& q) {
    const std::size_t n = track.rotation.size();
    double product = 1.0;
    if (n >= 4)
      product = q.x() * track.rotation[n - 4] + q.y() * track.rotation[n - 3] +
                q.z() * track.rotation[n - 2] + q.w() * track.rotation[n - 1];
    const double sign = product < 0.0 ? -1.0 : 1.0;
    for (const double value : {q.x(), q.y(), q.z(), q.w()})
      track.rotation.push_back(static_cast<float>(sign * value));
  }

  std::vector<Track> tracks() const {
    std::vector<Track> tracks(source_.bodies.name.size());
    const Cell cell = source_.results.cell();
    ResultFrame before;
    for (std::size_t f = 0; f < source_.frames.size(); ++f) {
      ResultFrame frame = source_.results.frame(source_.frames[f]);
      for (std::size_t i = 0; i < tracks.size(); ++i) {
        Track& track = tracks[i];
        if (f > 0 && !frame.image.empty() && frame.image[i] != before.image[i]) {
          PeriodCount gone = frame.image[i];
          for (std::size_t k = 0; k < 3; ++k) gone[k] -= before.image[i][k];
          pass_face(track, f, before.position[i], frame.position[i],
                    cell.offset(gone, frame.image_shift));
        }
        if (!track.times.empty())
          track.times.push_back(seconds(source_.times.front(), source_.times[f]));
        push_place(track, frame.position[i]);
        follow(track, frame.orientation[i]);
        track.scale.insert(track.scale.end(), 3, frame.active[i] != 0 ? 1.0F : 0.0F);
        track.moves = track.moves || frame.position[i] != first_.position[i];
        track.turns =
            track.turns || frame.orientation[i].coeffs() != first_.orientation[i].coeffs();
        track.appears = track.appears || frame.active[i] != first_.active[i];
      }
      before = std::move(frame);
    }
    return tracks;
  }

  void add_animation() {
    std::vector<float> times;
    for (const double time : source_.times)
      times.push_back(static_cast<float>(time - source_.times.front()));
    const std::size_t input = add(times, "SCALAR", 1);
    Json samplers = Json::array(), channels = Json::array();
    const auto channel = [&](std::size_t node, const char* path, std::size_t output,
                             const char* interpolation, std::size_t moments) {
      channels.push_back(
          {{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", path}}}});
      samplers.push_back(
          {{"input", moments}, {"output", output}, {"interpolation", interpolation}});
    };
    const std::vector<Track> all = tracks();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t moments = all[i].times.empty() ? input : add(all[i].times, "SCALAR", 1);
      if (all[i].moves)
        channel(i + 1, "translation", add(all[i].translation, "VEC3", 3), "LINEAR", moments);
      if (all[i].turns)
        channel(i + 1, "rotation", add(all[i].rotation, "VEC4", 4), "LINEAR", input);
      if (all[i].appears) channel(i + 1, "scale", add(all[i].scale, "VEC3", 3), "STEP", input);
    }
    if (!channels.empty())
      animation_ = {{"name", "run"}, {"samplers", samplers}, {"channels", channels}};
  }

  const ExportSource& source_;
  ResultFrame first_;
  Vector3 origin_ = Vector3::Zero();
  std::map<std::pair<std::int32_t, bool>, std::size_t> looks_;
  std::map<std::tuple<std::int32_t, std::int32_t, bool>, std::size_t> shapes_;
  Json nodes_ = Json::array(), meshes_ = Json::array(), materials_ = Json::array(),
       accessors_ = Json::array(), views_ = Json::array(), animation_ = Json::object();
  std::string bytes_;
};

}  // namespace

void write_gltf(const ExportSource& source, const ExportTask& task) {
  Gltf(source).write(task.out);
}

}  // namespace scree
