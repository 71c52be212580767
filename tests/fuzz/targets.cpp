#include "tests/fuzz/targets.hpp"

#include <fstream>
#include <regex>

#include "contact/fclib/fclib.hpp"
#include "engine/base/check.hpp"
#include "engine/files/checkpoint.hpp"
#include "engine/files/result_reader.hpp"
#include "engine/state_hash.hpp"
#include "scenes/read/scene.hpp"

namespace scree::fuzz {
namespace {

constexpr const char* scene_name = "fuzz.toml";

void put(const std::string& input, const std::string& file) {
  std::ofstream(file, std::ios::binary | std::ios::trunc)
      .write(input.data(), static_cast<std::streamsize>(input.size()));
}

// A refusal is one line that begins with where.
template <class Action>
std::string refusal_fault(const std::string& begin, Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    const std::string what = error.what();
    if (what.find('\n') != std::string::npos) return "more than one line: " + what;
    // What a file named by the scene has wrong is said at its place in that file.
    const bool in_history = begin == scene_name && what.starts_with("history.csv:");
    if (!what.starts_with(begin) && !in_history) return "does not say where: " + what;
    if (begin == scene_name &&
        !std::regex_search(what.substr(0, 60),
                           std::regex(R"(^(fuzz\.toml|history\.csv):\d+:\d+: )")))
      return "no line and column: " + what;
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "";
}

std::string read_scene(const std::string& input, const std::string&) {
  return refusal_fault(scene_name, [&] {
    parse_scene(input, scene_name, [](const std::string&) {
      return std::string("time [s], linear_x [m/s]\n0, 0\n1, 1\n");
    });
  });
}

// The table of a driven body's motion.
std::string read_history(const std::string& input, const std::string&) {
  static const std::string scene = R"(
[time]
dt = 0.1
end = 1
[[material]]
name = "m"
density = 1
[[body]]
name = "table"
kind = "box"
sides = [1, 1, 1]
material = "m"
position = [0, 0, 0]
[body.motion]
kind = "velocity"
file = "history.csv"
)";
  return refusal_fault(scene_name, [&] {
    parse_scene(scene, scene_name, [&](const std::string&) { return input; });
  });
}

std::string read_result(const std::string& input, const std::string& file) {
  put(input, file);
  return refusal_fault(file, [&] {
    const ResultReader reader(file);
    reader.title(), reader.program(), reader.scene_source(), reader.scene_files(),
        reader.state_hash(), reader.failure();
    reader.settings(), reader.pairs(), reader.bodies(), reader.shapes(), reader.frame_bytes(),
        reader.contact_bytes();
    for (const char* name : {"time", "kinetic", "balance"}) reader.ledger(name);
    for (const char* name : {"time", "contacts"}) reader.solver(name);
    reader.frame_times();
    for (std::int64_t i = 0; i < reader.n_frames(); i += 3) {
      reader.frame(i);
      if (reader.has_contacts()) reader.contacts(i);
    }
    if (reader.n_frames() > 0) reader.last_frame();
  });
}

std::string read_checkpoint_file(const std::string& input, const std::string& file) {
  put(input, file);
  return refusal_fault(file, [&] { read_checkpoint(file); });
}

std::string read_problem(const std::string& input, const std::string& file) {
  put(input, file);
  return refusal_fault(file, [&] { contact::read_fclib(file, contact::FclibForm::bodies); });
}

// Most with a right checksum: the wrong ones are found at once.
std::string make_checkpoint(const std::vector<std::string>& corpus, Random& random) {
  constexpr std::size_t trailer = 64;
  std::vector<std::string> images = corpus;
  for (std::string& image : images) image.resize(image.size() - std::min(image.size(), trailer));
  const std::string image = mutate_bytes(images, random);
  return image +
         (random() % 20 == 0 ? std::string(trailer, '0') : sha256(image.data(), image.size()));
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {{"scene", mutate_toml, read_scene},
                                          {"history", mutate_bytes, read_history},
                                          {"result", mutate_bytes, read_result},
                                          {"checkpoint", make_checkpoint, read_checkpoint_file},
                                          {"fclib", mutate_bytes, read_problem}};
  return all;
}

}  // namespace scree::fuzz
