#include "tools/ensemble/then_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "engine/base/printable.hpp"
#include "scenes/read/scene_file.hpp"
#include "scenes/simulation.hpp"
#include "tools/common/output_file.hpp"

namespace scree::ensemble {
namespace {

constexpr const char* rock_name = "rock of the ensemble";

struct Striker {
  std::size_t run = 0;
  double energy = 0.0;
  std::int64_t crossing = 0;  // which of the run's crossings of the line has it
};

std::int64_t barrier_index(const Ensemble& ensemble, const std::string& name) {
  const auto& barriers = ensemble.site().barriers;
  require(!barriers.empty(), "--then",
          "the site has no [[ensemble.barrier]] at which rocks could be handed over");
  if (name.empty()) {
    require(barriers.size() == 1, "--barrier",
            "the site has several barriers; say at which one rocks are handed over");
    return 0;
  }
  const auto found = std::ranges::find(barriers, name, &site::Barrier::name);
  require(found != barriers.end(), "--barrier",
          fmt::format("the site has no barrier '{}'", printable(name)));
  return found - barriers.begin();
}

std::vector<Striker> worst_strikers(const RunTable& table, std::int64_t barrier,
                                    std::size_t count) {
  std::vector<Striker> strikers;
  for (std::size_t i = 0; i < table.n_runs; ++i) {
    std::optional<Striker> worst;
    std::int64_t number = 0;
    for (const LineCrossing& crossing : table.crossings(i)) {
      if (crossing.barrier != barrier) continue;
      if (!worst || crossing.energy > worst->energy) worst = Striker{i, crossing.energy, number};
      ++number;
    }
    if (worst) strikers.push_back(*worst);
  }
  std::ranges::stable_sort(strikers, std::greater(), &Striker::energy);
  if (strikers.size() > count) strikers.resize(count);
  return strikers;
}

// The rock of a run at the end of the step in which it crosses.
RockStart handed_over(const Ensemble& ensemble, const Striker& striker, std::int64_t barrier,
                      const std::atomic<bool>& stop) {
  RockStart start = rock_scene(ensemble, striker.run).start;
  std::int64_t number = -1;
  bool found = false;
  run_rock(ensemble, striker.run, stop,
           [&](const StepView& view, BodyIndex rock, std::span<const LineCrossing> crossed) {
             for (const LineCrossing& crossing : crossed)
               number += crossing.barrier == barrier ? 1 : 0;
             if (found || number < striker.crossing) return found;
             const auto i = static_cast<std::size_t>(rock);
             start.position = view.state.x[i];
             start.orientation = view.state.q[i] * view.model.q_BU[i];
             start.velocity = view.state.v[i];
             start.spin = view.state.q[i] * view.state.w[i];
             return found = true;
           });
  require(found, "--then", fmt::format("run {} was stopped", striker.run));
  return start;
}

Scene wall_scene(const Ensemble& ensemble, const RockStart& start, const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const Scene& site = ensemble.scene();
  const std::string& material =
      site.model.materials.name[static_cast<std::size_t>(start.kind->material)];
  const std::string text =
      read_input_file(path) +
      fmt::format("\n# The rock of a run of {}, as it crosses the line.\n{}",
                  printable(site.source_name), rock_text(start, site, rock_name));
  Scene scene = [&] {
    try {
      return parse_scene(text, path, [&](const std::string& name) {
        return read_input_file((folder / name).string());
      });
    } catch (const InputError& error) {
      // The material of the rock is what is likely to be missing.
      throw InputError(
          fmt::format("{} (with the rock of the ensemble added, of the material "
                      "\"{}\")",
                      error.what(), printable(material)));
    }
  }();
  require(scene.model.origin == site.model.origin, path,
          "world.origin differs from that of the site; must be the same");
  require(!scene.ensemble, path, "has an [ensemble] of its own; take it away");
  take_initial_state(scene);
  return scene;
}

// Impulses by the rock on what moves freely, and where the blocks go.
class WallWatch {
 public:
  WallWatch(const Scene& scene, ThenRow& row) : row_(row), start_(scene.state.x) {
    rock_ = scene.model.n_bodies() - 1;
    for (BodyIndex i = 0; i < rock_; ++i) row_.blocks += scene.model.is_dynamic(i) ? 1 : 0;
    const double moved = scene.settings.measure.groups.moved;
    row_.moved = std::isfinite(moved) ? moved : 0.01;
    row_.mass = scene.model.mass[static_cast<std::size_t>(rock_)];
  }

  void look(const StepView& view) {
    Vector3 step = Vector3::Zero();
    for (std::size_t c = 0; c < view.in_problem.size(); ++c) {
      const ContactKey& key = view.contacts.key[static_cast<std::size_t>(view.in_problem[c])];
      // impulse_W is on b.
      if (key.body_a == rock_ && view.model.is_dynamic(key.body_b)) step += view.impulse_W[c];
      if (key.body_b == rock_ && view.model.is_dynamic(key.body_a)) step -= view.impulse_W[c];
    }
    sum_ += step;
    const double force = step.norm() / view.settings.time.dt;
    row_.peak_force = std::max(row_.peak_force, force);
    row_.impulse = sum_.norm();
    note_blocks(view);
    const auto i = static_cast<std::size_t>(rock_);
    const Vector3& w = view.state.w[i];
    row_.energy_left = 0.5 * view.model.mass[i] * view.state.v[i].squaredNorm() +
                       0.5 * w.dot(view.model.inertia[i].cwiseProduct(w));
    if (view.record.step == 0) row_.energy = row_.energy_left;
    row_.end_time = view.state.time;
    if (view.record.step == 0 || !step.isZero(0.0) || view.last || row_.displaced != shown_) {
      text_ +=
          fmt::format("{},{},{},{},{},{},{},{}\r\n", view.state.time, step.x(), step.y(), step.z(),
                      row_.impulse, row_.energy_left, row_.displaced, row_.largest_displacement);
      shown_ = row_.displaced;
    }
  }

  const std::string& text() const { return text_; }

 private:
  void note_blocks(const StepView& view) {
    row_.displaced = 0;
    for (BodyIndex b = 0; b < rock_; ++b) {
      if (!view.model.is_dynamic(b)) continue;
      const auto i = static_cast<std::size_t>(b);
      const double way = (view.state.x[i] - start_[i]).norm();
      row_.displaced += way > row_.moved ? 1 : 0;
      row_.largest_displacement = std::max(row_.largest_displacement, way);
    }
  }

  ThenRow& row_;
  BodyIndex rock_ = 0;
  std::vector<Vector3> start_;
  Vector3 sum_ = Vector3::Zero();
  std::int64_t shown_ = 0;
  std::string text_ =
      "time [s],impulse_x [N s],impulse_y [N s],impulse_z [N s],impulse_sum [N s],rock_energy "
      "[J],displaced,largest_displacement [m]\r\n";
};

}  // namespace

void check_then(const Ensemble& ensemble, const ThenTask& task) {
  barrier_index(ensemble, task.barrier);
  for (std::size_t i = 0; i < ensemble.runs().size(); ++i) {
    std::optional<RockStart> start;
    try {
      start = rock_scene(ensemble, i).start;
    } catch (const InputError&) {
      continue;  // its row will say why it cannot start
    }
    wall_scene(ensemble, *start, task.scene);
    return;
  }
}

std::vector<ThenRow> run_then(const Ensemble& ensemble, const RunTable& table, const ThenTask& task,
                              const std::atomic<bool>& stop) {
  const std::int64_t barrier = barrier_index(ensemble, task.barrier);
  const std::vector<Striker> strikers = worst_strikers(table, barrier, task.worst);
  require(!strikers.empty(), "--then", "no run has crossed that line");
  std::filesystem::create_directories(task.folder);
  std::vector<ThenRow> rows;
  for (const Striker& striker : strikers) {
    ThenRow row;
    row.run = striker.run;
    const std::string stem =
        (std::filesystem::path(task.folder) / fmt::format("run-{}", striker.run)).string();
    row.file = stem + ".h5";
    Simulation simulation(
        wall_scene(ensemble, handed_over(ensemble, striker, barrier, stop), task.scene));
    WallWatch watch(simulation.scene(), row);
    simulation.observe([&](const StepView& view) { watch.look(view); });
    simulation.record(row.file, task.replace);
    const RunReport report = simulation.run(&stop);
    require(report.end != RunEnd::stopped, "--then",
            fmt::format("run {} was stopped", striker.run));
    row.status = report.unconverged_steps == 0 ? "done" : "unconverged";
    write_file(stem + ".csv", watch.text());
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string then_csv(const std::vector<ThenRow>& rows) {
  std::string text =
      "run,status,mass [kg],energy [J],impulse [N s],peak_force [N],blocks,displaced,moved "
      "[m],largest_displacement [m],energy_left [J],end_time [s],file\r\n";
  for (const ThenRow& row : rows) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", row.run, row.status, row.mass,
                        row.energy, row.impulse, row.peak_force, row.blocks, row.displaced,
                        row.moved, row.largest_displacement, row.energy_left, row.end_time,
                        csv_field(std::filesystem::path(row.file).filename().string()));
  }
  return text;
}

}  // namespace scree::ensemble
