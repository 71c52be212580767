#include "tools/study/member_run.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "engine/base/check.hpp"
#include "engine/base/version.hpp"
#include "engine/files/checkpoint.hpp"
#include "engine/files/checkpoint_checks.hpp"
#include "engine/files/checkpoints.hpp"
#include "engine/files/result_reader.hpp"
#include "engine/files/result_writer.hpp"
#include "engine/files/scene_text.hpp"
#include "engine/state_hash.hpp"
#include "scenes/arithmetic.hpp"
#include "tools/common/console.hpp"

namespace scree::study {
namespace {

constexpr double minutes_between_checkpoints = 5.0;

// The checkpoint that this program left of the same run into `file`; none: there is none, or it is
// damaged, which is said.
std::optional<Checkpoint> checkpoint_of(const Scene& scene, const std::string& start_hash,
                                        const std::string& file) {
  const std::string path = checkpoint_path(file);
  if (!std::filesystem::exists(path)) return std::nullopt;
  try {
    Checkpoint checkpoint = read_checkpoint(path);
    const CheckpointOrigin& origin = checkpoint.origin;
    const bool same =
        origin.program == program_name() && origin.arithmetic == arithmetic_fingerprint() &&
        origin.overrides.empty() && origin.start_hash == start_hash &&
        same_scene(origin.scene_source, origin.scene_files, scene.source, scene.files);
    if (!same) return std::nullopt;
    const std::string fault = fault_of(checkpoint, scene.model, scene.settings, scene.state);
    require(fault.empty(), path, "is damaged or truncated (" + fault + ")");
    // A run that goes on makes a step, so there must be one to make: `scree run` leaves a
    // checkpoint at a quiet end too.
    const ResultReader results(file);
    if (checkpoint.state.step <
        (results.finished() ? results.n_steps() : scene.settings.time.last_step()))
      return checkpoint;
  } catch (const InputError& error) {
    notice("{}; the run starts over\n", error.what());
  }
  return std::nullopt;
}

// A result file of one run, written and closed under the lock that all members share.
class MemberFile {
 public:
  // Goes on in `file` if a checkpoint of the same run, and all that it promises, are at hand; takes
  // over its state then.
  MemberFile(Scene& scene, const std::string& file, FrontRecorder* front) {
    const std::lock_guard lock(hdf5());
    try {
      open(scene, file, front);
    } catch (...) {
      close();
      throw;
    }
  }

  ~MemberFile() {
    const std::lock_guard lock(hdf5());
    close();
  }

  MemberFile(const MemberFile&) = delete;
  MemberFile& operator=(const MemberFile&) = delete;

  // Number of the first step to record.
  std::int64_t first() const { return first_; }

  // A run that goes on makes a step, so the end leaves none: the checkpoint before gives the same
  // end again.
  void record(const StepView& view) {
    const std::lock_guard lock(hdf5());
    if (view.record.step >= first_)
      writer_->record(view, view.last);
    else
      writer_->go_on_from(view.state);
    if (!view.last) checkpoints_->update(view.state);
  }

  void stopped(const State& state) {
    const std::lock_guard lock(hdf5());
    checkpoints_->finish(state, true);
  }

  void finish(const RunReport& report) {
    const std::lock_guard lock(hdf5());
    writer_->finish(report);
  }

  void fail(const std::string& reason) {
    const std::lock_guard lock(hdf5());
    writer_->fail(reason);
  }

 private:
  void open(Scene& scene, const std::string& file, FrontRecorder* front) {
    const std::string start_hash = state_hash(scene.state);
    // One that goes on keeps its text: its first line may name the scene in another way.
    ResultOrigin origin{scene.title, scene.source, "", program_name(), scene.files};
    if (std::optional<Checkpoint> left = checkpoint_of(scene, start_hash, file)) {
      origin.scene_source = left->origin.scene_source,
      origin.scene_files = left->origin.scene_files;
      go_on(*left, file, origin, scene, front);
    }
    if (!writer_) {
      origin.scene_source = scene.source, origin.scene_files = scene.files;
      writer_ = std::make_unique<ResultWriter>(file, true, origin, scene.model, scene.settings);
    }
    CheckpointSettings often = scene.settings.checkpoint;
    if (!often.wanted()) often.every_minutes = minutes_between_checkpoints;
    settle_checkpoint(checkpoint_path(file));
    checkpoints_.emplace(
        often,
        CheckpointOrigin{program_name(), scene.source_name, origin.scene_source, "", "", start_hash,
                         origin.scene_files, true, arithmetic_fingerprint()},
        *writer_);
  }

  // Leaves no writer when what belongs to the checkpoint is not all there: then the run starts
  // over.
  void go_on(Checkpoint& left, const std::string& file, const ResultOrigin& origin, Scene& scene,
             FrontRecorder* front) {
    if (front != nullptr && !front->go_on(left.state.time)) {
      notice("{}: lacks rows before the checkpoint of {}; the run starts over\n", front->path(),
             file);
      return;
    }
    const Resumption resumption{file, left.rows, left.state.step, left.state.time,
                                left.state.energy_scale};
    try {
      writer_ =
          std::make_unique<ResultWriter>(file, resumption, origin, scene.model, scene.settings);
    } catch (const InputError& error) {
      notice("{}; the run starts over\n", error.what());
      if (front != nullptr) front->start_over();
      return;
    }
    // What was killed could not say so itself.
    notice("{}: goes on after step {}, t = {:g} s; the run before was stopped or killed\n", file,
           left.state.step, left.state.time);
    first_ = left.state.step + 1;
    scene.state = std::move(left.state);
  }

  void close() { checkpoints_.reset(), writer_.reset(); }

  std::unique_ptr<ResultWriter> writer_;
  std::optional<Checkpoints> checkpoints_;
  std::int64_t first_ = 0;
};

}  // namespace

std::mutex& hdf5() {
  static std::mutex mutex;
  return mutex;
}

bool same_scene(const std::string& text, const std::vector<SceneFile>& files,
                const std::string& other, const std::vector<SceneFile>& other_files) {
  const auto body = [](const std::string& scene) {
    return scene.substr(std::min(scene.find('\n'), scene.size()));
  };
  return scene_hash(body(text), files) == scene_hash(body(other), other_files);
}

std::optional<FinishedScene> finished_scene(const std::string& file) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  const std::lock_guard lock(hdf5());
  try {
    const ResultReader results(file);
    if (results.finished())
      return FinishedScene{results.scene_source(), results.setting("overrides"),
                           results.scene_files()};
  } catch (const InputError&) {
    // Damaged: nothing to keep.
  }
  return std::nullopt;
}

bool is_finished(const std::string& file, const Scene& scene) {
  const std::optional<FinishedScene> found = finished_scene(file);
  return found && found->is(scene.source, scene.files);
}

void refuse_other_settings(const std::string& file, bool same) {
  require(same, file,
          "is the finished result of other settings; choose another folder, or use --force to "
          "replace it");
}

Scene with_threads(Scene scene, int threads) {
  scene.settings.threads = threads;
  scene.settings.backend = threads == 1 ? Backend::serial : Backend::tbb;
  return scene;
}

RunReport run_into(Scene& scene, const std::string& file, FrontRecorder* front,
                   const std::atomic<bool>& stop) {
  MemberFile result(scene, file, front);
  // The front goes first: a checkpoint promises its rows.
  const Observer observers[] = {[&](const StepView& view) {
                                  if (front != nullptr && view.record.step >= result.first())
                                    (*front)(view);
                                },
                                [&](const StepView& view) { result.record(view); }};
  RunReport report;
  try {
    report = run(scene.model, scene.settings, scene.state, observers, &stop);
    if (report.end == RunEnd::stopped)
      result.stopped(scene.state);
    else
      result.finish(report);
  } catch (const RecordingFailure&) {
    throw;  // the file says why already
  } catch (const RunFailure& failure) {
    result.fail(std::string("run failed: ") + failure.what());
    throw;
  } catch (const std::exception& failure) {
    result.fail(std::string("writing failed: ") + failure.what());
    throw;
  }
  if (report.end == RunEnd::stopped) throw Stopped();
  return report;
}

void remove_checkpoint(const std::string& file) {
  std::error_code ignored;  // one that stays does no harm
  std::filesystem::remove(checkpoint_path(file), ignored);
}

}  // namespace scree::study
