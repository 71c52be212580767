// scree example: the scenes that ship, as files of the user's.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "scenes/read/document.hpp"
#include "scenes/read/scene.hpp"
#include "tools/cli/commands.hpp"
#include "tools/common/console.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/output_path.hpp"
#include "tools/common/shipped_scenes.hpp"

namespace scree {
namespace {

struct ExampleOptions {
  std::string name, out;
  bool force = false;
};

void list_scenes() {
  std::string use;
  for (const ShippedScene& scene : shipped_scenes) {
    if (use != scene.use) output("{}\n", use = scene.use);
    output("  {:<20} {}\n", scene.name,
           scenes::parse_toml(scene.text, scene.name)["title"].value_or(std::string()));
  }
}

[[noreturn]] void refuse_unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const ShippedScene& scene : shipped_scenes) names.emplace_back(scene.name);
  const std::string near = scenes::nearest(name, names);
  throw InputError(fmt::format("'{}': no such example{}; `scree example` lists them", name,
                               near.empty() ? "" : fmt::format(", perhaps '{}'", near)));
}

// Whether the file has this text already.
bool is_there(const std::string& path, std::string_view text) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && read_input_file(path) == text;
}

void write_scene(ExampleOptions options) {
  const ShippedScene* const scene = find_shipped_scene(options.name);
  if (scene == nullptr) refuse_unknown(options.name);
  if (options.out.empty()) options.out = fmt::format("{}.toml", scene->name);
  check_output_path(options.out, "", options.force);
  const std::string extension = extension_of(options.out);
  require(extension == ".toml", options.out,
          fmt::format("unknown extension '{}'; known: .toml", extension));
  const std::filesystem::path folder = std::filesystem::path(options.out).parent_path();
  // Two scenes may name the same file.
  std::vector<const ShippedFile*> missing;
  for (const ShippedFile& file : scene->files) {
    const std::string path = (folder / file.name).string();
    if (is_there(path, file.text)) continue;
    check_output_path(path, "", options.force);
    missing.push_back(&file);
  }
  for (const ShippedFile* file : missing) {
    const std::string path = (folder / file->name).string();
    write_file(path, file->text);
    notice("wrote {}, which {} names\n", path, options.out);
  }
  write_file(options.out, scene->text);
  const bool many = std::string_view(scene->text).find("[ensemble]") != std::string_view::npos;
  notice("wrote {}: scree check {} shows what it holds, scree {} {} computes it\n", options.out,
         options.out, many ? "ensemble" : "run", options.out);
}

}  // namespace

void add_example_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "example", "List the scenes that ship, or write one as a file to start from");
  const auto options = std::make_shared<ExampleOptions>();
  command->add_option("name", options->name, "Scene to write; without one they are listed")
      ->type_name("NAME");
  command
      ->add_option("-o,--out", options->out, "Scene file; default: NAME.toml in the working folder")
      ->type_name("FILE.toml");
  command->add_flag("--force", options->force, "Replace the file if it exists");
  command->callback([options, command, &exit_code] {
    if (command->count("name") > 0) {
      write_scene(*options);
    } else {
      require(options->out.empty() && !options->force, options->out.empty() ? "--force" : "--out",
              "needs the name of a scene to write");
      list_scenes();
    }
    exit_code = exit_done;
  });
}

}  // namespace scree
