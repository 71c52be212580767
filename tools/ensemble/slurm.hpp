// The batch file of an ensemble for Slurm.
#pragma once

#include <cstdint>
#include <string>

namespace scree::ensemble {

struct SlurmJob {
  std::string program, scene, folder, settings;  // `settings`: "--set ... " as a shell reads them
  std::int64_t tasks = 1;
  int jobs = 1;  // processors a task
};

// `word` as a shell reads it again.
std::string shell_word(const std::string& word);

std::string slurm_script(const SlurmJob& job);

}  // namespace scree::ensemble
