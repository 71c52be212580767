#include "tools/cli/report.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "engine/base/check.hpp"
#include "engine/files/result_reader.hpp"
#include "tools/common/console.hpp"
#include "tools/common/number_choices.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/output_path.hpp"
#include "tools/report/page.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::string run, out;
  bool force = false;
  std::optional<std::int64_t> frames;
};

// RUN.html in the working folder.
std::string default_name(const std::string& run) {
  return fs::path(run).filename().replace_extension(".html").string();
}

void report_run(ReportOptions options) {
  if (options.out.empty()) options.out = default_name(options.run);
  const ResultReader results(options.run);
  check_output_path(options.out, options.run, options.force);
  const std::string extension = extension_of(options.out);
  require(extension == ".html" || extension == ".htm", options.out,
          fmt::format("unknown extension '{}'; known: .html, .htm", extension));
  OutputFile file(options.out);
  const std::string page =
      report::write_page(results, fs::path(options.run).filename().string(), options.frames);
  file.write(page);
  file.finish();
  notice("wrote {} ({:.1f} MB): open it in a browser\n", options.out,
         1e-6 * static_cast<double>(page.size()));
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* const command = app.add_subcommand(
      "report", "Write a run as one HTML page: 3D replay, energy and solver curves, settings");
  command->add_option("run", options->run, "result file")->required()->option_text("RUN.h5");
  command
      ->add_option("-o,--out", options->out,
                   "page to write; default: RUN.html in the working folder")
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
    report_run(*options);
    exit_code = 0;
  });
}

}  // namespace scree
