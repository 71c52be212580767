#include "scenes/read/scene.hpp"

#include <algorithm>

#include "engine/periodic_cell.hpp"
#include "scenes/read/document.hpp"
#include "scenes/read/preset.hpp"
#include "scenes/read/read_blocks.hpp"
#include "scenes/read/read_ensemble.hpp"
#include "scenes/read/read_generators.hpp"
#include "scenes/read/read_grains.hpp"
#include "scenes/read/read_loads.hpp"
#include "scenes/read/read_measures.hpp"
#include "scenes/read/read_settings.hpp"
#include "scenes/read/scene_edits.hpp"

namespace scree {

void fail_at(const Scene& scene, Place place, const std::string& field,
             const std::string& message) {
  scenes::Document(scene.source_name, {}, scene.edits).fail(place, field, message);
}

namespace scenes {
namespace {

// A table of the file that adds bodies.
struct BodySource {
  enum class Kind {
    body,
    wall,
    rock,
    stack,
    arch,
    pyramid,
    grains,
    fragments,
    blocks,
    rough_plate
  } kind = Kind::body;
  TableReader reader;
};

// Everything that adds bodies, in the order of the file: this is the order of the bodies.
std::vector<BodySource> body_sources(TableReader& file) {
  using Kind = BodySource::Kind;
  const std::pair<const char*, Kind> keys[] = {
      {"body", Kind::body},     {"wall", Kind::wall},
      {"rock", Kind::rock},     {"stack", Kind::stack},
      {"arch", Kind::arch},     {"pyramid", Kind::pyramid},
      {"grains", Kind::grains}, {"fragments", Kind::fragments},
      {"blocks", Kind::blocks}, {"rough_plate", Kind::rough_plate}};
  std::vector<BodySource> sources;
  for (const auto& key : keys) {
    for (TableReader& reader : file.tables(key.first)) sources.push_back({key.second, reader});
  }
  std::ranges::stable_sort(sources, [](const BodySource& a, const BodySource& b) {
    return a.reader.place() < b.reader.place();
  });
  return sources;
}

// What goes wrong far below, where nobody knows of files, is said of the table.
void read_source(BodySource& source, const MaterialNames& materials, const ShapeTable& shapes,
                 SceneBuilder& builder) try {
  builder.set_group(read_group(source.reader));
  switch (source.kind) {
    case BodySource::Kind::body:
      read_body_with_shape(source.reader, materials, shapes, builder);
      break;
    case BodySource::Kind::wall:
      read_wall(source.reader, materials, builder);
      break;
    case BodySource::Kind::rock:
      read_rock(source.reader, materials, builder);
      break;
    case BodySource::Kind::stack:
      read_stack(source.reader, materials, builder);
      break;
    case BodySource::Kind::arch:
      read_arch(source.reader, materials, builder);
      break;
    case BodySource::Kind::pyramid:
      read_pyramid(source.reader, materials, builder);
      break;
    case BodySource::Kind::grains:
      read_grains(source.reader, materials, shapes, builder);
      break;
    case BodySource::Kind::fragments:
      read_fragments(source.reader, materials, builder);
      break;
    case BodySource::Kind::blocks:
      read_blocks(source.reader, materials, builder);
      break;
    case BodySource::Kind::rough_plate:
      read_rough_plate(source.reader, materials, builder);
      break;
  }
} catch (const InputError& error) {
  source.reader.document().fail_unless_placed(source.reader.place(), source.reader.path(), error);
}

void read_bodies(TableReader& file, const MaterialNames& materials, const ShapeTable& shapes,
                 SceneBuilder& builder) {
  if (std::optional<TableReader> column = file.table("column"))
    read_column(*column, materials, shapes, builder);
  for (BodySource& source : body_sources(file)) {
    read_source(source, materials, shapes, builder);
  }
}

}  // namespace

Scene parse_scene(std::string_view text, const std::string& file_name, Document& document,
                  const SceneChange& change) {
  toml::table root = parse_toml(text, file_name);
  apply_edits(root, change.edits);
  Scene scene;
  scene.source = text;
  scene.source_name = file_name;
  scene.edits = change.edits;
  TableReader file(document, root, "");
  scene.title = file.text("title").value_or("");
  scene.preset = apply_preset(file, root);
  read_world(file, scene.model);
  document.use_rasters(change);
  document.set_origin(scene.model.origin);
  scene.settings = read_settings(file);
  scene.initial_from = read_initial(file, scene.initial_place);
  const MaterialNames materials =
      read_materials(file, {read_default_law(file), change.law}, scene.model);
  scene.grounds = materials.grounds;
  const ShapeTable shapes = read_shapes(file);
  SceneBuilder builder(document, scene, read_named_loads(file));
  read_bodies(file, materials, shapes, builder);
  builder.finish_loads();
  read_measures(file, scene, builder.group_of_body(), scene.settings.measure);
  scene.ensemble = read_ensemble(file, materials, scene);
  file.finish();
  if (scene.model.n_bodies() == 0) {
    document.fail(
        {}, "body",
        "missing; must be at least one [[body]], [[wall]], [[rock]], [[stack]], "
        "[[arch]], [[pyramid]], [[grains]], [[fragments]], [[blocks]], [[rough_plate]] or "
        "[column]");
  }
  if (change.make) change.make(scene);
  try {
    check_settings(scene.model, scene.settings);
    check_motion(scene.model, scene.settings, scene.state);
    check_cell(scene.model, scene.settings, scene.state);
    enter_cell(scene.model, scene.state);
  } catch (const InputError& error) {
    const std::string what = error.what(),
                      origin = change.origin ? change.origin(what.substr(0, what.find(':'))) : "";
    if (!origin.empty()) throw InputError(origin + ": " + what);
    document.fail_at_field(error);
  }
  scene.files = document.files();
  scene.edit_unit = document.edit_unit();
  return scene;
}

}  // namespace scenes

namespace {

// Whether a scene that was refused is one when its text is read as it stands in the file.
bool is_right_without_edits(std::string_view text, const std::string& file_name,
                            const FileReader& read_file, const SceneChange& change) {
  if (change.edits.empty()) return false;
  SceneChange rest = change;
  rest.edits.clear();
  scenes::Document document(file_name, read_file);
  try {
    scenes::parse_scene(text, file_name, document, rest);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

Scene parse_scene(std::string_view text, const std::string& file_name, const FileReader& read_file,
                  const SceneChange& change) {
  scenes::Document document(file_name, read_file, change.edits);
  try {
    return scenes::parse_scene(text, file_name, document, change);
  } catch (const InputError& error) {
    // One that begins with an option is about the command line.
    if (std::string_view(error.what()).starts_with("--")) throw;
    try {
      document.fail_unless_placed({}, "scene", error);
    } catch (const InputError& placed) {
      if (!is_right_without_edits(text, file_name, read_file, change)) throw;
      throw InputError(scenes::edits_prefix(change.edits) + placed.what());
    }
  }
}

}  // namespace scree
