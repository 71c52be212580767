#include "tools/study/column_member.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <numeric>

#include "contact/laws/laws.hpp"
#include "engine/base/check.hpp"
#include "engine/files/result_reader.hpp"
#include "engine/warning_words.hpp"
#include "scenes/read/document.hpp"
#include "scenes/read/initial_state.hpp"
#include "tools/common/output_file.hpp"
#include "tools/study/column_measures.hpp"
#include "tools/study/front_recorder.hpp"
#include "tools/study/member_run.hpp"

namespace scree::study {
namespace {

using json = nlohmann::ordered_json;

std::string read_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string profile_csv(const DepositProfile& profile) {
  std::string text = "distance [m],top [m],filled_height [m]\n";
  for (std::size_t i = 0; i < profile.distance.size(); ++i) {
    text += fmt::format("{:.6g},{:.6g},{:.6g}\n", profile.distance[i], profile.top[i],
                        profile.filled[i]);
  }
  return text;
}

// Puts what the solver did in all steps of a collapse at the end of its row.
void add_steps(json& row, const ResultReader& results, double size) {
  const auto largest = [&](const char* name) {
    const std::vector<double> values = results.solver(name);
    return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
  };
  const std::vector<double> converged = results.solver("converged");
  double seconds = 0.0;
  for (const char* name :
       {"seconds_detect", "seconds_assemble", "seconds_solve", "seconds_advance"}) {
    const std::vector<double> values = results.solver(name);
    seconds += std::accumulate(values.begin(), values.end(), 0.0);
  }
  row["steps"] = results.n_steps();
  row["unconverged_steps"] = std::count(converged.begin(), converged.end(), 0.0);
  row["contacts_max"] = static_cast<std::int64_t>(largest("contacts"));
  row["penetration_max_over_size"] = largest("max_penetration") / size;
  row["seconds"] = seconds;
}

// The last column of a row stays that, as rows of earlier versions have it too.
void keep_hash_last(json& row) {
  const json hash = row["state_hash"];
  row.erase("state_hash");
  row["state_hash"] = hash;
}

// Puts the energies of a collapse, from the ledger of its result file, at the end of its row:
// kinetic and potential energy at both ends, whose changes together are the sum of the works, and
// the largest imbalance of a step.
void add_energies(json& row, const ResultReader& results) {
  for (const char* name : {"kinetic", "potential"}) {
    const std::vector<double> energy = results.ledger(name);
    row[fmt::format("{}_start", name)] = energy.front();
    row[fmt::format("{}_end", name)] = energy.back();
  }
  std::vector<std::string> works = {"contact_normal_work",  "contact_tangential_work",
                                    "contact_rolling_work", "numerical_dissipation",
                                    "projection_work",      "driven_work",
                                    "external_work",        "event_energy"};
  for (const contact::LawEnergy& energy : contact::Laws::energies) works.emplace_back(energy.name);
  for (const std::string& name : works) {
    const std::vector<double> done = results.ledger(name);
    row[name] = std::accumulate(done.begin(), done.end(), 0.0);
  }
  double imbalance = 0.0;
  for (const double balance : results.ledger("balance"))
    imbalance = std::max(imbalance, std::abs(balance));
  row["max_abs_balance"] = imbalance;
  row["energy_scale"] = results.ledger("energy_scale").back();
  keep_hash_last(row);
}

// What packing and collapse were warned of, before the last column. The files are read under the
// lock.
void add_warnings(json& row, const std::string& base, const ResultReader& collapse) {
  std::vector<RecordedWarning> warnings = collapse.warnings();
  if (const std::string pack = base + "-pack.h5"; std::filesystem::exists(pack)) {
    for (const RecordedWarning& warning : ResultReader(pack).warnings()) {
      const auto same = std::ranges::find(warnings, warning.id, &RecordedWarning::id);
      if (same == warnings.end())
        warnings.push_back(warning);
      else
        same->entry.worst = std::max(same->entry.worst, warning.entry.worst);
    }
  }
  row["warnings"] = warning_words(warnings);
  keep_hash_last(row);
}

// The row of a member that is done already; null: there is none that can be read, or it is that of
// other settings. Those of earlier versions have fewer energies.
json finished_row(const std::string& base) {
  json row = json::parse(read_text(base + ".json"), nullptr, false);
  const std::lock_guard lock(hdf5());
  const ResultReader results(base + "-collapse.h5");
  if (!row.is_object() || !row.contains("state_hash") || row["state_hash"] != results.state_hash())
    return {};
  if (!row.contains("projection_work")) add_energies(row, results);
  if (!row.contains("warnings")) add_warnings(row, base, results);
  return row;
}

}  // namespace

void refuse_other_results(const ColumnTask& task, const ColumnMember& member,
                          const Scene& packing) {
  const std::string base = (std::filesystem::path(task.folder) / member.name()).string();
  const std::string pack_file = base + "-pack.h5", collapse_file = base + "-collapse.h5";
  if (const auto found = finished_scene(pack_file))
    refuse_other_settings(pack_file, found->is(packing.source, packing.files));
  if (const auto found = finished_scene(collapse_file)) {
    // How long it lasts follows from the packing, which need not be there yet: as long as it did.
    const double end = scenes::parse_toml(found->text, collapse_file)["time"]["end"].value_or(0.0);
    refuse_other_settings(collapse_file,
                          found->is(collapse_scene(task, member, end), packing.files));
  }
}

json run_column_member(const ColumnTask& task, const ColumnMember& member,
                       const std::atomic<bool>& stop) {
  const std::string base = (std::filesystem::path(task.folder) / member.name()).string();
  const std::string pack_file = base + "-pack.h5";

  // Filling.
  Scene pack = with_threads(packing_scene(task, member, base + "-pack.toml"), task.threads);
  const ColumnFrame frame = column_frame(pack.model, pack.state);
  const GrainTable grains(pack.model);
  if (!is_finished(pack_file, pack)) {
    write_file(base + "-pack.toml", pack.source);
    run_into(pack, pack_file, nullptr, stop);
  }
  remove_checkpoint(pack_file);
  bool packing_quiet = false;
  {
    const std::lock_guard lock(hdf5());
    const ResultReader results(pack_file);
    start_from(results, pack_file, pack);
    packing_quiet = results.time_end() < pack.settings.time.end - 0.5 * pack.settings.time.dt;
  }
  const double height = column_height(pack.model, pack.state, grains);
  const double packing = grains.total_volume() / (frame.area(0.0, frame.length) * height);
  const double size = grains.mean_size();
  const double fall = std::sqrt(height / pack.model.gravity.norm());

  // Collapse.
  constexpr double longest = 12.0;  // [-] in sqrt(H / g); the flow takes about 3.3
  const std::string text = collapse_scene(task, member, longest * fall);
  Scene collapse = with_threads(parse_member(task, text, base + "-collapse.toml"), task.threads);
  if (is_finished(base + "-collapse.h5", collapse)) {
    const json done = finished_row(base);
    if (!done.is_null()) {
      remove_checkpoint(base + "-collapse.h5");
      return done;
    }
  }
  write_file(base + "-collapse.toml", text);
  {
    const std::lock_guard lock(hdf5());
    start_from(ResultReader(pack_file), pack_file, collapse);
  }
  FrontRecorder front(collapse.model, frame, 0.05 * fall, base + "-front.csv");
  const RunReport report = run_into(collapse, base + "-collapse.h5", &front, stop);

  const DepositProfile profile =
      deposit_profile(front.last_places, front.grains(), front.last_pile, frame, size, packing);
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
              {"grains_in_pile", in_heap}};
  {
    const std::lock_guard lock(hdf5());
    const ResultReader results(base + "-collapse.h5");
    add_steps(row, results, size);
    row["state_hash"] = report.state_hash;
    add_energies(row, results);
    add_warnings(row, base, results);
  }
  write_file(base + "-profile.csv", profile_csv(profile));
  write_file(base + ".json", row.dump(1));
  remove_checkpoint(base + "-collapse.h5");
  return row;
}

}  // namespace scree::study
