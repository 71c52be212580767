#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "contact/fclib/fclib.hpp"
#include "engine/base/check.hpp"
#include "engine/files/checkpoint.hpp"
#include "engine/files/result_reader.hpp"
#include "engine/state_hash.hpp"
#include "scenes/blocks/decompose.hpp"
#include "scenes/blocks/drawn_joints.hpp"
#include "scenes/blocks/solids.hpp"
#include "scenes/raster/read_raster.hpp"
#include "scenes/read/scene.hpp"
#include "tests/fuzz/edit_hdf5.hpp"
#include "tests/fuzz/screening.hpp"

namespace scree::fuzz {
namespace {

constexpr const char* scene_name = "fuzz.toml";

void put(const std::string& input, const std::string& file) {
  std::ofstream(file, std::ios::binary | std::ios::trunc)
      .write(input.data(), static_cast<std::streamsize>(input.size()));
}

// "NAME:line:column: ".
bool says_where(std::string_view what, std::string_view name) {
  if (!what.starts_with(name)) return false;
  what.remove_prefix(name.size());
  for (int part = 0; part < 2; ++part) {
    const std::size_t digits = what.find_first_not_of("0123456789", 1);
    if (!what.starts_with(':') || digits == 1 || digits == std::string_view::npos) return false;
    what.remove_prefix(digits);
  }
  return what.starts_with(": ");
}

// The answer where `action` throws; a refusal is one line for which `is_placed` holds.
template <class Action, class IsPlaced, class IsForm>
Answer answer_of(Action&& action, IsPlaced&& is_placed, IsForm&& is_form) {
  Answer answer;
  try {
    action();
  } catch (const InputError& error) {
    const std::string what = error.what();
    answer.outcome = is_form(what) ? Outcome::refused_form : Outcome::refused_content;
    if (what.find('\n') != std::string::npos)
      answer.fault = "more than one line: " + what;
    else if (!is_placed(what))
      answer.fault = "does not say where: " + what;
  } catch (const std::exception& error) {
    answer.outcome = Outcome::refused_content;
    answer.fault = std::string("another exception: ") + error.what();
  }
  return answer;
}

template <class Action>
Answer scene_answer(Action&& action) {
  // What a file named by the scene has wrong is said at its place in that file.
  return answer_of(
      action,
      [](const std::string& what) {
        return says_where(what, scene_name) || says_where(what, "history.csv");
      },
      [](const std::string& what) { return what.find(": TOML: ") != std::string::npos; });
}

template <class Action>
Answer file_answer(const std::string& input, const std::string& file, Action&& action) {
  put(input, file);
  forget_screenings();
  return answer_of(
      action, [&](const std::string& what) { return what.starts_with(file + ": "); },
      [](const std::string&) { return !screening_passed(); });
}

Answer read_scene(const std::string& input, const std::string&) {
  return scene_answer([&] {
    parse_scene(input, scene_name, [](const std::string&) {
      return std::string("time [s], linear_x [m/s]\n0, 0\n1, 1\n");
    });
  });
}

// One body.
constexpr const char* table_scene = R"(
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
)";

// The table of a driven body's motion.
Answer read_history(const std::string& input, const std::string&) {
  static const std::string scene = std::string(table_scene) + R"([body.motion]
kind = "velocity"
file = "history.csv"
)";
  return scene_answer(
      [&] { parse_scene(scene, scene_name, [&](const std::string&) { return input; }); });
}

// What a scene reads from one more file is read as that scene does.
Answer read_by_scene(const std::string& input, const std::string& scene, const std::string& name) {
  return answer_of(
      [&] { parse_scene(scene, scene_name, [&](const std::string&) { return input; }); },
      [&](const std::string& what) {
        return what.starts_with(name + ":") || says_where(what, scene_name);
      },
      [](const std::string&) { return false; });
}

// The record of an earthquake.
Answer read_record(const std::string& input, const std::string&) {
  const std::string name = input.starts_with("PEER") ? "record.AT2" : "record.csv";
  return read_by_scene(input,
                       R"(
[world]
acceleration = { kind = "ground", file = ")" +
                           name + R"(", direction = [1, 0, 0] })" + table_scene,
                       name);
}

// Where the rocks of an ensemble start, or the points that one is the hull of.
Answer read_points(const std::string& input, const std::string&) {
  const bool release = input.find(',') != std::string::npos;
  const std::string name = release ? "starts.csv" : "cloud.pts";
  return read_by_scene(input,
                       std::string(R"(
[time]
dt = 0.1
end = 1
[[material]]
name = "m"
density = 1
[[body]]
name = "ground"
kind = "half_space"
material = "m"
position = [0, 0, 0]
normal = [0, 0, 1]
[ensemble]
map = { cell = 5, low = [-50, -50], high = [50, 50] }
[[ensemble.rock]]
name = "a"
material = "m"
)") + (release ? "shape = \"ball\"\nmass = 1\n" : "shape = \"cloud\"\nfile = \"cloud.pts\"\n") +
                           "[[ensemble.release]]\nname = \"cliff\"\n" +
                           (release ? "file = \"starts.csv\"\n" : "points = [[0, 0]]\n"),
                       name);
}

// Heights of ground, of the format that they begin like.
Answer read_heights(const std::string& input, const std::string& file) {
  const std::string path = file + (input.starts_with("n") ? ".asc" : ".xyz");
  put(input, path);
  return answer_of(
      [&] {
        scenes::RasterOptions options;
        options.shown = "heights";
        scenes::read_raster(path, options);
      },
      [](const std::string& what) { return what.starts_with("heights:"); },
      [](const std::string&) { return false; });
}

// Models of blocks, of the format that they begin like.
Answer read_blocks(const std::string& input, const std::string&) {
  const auto begins = [&](std::string_view word) { return input.starts_with(word); };
  const std::string name = begins("{") || begins("[")    ? "blocks.json"
                           : begins("solid")             ? "blocks.stl"
                           : begins("o ") || begins("#") ? "blocks.obj"
                                                         : "blocks";
  return answer_of(
      [&] {
        blocks::SolidOptions options;
        options.repair = input.size() % 2 == 0;
        blocks::SolidReport report;
        try {
          const blocks::BlockModel model = blocks::read_blocks(input, name);
          const std::vector<blocks::Solid> solids = blocks::make_solids(model, options, report);
          for (const blocks::Solid& solid : solids) blocks::decompose(solid);
          blocks::pieces_at_joints(solids, model.joints, options.scale);
        } catch (const InputError& error) {
          const std::string what = error.what();
          const bool bare = what.starts_with("block '") || what.starts_with("joint of '");
          throw InputError(bare ? name + ": " + what : what);
        }
      },
      [&](const std::string& what) { return what.starts_with(name + ":"); },
      [](const std::string& what) {
        return what.find("is no sound JSON") != std::string::npos ||
               what.find("can't be told") != std::string::npos;
      });
}

Answer read_result(const std::string& input, const std::string& file) {
  return file_answer(input, file, [&] {
    const ResultReader reader(file);
    reader.title(), reader.program(), reader.scene_source(), reader.scene_files(),
        reader.state_hash(), reader.failure(), reader.warnings(), reader.materials();
    reader.settings(), reader.pairs(), reader.bodies(), reader.shapes(), reader.frame_bytes(),
        reader.contact_bytes(), reader.n_contacts(), reader.n_pairs(), reader.time_end();
    for (const char* name : {"time", "kinetic", "balance"}) reader.ledger(name);
    for (const char* name : {"time", "contacts"}) reader.solver(name);
    reader.frame_times();
    for (std::int64_t i = 0; i < reader.n_frames();
         i += std::max<std::int64_t>(reader.n_frames() / 2, 1)) {
      reader.frame(i);
      if (reader.has_contacts()) reader.contacts(i);
    }
    if (reader.n_frames() > 0) reader.last_frame();
  });
}

Answer read_checkpoint_file(const std::string& input, const std::string& file) {
  return file_answer(input, file, [&] { read_checkpoint(file); });
}

Answer read_problem(const std::string& input, const std::string& file) {
  return file_answer(input, file, [&] { contact::read_fclib(file, contact::FclibForm::bodies); });
}

std::string mutate_text(const std::vector<std::string>& corpus, Random& random,
                        const std::string&) {
  return mutate_toml(corpus, random);
}

std::string mutate_table(const std::vector<std::string>& corpus, Random& random,
                         const std::string&) {
  return mutate_bytes(corpus, random);
}

// Half of them with other words and numbers in them, the others damaged.
std::string mutate_words(const std::vector<std::string>& corpus, Random& random,
                         const std::string&) {
  return random() % 2 == 0 ? mutate_toml(corpus, random) : mutate_bytes(corpus, random);
}

// Two in three whole, with odd things in them; the others damaged, some of them besides.
std::string mutate_file(const std::vector<std::string>& corpus, Random& random,
                        const std::string& scratch) {
  const auto kind = random() % 6;
  if (kind < 4) return edit_hdf5(corpus, random, scratch);
  if (kind == 4) return mutate_bytes(corpus, random);
  return mutate_bytes({edit_hdf5(corpus, random, scratch)}, random);
}

// Most with a right checksum: the wrong ones are found at once.
std::string make_checkpoint(const std::vector<std::string>& corpus, Random& random,
                            const std::string& scratch) {
  constexpr std::size_t trailer = 64;
  std::vector<std::string> images = corpus;
  for (std::string& image : images) image.resize(image.size() - std::min(image.size(), trailer));
  const std::string image = mutate_file(images, random, scratch);
  return image +
         (random() % 20 == 0 ? std::string(trailer, '0') : sha256(image.data(), image.size()));
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"scene", mutate_text, read_scene},
      {"history", mutate_table, read_history},
      {"record", mutate_words, read_record},
      {"points", mutate_words, read_points},
      {"heights", mutate_words, read_heights},
      {"blocks", mutate_words, read_blocks},
      {"result", mutate_file, read_result, true},
      {"checkpoint", make_checkpoint, read_checkpoint_file, true},
      {"fclib", mutate_file, read_problem, true}};
  return all;
}

}  // namespace scree::fuzz
