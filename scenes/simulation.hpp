// A scene, run as a library call: read, observe, record, run.
//
//     scree::Simulation simulation = scree::Simulation::read("tower.toml");
//     simulation.observe([](const scree::StepView& view) { ... });
//     simulation.record("tower.h5");
//     const scree::RunReport report = simulation.run();
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "engine/files/checkpoint.hpp"
#include "engine/files/result_writer.hpp"
#include "engine/run.hpp"
#include "scenes/read/scene.hpp"

namespace scree {

class Simulation {
 public:
  // Reads a scene file and the files that it names; its folder is where their names begin. `change`
  // is made before the settings are checked. Throws InputError, one line with the place.
  static Simulation read(const std::string& path, const SceneChange& change = {});

  // Of a scene that was read or built. Throws InputError when bodies overlap at the start (unless
  // the scene allows that), and when speeds or masses are so large that energies overflow.
  explicit Simulation(Scene scene);

  // Goes on from a checkpoint of this scene (read_checkpoint), whose contents have been checked
  // against it. Until record() or go_on() is called nothing is written.
  Simulation(Scene scene, Checkpoint checkpoint);

  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  // The scene with its state: at the start, and after run() where that ended.
  Scene& scene();
  const Scene& scene() const;

  // Called before the first step and after every one, in the order of these calls; what is called
  // sees model, state, contacts with their impulses, and the ledger's row. A run that goes on calls
  // it for the steps to come only.
  void observe(Observer observer);

  // Writes a result file (engine/RESULTS.md) and beside it the checkpoints that the settings want;
  // one is left in any case when the run is stopped. `overrides`: what replaced values of the
  // scene's text, as text. Throws InputError and RecordingFailure as ResultWriter does.
  void record(const std::string& file, bool replace = false, const std::string& overrides = "");

  // The same for a run from a checkpoint: the file begins with what was recorded up to there.
  void go_on(const std::string& file, const Resumption& resumption,
             const std::string& overrides = "");

  // Runs to the end of the scene's time, until the stop rule ends it, or until `stop` is set.
  // Throws RunFailure when a state is no longer finite, RecordingFailure and CheckpointFailure when
  // a file cannot be written; what was recorded up to then stays readable, and what() says so.
  RunReport run(const std::atomic<bool>* stop = nullptr);

  // Where the result file is: under another name than it was given if that was taken from it while
  // the run went on. Empty where nothing is recorded.
  const std::string& file() const;
  // Sentences: what others did to the file meanwhile. Nothing is lost by it.
  std::vector<std::string> disturbances() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scree
