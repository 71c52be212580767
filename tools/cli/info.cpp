// scree info: what a result file holds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/files/result_reader.hpp"
#include "engine/files/result_tables.hpp"
#include "tools/cli/commands.hpp"
#include "tools/common/console.hpp"
#include "tools/common/departures.hpp"
#include "tools/common/warnings.hpp"

namespace scree {
namespace {

struct Info {
  nlohmann::ordered_json file, settings, energy, departures, warnings;
  std::string departure_lines, warning_lines;
};

const char* status_of(const ResultReader& reader) {
  if (!reader.failure().empty()) return "failed";
  if (reader.finished()) return "finished";
  return reader.state_hash().empty() ? "running or killed" : "stopped";
}

Info collect(const std::string& path) {
  const ResultReader reader(path);
  Info info;
  const std::vector<double> times = reader.frame_times();
  const std::string hash = reader.state_hash();
  info.file = {{"file", path},
               {"bytes", std::filesystem::file_size(path)},
               {"title", reader.title()},
               {"program", reader.program()},
               {"scene_sha256", reader.scene_sha256()},
               {"status", status_of(reader)},
               {"bodies", reader.n_bodies()},
               {"steps", reader.n_steps()},
               {"time_end", reader.time_end()},
               {"frames", reader.n_frames()},
               {"contacts", reader.n_contacts()},
               {"state_hash", hash}};
  for (const SceneFile& named : reader.scene_files()) {
    if (named.text.starts_with("raster of ") || named.text.starts_with("classes of "))
      info.file["raster " + named.name] = named.text.substr(0, named.text.find('\n'));
  }
  if (reader.logs_impacts()) info.file["impacts"] = reader.n_impacts();
  if (const std::vector<ResultScreen> screens = reader.screens(); !screens.empty()) {
    info.file["screens"] = screens.size();
    info.file["crossings"] = reader.crossings().size();
  }
  if (reader.has_groups()) info.file["groups"] = reader.groups().name;
  if (const std::string mean = reader.stress_mean(); !mean.empty()) info.file["stress_mean"] = mean;
  if (const std::vector<ResultGauge> gauges = reader.gauges(); !gauges.empty()) {
    for (const ResultGauge& gauge : gauges) info.file["gauges"].push_back(gauge.name);
  }
  const auto share = [](std::uint64_t bytes, std::int64_t count) {
    return count > 0
               ? std::round(10.0 * static_cast<double>(bytes) / static_cast<double>(count)) / 10.0
               : 0.0;
  };
  info.file["frame_bytes_per_body"] =
      share(reader.frame_bytes(), reader.n_frames() * reader.n_bodies());
  info.file["bytes_per_contact"] = share(reader.contact_bytes(), reader.n_contacts());
  if (const auto loaded = reader.loaded_bodies(); !loaded.empty())
    info.file["loaded_bodies"] = loaded.size();
  if (const ResultGround ground = reader.ground(); !ground.acceleration.empty()) {
    double largest = 0.0;
    for (const Vector3& a : ground.acceleration) largest = std::max(largest, a.norm());
    info.file["ground_acceleration_max"] = largest;
  }
  if (const std::string failure = reader.failure(); !failure.empty())
    info.file["failure"] = failure;
  const std::vector<std::string> names = reader.bodies().name;
  std::vector<Departure> departures;
  if (reader.has_terrain()) {
    const std::vector<measure::DepartureRow> rows = reader.departures();
    departures.assign(rows.begin(), rows.end());
  }
  info.departures = departures_json(departures, names);
  info.departure_lines = departures_text(departures, names);
  const std::vector<RecordedWarning> warnings = reader.warnings();
  info.warnings = warnings_json(warnings, names);
  info.warning_lines = warnings_text(warnings);
  for (const auto& [name, value] : reader.settings()) info.settings[name] = value;
  for (const LedgerColumn& column : ledger_columns) {
    const std::vector<double> values = reader.ledger(column.name);
    if (!values.empty()) info.energy[column.name] = values.back();
  }
  return info;
}

std::string line(const std::string& name, const nlohmann::ordered_json& value) {
  return fmt::format("  {:<30} {}\n", name,
                     value.is_string() ? printable(value.get<std::string>()) : value.dump());
}

std::string table(const Info& info) {
  std::string text;
  for (const auto& [name, value] : info.file.items()) text += line(name, value);
  text += "settings\n";
  for (const auto& [name, value] : info.settings.items()) text += line(name, value);
  text += "ledger at the last step [J]\n";
  for (const auto& [name, value] : info.energy.items()) text += line(name, value);
  return text + info.departure_lines + info.warning_lines;
}

}  // namespace

void add_info_command(CLI::App& app, int& exit_code) {
  struct Options {
    std::string file;
    bool json = false;
  };
  CLI::App* command = app.add_subcommand("info", "Show what a result file holds");
  const auto options = std::make_shared<Options>();
  command->add_option("file", options->file, "Result file")->required()->type_name("FILE.h5");
  command->add_flag("--json", options->json, "One JSON object");
  command->callback([options, &exit_code] {
    const Info info = collect(options->file);
    nlohmann::ordered_json json = info.file;
    json["settings"] = info.settings;
    json["ledger_last_step"] = info.energy;
    json["departures"] = info.departures;
    json["warnings"] = info.warnings;
    if (options->json)
      write_json(json);
    else
      write_output(table(info));
    exit_code = exit_done;
  });
}

}  // namespace scree
