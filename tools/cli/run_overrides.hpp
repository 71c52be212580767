// Options of the command line that replace values of a scene. A checkpoint keeps them as text.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenes/read/scene.hpp"

namespace scree {

struct RunOverrides {
  std::optional<double> t_end, dt, theta, tolerance, checkpoint_every_minutes;
  std::optional<std::string> law, measure, method, backend;
  std::optional<int> threads;
  std::optional<std::int64_t> checkpoint_every_steps;
  bool no_frames = false;
  std::vector<std::string> set;  // KEY=VALUE, made to the scene's text before all the others
};

// Adds all of them to a command; `overrides` must outlive it.
void add_override_options(CLI::App& command, RunOverrides& overrides);

// Adds those that a run that goes on may still change: --t-end, --backend, --threads.
void add_resume_options(CLI::App& command, RunOverrides& overrides);

// Adds --set alone.
void add_set_option(CLI::App& command, std::vector<std::string>& set);

// Throws InputError when one value is given by --set and by an option of its own.
void refuse_given_twice(const RunOverrides& overrides);

// The options as typed, and back, as a shell reads them. Numbers keep every bit.
std::string to_text(const RunOverrides& overrides);
RunOverrides parse_overrides(const std::string& text);

// What the options make of a scene; a fault in a value of theirs is told of the option.
SceneChange change_by(const RunOverrides& overrides);

void tell_options_without_effect(const RunOverrides& overrides, const Scene& scene);

}  // namespace scree
