#include "tools/cli/export.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "engine/base/check.hpp"
#include "engine/base/limits.hpp"
#include "engine/files/result_reader.hpp"
#include "tools/common/coarse_terrain.hpp"
#include "tools/common/console.hpp"
#include "tools/common/list_option.hpp"
#include "tools/common/number_choices.hpp"
#include "tools/common/output_path.hpp"
#include "tools/export/export_source.hpp"
#include "tools/export/picture_scenes.hpp"
#include "tools/picture/contact_sheet.hpp"

namespace scree {
namespace {

struct ExportOptions {
  std::string run, out;
  bool force = false;
  FrameChoice frames;
  std::string size = "1280x800";  // pixels
  picture::View view;
  std::string angles, look;  // as given
  std::string colour_by = "body";
  bool forces = false;
  std::string table = "bodies";
  std::vector<const CLI::Option*> of_frames, of_pictures, of_tables;  // which options are for what
};

std::pair<int, int> parse_size(const std::string& text) {
  int width = 0, height = 0, used = 0;
  const int fields = std::sscanf(text.c_str(), "%5dx%5d%n", &width, &height, &used);
  const bool whole = fields == 2 && static_cast<std::size_t>(used) == text.size();
  require(whole && width >= 96 && height >= 64 && width <= 16384 && height <= 16384, "--size",
          fmt::format(
              "'{}' is not WIDTHxHEIGHT, from 96x64 to 16384x16384 pixels, for example 1280x800",
              text));
  return {width, height};
}

picture::View parse_view(const ExportOptions& options) {
  picture::View view = options.view;
  if (!options.angles.empty()) {
    const char* const allowed =
        "AZIMUTH,ELEVATION in degrees, the azimuth within -360 and 360, the elevation between -90 "
        "and 90 (both excluded), for example -60,20";
    const std::vector<double> angles = parse_numbers("--view", options.angles, 2, allowed);
    view.azimuth = angles[0];
    view.elevation = angles[1];
    require(std::abs(view.azimuth) <= 360.0 && std::abs(view.elevation) < 90.0, "--view",
            fmt::format("'{}' is not {}", options.angles, allowed));
  }
  if (!options.look.empty()) {
    const std::string allowed =
        fmt::format("X,Y,Z, three numbers {}, for example 0,0,1.5", admitted_coordinate);
    const std::vector<double> look = parse_numbers("--look", options.look, 3, allowed);
    require(std::ranges::all_of(look, is_admitted_coordinate), "--look",
            fmt::format("'{}' is not {}", options.look, allowed));
    view.look = Vector3(look[0], look[1], look[2]);
  }
  return view;
}

ColourBy parse_colour(const std::string& name) {
  return name == "speed"          ? ColourBy::speed
         : name == "displacement" ? ColourBy::displacement
         : name == "pressure"     ? ColourBy::pressure
         : name == "tau"          ? ColourBy::tau
                                  : ColourBy::body;
}

void say_coarse(const ResultReader& results) {
  for (const std::string& note : coarse_terrains(results.scene_files())) notice("{}\n", note);
}

void say_fewer(const ExportOptions& options, const ResultReader& results) {
  if (options.frames.panels.value_or(0) <= results.n_frames()) return;
  notice("{} holds {} frame{}, so --panels {} shows no more than that\n", options.run,
         results.n_frames(), results.n_frames() == 1 ? "" : "s", *options.frames.panels);
}

void say_what_is_odd(const ExportOptions& options,
                     const std::vector<picture::PictureScene>& scenes) {
  std::int64_t tension = 0;
  bool bars = false;
  for (const picture::PictureScene& scene : scenes) {
    tension += scene.tension;
    bars = bars || !scene.bars.empty();
  }
  if (tension > 0) {
    notice("{} bod{} in tension and ha{} the colour of pressure 0\n", tension,
           tension == 1 ? "y is" : "ies are", tension == 1 ? "s" : "ve");
  }
  if (options.forces && !bars) notice("no contact carries a force there, so there are no bars\n");
}

void export_png(const ExportOptions& options, const ResultReader& results, OutputFile& file) {
  const auto [width, height] = parse_size(options.size);
  const picture::View view = parse_view(options);
  const std::vector<double> times = results.frame_times();
  require(!times.empty(), options.run, "holds no frames");
  const std::vector<std::int64_t> frames = choose_frames(options.frames, times);
  say_fewer(options, results);
  say_coarse(results);
  const std::vector<picture::PictureScene> scenes =
      picture_scenes(results, frames, parse_colour(options.colour_by), options.forces);
  say_what_is_odd(options, scenes);
  if (const std::int64_t away = scenes.front().left_out; away > 0 && !view.width && !view.look) {
    notice(
        "{} bod{} gone far from all others and may lie outside the picture; --width shows more\n",
        away, away == 1 ? "y has" : "ies have");
  }
  file.write(picture::encode_png(picture::draw_contact_sheet(scenes, view, width, height)));
  file.finish();
}

// The frames that the options name; all of them when they name none.
std::vector<std::int64_t> chosen_frames(const ExportOptions& options, const ResultReader& results) {
  const bool named = options.frames.frame || options.frames.panels || !options.frames.times.empty();
  require(results.n_frames() > 0, options.run, "holds no frames");
  std::vector<std::int64_t> frames;
  if (named) frames = choose_frames(options.frames, results.frame_times());
  say_fewer(options, results);
  for (std::int64_t i = 0; !named && i < results.n_frames(); ++i) frames.push_back(i);
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

template <void (*write)(const ExportSource&, const ExportTask&)>
void export_frames(const ExportOptions& options, const ResultReader& results, OutputFile& file) {
  say_coarse(results);
  write(make_source(results, chosen_frames(options, results)), {file, options.table});
}

// Whether a table of a .csv is about the whole run, not about frames.
bool is_of_run(const std::string& name) {
  const auto& tables = measure_tables();
  const auto table = std::find_if(tables.begin(), tables.end(),
                                  [&](const MeasureTable& t) { return name == t.name; });
  return table != tables.end() ? !table->of_frames : name == "ledger" || name == "solver";
}

std::vector<std::string> table_names() {
  std::vector<std::string> names = {"bodies", "contacts", "ledger", "solver"};
  for (const MeasureTable& table : measure_tables()) names.emplace_back(table.name);
  return names;
}

// Tables of the run are there without frames as well.
void export_csv(const ExportOptions& options, const ResultReader& results, OutputFile& file) {
  const std::vector<std::int64_t> frames =
      is_of_run(options.table) ? std::vector<std::int64_t>() : chosen_frames(options, results);
  write_csv(make_source(results, frames), {file, options.table});
}

// The last frame when none is named.
void export_obj(const ExportOptions& options, const ResultReader& results, OutputFile& file) {
  require(results.n_frames() > 0, options.run, "holds no frames");
  const std::vector<std::int64_t> frames = choose_frames(options.frames, results.frame_times());
  require(frames.size() == 1, "--frame",
          "an .obj file holds one frame; name one with --frame or --time");
  say_coarse(results);
  write_obj(make_source(results, frames), {file, options.table});
}

// The .vtp files go into a folder, which is checked like the .pvd file itself.
void check_paraview_folder(const std::string& out, bool force) {
  namespace fs = std::filesystem;
  const std::string folder = paraview_folder(out);
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder, error))) return;
  require(fs::is_directory(folder, error), folder,
          fmt::format("is no folder, and {} needs one of that name; choose another name", out));
  require(force || fs::is_empty(folder, error), folder,
          "exists already and is not empty; choose another name, or use --force to write into it");
}

struct Format {
  const char* extension;
  void (*write)(const ExportOptions&, const ResultReader&, OutputFile&);
};

void refuse(const std::vector<const CLI::Option*>& given, const std::string& why) {
  for (const CLI::Option* option : given) require(option->count() == 0, option->get_name(), why);
}

// An option that changes nothing in this file was meant for another.
void refuse_options_without_effect(const ExportOptions& options, const std::string& extension) {
  const bool is_table = extension == ".csv", of_run = is_of_run(options.table);
  if (extension != ".png")
    refuse(options.of_pictures,
           fmt::format("has no effect on a {} file; it is for a .png", extension));
  if (!is_table)
    refuse(options.of_tables,
           fmt::format("has no effect on a {} file; it is for a .csv", extension));
  if (is_table && of_run)
    refuse(options.of_frames,
           fmt::format("has no effect on the table {}, which is of the whole run", options.table));
}

constexpr std::array formats = {Format{".png", export_png},
                                Format{".glb", export_frames<write_gltf>},
                                Format{".vtkhdf", export_frames<write_vtkhdf>},
                                Format{".pvd", export_frames<write_paraview>},
                                Format{".csv", export_csv},
                                Format{".obj", export_obj}};

const Format& find_format(const std::string& out) {
  const std::string extension = extension_of(out);
  std::string known;
  for (const Format& format : formats) {
    if (extension == format.extension) return format;
    known += std::string(known.empty() ? "" : ", ") + format.extension;
  }
  throw InputError(fmt::format("{}: unknown extension '{}'; known: {}", out, extension, known));
}

void export_run(const ExportOptions& options) {
  const Format& format = find_format(options.out);
  refuse_options_without_effect(options, format.extension);
  check_output_path(options.out, options.run, options.force);
  if (format.write == &export_frames<write_paraview>)
    check_paraview_folder(options.out, options.force);
  const ResultReader results(options.run);
  OutputFile file(options.out);
  format.write(options, results, file);
  notice("wrote {}\n", options.out);
}

void add_picture_options(CLI::App& command, ExportOptions& options) {
  CLI::Option* const time = add_list_option(
      command, "--time,--times", options.frames.times,
      "moments [s], separated by commas; default: the last frame of a .png or .obj, else all");
  CLI::Option* const frame =
      command.add_option("--frame", options.frames.frame, "number of the frame, -1: the last")
          ->check(choices::frame_number());
  CLI::Option* const panels =
      command.add_option("--panels", options.frames.panels, "this many frames, evenly spread")
          ->check(choices::integer_within(1, 100));
  time->excludes(frame)->excludes(panels);
  frame->excludes(panels);
  options.of_frames = {time, frame, panels};
  options.of_pictures = {
      command.add_option("--size", options.size, "of a .png: WIDTHxHEIGHT in pixels")
          ->capture_default_str(),
      command.add_option("--view", options.angles,
                         "of a .png: AZIMUTH,ELEVATION of the camera [deg], default -60,20"),
      command.add_option(
          "--look", options.look,
          "of a .png: X,Y,Z [m] of the middle of the picture; default: all bodies fit"),
      command
          .add_option("--width", options.view.width,
                      "of a .png: width of the picture in the middle [m]; default: all bodies fit")
          ->check(choices::positive_number(admitted_length.high)),
      command
          .add_option("--colour", options.colour_by,
                      "of a .png: body, speed, displacement, pressure or tau (of the mean stress)")
          ->check(CLI::IsMember({"body", "speed", "displacement", "pressure", "tau"}))
          ->capture_default_str(),
      command.add_flag("--forces", options.forces,
                       "of a .png: forces between bodies as bars, the thicker the larger")};
}

}  // namespace

void add_export_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* const command = app.add_subcommand("export",
                                               "Write a run in another format, chosen by the "
                                               "extension: .png, .glb, .vtkhdf, .pvd, .csv, .obj");
  command->add_option("run", options->run, "result file")->required();
  command->add_option("-o,--out", options->out, "file to write")->required();
  command->add_flag("--force", options->force, "replace an existing file");
  options->of_tables = {
      command
          ->add_option("--table", options->table,
                       fmt::format("of a .csv: {}", fmt::join(table_names(), ", ")))
          ->check(CLI::IsMember(table_names()))
          ->capture_default_str()};
  add_picture_options(*command, *options);
  command->callback([options, &exit_code] {
    export_run(*options);
    exit_code = 0;
  });
}

}  // namespace scree
