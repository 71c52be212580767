#include "tools/cli/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <vector>

#include "contact/laws/laws.hpp"
#include "contact/solver/names.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/version.hpp"
#include "tools/cli/progress.hpp"
#include "tools/common/departures.hpp"
#include "tools/common/warnings.hpp"

namespace scree {
namespace {

struct EnergyTerm {
  const char* name;
  const char* label;
  double value;
};

std::vector<EnergyTerm> energy_terms(const RunReport& report) {
  const LedgerRow& e = report.energy;
  std::vector<EnergyTerm> terms = {
      {"kinetic", "kinetic, at the end", e.kinetic},
      {"potential", "potential, at the end", e.potential},
      {"external_work", "work of external forces", e.external_work},
      {"drag_work", "work of drag", e.drag_work},
      {"driven_work", "work of driven bodies", e.driven_work},
      {"shear_work", "work of sheared images", e.shear_work},
      {"contact_normal_work", "work at contacts, normal", e.contact_normal_work},
      {"contact_tangential_work", "work at contacts, tangential", e.contact_tangential_work},
      {"contact_rolling_work", "work at contacts, rolling and spinning", e.contact_rolling_work},
      {"numerical_dissipation", "numerical dissipation", e.numerical_dissipation},
      {"projection_work", "position correction", e.projection_work},
      {"event_energy", "bodies appeared, vanished or left", e.event_energy},
      {"max_positive_normal_work", "most energy from a contact, normal", e.max_normal_work},
      {"max_positive_tangential_work", "most energy from a contact, tangential",
       e.max_tangential_work},
      {"max_positive_rolling_work", "most energy from a contact, rolling", e.max_rolling_work},
      {"max_abs_balance", "largest imbalance of a step", report.max_abs_balance},
      {"energy_scale", "energy scale", e.energy_scale}};
  for (std::size_t i = 0; i < e.law_energy.size(); ++i) {
    const contact::LawEnergy& law = contact::Laws::energies[i];
    terms.push_back({law.name, law.label, e.law_energy[i]});
  }
  return terms;
}

// Energy that contacts put in is what the solver's tolerance lets pass: it says little without the
// energy at hand.
std::string share_of_scale(const EnergyTerm& term, const RunReport& report) {
  if (!std::string_view(term.name).starts_with("max_positive") ||
      !(report.energy.energy_scale > 0.0))
    return "";
  return fmt::format("   {:.1e} of the energy scale", term.value / report.energy.energy_scale);
}

struct Phase {
  const char* name;
  double seconds;
};

std::array<Phase, 5> phases(const RunReport& report) {
  return {{{"detect", report.seconds_detect},
           {"assemble", report.seconds_assemble},
           {"solve", report.seconds_solve},
           {"advance", report.seconds_advance},
           {"record", report.seconds_record}}};
}

std::string time_table(const RunReport& report) {
  const double total = std::max(report.seconds_total, 1e-9);
  const double steps = std::max<double>(static_cast<double>(report.steps), 1.0);
  std::string text =
      fmt::format("wall time    {:.2f} s on {} thread{} ({})\n", report.seconds_total,
                  report.threads, report.threads == 1 ? "" : "s", backend_name(report.backend));
  for (const Phase& phase : phases(report)) {
    text += fmt::format("  {:<9} {:10.3f} s {:6.1f} % {:11.4f} ms a step\n", phase.name,
                        phase.seconds, 100.0 * phase.seconds / total, 1e3 * phase.seconds / steps);
  }
  return text;
}

// What a run is of, however it ends.
nlohmann::ordered_json header_json(const std::string& scene, const std::string& title,
                                   const std::string& file) {
  return {{"version", program_name()}, {"scene", scene}, {"title", title}, {"out", file}};
}

nlohmann::ordered_json header_json(const Scene& scene, const std::string& file) {
  return header_json(scene.source_name, scene.title, file);
}

}  // namespace

std::string law_name(const MaterialTable& materials) {
  std::optional<ImpactLaw> law;
  for (const std::optional<PairLaw>& pair : materials.pair_law) {
    if (!pair) continue;
    if (law && *law != pair->law) return "mixed";
    law = pair->law;
  }
  return contact::Laws::name_of(law.value_or(ImpactLaw{}));
}

std::string summary_table(const RunSummary& run) {
  const RunReport& r = run.report;
  const Settings& s = run.scene.settings;
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{}\n",
                 printable(run.scene.title.empty() ? run.scene.source_name : run.scene.title));
  if (run.resumed_at)
    fmt::format_to(out,
                   "resumed      at t = {:.9g} s; what follows is about the steps after that\n",
                   *run.resumed_at);
  fmt::format_to(
      out, "run          {} bodies, {} steps of {:g} s to t = {:.6g} s, law {}, theta {:g}\n",
      r.bodies, r.steps, s.time.dt, r.time_end, law_name(run.scene.model.materials), s.time.theta);
  fmt::format_to(out, "contacts     mean {:.1f}   max {}\n", r.contacts_mean, r.contacts_max);
  fmt::format_to(out, "sweeps       mean {:.1f}   median {:g}   p95 {:g}   max {}   a step\n",
                 r.iterations_mean, r.iterations_median, r.iterations_p95, r.iterations_max);
  fmt::format_to(out, "residual     impulse {:.2e}   velocity {:.2e}   largest of any step\n",
                 r.residual_max.impulse, r.residual_max.velocity);
  fmt::format_to(
      out, "             scaled {:.2e}   published {:.2e}   siconos {:.2e}   largest of any step\n",
      r.residual_max.scaled, r.residual_max.published, r.residual_max.siconos);
  fmt::format_to(out, "unconverged  {} steps   (tolerance {:g}, measure {})\n", r.unconverged_steps,
                 s.step.solver.tolerance, contact::name_of(s.step.solver.measure));
  if (r.round_off_steps > 0) {
    fmt::format_to(
        out,
        "round-off    {} steps ended where what is left is round-off, short of the tolerance\n",
        r.round_off_steps);
  }
  if (r.from_zero_steps > 0) {
    fmt::format_to(
        out,
        "cold start   {} steps found the impulses of the step before of no use, and began at 0\n",
        r.from_zero_steps);
  }
  fmt::format_to(out, "penetration  {:.3g} m at most\n", r.penetration_max);
  if (s.step.correction != PositionCorrection::none) {
    fmt::format_to(out, "projection   {} steps unconverged, relative error {:.2e} at most\n",
                   r.projection_unconverged_steps, r.projection_residual_max);
  }
  if (r.caught > 0)
    fmt::format_to(out, "caught       {} times a fast body ended its step at a touch\n", r.caught);
  text += departures_text(r.departures, run.scene.model.name);
  fmt::format_to(out, "energy [J]\n");
  for (const EnergyTerm& term : energy_terms(r))
    fmt::format_to(out, "  {:<38} {:>14.6g}{}\n", term.label, term.value, share_of_scale(term, r));
  if (r.energy.energy_scale > 0.0) {
    fmt::format_to(out, "  {:<38} {:>14.2e}\n", "imbalance / energy scale",
                   r.max_abs_balance / r.energy.energy_scale);
  }
  text += time_table(r);
  std::error_code error;
  const auto bytes = std::filesystem::file_size(run.file, error);
  fmt::format_to(out, "result       {} ({:.1f} MB)\n", printable(run.file),
                 error ? 0.0 : static_cast<double>(bytes) * 1e-6);
  fmt::format_to(out, "state hash   {}\n", r.state_hash);
  text += warnings_text(raised_warnings(r.warnings, run.scene.model.name));
  return text;
}

nlohmann::ordered_json failure_json(const std::string& scene, const std::string& title,
                                    const std::string& file, const std::string& reason) {
  nlohmann::ordered_json json = header_json(scene, title, file);
  json["end"] = "failed";
  json["reason"] = reason;
  return json;
}

nlohmann::ordered_json finished_json(const Scene& scene, const std::string& file,
                                     const ResultReader& results) {
  nlohmann::ordered_json json = header_json(scene, file);
  json["end"] = "finished";
  json["steps"] = 0;
  json["time_end"] = results.time_end();
  json["state_hash"] = results.state_hash();
  return json;
}

nlohmann::ordered_json summary_json(const RunSummary& run) {
  const RunReport& r = run.report;
  nlohmann::ordered_json json = header_json(run.scene, run.file);
  if (run.resumed_at) json["resumed_at"] = *run.resumed_at;
  json["end"] = name_of(r.end);
  json["law"] = law_name(run.scene.model.materials);
  json["theta"] = run.scene.settings.time.theta;
  json["dt"] = run.scene.settings.time.dt;
  json["tolerance"] = run.scene.settings.step.solver.tolerance;
  json["measure"] = contact::name_of(run.scene.settings.step.solver.measure);
  json["bodies"] = r.bodies;
  json["steps"] = r.steps;
  json["time_end"] = r.time_end;
  json["contacts"] = {{"max", r.contacts_max}, {"mean", r.contacts_mean}};
  json["iterations"] = {{"mean", r.iterations_mean},
                        {"median", r.iterations_median},
                        {"p95", r.iterations_p95},
                        {"max", r.iterations_max}};
  json["residual"] = {
      {"impulse", r.residual_max.impulse},    {"velocity", r.residual_max.velocity},
      {"scaled", r.residual_max.scaled},      {"published", r.residual_max.published},
      {"siconos", r.residual_max.siconos},    {"unconverged_steps", r.unconverged_steps},
      {"round_off_steps", r.round_off_steps}, {"cold_starts", r.from_zero_steps}};
  for (const EnergyTerm& term : energy_terms(r)) json["energy"][term.name] = term.value;
  json["penetration"] = {{"max", r.penetration_max}};
  json["projection"] = {{"unconverged_steps", r.projection_unconverged_steps},
                        {"residual", r.projection_residual_max}};
  json["caught"] = r.caught;
  json["departures"] = departures_json(r.departures, run.scene.model.name);
  const std::vector<std::string>& names = run.scene.model.name;
  json["warnings"] = warnings_json(raised_warnings(r.warnings, names), names);
  for (const std::string& disturbance : run.disturbances) {
    json["warnings"].push_back({{"id", "result-disturbed"},
                                {"message", disturbance},
                                {"advice", "Give the run a file of its own (--out)."},
                                {"count", 1},
                                {"worst", nullptr},
                                {"time", nullptr},
                                {"bodies", nlohmann::ordered_json::array()}});
  }
  json["wall_seconds"]["total"] = r.seconds_total;
  for (const Phase& phase : phases(r)) json["wall_seconds"][phase.name] = phase.seconds;
  json["threads"] = r.threads;
  json["backend"] = backend_name(r.backend);
  json["state_hash"] = r.state_hash;
  json["resume_hash"] = r.resume_hash;
  return json;
}

}  // namespace scree
