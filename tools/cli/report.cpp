#include "tools/cli/report.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
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
#include "tools/joints/write_joints.hpp"
#include "tools/report/page.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> runs;
  std::string out;
  bool force = false;
  std::optional<std::int64_t> frames;
};

// RUN.html in the working folder; of several runs comparison.html.
std::string default_name(const std::vector<std::string>& runs) {
  return runs.size() == 1 ? fs::path(runs[0]).filename().replace_extension(".html").string()
                          : "comparison.html";
}

// What the page calls the runs: their file names, or the paths where those are the same.
std::vector<std::string> names_of(const std::vector<std::string>& runs) {
  std::vector<std::string> names;
  std::set<std::string> different;
  for (const std::string& run : runs) {
    names.push_back(fs::path(run).filename().string());
    different.insert(names.back());
  }
  return different.size() == runs.size() ? names : runs;
}

// The thrust line, where blocks lie on one another at the end of a run.
std::vector<report::Section> sections_of(const ResultReader& results, const std::string& name) {
  constexpr std::size_t most_bodies = 5000;
  const bool has_forces = results.has_contacts() && results.n_frames() > 1 &&
                          results.n_bodies() <= static_cast<std::int64_t>(most_bodies);
  if (!has_forces) return {};
  const JointReport joints = joint_report(results, name, {});
  const bool any = std::any_of(joints.joints.begin(), joints.joints.end(), [](const JointForce& f) {
    return f.joint.area > 0.0 && f.loaded();
  });
  if (!any) return {};
  return {{"Forces in joints at the end", joints_svg(joints, "")}};
}

std::string page_of(const ReportOptions& options,
                    const std::vector<std::unique_ptr<ResultReader>>& results) {
  const std::vector<std::string> names = names_of(options.runs);
  if (results.size() == 1) {
    return report::write_page(*results[0], names[0], options.frames,
                              sections_of(*results[0], names[0]));
  }
  std::vector<report::NamedResults> runs;
  for (std::size_t i = 0; i < results.size(); ++i) runs.push_back({names[i], results[i].get()});
  return report::write_page_of_several(runs, options.frames);
}

void report_runs(ReportOptions options) {
  if (options.out.empty()) options.out = default_name(options.runs);
  std::vector<std::unique_ptr<ResultReader>> results;
  for (const std::string& run : options.runs) {
    results.push_back(std::make_unique<ResultReader>(run));
    check_output_path(options.out, run, options.force);
  }
  const std::string extension = extension_of(options.out);
  require(extension == ".html" || extension == ".htm", options.out,
          fmt::format("unknown extension '{}'; known: .html, .htm", extension));
  OutputFile file(options.out);
  const std::string page = page_of(options, results);
  file.write(page);
  file.finish();
  notice("wrote {} ({:.1f} MB): open it in a browser\n", options.out,
         1e-6 * static_cast<double>(page.size()));
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* const command = app.add_subcommand(
      "report",
      "Write runs as one HTML page: 3D replay, what moved, energy and solver curves, settings");
  command
      ->add_option("run", options->runs,
                   "result file; several are shown beside each other, with one time and one scale "
                   "of colours")
      ->required()
      ->option_text("RUN.h5...");
  command
      ->add_option(
          "-o,--out", options->out,
          "page to write; default: RUN.html in the working folder, comparison.html of several "
          "runs")
      ->option_text("FILE");
  command->add_flag("--force", options->force, "replace an existing file");
  command
      ->add_option("--frames", options->frames,
                   "show at most this many frames, evenly spread, first and last included; "
                   "default: up to 301, fewer "
                   "above 2000 bodies")
      ->check(choices::integer_within(2, 100000))
      ->option_text("N");
  command->callback([options, &exit_code] {
    report_runs(*options);
    exit_code = 0;
  });
}

}  // namespace scree
