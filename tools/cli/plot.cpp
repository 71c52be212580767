#include "tools/cli/plot.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "engine/base/check.hpp"
#include "engine/files/result_reader.hpp"
#include "tools/common/console.hpp"
#include "tools/common/number_choices.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/output_path.hpp"
#include "tools/export/picture_scenes.hpp"
#include "tools/plot/quantities.hpp"
#include "tools/plot/raster.hpp"

namespace scree {
namespace {

struct PlotOptions {
  std::string run, out;
  std::vector<std::string> quantities;
  FrameChoice frames;
  bool force = false;
};

void check_output(const PlotOptions& options) {
  const std::string extension = extension_of(options.out);
  require(extension == ".svg" || extension == ".png", options.out,
          fmt::format("unknown extension '{}'; known: .svg, .png", extension));
  check_output_path(options.out, options.run, options.force);
}

std::optional<std::int64_t> chosen_frame(const PlotOptions& options, const ResultReader& results) {
  if (!options.frames.frame && options.frames.times.empty()) return std::nullopt;
  return choose_frames(options.frames, results.frame_times()).front();
}

// Only the histogram is of one frame.
void check_frame(const PlotOptions& options) {
  const bool named = options.frames.frame || !options.frames.times.empty();
  const bool histogram = std::find(options.quantities.begin(), options.quantities.end(),
                                   "contact_forces") != options.quantities.end();
  require(!named || histogram, options.frames.frame ? "--frame" : "--time",
          "has no effect on curves over time; it is for contact_forces");
}

void plot_run(const PlotOptions& options) {
  check_output(options);
  check_frame(options);
  const ResultReader results(options.run);
  OutputFile file(options.out);
  const std::vector<plot::Panel> panels =
      plot::panels_of(results, options.quantities, chosen_frame(options, results));
  const std::string title = results.title();
  const std::string svg = plot::draw_svg(
      panels, title.empty() ? std::filesystem::path(options.run).filename().string() : title);
  file.write(extension_of(options.out) == ".png" ? plot::draw_png(svg) : svg);
  file.finish();
  notice("wrote {}\n", options.out);
}

}  // namespace

void add_plot_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<PlotOptions>();
  CLI::App* const command = app.add_subcommand(
      "plot", "Draw quantities of a run over time, or a histogram of contact forces (.svg, .png)");
  command->add_option("run", options->run, "result file")->required();
  command->add_option("quantities", options->quantities, plot::known_quantities())->required();
  command
      ->add_option("-o,--out", options->out, "file to write: .svg, or .png with 288 pixels an inch")
      ->required();
  command->add_flag("--force", options->force, "replace an existing file");
  CLI::Option* const time = command->add_option(
      "--time", options->frames.times, "moment of the histogram [s]; default: the last frame");
  time->expected(1);
  command->add_option("--frame", options->frames.frame, "frame of the histogram, -1: the last")
      ->check(choices::frame_number())
      ->excludes(time);
  command->callback([options, &exit_code] {
    plot_run(*options);
    exit_code = 0;
  });
}

}  // namespace scree
