// How --help looks: one line a choice, units and defaults said, wrapped at 100 columns, examples.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace scree {

class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_usage(const CLI::App* command, std::string name) const override;
};

// For the program and all its commands, with an example for each.
void use_help_format(CLI::App& app);

}  // namespace scree
