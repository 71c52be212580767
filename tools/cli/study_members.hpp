// The members of a study, several at a time: what all studies share.
#pragma once

#include <nlohmann/json.hpp>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace scree {

using StudyRow = nlohmann::ordered_json;

// A column `status` of every row is "done", or says why not.
struct StudyMembers {
  std::vector<std::string> name;
  int jobs = 0, threads = 0;  // as asked for; 0: by the number of processors
  // Row of member i, computed with so many threads. Called from several threads at once.
  std::function<StudyRow(std::size_t i, int threads, const std::atomic<bool>& stop)> run;
  std::function<StudyRow(std::size_t i, const std::string& why)> failed;
  // What the line about a member that is done says.
  std::function<std::string(const StudyRow& row)> outcome;
  // All rows so far, after each member; called by one thread at a time.
  std::function<void(const std::vector<StudyRow>& rows)> write;
};

struct StudyEnd {
  std::vector<StudyRow> rows;
  std::size_t done = 0;
  int exit_code = 0;
};

// Runs all members, one line each; after a signal those in hand stop, and no other begins.
StudyEnd run_study(const StudyMembers& members);

// Columns of rows and of members that failed.
StudyRow failed_row(StudyRow row, const std::string& why);

// What the line about a member says of its unconverged steps; "" without any.
std::string unconverged_text(const StudyRow& row);

// --law, --theta and --tolerance.
void add_scheme_options(CLI::App& command, std::string& law, double& theta, double& tolerance);

// --jobs, --threads, --quick, which `quick_help` explains, and --force.
void add_run_options(CLI::App& command, int& jobs, int& threads, bool& quick, bool& force,
                     const std::string& quick_help);

}  // namespace scree
