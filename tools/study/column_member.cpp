#include "tools/study/column_member.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>

#include "engine/model/check.hpp"
#include "engine/result_writer.hpp"
#include "scenes/initial_state.hpp"
#include "tools/output_file.hpp"
#include "tools/study/column_measures.hpp"
#include "tools/version.hpp"

namespace scree::study {
namespace {

using json = nlohmann::ordered_json;

// Debian's HDF5 may be used by one thread at a time.
std::mutex& hdf5() {
  static std::mutex mutex;
  return mutex;
}

class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

std::string read_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Scene parse(const ColumnTask& task, const std::string& text, const std::string& path) {
  Scene scene = parse_member(task, text, path);
  scene.settings.threads = task.threads;
  scene.settings.backend = task.threads == 1 ? Backend::serial : Backend::tbb;
  return scene;
}

// Runs a scene into a result file; `observer` sees each step. Returns the report.
RunReport run_into(Scene& scene, const std::string& file, const Observer& observer, const std::atomic<bool>& stop) {
  std::unique_ptr<ResultWriter> writer;
  {
    const std::lock_guard lock(hdf5());
    writer = std::make_unique<ResultWriter>(file, true, ResultOrigin{scene.title, scene.source, "", program_name(), scene.files}, scene.model, scene.settings);
  }
  // Closed under the lock, whatever happens.
  const auto closed = [&writer] {
    const std::lock_guard lock(hdf5());
    writer.reset();
  };
  const Observer observers[] = {[&](const StepView& view) {
                                  const std::lock_guard lock(hdf5());
                                  writer->record(view, view.last);
                                },
                                observer};
  try {
    const RunReport report = run(scene.model, scene.settings, scene.state, observers, &stop);
    if (report.end == RunEnd::stopped) throw Stopped();
    {
      const std::lock_guard lock(hdf5());
      writer->finish(report);
    }
    closed();
    return report;
  } catch (const RunFailure& failure) {
    {
      const std::lock_guard lock(hdf5());
      writer->fail(std::string("run failed: ") + failure.what());
    }
    closed();
    throw;
  } catch (...) {
    closed();
    throw;
  }
}

// The member's files are those of this scene and complete.
bool is_finished(const std::string& file, const Scene& scene) {
  if (!std::filesystem::exists(file)) return false;
  const std::lock_guard lock(hdf5());
  try {
    const ResultReader results(file);
    return results.finished() && results.scene_sha256() == scene_hash(scene.source, scene.files);
  } catch (const InputError&) {
    return false;
  }
}

struct Packed {
  double height = 0.0;       // [m]
  double packing = 0.0;      // [-]
  double coordination = 0.0; // [-] NaN when taken from an earlier run
};

// Front and height while the grains flow.
class FrontRecorder {
 public:
  FrontRecorder(const Model& model, const ColumnFrame& frame, double interval) : grains_(model), frame_(frame), interval_(interval) {}

  void operator()(const StepView& view) {
    if (!view.last && view.record.time < next_ - 1e-12) return;
    next_ = view.record.time + interval_;
    const std::vector<GrainPlace> places = grain_places(view.model, view.state, grains_, frame_);
    const std::vector<std::uint8_t> pile = in_pile(view, grains_);
    double chain = 0.0, height = 0.0;
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (pile[k] == 0) continue;
      chain = std::max(chain, places[k].out), height = std::max(height, places[k].top);
    }
    time.push_back(view.record.time), mass_99.push_back(volume_radius(places, grains_, 0.99));
    chain_front.push_back(chain), top.push_back(height), kinetic.push_back(view.record.ledger.kinetic);
    if (view.last) coordination = coordination_number(view, grains_), last_pile = pile, last_places = places;
  }

  std::string csv() const {
    std::string text = "time [s],mass_99_front [m],chain_front [m],top [m],kinetic [J]\n";
    for (std::size_t i = 0; i < time.size(); ++i) {
      text += fmt::format("{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", time[i], mass_99[i], chain_front[i], top[i], kinetic[i]);
    }
    return text;
  }

  // First time [s] from which the front stays beyond `share` of the way from its start to its end.
  double time_of(double share) const {
    const double wanted = mass_99.front() + share * (mass_99.back() - mass_99.front());
    std::size_t i = time.size();
    while (i > 0 && mass_99[i - 1] >= wanted) --i;
    return i < time.size() ? time[i] : time.back();
  }

  double time_of_largest_speed() const {
    double best = 0.0, at = 0.0;
    for (std::size_t i = 1; i < time.size(); ++i) {
      const double speed = (mass_99[i] - mass_99[i - 1]) / (time[i] - time[i - 1]);
      if (speed > best) best = speed, at = 0.5 * (time[i] + time[i - 1]);
    }
    return at;
  }

  const GrainTable& grains() const { return grains_; }

  std::vector<double> time, mass_99, chain_front, top, kinetic;
  double coordination = 0.0;
  std::vector<std::uint8_t> last_pile;
  std::vector<GrainPlace> last_places;

 private:
  GrainTable grains_;
  ColumnFrame frame_;
  double interval_, next_ = 0.0;
};

std::string profile_csv(const DepositProfile& profile) {
  std::string text = "distance [m],top [m],filled_height [m]\n";
  for (std::size_t i = 0; i < profile.distance.size(); ++i) {
    text += fmt::format("{:.6g},{:.6g},{:.6g}\n", profile.distance[i], profile.top[i], profile.filled[i]);
  }
  return text;
}

json energies(const RunReport& report) {
  const LedgerRow& e = report.energy;
  return {{"kinetic_end", e.kinetic},
          {"contact_normal_work", e.contact_normal_work},
          {"contact_tangential_work", e.contact_tangential_work},
          {"contact_rolling_work", e.contact_rolling_work},
          {"numerical_dissipation", e.numerical_dissipation},
          {"driven_work", e.driven_work},
          {"max_abs_balance", report.max_abs_balance},
          {"energy_scale", e.energy_scale}};
}

}  // namespace

json run_column_member(const ColumnTask& task, const ColumnMember& member, const std::atomic<bool>& stop) {
  const std::string base = (std::filesystem::path(task.folder) / member.name()).string();
  const std::string pack_text = packing_scene(task, member), pack_file = base + "-pack.h5";

  // Filling.
  Scene pack = parse(task, pack_text, base + "-pack.toml");
  const ColumnFrame frame = column_frame(pack.model, pack.state);
  const GrainTable grains(pack.model);
  write_file(base + "-pack.toml", pack_text);
  if (!is_finished(pack_file, pack)) run_into(pack, pack_file, [](const StepView&) {}, stop);
  bool packing_quiet = false;
  {
    const std::lock_guard lock(hdf5());
    const ResultReader results(pack_file);
    start_from(results, pack_file, pack);
    packing_quiet = results.time_end() < pack.settings.time.end - 0.5 * pack.settings.time.dt;
  }
  double volume = 0.0;
  for (const double v : grains.volume) volume += v;
  const double height = column_height(pack.model, pack.state, grains);
  const double packing = volume / (frame.area(0.0, frame.length) * height);
  const double size = std::cbrt(6.0 / M_PI * volume / static_cast<double>(grains.volume.size()));
  const double fall = std::sqrt(height / pack.model.gravity.norm());

  // Collapse.
  constexpr double longest = 12.0;  // [-] in sqrt(H / g); the flow takes about 3.3
  const std::string text = collapse_scene(task, member, longest * fall);
  write_file(base + "-collapse.toml", text);
  Scene collapse = parse(task, text, base + "-collapse.toml");
  const std::string summary = base + ".json";
  if (std::filesystem::exists(summary) && is_finished(base + "-collapse.h5", collapse)) {
    const json done = json::parse(read_text(summary), nullptr, false);
    if (!done.is_discarded()) return done;
  }
  {
    const std::lock_guard lock(hdf5());
    start_from(ResultReader(pack_file), pack_file, collapse);
  }
  FrontRecorder front(collapse.model, frame, 0.05 * fall);
  const RunReport report = run_into(collapse, base + "-collapse.h5", [&front](const StepView& view) { front(view); }, stop);

  const DepositProfile profile = deposit_profile(front.last_places, front.grains(), front.last_pile, frame, size, packing);
  const double end = front.mass_99.back(), toe = front.chain_front.back();
  std::size_t in_heap = 0;
  for (const std::uint8_t k : front.last_pile) in_heap += k;
  json row = {{"member", member.name()},
              {"aspect", member.aspect},
              {"seed", member.seed},
              {"shape", member.shape},
              {"friction", member.friction ? json(*member.friction) : json()},
              {"status", "done"},
              {"grains", grains.body.size()},
              {"size", size},
              {"initial_length", frame.length},
              {"initial_height", height},
              {"aspect_measured", height / frame.length},
              {"length_over_size", frame.length / size},
              {"packing_fraction", packing},
              {"packing_quiet", packing_quiet},
              {"collapse_quiet", report.end == RunEnd::quiet},
              {"run_out_chain", (toe - frame.length) / frame.length},
              {"run_out_mass_99", (end - frame.length) / frame.length},
              {"final_height", front.top.back() / frame.length},
              {"slope_summit_deg", slope_degrees(profile, 0.0, end / 3.0)},
              {"slope_toe_deg", slope_degrees(profile, 2.0 * end / 3.0, end)},
              {"duration_99", front.time_of(0.99) / fall},
              {"time_of_largest_front_speed", front.time_of_largest_speed() / fall},
              {"time_scale", fall},
              {"coordination_number", front.coordination},
              {"grains_in_pile", in_heap},
              {"steps", report.steps},
              {"unconverged_steps", report.unconverged_steps},
              {"contacts_max", report.contacts_max},
              {"penetration_max_over_size", report.penetration_max / size},
              {"seconds", report.seconds_total}};
  row.update(energies(report));
  row["state_hash"] = report.state_hash;
  write_file(base + "-front.csv", front.csv());
  write_file(base + "-profile.csv", profile_csv(profile));
  write_file(summary, row.dump(1));
  return row;
}

}  // namespace scree::study
