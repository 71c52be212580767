#include "tools/ensemble/slurm.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace scree::ensemble {

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=./:,@%") == std::string::npos;
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string slurm_script(const SlurmJob& job) {
  const std::string command =
      fmt::format("{} ensemble {} --out {}{}", shell_word(job.program), shell_word(job.scene),
                  shell_word(job.folder), job.settings);
  std::string name = std::filesystem::path(job.scene).stem().string();
  for (char& c : name) {
    if (c == ' ' || c == '\'' || c == '"') c = '_';
  }
  return fmt::format(
      R"(#!/bin/sh
#SBATCH --job-name=scree-{0}
#SBATCH --array=0-{1}
#SBATCH --cpus-per-task={2}
#SBATCH --output={0}-%A_%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
# Made by scree ensemble --slurm. Each task computes its share of the runs; a task that is killed or
# runs out of time goes on where it was. At the end put them together, at once with
#   sbatch --dependency=afterok:JOB --wrap "{4} --merge"
{3} --chunk "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --jobs "${{SLURM_CPUS_PER_TASK:-1}}" &
child=$!
# A minute before its time is up the task ends what it is at and queues again.
stop() {{
  kill -TERM "$child"
  wait "$child"
  scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
  exit 0
}}
trap stop TERM
wait "$child"
)",
      name, job.tasks - 1, job.jobs, command, command);
}

}  // namespace scree::ensemble
