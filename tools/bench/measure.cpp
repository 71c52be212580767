#include "tools/bench/measure.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/base/quantile.hpp"
#include "engine/base/stopwatch.hpp"
#include "engine/state_hash.hpp"
#include "engine/step.hpp"
#include "scenes/read/scene.hpp"
#include "tools/bench/bench_scenes.hpp"
#include "tools/bench/sweep_cost.hpp"
#include "tools/bench/triad.hpp"
#include "tools/common/solver_choices.hpp"

namespace scree::bench {
namespace {

// [bytes] of this process that are in memory.
double resident_size() {
  std::ifstream file("/proc/self/statm");
  double total = 0.0, resident = 0.0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

Scene scene_for(const std::string& name, int size, const MeasureOptions& options) {
  Scene scene = parse_scene(bench_scene(name).text(size), name);
  contact::SolverOptions& solver = scene.settings.step.solver;
  if (options.method) solver.method = choices::lookup(choices::methods, *options.method);
  if (options.measure) solver.measure = choices::lookup(choices::measures, *options.measure);
  solver.tolerance = options.tolerance.value_or(solver.tolerance);
  solver.max_iterations = options.max_iterations.value_or(solver.max_iterations);
  return scene;
}

Settings settings_for(const Scene& scene, const Lanes& lanes) {
  Settings settings = scene.settings;
  settings.backend = lanes.backend;
  settings.threads = lanes.threads;
  return settings;
}

StepRecord checked_step(const Scene& scene, const Settings& settings, State& state,
                        Workspace& work) {
  StepRecord record = step(scene.model, settings, state, work);
  if (!std::isfinite(record.ledger.kinetic)) {
    throw std::runtime_error(fmt::format("step {}: the energy is not finite", record.step));
  }
  return record;
}

// Bodies one above another, so far apart that nothing touches.
State apart(const Model& model, State state) {
  double pitch = 0.0, height = 0.0;
  for (BodyIndex i = 0; i < model.n_bodies(); ++i) {
    if (model.is_dynamic(i))
      pitch = std::max(pitch, 4.0 * model.radius[static_cast<std::size_t>(i)]);
  }
  for (BodyIndex i = 0; i < model.n_bodies(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!model.is_dynamic(i)) continue;
    state.x[at] = Vector3(0.0, 0.0, height += pitch);
    state.v[at] = state.w[at] = Vector3::Zero();
  }
  return state;
}

struct WarmStart {
  State state;
  double bytes_per_body = not_known, bytes_per_contact = not_known;
};

WarmStart warm_up(const Scene& scene, const Lanes& lanes, int steps, double empty_size) {
  const Settings settings = settings_for(scene, lanes);
  Workspace work(scene.model, settings);
  WarmStart start;
  start.state = apart(scene.model, scene.state);
  StepRecord record = checked_step(scene, settings, start.state, work);
  if (record.candidates != 0) throw std::logic_error("bodies that are apart touch");
  const double bodies_size = resident_size();
  start.bytes_per_body = (bodies_size - empty_size) / scene.model.n_bodies();
  start.state = scene.state;
  for (int i = 0; i < steps; ++i) record = checked_step(scene, settings, start.state, work);
  if (record.contacts > 0) {
    start.bytes_per_contact =
        (resident_size() - bodies_size) / static_cast<double>(record.contacts);
  }
  return start;
}

// Times of the same steps in every repeat. The median over the repeats takes out what else the
// machine did.
class StepTimes {
 public:
  explicit StepTimes(int steps) : of_step_(static_cast<std::size_t>(steps)) {}

  void add(int step, double seconds) {
    of_step_[static_cast<std::size_t>(step)].push_back(seconds);
  }

  std::vector<double> medians() const {
    std::vector<double> list;
    for (const std::vector<double>& times : of_step_) list.push_back(quantile(times, 0.5));
    return list;
  }

  double mean() const {
    const std::vector<double> list = medians();
    return std::accumulate(list.begin(), list.end(), 0.0) / static_cast<double>(list.size());
  }

 private:
  std::vector<std::vector<double>> of_step_;
};

struct Samples {
  explicit Samples(int steps)
      : whole(steps), detect(steps), assemble(steps), solve(steps), advance(steps) {}

  StepTimes whole, detect, assemble, solve, advance;
  std::vector<std::int64_t> contacts, sweeps;  // of the first repeat; the others have the same
  double visits = 0.0;                         // of a contact in a sweep

  void add(int repeat, int step, const StepRecord& record, double seconds) {
    whole.add(step, seconds);
    detect.add(step, record.seconds_detect), assemble.add(step, record.seconds_assemble);
    solve.add(step, record.seconds_solve), advance.add(step, record.seconds_advance);
    if (repeat > 0) return;
    contacts.push_back(record.contacts), sweeps.push_back(record.iterations);
    visits += static_cast<double>(record.contacts * record.iterations);
  }

  void summarise(Row& row) const {
    row.step_seconds = quantile(whole.medians(), 0.5),
    row.step_seconds_p95 = quantile(whole.medians(), 0.95);
    row.step_seconds_mean = whole.mean();
    row.detect_seconds = detect.mean(), row.assemble_seconds = assemble.mean();
    row.solve_seconds = solve.mean(), row.advance_seconds = advance.mean();
    row.sweeps_median = quantile(sweeps, 0.5), row.sweeps_p95 = quantile(sweeps, 0.95);
    row.contacts = static_cast<std::int64_t>(quantile(contacts, 0.5));
    if (visits > 0.0)
      row.solve_ns = 1e9 * solve.mean() * static_cast<double>(sweeps.size()) / visits;
  }
};

void add_residuals(const contact::Residuals& residual, Row& row) {
  const auto keep_largest = [](double& value, double other) {
    value = std::isnan(value) ? other : std::max(value, other);
  };
  keep_largest(row.residual_scaled, residual.scaled);
  keep_largest(row.residual_published, residual.published);
  keep_largest(row.residual_siconos, residual.siconos);
}

void measure_steps(const Scene& scene, const WarmStart& start, const MeasureOptions& options,
                   const Lanes& lanes, Row& row) {
  const Settings settings = settings_for(scene, lanes);
  Workspace work(scene.model, settings);
  Samples samples(options.steps);
  // The first steps of a new workspace allocate and start threads: they are not measured.
  State state = start.state;
  for (int i = 0; i < std::min(options.steps, 3); ++i)
    static_cast<void>(checked_step(scene, settings, state, work));
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    state = start.state;
    for (int i = 0; i < options.steps; ++i) {
      Stopwatch watch;
      const StepRecord record = step(scene.model, settings, state, work);
      samples.add(repeat, i, record, watch.lap());
      add_residuals(record.residual, row);
      if (repeat == 0 && !record.converged) ++row.unconverged_steps;
    }
    const std::string hash = state_hash(state);
    if (repeat > 0 && hash != row.state_hash) {
      throw std::runtime_error(fmt::format(
          "{} with {} threads comes to other states in other repeats", row.backend, row.threads));
    }
    row.state_hash = hash;
  }
  samples.summarise(row);
  row.sweep_ns = sweep_cost(work);
  constexpr double counted = 256.0,
                   gone_through =
                       360.0;  // bytes a contact: its rows and bias; the local matrices too
  row.triad_bytes_per_second = lanes.triad;
  row.triad_at_size_bytes_per_second = triad_bandwidth(
      work.executor,
      static_cast<std::size_t>(gone_through * static_cast<double>(work.problem.n_contacts())));
  row.triad_share = counted * 1e9 / row.sweep_ns / row.triad_bytes_per_second;
  row.triad_at_size_share = counted * 1e9 / row.sweep_ns / row.triad_at_size_bytes_per_second;
}

}  // namespace

std::vector<Row> measure(const std::string& name, int size, const MeasureOptions& options,
                         const std::vector<Lanes>& lanes) {
  // A few bodies first: code, threads and libraries are then in memory and do not count.
  {
    const Scene small = scene_for(name, 8, options);
    static_cast<void>(warm_up(small, lanes.front(), 2, 0.0));
  }
  malloc_trim(0);
  const double empty_size = resident_size();
  const Scene scene = scene_for(name, size, options);
  const WarmStart start = warm_up(scene, lanes.front(), options.warm_up, empty_size);
  std::vector<Row> rows;
  for (const Lanes& lane : lanes) {
    Row row;
    row.scene = name, row.size = size;
    row.bodies = scene.model.n_bodies();
    row.backend = backend_name(lane.backend), row.threads = lane.threads;
    row.steps = options.steps;
    const contact::SolverOptions& solver = scene.settings.step.solver;
    row.method = choices::name_of(choices::methods, solver.method);
    row.measure = choices::name_of(choices::measures, solver.measure);
    row.tolerance = solver.tolerance;
    row.bytes_per_body = start.bytes_per_body, row.bytes_per_contact = start.bytes_per_contact;
    measure_steps(scene, start, options, lane, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace scree::bench
