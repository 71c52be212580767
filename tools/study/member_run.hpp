// One run of a member of a study into its result file, in pieces if need be: it goes on from the
// checkpoint of a study that was stopped or killed, bit for bit.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/run.hpp"
#include "scenes/read/scene.hpp"
#include "tools/study/front_recorder.hpp"

namespace scree::study {

// Debian's HDF5 may be used by one thread at a time.
std::mutex& hdf5();

// The study was asked to stop; started again, it goes on.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

// Two texts that make the same scene but for the first line, a comment with the name of the study's
// scene, which differs with the working folder.
bool same_scene(const std::string& text, const std::vector<SceneFile>& files,
                const std::string& other, const std::vector<SceneFile>& other_files);

// The scene of a finished result file.
struct FinishedScene {
  std::string text, overrides;
  std::vector<SceneFile> files;

  // What a user ran into the same file with options of its own is another run.
  bool is(const std::string& other, const std::vector<SceneFile>& other_files) const {
    return overrides.empty() && same_scene(text, files, other, other_files);
  }
};

// None: there is no such file, or it is not finished, or damaged: nothing to keep.
std::optional<FinishedScene> finished_scene(const std::string& file);

// The file is that of this scene, and complete.
bool is_finished(const std::string& file, const Scene& scene);

// Throws InputError unless a finished result is the `same` as what a study would put there.
void refuse_other_settings(const std::string& file, bool same);

// With the member's share of the processors.
Scene with_threads(Scene scene, int threads);

// Runs a scene from its state into a result file; `front`, if any, sees each step. Leaves a
// checkpoint every five minutes, unless the scene says when, and at a stop; it stays until
// remove_checkpoint. The report's sums are those of the steps since it went on; the file has all.
// Throws Stopped, and what a run and its files throw.
RunReport run_into(Scene& scene, const std::string& file, FrontRecorder* front,
                   const std::atomic<bool>& stop);

// For a run of which nothing is left to do.
void remove_checkpoint(const std::string& file);

}  // namespace scree::study
