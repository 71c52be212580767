#include "tools/cli/help_format.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scree {
namespace {

constexpr std::size_t names_width = 30, text_width = 100;

// What stands for a value: "serial|openmp|tbb", "N", "X". CLI11 has "TEXT:{serial,openmp,tbb}",
// "INT:INTEGER from 1" and the like.
std::string value_of(const CLI::Option& option) {
  std::string kind = option.get_type_name();
  const std::size_t brace = kind.find('{');
  if (brace != std::string::npos) {
    std::string choices = kind.substr(brace + 1, kind.find('}') - brace - 1);
    std::replace(choices.begin(), choices.end(), ',', '|');
    return choices;
  }
  kind = kind.substr(0, kind.find(':'));
  if (kind == "INT" || kind == "UINT") return "N";
  if (kind == "FLOAT") return "X";
  return kind;
}

std::string names_of(const CLI::Option& option, bool is_positional) {
  std::vector<std::string> names;
  if (is_positional) {
    const std::string kind = option.get_type_name();
    return kind.empty() || kind == "TEXT" ? option.get_single_name() : value_of(option);
  }
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  const std::string value = option.get_type_size() == 0 ? "" : value_of(option);
  return fmt::format("{}{}{}", fmt::join(names, ", "), value.empty() ? "" : " ", value);
}

std::string list_of(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back("--" + option->get_lnames().front());
  return fmt::format("{}", fmt::join(names, " or "));
}

std::string text_of(const CLI::Option& option) {
  std::string text = option.get_description();
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (!option.get_default_str().empty())
    text += fmt::format("; default: {}", option.get_default_str());
  if (!option.get_needs().empty()) text += fmt::format("; needs {}", list_of(option.get_needs()));
  if (!option.get_excludes().empty())
    text += fmt::format("; not with {}", list_of(option.get_excludes()));
  return text;
}

// Names, then the text in a column of its own.
std::string entry(const std::string& names, const std::string& text) {
  std::string lines = "  " + names;
  if (lines.size() + 2 > names_width)
    lines += "\n" + std::string(names_width, ' ');
  else
    lines += std::string(names_width - lines.size(), ' ');
  std::istringstream words(text);
  std::string word;
  std::size_t column = names_width;
  while (words >> word) {
    if (column > names_width && column + 1 + word.size() > text_width) {
      lines += "\n" + std::string(names_width, ' ');
      column = names_width;
    }
    if (column > names_width) lines += ' ', ++column;
    lines += word;
    column += word.size();
  }
  return lines + "\n";
}

const std::map<std::string, const char*>& examples() {
  static const std::map<std::string, const char*> all = {
      {"scree",
       "  scree example tower\n  scree run tower.toml\n  scree export tower.h5 -o tower.png"},
      {"import",
       "  scree import arch.json -o arch.toml --mu 0.7\n"
       "  scree import wall.obj -o wall.toml --scale 0.001 --supports lowest --repair"},
      {"joints",
       "  scree joints arch.h5 -o thrust.svg\n"
       "  scree joints arch.h5 -o joints.csv --interval block-9:block-10.normal"},
      {"keys", "  scree keys\n  scree keys contact\n  scree keys tolerance"},
      {"example", "  scree example\n  scree example arch -o my_arch.toml"},
      {"run",
       "  scree run tower.toml --t-end 0.5\n"
       "  scree run tower.toml --law newton --out newton.h5 --threads 2\n"
       "  scree run bouncing_ball.toml --set contact[0].e=0.5 --set body[ball].position[2]=2"},
      {"resume",
       "  scree resume tower.h5.checkpoint\n  scree resume tower.h5.checkpoint --t-end 20"},
      {"check", "  scree check tower.toml"},
      {"info", "  scree info tower.h5"},
      {"export",
       "  scree export tower.h5 -o tower.png --panels 3 --colour speed\n"
       "  scree export tower.h5 -o contacts.csv --table contacts --time 0.5"},
      {"plot", "  scree plot tower.h5 kinetic potential -o energies.svg"},
      {"report",
       "  scree report tower.h5 -o tower.html\n  scree report fremond.h5 newton.h5 -o both.html"},
      {"solve", "  scree solve problem.hdf5 --method all --tolerance 1e-8"},
      {"sweep",
       "  scree sweep bouncing_ball.toml --set contact[0].e=0.2:0.8:0.2 \\\n"
       "      --measure 'min(ball.vz)' --measure kinetic -o bounces.csv --page bounces.html\n"
       "  scree sweep block_on_incline.toml --set 'contact[0].mu=normal(0.6,0.05)' --samples 50 "
       "\\\n"
       "      --measure slips.displacement -o slips.csv --jobs 2"},
      {"study", "  scree study column column_slice.toml --quick\n  scree study shear --quick"},
      {"oedometer",
       "  scree study oedometer --quick\n"
       "  scree study oedometer --pressures 100,1000,10000 --friction 0.3,0.5 --jobs 2"},
      {"biaxial",
       "  scree study biaxial --quick\n"
       "  scree study biaxial --packing-friction 0,0.3 --seeds 1,2,3 --jobs 2"},
      {"shear",
       "  scree study shear --quick\n"
       "  scree study shear --inertial 0.01,0.1,0.3 --grains 500 --across 7 --seeds 1,2"},
      {"chute",
       "  scree study chute --quick\n"
       "  scree study chute --slopes 22,24,26,28 --shear shear-study --jobs 2"},
      {"column",
       "  scree study column column_slice.toml --quick\n"
       "  scree study column column_slice.toml --aspect 0.5,1,2,4 --seeds 1,2,3 --jobs 2"},
      {"bench", "  scree bench --scenes wall,pile --sizes 200 --threads 1,2"}};
  return all;
}

void use_for(CLI::App& command, const std::shared_ptr<HelpFormat>& format) {
  command.formatter(format);
  const auto found = examples().find(command.get_name());
  if (found != examples().end()) {
    const std::string own = command.get_footer();
    command.footer((own.empty() ? "" : own + "\n\n") + "Examples:\n" + found->second);
  }
  for (CLI::App* part : command.get_subcommands([](CLI::App*) { return true; }))
    use_for(*part, format);
}

}  // namespace

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  return entry(names_of(*option, is_positional), text_of(*option));
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description());
}

std::string HelpFormat::make_usage(const CLI::App* command, std::string name) const {
  std::string usage = "Usage: " + name;
  if (!command->get_options([](const CLI::Option* o) { return o->nonpositional(); }).empty())
    usage += " [OPTIONS]";
  for (const CLI::Option* option :
       command->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
    const std::string word =
        names_of(*option, true) + (option->get_items_expected_max() > 1 ? "..." : "");
    usage += option->get_required() ? " " + word : " [" + word + "]";
  }
  if (!command->get_subcommands([](const CLI::App*) { return true; }).empty()) usage += " COMMAND";
  return usage + "\n";
}

void use_help_format(CLI::App& app) { use_for(app, std::make_shared<HelpFormat>()); }

}  // namespace scree
