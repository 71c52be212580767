#include "scenes/simulation.hpp"

#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/base/check.hpp"
#include "engine/base/version.hpp"
#include "engine/files/checkpoints.hpp"
#include "engine/state_hash.hpp"
#include "scenes/arithmetic.hpp"
#include "scenes/read/scene_file.hpp"

namespace scree {

struct Simulation::Impl {
  Scene scene;
  std::string start_hash;  // of the state before the first step
  std::int64_t first = 0;  // step to observe
  std::vector<Observer> observers;
  std::optional<ResultWriter> writer;
  std::optional<Checkpoints> checkpoints;
  std::string file;

  void leave_checkpoints(const std::string& overrides) {
    checkpoints.emplace(
        scene.settings.checkpoint,
        CheckpointOrigin{program_name(), scene.source_name, scene.source, overrides, "", start_hash,
                         scene.files, true, arithmetic_fingerprint()},
        *writer);
  }

  ResultOrigin origin(const std::string& overrides) const {
    return {scene.title, scene.source, overrides, program_name(), scene.files};
  }

  RunReport run(const std::atomic<bool>* stop) {
    const Observer all = [&](const StepView& view) {
      const bool is_new = view.record.step >= first;
      if (writer && is_new) writer->record(view, view.last);
      if (writer && !is_new) writer->go_on_from(view.state);
      if (checkpoints) checkpoints->update(view.state);
      if (!is_new) return;
      for (const Observer& observer : observers) observer(view);
    };
    const RunReport report = scree::run(scene.model, scene.settings, scene.state, {&all, 1}, stop);
    if (!writer) return report;
    const bool stopped = report.end == RunEnd::stopped;
    checkpoints->finish(scene.state, stopped);
    writer->finish(report);
    if (!stopped) checkpoints->conclude();
    return report;
  }

  // "; run.h5 is readable up to t = 1.5 s", once the file says why it ends there.
  std::string failed(const std::string& reason) {
    if (!writer) return "";
    writer->fail(reason);
    return "; " + writer->readable();
  }

  std::string intact_checkpoint() const {
    if (!checkpoints || checkpoints->time() < 0.0) return "";
    return fmt::format("; the checkpoint of t = {:.9g} s is intact", checkpoints->time());
  }
};

Simulation Simulation::read(const std::string& path, const SceneChange& change) {
  return Simulation(read_scene_file(path, change));
}

Simulation::Simulation(Scene scene) : impl_(std::make_unique<Impl>()) {
  refuse_off_terrain(scene);
  refuse_overlaps(scene, overlaps_at_start(scene));
  require_finite_energy(scene);
  impl_->scene = std::move(scene);
  impl_->start_hash = state_hash(impl_->scene.state);
}

Simulation::Simulation(Scene scene, Checkpoint checkpoint) : impl_(std::make_unique<Impl>()) {
  impl_->scene = std::move(scene);
  impl_->scene.state = std::move(checkpoint.state);
  impl_->start_hash = checkpoint.origin.start_hash;
  impl_->first = impl_->scene.state.step + 1;
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Scene& Simulation::scene() { return impl_->scene; }
const Scene& Simulation::scene() const { return impl_->scene; }

void Simulation::observe(Observer observer) { impl_->observers.push_back(std::move(observer)); }

void Simulation::record(const std::string& file, bool replace, const std::string& overrides) {
  const std::string checkpoint = checkpoint_path(file);
  if (!replace && is_worth_keeping(checkpoint))
    throw InputError(checkpoint +
                     ": exists already, so an earlier run can still be resumed; choose another "
                     "name, or use --force to drop it");
  check_checkpoint_path(checkpoint);
  impl_->writer.emplace(file, replace, impl_->origin(overrides), impl_->scene.model,
                        impl_->scene.settings);
  settle_checkpoint(checkpoint);
  impl_->leave_checkpoints(overrides);
}

void Simulation::go_on(const std::string& file, const Resumption& resumption,
                       const std::string& overrides) {
  check_checkpoint_path(checkpoint_path(file));
  impl_->writer.emplace(file, resumption, impl_->origin(overrides), impl_->scene.model,
                        impl_->scene.settings);
  settle_checkpoint(checkpoint_path(file));
  impl_->leave_checkpoints(overrides);
}

RunReport Simulation::run(const std::atomic<bool>* stop) {
  try {
    return impl_->run(stop);
  } catch (const RunFailure& failure) {
    throw RunFailure(failure.what() + impl_->failed(std::string("run failed: ") + failure.what()));
  } catch (const CheckpointFailure& failure) {
    const std::string readable = impl_->failed(std::string("writing failed: ") + failure.what());
    throw CheckpointFailure(failure.what() + impl_->intact_checkpoint() + readable);
  }
}

const std::string& Simulation::file() const {
  static const std::string none;
  return impl_->writer ? impl_->writer->path() : none;
}

std::vector<std::string> Simulation::disturbances() const {
  return impl_->writer ? impl_->writer->disturbances() : std::vector<std::string>();
}

}  // namespace scree
