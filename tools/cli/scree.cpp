// The program: subcommands, and the one place where failures become exit codes.
#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/check.hpp"
#include "scenes/read/document.hpp"
#include "scenes/read/scene_file.hpp"
#include "tools/cli/analyse.hpp"
#include "tools/cli/bench.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/ensemble.hpp"
#include "tools/cli/export.hpp"
#include "tools/cli/help_format.hpp"
#include "tools/cli/plot.hpp"
#include "tools/cli/report.hpp"
#include "tools/cli/solve.hpp"
#include "tools/cli/stop_signal.hpp"
#include "tools/cli/study.hpp"
#include "tools/cli/sweep.hpp"
#include "tools/common/console.hpp"
#include "tools/common/failure.hpp"
#include "tools/common/number_choices.hpp"
#include "tools/common/version.hpp"

namespace scree {
namespace {

// The option that a message begins with, as the user typed it: "--time: ..." is about `--times`
// when that is what stands there.
std::string as_typed(const CLI::App& command, int argc, char** argv, const std::string& message) {
  const std::string name = message.substr(0, message.find(':'));
  const CLI::Option* option = name.starts_with("--") && name.find(' ') == std::string::npos
                                  ? command.get_option_no_throw(name)
                                  : nullptr;
  if (option == nullptr) return message;
  std::vector<std::string> names;
  for (const std::string& one : option->get_lnames()) names.push_back("--" + one);
  for (const std::string& one : option->get_snames()) names.push_back("-" + one);
  for (int i = 1; i < argc; ++i) {
    const std::string typed = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (std::find(names.begin(), names.end(), typed) != names.end())
      return typed + message.substr(name.size());
  }
  return message;
}

// One line about what was asked for.
std::string asked_for(int argc, char** argv) {
  std::string text = "scree";
  for (int i = 1; i < argc; ++i) text += " " + std::string(argv[i]);
  return text;
}

std::string guess(const std::string& word, const std::vector<std::string>& known) {
  const std::string similar = scenes::nearest(word, known);
  return similar.empty() ? "" : fmt::format("; did you mean {}?", similar);
}

// A word that stands where a subcommand should, with the nearest one and all; empty: there is none.
// `deepest` becomes the subcommand that the words lead to.
std::string unknown_command(const CLI::App& app, int argc, char** argv, const CLI::App*& deepest) {
  deepest = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::vector<const CLI::App*> commands =
        deepest->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty()) break;
    if (word.rfind('-', 0) == 0) {
      // Before the command there is the program's own option only.
      const bool known =
          deepest != &app || app.get_option_no_throw(word.substr(0, word.find('='))) != nullptr;
      if (!known) return fmt::format("{} is not expected here", word);
      continue;
    }
    std::vector<std::string> names;
    for (const CLI::App* command : commands) names.push_back(command->get_name());
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) {
      const std::string similar = guess(word, names);
      return fmt::format("unknown command '{}'{} Known are {}", word,
                         similar.empty() ? "." : similar, fmt::join(names, ", "));
    }
    deepest = commands[static_cast<std::size_t>(found - names.begin())];
  }
  return "";
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// "Could not convert: NAME = TEXT" of the parser, with what is allowed.
std::string conversion_error(const CLI::App& command, const std::string& what) {
  const std::size_t begin = what.find(": "), end = what.find(" = ");
  if (begin == std::string::npos || end == std::string::npos) return what;
  const std::string name = what.substr(begin + 2, end - begin - 2), text = what.substr(end + 3);
  const CLI::Option* option = command.get_option_no_throw(name);
  const std::string type = option != nullptr ? option->get_type_name() : "";
  const bool whole = type == "N" || type == "INT" || type == "UINT";
  return fmt::format("{}: '{}' is not allowed; must be {}, without a unit", name, text,
                     whole ? "an integer" : "a number with a point before decimals");
}

// "NAME: At Most 1 required but received N" and "NAME: 1 required TYPE missing" of the parser.
std::string mismatch_error(const std::string& what) {
  const std::string name = what.substr(0, what.find(": "));
  const std::size_t received = what.find("At Most 1 required but received ");
  if (received != std::string::npos) {
    return fmt::format("{}: is given {} times; give it once", name,
                       what.substr(what.rfind(' ') + 1));
  }
  return what.ends_with(" missing") ? name + ": its value is missing" : what;
}

// Every option of numbers takes decimal digits alone, whatever checks it has besides.
void take_decimal_numbers_only(CLI::App& app) {
  constexpr std::array<std::string_view, 4> numbers = {"FLOAT", "S", "X", "M"};
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (CLI::Option* option : command->get_options()) {
      std::string kind = option->get_type_name();
      kind = kind.substr(0, kind.find(':'));
      if (std::ranges::find(numbers, kind) != numbers.end())
        option->check(choices::decimal_number().description(""));
    }
    take_decimal_numbers_only(*command);
  }
}

// One line about bad usage.
std::string usage_error(const CLI::App& app, int argc, char** argv, const CLI::ParseError& error) {
  const CLI::App* command = nullptr;
  const std::string unknown = unknown_command(app, argc, argv, command);
  if (!unknown.empty()) return unknown;
  const std::vector<const CLI::App*> further =
      command->get_subcommands([](const CLI::App*) { return true; });
  if (command != &app && !further.empty() &&
      dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    std::vector<std::string> names;
    for (const CLI::App* one : further) names.push_back(one->get_name());
    return fmt::format("{} needs a command of its own: {}", command->get_name(),
                       fmt::join(names, ", "));
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr)
    return as_typed(*command, argc, argv, conversion_error(*command, error.what()));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return as_typed(*command, argc, argv, mismatch_error(error.what()));
  const std::vector<std::string> extras = app.remaining(true);
  const bool about_words = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                           dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (!about_words || extras.empty()) return as_typed(*command, argc, argv, error.what());
  return fmt::format("{} is not expected here{}", extras.front(),
                     guess(extras.front(), option_names(*command)));
}

// Help or version, on standard output.
int print_asked(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream text;
  const int exit_code = app.exit(error, text, text);
  write_output(text.str());
  return exit_code;
}

// An empty argument is a shell variable that was not set, more often than not; the parser would
// take it for a zero.
void refuse_empty(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i], before = i > 1 ? argv[i - 1] : "scree";
    const std::string option = argument.starts_with("--") && argument.ends_with("=") ? argument
                               : argument.empty()                                    ? before
                                                                                     : "";
    require(option.empty(), "scree", fmt::format("an argument is empty, after '{}'", option));
  }
}

int run_command_line(int argc, char** argv) {
  int exit_code = exit_done;
  CLI::App app("Rigid-body granular and masonry mechanics: scenes in, result files out", "scree");
  app.set_version_flag("--version", version_text(), "Version, compiler, flags, libraries");
  app.require_subcommand(1);
  add_example_command(app, exit_code);
  add_import_command(app, exit_code);
  add_run_command(app, exit_code);
  add_resume_command(app, exit_code);
  add_check_command(app, exit_code);
  add_info_command(app, exit_code);
  add_keys_command(app, exit_code);
  add_export_command(app, exit_code);
  add_joints_command(app, exit_code);
  add_plot_command(app, exit_code);
  add_analyse_command(app, exit_code);
  add_report_command(app, exit_code);
  add_solve_command(app, exit_code);
  add_sweep_command(app, exit_code);
  add_ensemble_command(app, exit_code);
  add_study_command(app, exit_code);
  add_bench_command(app, exit_code);
  take_decimal_numbers_only(app);
  use_help_format(app);
  try {
    refuse_empty(argc, argv);
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return print_asked(app, error);
    notice("scree: {} (scree --help lists what is allowed)\n",
           shortened(usage_error(app, argc, argv, error)));
    return exit_bad_input;
  } catch (const InputError& error) {
    const CLI::App* command = nullptr;
    unknown_command(app, argc, argv, command);
    notice("{}\n", as_typed(*command, argc, argv, error.what()));
    return exit_bad_input;
  } catch (const std::filesystem::filesystem_error& error) {
    notice("{}: {}\n", error.path1().string(), error.code().message());
  } catch (const std::exception& error) {
    const std::string where = is_out_of_memory(error) ? asked_for(argc, argv) + ": " : "";
    notice("{}{}\n", where, reason_of(error));
  }
  return exit_failed;
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  // A file that may not grow further is then an error of the write, which is reported, not a
  // signal.
  std::signal(SIGXFSZ, SIG_IGN);
  scree::prepare_standard_streams();
  scree::clean_up_on_signal();
  return scree::close_standard_output(scree::run_command_line(argc, argv));
}
