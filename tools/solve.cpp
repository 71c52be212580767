#include "tools/solve.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "contact/fclib.hpp"
#include "contact/solver.hpp"
#include "engine/model/check.hpp"
#include "engine/model/executor.hpp"
#include "tools/console.hpp"
#include "tools/solver_choices.hpp"

namespace scree {

namespace {

using namespace choices;

const Table<contact::FclibForm> forms = {{"bodies", contact::FclibForm::bodies}, {"matrix", contact::FclibForm::matrix}};

struct SolveArguments {
  std::vector<std::string> files;
  double tolerance = 1e-6;
  std::string measure = "scaled", method = "auto", backend = "serial", form = "bodies";
  std::int64_t max_iterations = 1'000'000;
  int threads = 1;
  bool json = false, csv = false;
};

struct SolveRow {
  std::string file;
  std::int64_t contacts = 0, dofs = 0;
  contact::SolveReport report;
  double seconds = 0.0;
  std::string warning;
};

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

SolveRow solve_file(const std::string& path, const SolveArguments& arguments) {
  const contact::FclibProblem input = contact::read_fclib(path, lookup(forms, arguments.form));
  contact::SolverOptions options;
  options.method = lookup(methods, arguments.method);
  options.measure = lookup(measures, arguments.measure);
  options.tolerance = arguments.tolerance;
  options.max_iterations = arguments.max_iterations;
  const Executor executor(lookup(backends, arguments.backend), arguments.threads);
  SolveRow row;
  row.file = file_name(path);
  row.contacts = static_cast<std::int64_t>(input.n_contacts());
  row.dofs = input.dofs;
  std::vector<Vector3> p(input.n_contacts(), Vector3::Zero());
  contact::Solver solver;
  const auto start = std::chrono::steady_clock::now();
  row.report = contact::solve_fclib(solver, input, options, executor, p);
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (row.report.converged && contact::impulses_grow(input, row.report.residual)) {
    row.warning = fmt::format("impulses grow without bound: the problem may have no solution (published residual {:.2g})", row.report.residual.published);
  }
  return row;
}

const char* yes_no(bool value) {
  return value ? "yes" : "no";
}

nlohmann::ordered_json to_json(const SolveRow& row, const SolveArguments& arguments) {
  const auto number = [](double x) { return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(); };
  nlohmann::ordered_json json = {{"file", row.file},
                                 {"contacts", row.contacts},
                                 {"dofs", row.dofs},
                                 {"method", arguments.method},
                                 {"measure", arguments.measure},
                                 {"tolerance", arguments.tolerance},
                                 {"converged", yes_no(row.report.converged)},
                                 {"iterations", row.report.iterations},
                                 {"seconds", row.seconds},
                                 {"residual_scaled", number(row.report.residual.scaled)},
                                 {"residual_published", number(row.report.residual.published)},
                                 {"residual_siconos", number(row.report.residual.siconos)}};
  if (!row.warning.empty()) json["warning"] = row.warning;
  return json;
}

// A field of a CSV file: quoted when it has to be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
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
      output("{},{},{},{},{},{},{},{},{:.9f},{},{},{}\n", csv_field(row.file), row.contacts, row.dofs, a_.method, a_.measure, a_.tolerance,
             yes_no(r.converged), r.iterations, row.seconds, r.residual.scaled, r.residual.published, r.residual.siconos);
    } else {
      output("{:<{}}  {:>8} {:>8}  {:>9}  {:>10}  {:>9.6f}  {:>9.2e}  {:>9.2e}  {:>9.2e}\n", row.file, width_, row.contacts, row.dofs,
             yes_no(r.converged), r.iterations, row.seconds, r.residual.scaled, r.residual.published, r.residual.siconos);
    }
  }

 private:
  void print_heading() const {
    if (a_.csv) {
      output("file,contacts,dofs,method,measure,tolerance,converged,iterations,seconds,residual_scaled,residual_published,residual_siconos\n");
      return;
    }
    output("{} to {} {:g}\n", a_.method, a_.measure, a_.tolerance);
    output("{:<{}}  contacts     dofs  converged  iterations    seconds     scaled  published    siconos\n", "file", width_);
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

int run_solve(const SolveArguments& arguments) {
  std::vector<SolveRow> rows;
  Lines lines(arguments);
  bool bad_file = false, all_converged = true;
  for (const std::string& file : arguments.files) {
    try {
      rows.push_back(solve_file(file, arguments));
      all_converged = all_converged && rows.back().report.converged;
      if (!arguments.json) lines.print(rows.back());
      if (!rows.back().warning.empty()) notice("{}: {}\n", file, rows.back().warning);
    } catch (const InputError& error) {
      notice("{}\n", error.what());
      bad_file = true;
    }
  }
  if (arguments.json && !rows.empty()) print_json(rows, arguments);
  return bad_file ? 2 : all_converged ? 0 : 3;
}

}  // namespace

void add_solve_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<SolveArguments>();
  CLI::App* command = app.add_subcommand("solve", "Solve contact problems from FCLIB files");
  command->add_option("FILE", arguments->files, "FCLIB problems (HDF5)")->required();
  command->add_option("--tolerance", arguments->tolerance, "Residual to reach")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--measure", arguments->measure, "Residual that stops")
      ->check(one_of(measures))
      ->capture_default_str();
  command->add_option("--method", arguments->method, "Solver")->check(one_of(methods))->capture_default_str();
  command->add_option("--max-iterations", arguments->max_iterations, "Sweeps and gradient steps at most")
      ->check(integer_within(1, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str();
  command->add_option("--form", arguments->form, "bodies: body velocities for global problems of rigid bodies, W for others; matrix: always W")
      ->check(one_of(forms))
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "Threads; 0: all")->check(thread_count())->capture_default_str();
  command->add_option("--backend", arguments->backend, "Parallel loops")->check(one_of(backends))->capture_default_str();
  CLI::Option* json = command->add_flag("--json", arguments->json, "One JSON array on standard output");
  command->add_flag("--csv", arguments->csv, "Comma-separated table on standard output")->excludes(json);
  command->callback([arguments, &exit_code] { exit_code = run_solve(*arguments); });
}

}  // namespace scree
