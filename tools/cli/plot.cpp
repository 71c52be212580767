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
  std::vector<std::string> runs;
  std::string run, out, csv;
  std::vector<std::string> quantities;
  FrameChoice frames;
  bool force = false;
};

void check_output(const PlotOptions& options, const std::string& run) {
  const std::string extension = extension_of(options.out);
  require(extension == ".svg" || extension == ".png", options.out,
          fmt::format("unknown extension '{}'; known: .svg, .png", extension));
  check_output_path(options.out, run, options.force);
  if (options.csv.empty()) return;
  require(extension_of(options.csv) == ".csv", options.csv,
          fmt::format("unknown extension '{}'; known: .csv", extension_of(options.csv)));
  check_output_path(options.csv, run, options.force);
  require(options.csv != options.out, options.csv, "is the name of the figure as well");
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

// A word that only the name of a result file can be: no body has an "h5".
bool is_result_name(const std::string& word) {
  const std::string extension = extension_of(word);
  return extension == ".h5" || extension == ".hdf5";
}

// What stands before the first quantity and is a file is a further run.
void find_runs(PlotOptions& options) {
  options.runs = {options.run};
  std::error_code error;
  for (const std::string& word : options.quantities)
    require(!is_result_name(word) || std::filesystem::exists(word, error), word,
            "there is no such file");
  while (!options.quantities.empty()) {
    const std::string& word = options.quantities.front();
    const bool is_file = word.find_first_of("./") != std::string::npos &&
                         std::filesystem::is_regular_file(word, error);
    if (!is_file) break;
    options.runs.push_back(word);
    options.quantities.erase(options.quantities.begin());
  }
  require(!options.quantities.empty(), "quantities", "are missing; " + plot::known_quantities());
}

void write_whole(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.finish();
  notice("wrote {}\n", path);
}

void plot_runs(PlotOptions options) {
  find_runs(options);
  for (const std::string& run : options.runs) check_output(options, run);
  check_frame(options);
  std::vector<std::unique_ptr<ResultReader>> results;
  std::vector<plot::PlottedRun> runs;
  for (const std::string& run : options.runs) {
    results.push_back(std::make_unique<ResultReader>(run));
    runs.push_back({results.back().get(), std::filesystem::path(run).filename().string()});
  }
  // Files of one name in several folders are told apart by their paths.
  const std::vector<plot::PlottedRun> named = runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto same = std::ranges::count(named, named[i].file, &plot::PlottedRun::file);
    if (same > 1) runs[i].file = options.runs[i];
  }
  const bool one = runs.size() == 1;
  const std::vector<plot::Panel> panels =
      one ? plot::panels_of(*results[0], options.quantities, chosen_frame(options, *results[0]))
          : plot::panels_of(runs, options.quantities);
  const std::string title = one ? results[0]->title() : "";
  const std::string svg = plot::draw_svg(panels, one && title.empty() ? runs[0].file : title);
  write_whole(options.out, extension_of(options.out) == ".png" ? plot::draw_png(svg) : svg);
  if (!options.csv.empty()) write_whole(options.csv, plot::curves_as_csv(panels));
}

}  // namespace

void add_plot_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<PlotOptions>();
  CLI::App* const command = app.add_subcommand(
      "plot", "Draw quantities of a run over time, or a histogram of contact forces (.svg, .png)");
  command
      ->add_option("run", options->run,
                   "result file; further ones may follow, whose curves are drawn beside its own")
      ->required();
  command->add_option("quantities", options->quantities, plot::known_quantities())->required();
  command
      ->add_option("-o,--out", options->out, "file to write: .svg, or .png with 288 pixels an inch")
      ->required();
  command->add_option("--csv", options->csv,
                      "also write the numbers of all curves: panel, curve, x, y");
  command->add_flag("--force", options->force, "replace an existing file");
  CLI::Option* const time = command->add_option(
      "--time", options->frames.times, "moment of the histogram [s]; default: the last frame");
  time->expected(1);
  command->add_option("--frame", options->frames.frame, "frame of the histogram, -1: the last")
      ->check(choices::frame_number())
      ->excludes(time);
  command->callback([options, &exit_code] {
    plot_runs(*options);
    exit_code = 0;
  });
}

}  // namespace scree
