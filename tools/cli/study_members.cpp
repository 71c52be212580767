#include "tools/cli/study_members.hpp"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "engine/base/executor.hpp"
#include "tools/cli/stop_signal.hpp"
#include "tools/common/console.hpp"
#include "tools/common/exit_codes.hpp"
#include "tools/common/number_choices.hpp"
#include "tools/common/solver_choices.hpp"
#include "tools/common/warnings.hpp"

namespace scree {

StudyRow failed_row(StudyRow row, const std::string& why) {
  row["status"] = "failed: " + why;
  return row;
}

std::string unconverged_text(const StudyRow& row) {
  const auto left = row.at("unconverged_steps").get<std::int64_t>();
  return left > 0 ? fmt::format(", {} steps unconverged", left) : "";
}

void add_scheme_options(CLI::App& command, std::string& law, double& theta, double& tolerance) {
  command.add_option("--law", law, "Impact law")
      ->check(CLI::IsMember({"fremond", "newton", "moreau", "moreau_published"}))
      ->capture_default_str();
  command.add_option("--theta", theta, "Weight of the scheme")
      ->check(choices::number_within(0.5, 1.0))
      ->capture_default_str();
  command.add_option("--tolerance", tolerance, "Tolerance of the solver")
      ->check(choices::number_within(1e-15, 1.0))
      ->capture_default_str();
}

void add_run_options(CLI::App& command, int& jobs, int& threads, bool& quick, bool& force,
                     const std::string& quick_help) {
  command.add_option("-j,--jobs", jobs, "Members at a time; default: one a processor")
      ->check(choices::thread_count(1));
  command
      .add_option("--threads", threads,
                  "Threads of each member; default: the processors that are left")
      ->check(choices::thread_count(1));
  command.add_flag("--quick", quick, quick_help);
  command.add_flag("--force", force,
                   "Replace finished members of the same names that have other settings");
}

StudyEnd run_study(const StudyMembers& members) {
  const std::size_t n = members.name.size();
  const int processors = Executor(Backend::tbb, 0).threads();
  const int jobs = std::min(members.jobs > 0 ? members.jobs : processors, static_cast<int>(n));
  const int threads = members.threads > 0 ? members.threads : std::max(1, processors / jobs);
  // After the steps in hand the study ends; started again, it goes on.
  const std::atomic<bool>& stop_asked = stop_on_signal();
  StudyEnd end;
  for (std::size_t i = 0; i < n; ++i) end.rows.push_back(members.failed(i, "not run"));
  std::mutex table;
  std::size_t finished = 0;
  tbb::task_arena arena(jobs);
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, n, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i < range.end() && !stop_asked; ++i) {
            StudyRow row;
            try {
              row = members.run(i, threads, stop_asked);
            } catch (const std::exception& failure) {
              row = members.failed(i, failure.what());
            }
            const std::lock_guard lock(table);
            end.rows[i] = row;
            const bool done = row.at("status") == "done";
            end.done += done ? 1U : 0U;
            notice("{}/{} {}: {}\n", ++finished, n, members.name[i],
                   done ? members.outcome(row) : row.at("status").get<std::string>());
            members.write(end.rows);
          }
        },
        tbb::simple_partitioner());
  });
  std::vector<std::pair<std::string, std::string>> warned;
  for (std::size_t i = 0; i < n; ++i)
    warned.emplace_back(members.name[i], end.rows[i].value("warnings", ""));
  write_notice(warned_runs_text(warned_runs(warned), n));
  end.exit_code = stop_asked || end.done < finished ? exit_failed : exit_done;
  return end;
}

}  // namespace scree
