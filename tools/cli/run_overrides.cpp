#include "tools/cli/run_overrides.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "contact/laws/laws.hpp"
#include "engine/base/check.hpp"
#include "scenes/read/scene_edits.hpp"
#include "tools/common/console.hpp"
#include "tools/common/solver_choices.hpp"

namespace scree {
namespace {

const choices::Table<ImpactLaw> laws = [] {
  choices::Table<ImpactLaw> table;
  for (const char* name : contact::Laws::impact_names)
    table.emplace_back(name, *contact::Laws::named(name));
  return table;
}();
// As elsewhere, and with the name that scene files may also use.
const choices::Table<contact::Method> methods_of_runs = [] {
  choices::Table<contact::Method> table = choices::methods;
  table.emplace_back("automatic", contact::Method::automatic);
  return table;
}();

void apply_numbers(const RunOverrides& overrides, Settings& settings) {
  settings.time.end = overrides.t_end.value_or(settings.time.end);
  settings.time.dt = overrides.dt.value_or(settings.time.dt);
  settings.time.theta = overrides.theta.value_or(settings.time.theta);
  settings.step.solver.tolerance = overrides.tolerance.value_or(settings.step.solver.tolerance);
  settings.threads = overrides.threads.value_or(settings.threads);
  settings.checkpoint.every_steps =
      overrides.checkpoint_every_steps.value_or(settings.checkpoint.every_steps);
  settings.checkpoint.every_minutes =
      overrides.checkpoint_every_minutes.value_or(settings.checkpoint.every_minutes);
  if (overrides.no_frames) settings.output.keep_frames = false;
}

void apply_choices(const RunOverrides& overrides, Settings& settings) {
  if (overrides.measure)
    settings.step.solver.measure = choices::lookup(choices::measures, *overrides.measure);
  if (overrides.method)
    settings.step.solver.method = choices::lookup(methods_of_runs, *overrides.method);
  if (overrides.backend) settings.backend = choices::lookup(choices::backends, *overrides.backend);
}

struct Replaced {
  const char* field;
  const char* option;
  bool given;
};

// The fields that options of their own replace.
std::vector<Replaced> replaced_fields(const RunOverrides& overrides) {
  return {{"time.end", "--t-end", overrides.t_end.has_value()},
          {"time.dt", "--dt", overrides.dt.has_value()},
          {"time.theta", "--theta", overrides.theta.has_value()},
          {"solver.tolerance", "--tolerance", overrides.tolerance.has_value()},
          {"solver.measure", "--measure", overrides.measure.has_value()},
          {"solver.method", "--method", overrides.method.has_value()},
          {"solver.backend", "--backend", overrides.backend.has_value()},
          {"solver.threads", "--threads", overrides.threads.has_value()},
          {"output.keep_frames", "--no-frames", overrides.no_frames},
          {"checkpoint.every_steps", "--checkpoint-every-steps",
           overrides.checkpoint_every_steps.has_value()},
          {"checkpoint.every_minutes", "--checkpoint-every-minutes",
           overrides.checkpoint_every_minutes.has_value()}};
}

// The option that gave a field its value; empty: none.
std::string option_at_fault(const std::string& field, const RunOverrides& overrides) {
  for (const Replaced& replaced : replaced_fields(overrides)) {
    if (replaced.given && field == replaced.field) return replaced.option;
  }
  // More steps than there may be, or less than one.
  if (field == "time.end" && overrides.dt) return "--dt";
  // Which theta there may be is a matter of the law, and closing in two steps one of theta.
  if (field == "law.closing" && overrides.theta) return "--theta";
  return field == "time.theta" && overrides.law ? "--law" : "";
}

// As a word of a shell.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// The words of a line: blanks separate them but between single quotes, and a backslash keeps the
// character behind it.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool inside = false, begun = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!inside && line[i] == ' ') {
      begun = false;
      continue;
    }
    if (!begun) words.emplace_back();
    begun = true;
    if (line[i] == '\'') {
      inside = !inside;
    } else {
      if (!inside && line[i] == '\\' && i + 1 < line.size()) ++i;
      words.back() += line[i];
    }
  }
  return words;
}

}  // namespace

void add_resume_options(CLI::App& command, RunOverrides& overrides) {
  command.add_option("--t-end", overrides.t_end, "End of the run [s]")->type_name("S");
  command.add_option("--backend", overrides.backend, "What runs the threads")
      ->check(choices::one_of(choices::backends));
  command.add_option("--threads", overrides.threads, "Number of threads; 0: all processors")
      ->check(choices::thread_count());
}

void add_set_option(CLI::App& command, std::vector<std::string>& set) {
  command
      .add_option("--set", set,
                  "Another value for any key of the scene, as time.dt=1e-4, contact[0].mu=0.3, "
                  "body[rock].velocity=[5,0,0] or body[2].position[2]=1.5; may be given many times")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void refuse_given_twice(const RunOverrides& overrides) {
  for (const std::string& edit : overrides.set) {
    const std::string key = scenes::split_edit(edit).key;
    for (const Replaced& replaced : replaced_fields(overrides)) {
      require(!replaced.given || key != replaced.field, fmt::format("--set {}", edit),
              fmt::format("{} gives {} too; give one of them", replaced.option, replaced.field));
    }
    const bool of_law =
        key == "law.default" || (key.starts_with("contact[") && key.ends_with("].law"));
    require(!overrides.law || !of_law, fmt::format("--set {}", edit),
            "--law gives the law of all pairs; give one of them");
  }
}

void add_override_options(CLI::App& command, RunOverrides& overrides) {
  add_set_option(command, overrides.set);
  add_resume_options(command, overrides);
  command.add_option("--dt", overrides.dt, "Step length [s]")->type_name("S");
  command.add_option("--law", overrides.law, "Impact law of all pairs of materials")
      ->check(choices::one_of(laws));
  command.add_option("--theta", overrides.theta, "Weight of the scheme, from 1/2 to 1/(1+e)")
      ->type_name("X");
  command
      .add_option("--tolerance", overrides.tolerance,
                  "Tolerance of the contact solver on the measure")
      ->type_name("X");
  command.add_option("--measure", overrides.measure, "Residual measure that stops the solver")
      ->check(choices::one_of(choices::measures));
  command.add_option("--method", overrides.method, "Method of the contact solver")
      ->check(choices::one_of(methods_of_runs));
  command.add_flag("--no-frames", overrides.no_frames,
                   "Record the ledger and the solver's tables only");
  command
      .add_option("--checkpoint-every-steps", overrides.checkpoint_every_steps,
                  "Leave a checkpoint every N steps, and at the end; default: every 5 minutes "
                  "until the run is finished, and when it is asked to stop")
      ->check(choices::integer_within(0, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N");
  command
      .add_option("--checkpoint-every-minutes", overrides.checkpoint_every_minutes,
                  "Leave a checkpoint every M minutes, and at the end; default: as above")
      ->type_name("M");
}

std::string to_text(const RunOverrides& overrides) {
  std::string text;
  const auto option = [&](const char* name, const auto& value) {
    if (value) text += fmt::format("{}{} {}", text.empty() ? "" : " ", name, *value);
  };
  option("--t-end", overrides.t_end), option("--dt", overrides.dt),
      option("--theta", overrides.theta);
  option("--tolerance", overrides.tolerance), option("--law", overrides.law),
      option("--measure", overrides.measure);
  option("--method", overrides.method), option("--backend", overrides.backend),
      option("--threads", overrides.threads);
  option("--checkpoint-every-steps", overrides.checkpoint_every_steps);
  option("--checkpoint-every-minutes", overrides.checkpoint_every_minutes);
  if (overrides.no_frames) text += text.empty() ? "--no-frames" : " --no-frames";
  for (const std::string& edit : overrides.set)
    text += fmt::format("{}--set {}", text.empty() ? "" : " ", quoted(edit));
  return text;
}

RunOverrides parse_overrides(const std::string& text) {
  RunOverrides overrides;
  CLI::App app;
  add_override_options(app, overrides);
  try {
    std::vector<std::string> words = words_of(text);
    std::reverse(words.begin(), words.end());  // as the parser takes them
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    throw InputError("overrides '" + text + "': " + error.what());
  }
  return overrides;
}

SceneChange change_by(const RunOverrides& overrides) {
  const auto make = [overrides](Scene& scene) {
    apply_numbers(overrides, scene.settings);
    apply_choices(overrides, scene.settings);
  };
  return {make, [overrides](const std::string& field) { return option_at_fault(field, overrides); },
          overrides.set,
          overrides.law ? std::optional(choices::lookup(laws, *overrides.law)) : std::nullopt};
}

void tell_options_without_effect(const RunOverrides& overrides, const Scene& scene) {
  if (scene.settings.backend == Backend::serial && overrides.threads.value_or(1) != 1) {
    notice(
        "The serial backend uses one thread; --threads {} has no effect (use --backend openmp or "
        "tbb).\n",
        *overrides.threads);
  }
}

}  // namespace scree
