// The program: subcommands, and the one place where failures become exit codes.
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>

#include <fmt/format.h>

#include "engine/model/check.hpp"
#include "tools/bench.hpp"
#include "tools/commands.hpp"
#include "tools/export.hpp"
#include "tools/plot.hpp"
#include "tools/report.hpp"
#include "tools/solve.hpp"
#include "tools/study.hpp"
#include "tools/version.hpp"

namespace scree {
namespace {

int report(const std::exception& error, int exit_code) {
  std::fprintf(stderr, "%s\n", error.what());
  return exit_code;
}

// An empty argument is a shell variable that was not set, more often than not; the parser would take it for a zero.
void refuse_empty(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i], before = i > 1 ? argv[i - 1] : "scree";
    const std::string option = argument.starts_with("--") && argument.ends_with("=") ? argument : argument.empty() ? before : "";
    require(option.empty(), "scree", fmt::format("an argument is empty, after '{}'", option));
  }
}

int run_command_line(int argc, char** argv) {
  int exit_code = exit_done;
  CLI::App app("Rigid-body granular and masonry mechanics: scenes in, result files out", "scree");
  app.set_version_flag("--version", version_text(), "Version, compiler, flags, libraries");
  app.require_subcommand(1);
  add_run_command(app, exit_code);
  add_resume_command(app, exit_code);
  add_check_command(app, exit_code);
  add_info_command(app, exit_code);
  add_export_command(app, exit_code);
  add_plot_command(app, exit_code);
  add_report_command(app, exit_code);
  add_solve_command(app, exit_code);
  add_study_command(app, exit_code);
  add_bench_command(app, exit_code);
  try {
    refuse_empty(argc, argv);
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::fprintf(stderr, "scree: %s (scree --help lists what is allowed)\n", error.what());
    return exit_bad_input;
  } catch (const InputError& error) {
    return report(error, exit_bad_input);
  } catch (const std::exception& error) {
    return report(error, exit_failed);
  }
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  // A file that may not grow further is then an error of the write, which is reported, not a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  return scree::run_command_line(argc, argv);
}
