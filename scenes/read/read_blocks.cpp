#include "scenes/read/read_blocks.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "engine/base/check.hpp"
#include "engine/base/printable.hpp"
#include "scenes/blocks/close_gaps.hpp"
#include "scenes/blocks/decompose.hpp"
#include "scenes/blocks/drawn_joints.hpp"
#include "scenes/blocks/solids.hpp"
#include "scenes/blocks/supports.hpp"
#include "scenes/read/read_motion.hpp"

namespace scree::scenes {
namespace {

enum class Gaps { keep, shift };
enum class Joints { faces, drawn };

struct BlocksKeys {
  std::string name, file;
  blocks::SolidOptions solids;
  double joint_tolerance = 1e-3;
  Gaps gaps = Gaps::keep;
  Joints joints = Joints::faces;
  std::vector<std::string> supports, only, moved;
  std::optional<MotionHistory> motion;
  Placement placement;
};

BlocksKeys read_keys(TableReader& reader) {
  static const Choices<Gaps> gaps = {{"keep", Gaps::keep}, {"shift", Gaps::shift}};
  static const Choices<Joints> joints = {{"faces", Joints::faces}, {"drawn", Joints::drawn}};
  BlocksKeys keys;
  keys.name = reader.text("name").value_or("");
  keys.file = reader.need(reader.text("file"), "file", "the name of a file with blocks");
  if (keys.file.empty()) reader.fail("file", "is empty; must be the name of a file with blocks");
  const std::optional<double> scale = reader.number("scale", positive(""));
  keys.solids.scale = scale.value_or(1.0);
  keys.solids.scale_given = scale.has_value();
  keys.solids.repair = reader.boolean("repair").value_or(false);
  keys.joint_tolerance =
      reader.number("joint_tolerance", {.low = 0.0, .high = 0.1}).value_or(keys.joint_tolerance);
  keys.gaps = reader.choice("gaps", gaps).value_or(keys.gaps);
  keys.joints = reader.choice("joints", joints).value_or(keys.joints);
  if (keys.gaps == Gaps::shift && keys.joints == Joints::drawn)
    reader.fail("gaps", "\"shift\" moves faces, and with joints = \"drawn\" faces do not touch");
  keys.supports = reader.texts("supports").value_or(std::vector<std::string>());
  reader.expect("supports", std::string("names: ") + blocks::supports_expected);
  keys.only = reader.texts("only").value_or(std::vector<std::string>());
  reader.expect("only", "names of blocks (with * and ?)");
  keys.motion = read_motion(reader);
  keys.moved = reader.texts("moved").value_or(std::vector<std::string>());
  reader.expect("moved", "names of supports (with * and ?)");
  if (!keys.moved.empty() && !keys.motion)
    reader.fail("moved", "says which supports move, but there is no motion");
  keys.placement.reference = Reference::drawing;
  keys.placement.position = reader.vector("position", any("[m]")).value_or(Vector3::Zero());
  keys.placement.q_WU = read_orientation(reader);
  return keys;
}

blocks::BlockModel read_model(TableReader& reader, const std::string& file) {
  Document& document = reader.document();
  const Place place = reader.place("file");
  const std::string field = reader.field("file"), text = document.read_file(place, field, file);
  if (text.find('\0') != std::string::npos) {
    document.fail(place, field,
                  fmt::format("\"{}\" is a binary file; a scene takes text, which its result file "
                              "keeps: make one with scree import",
                              file));
  }
  const auto sibling = [&](const std::string& name) -> std::optional<std::string> {
    const std::string path = (std::filesystem::path(file).parent_path() / name).string();
    try {
      return document.read_file(place, field, path);
    } catch (const InputError&) {
      return std::nullopt;  // not every model has all of them
    }
  };
  return blocks::read_blocks(text, document.path_of(file), sibling);
}

// A block with its parts; mass and inertia are those of its surface as drawn. `pieces`: those at
// its drawn joints.
BodyDefinition body_of(const blocks::Solid& solid, const BodyDefinition& common,
                       const std::optional<blocks::ConvexParts>& pieces) {
  BodyDefinition body = common;
  const blocks::ConvexParts parts = pieces ? *pieces : blocks::decompose(solid);
  const bool moves = !solid.support;
  const bool compound = pieces || parts.corners.size() > 1;
  const double density = solid.density > 0.0 ? solid.density : common.density;
  // A compound that moves is drawn about its centre of mass, which then is that of the surface.
  const Vector3 origin = moves && compound ? solid.integrals.centre : Vector3(Vector3::Zero());
  for (std::size_t p = 0; p < parts.corners.size(); ++p) {
    std::vector<Vector3> corners = parts.corners[p];
    for (Vector3& corner : corners) corner -= origin;
    Shape shape = make_convex_polyhedron(corners);
    if (p == 0)
      body.shape = std::move(shape);
    else
      body.further_parts.push_back(std::move(shape));
  }
  body.density = density;
  if (moves && compound) {
    body.centre_is_origin = true;
    body.mass = density * solid.integrals.volume;
    if (pieces) body.volume = solid.integrals.volume;
    body.inertia = density * solid.integrals.inertia;
  }
  return body;
}

blocks::JointPieces drawn_pieces(TableReader& reader, const blocks::BlockModel& model,
                                 const std::vector<blocks::Solid>& solids, double scale) {
  if (model.joints.empty()) {
    reader.fail("joints", fmt::format("\"drawn\" asks for joints that the file states, and {} "
                                      "states none; must be \"faces\"",
                                      printable(model.file)));
  }
  try {
    return blocks::pieces_at_joints(solids, model.joints, scale);
  } catch (const InputError& error) {
    throw InputError(model.file + ": " + error.what());
  }
}

}  // namespace

void read_blocks(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder) {
  const BlocksKeys keys = read_keys(reader);
  BodyDefinition common;
  common.material = read_material(reader, materials);
  common.density = read_density(reader, materials);
  const blocks::BlockModel model = read_model(reader, keys.file);
  reader.finish();
  blocks::SolidReport report;
  std::vector<blocks::Solid> solids = blocks::make_solids(model, keys.solids, report);
  at_key(reader, [&] { blocks::choose_supports(solids, keys.supports); });
  if (keys.gaps == Gaps::shift) blocks::shift_faces(solids, keys.joint_tolerance);
  const std::vector<std::uint8_t> chosen = at_key(
      reader,
      [&] {
        return blocks::named_by(solids,
                                keys.only.empty() ? std::vector<std::string>{"all"} : keys.only);
      },
      "only");
  const std::vector<std::uint8_t> moved = at_key(
      reader,
      [&] {
        return blocks::named_by(solids,
                                keys.moved.empty() ? std::vector<std::string>{"all"} : keys.moved);
      },
      "moved");
  blocks::JointPieces pieces;
  pieces.parts.resize(solids.size());
  if (keys.joints == Joints::drawn) pieces = drawn_pieces(reader, model, solids, keys.solids.scale);
  for (std::size_t s = 0; s < solids.size(); ++s) {
    if (chosen[s] == 0) continue;
    if (!keys.moved.empty() && moved[s] != 0 && !solids[s].support)
      reader.fail("moved", fmt::format("\"{}\" is no support", printable(solids[s].name)));
    const blocks::Solid& solid = solids[s];
    if (!solid.support && common.density == 0.0 && solid.density == 0.0)
      fail_without_density(reader);
    if (printable(solid.name) != solid.name) {
      throw InputError(fmt::format("{}: block '{}': its name has control characters", model.file,
                                   printable(solid.name)));
    }
    BodyDefinition body;
    try {
      body = body_of(solid, common, pieces.parts[s]);
    } catch (const InputError& error) {
      const std::string what = error.what();
      throw InputError(
          model.file + ": " +
          (what.starts_with("block '") ? what : "block '" + printable(solid.name) + "': " + what));
    }
    body.name = keys.name.empty() ? solid.name : keys.name + "-" + solid.name;
    Placement placement = keys.placement;
    if (solid.support) {
      const bool driven = keys.motion && moved[s] != 0;
      body.kind = driven ? BodyKind::driven : BodyKind::fixed;
      if (driven) {
        body.history = *keys.motion;
        const bool gains = body.history.kind == HistoryKind::acceleration;
        const PrescribedVelocity velocity =
            gains ? body.history.start : velocity_at(body.history, 0.0);
        placement.v_W = velocity.v;
        placement.w_W = velocity.w_W;
      }
    } else if (body.centre_is_origin) {
      placement.position += placement.q_WU * solid.integrals.centre;
    }
    builder.add(body, placement, reader.place("file"), reader.path());
  }
}

}  // namespace scree::scenes
