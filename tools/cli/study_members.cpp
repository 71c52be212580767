#include "tools/cli/study_members.hpp"

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
#include "tools/common/warnings.hpp"

namespace scree {

StudyRow failed_row(StudyRow row, const std::string& why) {
  row["status"] = "failed: " + why;
  return row;
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
