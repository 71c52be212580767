#include "tools/cli/solve.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "contact/fclib/fclib.hpp"
#include "contact/solver/solver.hpp"
#include "engine/base/check.hpp"
#include "engine/base/executor.hpp"
#include "engine/base/printable.hpp"
#include "tools/cli/performance_profile.hpp"
#include "tools/common/console.hpp"
#include "tools/common/finite_json.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/output_path.hpp"
#include "tools/common/solver_choices.hpp"

namespace scree {

namespace {

using namespace choices;

const Table<contact::FclibForm> forms = {{"bodies", contact::FclibForm::bodies},
                                         {"matrix", contact::FclibForm::matrix}};

struct SolveArguments {
  std::vector<std::string> files;
  double tolerance = 1e-6;
  std::string measure = "scaled", method = "auto", backend = "serial", form = "bodies";
  std::int64_t max_iterations = 1'000'000;
  int threads = 1;
  bool json = false, csv = false, profile = false, force = false;
  std::string cost = "seconds", profile_file;
};

struct SolveRow {
  std::string file, method;
  std::int64_t contacts = 0, dofs = 0;
  contact::SolveReport report;
  double seconds = 0.0;
  std::string warning;
};

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// `all` stands for every method.
std::vector<std::string> wanted_methods(const SolveArguments& arguments) {
  return arguments.method == "all" ? names(methods) : std::vector<std::string>{arguments.method};
}

SolveRow solve_file(const std::string& path, const contact::FclibProblem& input,
                    const std::string& method, const SolveArguments& arguments) {
  contact::SolverOptions options;
  options.method = lookup(methods, method);
  options.measure = lookup(measures, arguments.measure);
  options.tolerance = arguments.tolerance;
  options.max_iterations = arguments.max_iterations;
  const Executor executor(lookup(backends, arguments.backend), arguments.threads);
  SolveRow row;
  row.file = file_name(path);
  row.method = method;
  row.contacts = static_cast<std::int64_t>(input.n_contacts());
  row.dofs = input.dofs;
  std::vector<Vector3> p(input.n_contacts(), Vector3::Zero());
  contact::Solver solver;
  const auto start = std::chrono::steady_clock::now();
  row.report = contact::solve_fclib(solver, input, options, executor, p);
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (row.report.no_solution) {
    row.warning =
        fmt::format("no solution: impulses grow without bound (published residual {:.2g})",
                    row.report.residual.published);
  } else if (row.report.converged && contact::impulses_grow(input, row.report.residual)) {
    row.warning = fmt::format(
        "impulses grow without bound: the problem may have no solution (published residual {:.2g})",
        row.report.residual.published);
  }
  return row;
}

const char* yes_no(bool value) { return value ? "yes" : "no"; }

nlohmann::ordered_json to_json(const SolveRow& row, const SolveArguments& arguments) {
  nlohmann::ordered_json json = {{"file", row.file},
                                 {"contacts", row.contacts},
                                 {"dofs", row.dofs},
                                 {"method", row.method},
                                 {"measure", arguments.measure},
                                 {"tolerance", arguments.tolerance},
                                 {"converged", yes_no(row.report.converged)},
                                 {"iterations", row.report.iterations},
                                 {"seconds", row.seconds},
                                 {"residual_scaled", finite_json(row.report.residual.scaled)},
                                 {"residual_published", finite_json(row.report.residual.published)},
                                 {"residual_siconos", finite_json(row.report.residual.siconos)}};
  if (!row.warning.empty()) json["warning"] = row.warning;
  return json;
}

// One line a file, written when it is solved: a user waits for it.
class Lines {
 public:
  explicit Lines(const SolveArguments& arguments) : a_(arguments) {
    for (const std::string& path : a_.files) width_ = std::max(width_, file_name(path).size());
  }

  void print(const SolveRow& row) {
    if (!std::exchange(begun_, true)) print_heading();
    const auto& r = row.report;
    if (a_.csv) {
      output("{},{},{},{},{},{},{},{},{:.9f},{},{},{}\n", csv_field(row.file), row.contacts,
             row.dofs, row.method, a_.measure, a_.tolerance, yes_no(r.converged), r.iterations,
             row.seconds, r.residual.scaled, r.residual.published, r.residual.siconos);
    } else {
      output("{:<{}}  ", row.file, width_);
      if (a_.method == "all") output("{:<8}  ", row.method);
      output("{:>8} {:>8}  {:>9}  {:>10}  {:>9.6f}  {:>9.2e}  {:>9.2e}  {:>9.2e}\n", row.contacts,
             row.dofs, yes_no(r.converged), r.iterations, row.seconds, r.residual.scaled,
             r.residual.published, r.residual.siconos);
    }
  }

 private:
  void print_heading() const {
    if (a_.csv) {
      output(
          "file,contacts,dofs,method,measure,tolerance,converged,iterations,seconds,residual_"
          "scaled,residual_published,residual_siconos\n");
      return;
    }
    output("{} to {} {:g}\n", a_.method, a_.measure, a_.tolerance);
    output(
        "{:<{}}  {}contacts     dofs  converged  iterations    seconds     scaled  published    "
        "siconos\n",
        "file", width_, a_.method == "all" ? "method    " : "");
  }

  const SolveArguments& a_;
  std::size_t width_ = 4;
  bool begun_ = false;
};

void print_json(const std::vector<SolveRow>& rows, const SolveArguments& a) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const SolveRow& row : rows) all.push_back(to_json(row, a));
  write_json(all);
}

// Of all methods on the files that could be read.
PerformanceProfile profile_of(const std::vector<SolveRow>& rows, const SolveArguments& a) {
  const std::vector<std::string> list = wanted_methods(a);
  std::vector<std::vector<double>> cost(list.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {  // the methods of one file follow each other
    const SolveRow& row = rows[k];
    const double spent =
        a.cost == "seconds" ? row.seconds
                            : static_cast<double>(std::max<std::int64_t>(row.report.iterations, 1));
    cost[k % list.size()].push_back(row.report.converged ? spent
                                                         : std::numeric_limits<double>::infinity());
  }
  return performance_profile(list, cost);
}

void write_profile(const std::vector<SolveRow>& rows, const SolveArguments& a, OutputFile* file) {
  const PerformanceProfile profile = profile_of(rows, a);
  if (a.profile) write_output("\n" + profile_table(profile, a.cost));
  if (file == nullptr) return;
  const std::string title =
      fmt::format("{} problems to {} {:g}", profile.n_problems, a.measure, a.tolerance);
  file->write(extension_of(a.profile_file) == ".svg" ? profile_svg(profile, title)
                                                     : profile_csv(profile));
  file->finish();
}

int run_solve(const SolveArguments& arguments) {
  std::vector<SolveRow> rows;
  Lines lines(arguments);
  bool bad_file = false, all_converged = true;
  std::optional<OutputFile> profile_file;
  if (!arguments.profile_file.empty()) {
    check_output_path(arguments.profile_file, "", arguments.force);
    profile_file.emplace(arguments.profile_file);
  }
  for (const std::string& file : arguments.files) {
    try {
      const contact::FclibProblem input = contact::read_fclib(file, lookup(forms, arguments.form));
      for (const std::string& method : wanted_methods(arguments)) {
        rows.push_back(solve_file(file, input, method, arguments));
        all_converged = all_converged && rows.back().report.converged;
        if (!arguments.json) lines.print(rows.back());
        if (!rows.back().warning.empty()) notice("{}: {}\n", file, rows.back().warning);
      }
    } catch (const InputError& error) {
      notice("{}\n", error.what());
      bad_file = true;
    }
  }
  if (arguments.json && !rows.empty()) print_json(rows, arguments);
  if (!rows.empty() && (arguments.profile || profile_file))
    write_profile(rows, arguments, profile_file ? &*profile_file : nullptr);
  return bad_file ? 2 : all_converged ? 0 : 3;
}

// Usage that the options' own checks cannot see.
void check_profile(const SolveArguments& a) {
  if (!a.profile && a.profile_file.empty()) return;
  if (a.method != "all")
    throw CLI::ValidationError("--profile", "compares methods: give --method all");
  if (a.profile && (a.csv || a.json))
    throw CLI::ValidationError("--profile", "is text; with --csv or --json use --profile-file");
  if (a.profile_file.empty()) return;
  const std::string extension = extension_of(a.profile_file);
  if (extension != ".csv" && extension != ".svg")
    throw CLI::ValidationError("--profile-file", "must end in .csv or .svg");
}

}  // namespace

void add_solve_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<SolveArguments>();
  CLI::App* command = app.add_subcommand("solve", "Solve contact problems from FCLIB files");
  command->add_option("FILE", arguments->files, "FCLIB problems (HDF5)")->required();
  command->add_option("--tolerance", arguments->tolerance, "Residual to reach")
      ->check(positive_number(1.0))
      ->capture_default_str();
  command->add_option("--measure", arguments->measure, "Residual that stops")
      ->check(one_of(measures))
      ->capture_default_str();
  std::vector<std::string> all_methods = names(methods);
  all_methods.push_back("all");
  command->add_option("--method", arguments->method, "Solver; all: one after the other")
      ->check(CLI::IsMember(all_methods))
      ->capture_default_str();
  command
      ->add_option("--max-iterations", arguments->max_iterations,
                   "Sweeps and gradient steps at most")
      ->check(integer_within(1, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str();
  command
      ->add_option("--form", arguments->form,
                   "bodies: body velocities for global problems of rigid bodies, W for others; "
                   "matrix: always W")
      ->check(one_of(forms))
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "Threads; 0: all")
      ->check(thread_count())
      ->capture_default_str();
  command->add_option("--backend", arguments->backend, "Parallel loops")
      ->check(one_of(backends))
      ->capture_default_str();
  CLI::Option* json =
      command->add_flag("--json", arguments->json, "One JSON array on standard output");
  command->add_flag("--csv", arguments->csv, "Comma-separated table on standard output")
      ->excludes(json);
  command->add_flag(
      "--profile", arguments->profile,
      "With --method all: performance profiles, the share of files that a method solves "
      "within tau times the least cost");
  command
      ->add_option("--profile-file", arguments->profile_file,
                   "The same as a table (.csv) or a figure (.svg)")
      ->type_name("FILE");
  command->add_flag("--force", arguments->force, "Replace the profile file if it exists");
  command->add_option("--cost", arguments->cost, "What profiles compare")
      ->check(CLI::IsMember({"seconds", "iterations"}))
      ->capture_default_str();
  command->callback([arguments, &exit_code] {
    check_profile(*arguments);
    exit_code = run_solve(*arguments);
  });
}

}  // namespace scree
