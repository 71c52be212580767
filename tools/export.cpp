#include "tools/export.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "engine/model/check.hpp"
#include "engine/result_reader.hpp"
#include "tools/export/export_source.hpp"
#include "tools/output_path.hpp"
#include "tools/picture/contact_sheet.hpp"
#include "tools/picture_scenes.hpp"

namespace scree {
namespace {

struct ExportOptions {
  std::string run, out;
  bool force = false;
  FrameChoice frames;
  std::string size = "1280x800";       // pixels
  picture::View view;
  std::vector<double> angles, look;    // as given
  std::string colour_by = "body";
  std::string table = "bodies";
};

std::pair<int, int> parse_size(const std::string& text) {
  int width = 0, height = 0, used = 0;
  const int fields = std::sscanf(text.c_str(), "%5dx%5d%n", &width, &height, &used);
  const bool whole = fields == 2 && static_cast<std::size_t>(used) == text.size();
  require(whole && width >= 64 && height >= 64 && width <= 16384 && height <= 16384, "size",
          fmt::format("'{}' is not WIDTHxHEIGHT with sides from 64 to 16384 pixels, for example 1280x800", text));
  return {width, height};
}

picture::View parse_view(const ExportOptions& options) {
  picture::View view = options.view;
  if (!options.angles.empty()) {
    view.azimuth = options.angles[0];
    view.elevation = options.angles[1];
  }
  require(std::isfinite(view.azimuth) && view.elevation > -90.0 && view.elevation < 90.0, "view",
          "AZIMUTH,ELEVATION in degrees, the elevation between -90 and 90 (both excluded)");
  if (!options.look.empty()) view.look = Vector3(options.look[0], options.look[1], options.look[2]);
  require(!view.look || view.look->allFinite(), "look", "X,Y,Z must be finite numbers [m]");
  require(!view.width || (std::isfinite(*view.width) && *view.width > 0.0), "width", "must be a finite number of metres > 0");
  return view;
}

ColourBy parse_colour(const std::string& name) {
  return name == "speed" ? ColourBy::speed : name == "displacement" ? ColourBy::displacement : ColourBy::body;
}

void export_png(const ExportOptions& options, const ResultReader& results) {
  const auto [width, height] = parse_size(options.size);
  const picture::View view = parse_view(options);
  const std::vector<double> times = results.frame_times();
  require(!times.empty(), options.run, "holds no frames");
  const std::vector<std::int64_t> frames = choose_frames(options.frames, times);
  const std::vector<picture::PictureScene> scenes = picture_scenes(results, frames, parse_colour(options.colour_by));
  picture::write_png(picture::draw_contact_sheet(scenes, view, width, height), options.out);
}

// The frames that the options name; all of them when they name none.
std::vector<std::int64_t> chosen_frames(const ExportOptions& options, const ResultReader& results) {
  const bool named = options.frames.frame || options.frames.panels || !options.frames.times.empty();
  require(results.n_frames() > 0, options.run, "holds no frames");
  std::vector<std::int64_t> frames;
  if (named) frames = choose_frames(options.frames, results.frame_times());
  for (std::int64_t i = 0; !named && i < results.n_frames(); ++i) frames.push_back(i);
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

template <void (*write)(const ExportSource&, const ExportTask&)>
void export_frames(const ExportOptions& options, const ResultReader& results) {
  write(make_source(results, chosen_frames(options, results)), {options.out, options.table});
}

// Tables of steps are there without frames as well.
void export_csv(const ExportOptions& options, const ResultReader& results) {
  const bool steps = options.table == "ledger" || options.table == "solver";
  const std::vector<std::int64_t> frames = steps ? std::vector<std::int64_t>() : chosen_frames(options, results);
  write_csv(make_source(results, frames), {options.out, options.table});
}

// The last frame when none is named.
void export_obj(const ExportOptions& options, const ResultReader& results) {
  require(results.n_frames() > 0, options.run, "holds no frames");
  const std::vector<std::int64_t> frames = choose_frames(options.frames, results.frame_times());
  require(frames.size() == 1, "frame", "an .obj file holds one frame; name one with --frame or --time");
  write_obj(make_source(results, frames), {options.out, options.table});
}

// The .vtp files go into a folder, which is checked like the .pvd file itself.
void check_paraview_folder(const std::string& out, bool force) {
  namespace fs = std::filesystem;
  const std::string folder = paraview_folder(out);
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder, error))) return;
  require(fs::is_directory(folder, error), folder, fmt::format("is no folder, and {} needs one of that name; choose another name", out));
  require(force || fs::is_empty(folder, error), folder,
          "exists already and is not empty; choose another name, or use --force to write into it");
}

struct Format {
  const char* extension;
  void (*write)(const ExportOptions&, const ResultReader&);
};

constexpr std::array formats = {Format{".png", export_png},
                                Format{".glb", export_frames<write_gltf>},
                                Format{".vtkhdf", export_frames<write_vtkhdf>},
                                Format{".pvd", export_frames<write_paraview>},
                                Format{".csv", export_csv},
                                Format{".obj", export_obj}};

const Format& find_format(const std::string& out) {
  const std::string extension = std::filesystem::path(out).extension().string();
  std::string known;
  for (const Format& format : formats) {
    if (extension == format.extension) return format;
    known += std::string(known.empty() ? "" : ", ") + format.extension;
  }
  throw InputError(fmt::format("{}: unknown extension '{}'; known: {}", out, extension, known));
}

void export_run(const ExportOptions& options) {
  const Format& format = find_format(options.out);
  check_output_path(options.out, options.run, options.force);
  if (format.write == &export_frames<write_paraview>) check_paraview_folder(options.out, options.force);
  format.write(options, ResultReader(options.run));
  fmt::print(stderr, "wrote {}\n", options.out);
}

void add_picture_options(CLI::App& command, ExportOptions& options) {
  CLI::Option* const time =
      command.add_option("--time,--times", options.frames.times, "moments [s], separated by commas; default: the last frame of a .png or .obj, else all");
  time->delimiter(',');
  CLI::Option* const frame = command.add_option("--frame", options.frames.frame, "number of the frame, -1: the last");
  CLI::Option* const panels = command.add_option("--panels", options.frames.panels, "this many frames, evenly spread");
  time->excludes(frame)->excludes(panels);
  frame->excludes(panels);
  command.add_option("--size", options.size, "WIDTHxHEIGHT in pixels")->capture_default_str();
  command.add_option("--view", options.angles, "AZIMUTH,ELEVATION of the camera [deg], default -60,20")->delimiter(',')->expected(2);
  command.add_option("--look", options.look, "X,Y,Z [m] of the middle of the picture; default: all bodies fit")
      ->delimiter(',')
      ->expected(3);
  command.add_option("--width", options.view.width, "width of the picture in the middle [m]; default: all bodies fit");
  command.add_option("--colour", options.colour_by, "body, speed or displacement")
      ->check(CLI::IsMember({"body", "speed", "displacement"}))
      ->capture_default_str();
}

}  // namespace

void add_export_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* const command = app.add_subcommand("export", "Write a run in another format, chosen by the extension: .png, .glb, .vtkhdf, .pvd, .csv, .obj");
  command->add_option("run", options->run, "result file")->required();
  command->add_option("-o,--out", options->out, "file to write")->required();
  command->add_flag("--force", options->force, "replace an existing file");
  command->add_option("--table", options->table, "of a .csv: bodies, contacts, ledger or solver")
      ->check(CLI::IsMember({"bodies", "contacts", "ledger", "solver"}))
      ->capture_default_str();
  add_picture_options(*command, *options);
  command->callback([options, &exit_code] {
    export_run(*options);
    exit_code = 0;
  });
}

}  // namespace scree
