// scree import: a model of blocks from another program as a scene, with its geometry in one file
// beside it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "scenes/blocks/close_gaps.hpp"
#include "scenes/blocks/decompose.hpp"
#include "scenes/blocks/drawn_joints.hpp"
#include "scenes/blocks/solids.hpp"
#include "scenes/blocks/supports.hpp"
#include "scenes/joints_of_model.hpp"
#include "scenes/read/scene_file.hpp"
#include "tools/cli/commands.hpp"
#include "tools/common/console.hpp"
#include "tools/common/list_option.hpp"
#include "tools/common/number_choices.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/output_path.hpp"

namespace scree {
namespace {

constexpr double usual_density = 2000.0;  // [kg/m3]
constexpr double usual_friction = 0.6;

struct ImportOptions {
  std::string file, out, gaps = "keep", joints = "faces";
  std::vector<std::string> supports;
  std::optional<double> density, mu, scale;
  double joint_tolerance = 1e-3;
  bool repair = false, force = false;
};

namespace fs = std::filesystem;

blocks::BlockModel read_model(const std::string& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  require(error || size <= blocks::most_bytes, file,
          fmt::format("has {} MB; at most {} MB are read", size / 1'000'000,
                      blocks::most_bytes / 1'000'000));
  const auto sibling = [&](const std::string& name) -> std::optional<std::string> {
    const std::string path = (fs::path(file).parent_path() / name).string();
    std::error_code missing;
    if (!fs::exists(path, missing)) return std::nullopt;
    return read_input_file(path);
  };
  return blocks::read_blocks(read_input_file(file), file, sibling);
}

std::vector<blocks::Solid> solids_of(const ImportOptions& options, const blocks::BlockModel& model,
                                     blocks::SolidReport& report) {
  blocks::SolidOptions how;
  how.scale = options.scale.value_or(1.0);
  how.scale_given = options.scale.has_value();
  how.repair = options.repair;
  return blocks::make_solids(model, how, report);
}

// Blocks of a second file, as some models have their supports: those that are in the first file too
// are marked there.
void add_supports_file(const ImportOptions& options, const std::string& file,
                       std::vector<blocks::Solid>& solids, blocks::SolidReport& report) {
  for (blocks::Solid& support : solids_of(options, read_model(file), report)) {
    const auto same = std::find_if(solids.begin(), solids.end(), [&](const blocks::Solid& solid) {
      return (solid.integrals.centre - support.integrals.centre).norm() <= 1e-3 * solid.size &&
             std::abs(solid.integrals.volume / support.integrals.volume - 1.0) <= 1e-2;
    });
    if (same != solids.end()) {
      same->support = true;
      continue;
    }
    support.support = true;
    support.name = "support-" + support.name;
    solids.push_back(std::move(support));
  }
}

double median_size(const std::vector<blocks::Solid>& solids) {
  std::vector<double> sizes;
  for (const blocks::Solid& solid : solids) sizes.push_back(solid.size);
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2),
                   sizes.end());
  return sizes[sizes.size() / 2];
}

// 1, 2 or 5 times a power of ten, not more than the value.
double round_down(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : {5.0, 2.0}) {
    if (step * power <= value) return step * power;
  }
  return power;
}

// The density that all blocks without one of their own have.
double common_density(const ImportOptions& options, std::vector<blocks::Solid>& solids,
                      std::string& whence) {
  if (options.density) {
    for (blocks::Solid& solid : solids) solid.density = 0.0;
    whence = "--density";
    return *options.density;
  }
  double lowest = std::numeric_limits<double>::infinity(), highest = 0.0;
  bool all = true;
  for (const blocks::Solid& solid : solids) {
    if (solid.support) continue;
    all = all && solid.density > 0.0;
    lowest = std::min(lowest, solid.density), highest = std::max(highest, solid.density);
  }
  whence = "default; --density sets it";
  if (!all || highest == 0.0) return usual_density;
  whence = "of the file";
  if (lowest != highest) {
    whence = fmt::format("blocks have {:g} to {:g} of their own", lowest, highest);
    return lowest;
  }
  for (blocks::Solid& solid : solids) solid.density = 0.0;
  return lowest;
}

struct SceneParts {
  std::string title, geometry_name;
  double density = 0.0, mu = 0.0, dt = 0.0, end = 0.0;
  Vector3 gravity = Vector3(0.0, 0.0, -9.81);  // [m/s2]
  double overlap = 0.0;                        // [m] worst at the start; 0: within the tolerance
};

std::string scene_text(const SceneParts& parts) {
  std::string text = fmt::format(
      "title = \"{}\"\n\n[world]\ngravity = [{}, {}, {}]\n\n[time]\ndt = {}\nend = "
      "{}\n\n[preset]\nuse = \"masonry\"\n\n[law]\n"
      "rest = \"damped\"   # what stands comes to rest, so that forces are those of "
      "statics\n\n[output]\n"
      "frames_per_second = {}\n\n",
      parts.title, parts.gravity.x(), parts.gravity.y(), parts.gravity.z(), parts.dt, parts.end,
      20.0 / parts.end);
  if (parts.overlap > 0.0) {
    text += fmt::format(
        "[start]\nallow_initial_overlap = true   # blocks overlap as drawn, by up to {:.2g} m\n\n"
        "[solver]\ntolerance = 1e-6   # no more exact than the drawing\n\n",
        parts.overlap);
  }
  text += fmt::format(
      "[[material]]\nname = \"stone\"\ndensity = {}\n\n[[contact]]\nbetween = [\"stone\", "
      "\"stone\"]\nmu = {}\ne = 0\n\n[[blocks]]\nfile = \"{}\"\nmaterial = \"stone\"\n",
      parts.density, parts.mu, parts.geometry_name);
  return text;
}

std::string safe(std::string text) {
  std::erase_if(text,
                [](unsigned char c) { return c < 0x20 || c == '"' || c == '\\' || c == 0x7f; });
  return text;
}

// The joints of the file between blocks by the names that they get here.
std::vector<blocks::DrawnJoint> named_joints(const blocks::BlockModel& model,
                                             const std::vector<blocks::Solid>& solids,
                                             double scale) {
  std::map<std::string, std::string> name;
  for (const blocks::Solid& solid : solids) name.emplace(solid.name, safe(solid.name));
  for (const blocks::Solid& solid : solids) {
    if (!solid.key.empty()) name[solid.key] = safe(solid.name);
  }
  std::vector<blocks::DrawnJoint> joints = model.joints;
  for (blocks::DrawnJoint& joint : joints) {
    joint.a = name.at(joint.a), joint.b = name.at(joint.b);
    for (Vector3& corner : joint.corners) corner *= scale;
  }
  return joints;
}

Scene parsed(const std::string& text, const std::string& name, const std::string& geometry) {
  return parse_scene(text, name, [&](const std::string&) { return geometry; });
}

void import_model(const ImportOptions& options) {
  const std::string file = blocks::file_of_model(options.file);
  require(extension_of(options.out) == ".toml", options.out,
          fmt::format("unknown extension '{}'; must be .toml", extension_of(options.out)));
  const std::string geometry_path = fs::path(options.out).replace_extension(".blocks.obj").string();
  check_output_path(options.out, file, options.force);
  check_output_path(geometry_path, file, options.force);
  blocks::BlockModel model = read_model(file);
  blocks::SolidReport report;
  std::vector<blocks::Solid> solids = solids_of(options, model, report);
  std::vector<std::string> names;
  for (const std::string& word : options.supports) {
    std::error_code error;
    if (fs::is_regular_file(word, error)) {
      add_supports_file(options, word, solids, report);
      names.emplace_back("marked");
    } else {
      names.push_back(word);
    }
  }
  std::string how;
  try {
    how = blocks::choose_supports(solids, names);
  } catch (const InputError& error) {
    throw InputError("--" + std::string(error.what()));
  }
  const bool nothing_fixed = std::ranges::none_of(solids, &blocks::Solid::support);
  double shifted = 0.0;
  const bool drawn = options.joints == "drawn";
  require(!drawn || !model.joints.empty(), file, "states no joints; --joints must be faces");
  require(!drawn || options.gaps != "shift", "--gaps",
          "shift moves faces, and with --joints drawn faces do not touch");
  if (options.gaps == "shift") shifted = blocks::shift_faces(solids, options.joint_tolerance);
  SceneParts parts;
  std::string density_from;
  parts.density = common_density(options, solids, density_from);
  parts.mu = options.mu.value_or(std::isfinite(model.friction) ? model.friction : usual_friction);
  if (model.gravity) parts.gravity = *model.gravity;
  parts.title = safe(fs::path(file).filename().string());
  parts.geometry_name = fs::path(geometry_path).filename().string();
  const double size = median_size(solids);
  parts.dt = round_down(std::min(0.005, 0.01 * std::sqrt(size / 9.81)));
  parts.end = 200.0 * parts.dt;

  blocks::BlockModel clean{file, model.format, {}};
  for (const blocks::Solid& solid : solids) {
    blocks::Block block;
    block.name = safe(solid.name);
    block.vertices = solid.vertices;
    block.faces = solid.faces;
    block.support = solid.support;
    block.density = solid.density;
    block.cluster = solid.piece_end.size() > 1;
    clean.blocks.push_back(std::move(block));
  }
  blocks::JointPieces pieces;
  if (drawn) {
    try {
      pieces = blocks::pieces_at_joints(solids, model.joints, options.scale.value_or(1.0));
    } catch (const InputError& error) {
      throw InputError(file + ": " + error.what());
    }
    clean.joints = named_joints(model, solids, options.scale.value_or(1.0));
  }
  const std::string geometry = blocks::write_obj(
      clean,
      fmt::format("blocks of {}, by scree import; metres; material support: fixed", parts.title));
  Scene scene;
  try {
    // The blocks stand at any size that was asked for.
    std::string text = scene_text(parts);
    if (options.scale) text += "scale = 1.0\n";
    if (drawn) text += "joints = \"drawn\"\n";
    if (nothing_fixed) text += "supports = [\"none\"]\n";
    scene = parsed(text, options.out, geometry);
    const std::vector<collision::Overlap> overlaps = overlaps_at_start(scene);
    if (!overlaps.empty()) parts.overlap = overlaps.front().depth;
  } catch (const InputError& error) {
    const std::string what = error.what();
    // What the options say is at fault by their names, not by a file that is not there yet.
    for (const auto& [key, option] :
         {std::pair("material.density: ", "--density: "), std::pair("contact.mu: ", "--mu: ")}) {
      const std::size_t place = what.find(key);
      if (what.starts_with(options.out) && place != std::string::npos)
        throw InputError(option + what.substr(place + std::string_view(key).size()));
    }
    const std::size_t block = what.find("block '");
    throw InputError(block == std::string::npos ? what : file + ": " + what.substr(block));
  }
  std::string text = scene_text(parts);
  if (options.scale) text += "scale = 1.0   # any size is taken\n";
  if (nothing_fixed) text += "supports = [\"none\"]\n";
  if (drawn) text += "joints = \"drawn\"   # blocks touch in the polygons of the file alone\n";
  write_file(geometry_path, geometry);
  write_file(options.out, text);

  const std::vector<blocks::JointBody> bodies = joint_bodies(scene.model, scene.state);
  blocks::JointOptions joint_options;
  joint_options.tolerance = options.joint_tolerance;
  const JointSummary summary = summarise_joints(scene.model, bodies, joint_options);
  output("{}: {}\n", file, model.format);
  write_output(joint_lines(scene.model, summary));
  output("supports     {}: {}\n", summary.supports, how);
  output("density      {:g} kg/m3 ({})\n", parts.density, density_from);
  output("friction     {:g} ({})\n", parts.mu,
         options.mu                      ? "--mu"
         : std::isfinite(model.friction) ? "of the file"
                                         : "default; --mu sets it");
  if (model.gravity) {
    output("gravity      ({:g}, {:g}, {:g}) m/s2 (of the file)\n", parts.gravity.x(),
           parts.gravity.y(), parts.gravity.z());
  }
  for (const std::string& line : report.lines()) output("note         {}\n", line);
  for (const std::string& line : model.notes) output("note         {}\n", line);
  if (drawn) {
    output(
        "note         blocks touch in the {} polygons of {} joints that the file draws, and "
        "nowhere "
        "else{}\n",
        pieces.polygons, pieces.pairs,
        pieces.without_area == 0
            ? ""
            : fmt::format("; {} without area are left out", pieces.without_area));
  }
  if (shifted > 0.0)
    output("note         gaps closed by moving faces by up to {:.3g} m\n", shifted);
  if (parts.overlap > 0.0) {
    output("note         blocks overlap by up to {:.3g} m as drawn; the scene allows it\n",
           parts.overlap);
    if (!drawn && !model.joints.empty())
      output("note         the file draws its joints as well: --joints drawn takes these\n");
  }
  notice("wrote {} and {}: scree check {} shows more, scree run {} computes it\n", options.out,
         geometry_path, options.out, options.out);
}

}  // namespace

void add_import_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App* const command = app.add_subcommand(
      "import", "Make a scene of blocks drawn elsewhere: COMPAS, OBJ, STL, PLY, LMGC90, 3DEC");
  command
      ->add_option("file", options->file,
                   "COMPAS .json, .obj, .stl, .ply, DATBOX folder, 3DEC text")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("-o,--out", options->out,
                   "scene to write; its geometry goes to a .blocks.obj beside it")
      ->required()
      ->type_name("SCENE.toml");
  command
      ->add_option("--density", options->density,
                   "of all blocks [kg/m3]; default: that of the file, else 2000")
      ->check(choices::positive_number());
  command->add_option("--mu", options->mu, "friction; default: that of the file, else 0.6")
      ->check(choices::not_negative_number());
  add_list_option(*command, "--supports", options->supports,
                  fmt::format("blocks that stand still: {}; or a file of such blocks; default: "
                              "those that the file marks, else the lowest",
                              blocks::supports_expected));
  command
      ->add_option("--scale", options->scale, "metres in a unit of the file: 0.001 for millimetres")
      ->check(choices::positive_number());
  command
      ->add_option("--joint-tolerance", options->joint_tolerance,
                   "faces nearer than this part of a block's size make a joint")
      ->check(choices::number_within(0.0, 0.1))
      ->capture_default_str();
  command
      ->add_option("--gaps", options->gaps,
                   "keep: as drawn; shift: faces of joints are moved until they meet")
      ->check(CLI::IsMember({"keep", "shift"}))
      ->capture_default_str();
  command
      ->add_option("--joints", options->joints,
                   "faces: blocks touch where their surfaces do; drawn: in the polygons that a "
                   "COMPAS file states, and nowhere else")
      ->check(CLI::IsMember({"faces", "drawn"}))
      ->capture_default_str();
  command->add_flag("--repair", options->repair,
                    "drop doubled faces, close small holes and cracks");
  command->add_flag("--force", options->force, "replace existing files");
  command->callback([options, &exit_code] {
    import_model(*options);
    exit_code = exit_done;
  });
}

}  // namespace scree
