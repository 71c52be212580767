// Every number of a scene, replaced by numbers that nobody means and by other things: accepted, or
// refused where it stands.
#include <catch2/catch.hpp>

#include <cmath>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "engine/observe.hpp"
#include "tests/scenes/read/bad_input.hpp"

namespace any_number_test {

using namespace scree;
using namespace scree::test;

namespace {

const std::string settings = R"([time]
dt = 0.001
end = 1.0
theta = 0.5
[world]
gravity = [0.0, 0.0, -9.81]
origin = [10.0, 20.0, 30.0]
[law]
correction = "projection"
correction_slop = 1e-5
[solver]
tolerance = 1e-8
max_iterations = 1000
min_iterations = 1
max_passes = 10
threads = 1
[output]
frames_per_second = 100
[checkpoint]
every_steps = 10
every_minutes = 5
[stop]
displacement = 1e-4
window = 0.1
after = 0.2
[start]
overlap_tolerance = 1e-6
allow_initial_overlap = true
[[material]]
name = "stone"
density = 2300
[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = 0.2
rolling = 0.01
spinning = 0.02
)";

const std::string place = R"(position = [0.1, 0.2, 5.0]
rotation = { axis = [0.1, 0.2, 1.0], angle_deg = 30 }
)";
const std::string motion = R"(velocity = [1.0, 2.0, 3.0]
angular_velocity = [1.0, 2.0, 3.0]
appears_at = 0.1
vanishes_at = 0.5
)";
const std::string histories = R"([body.motion]
kind = "KIND"
time = [0.0, 1.5]
linear = [[0.0, 0.1, 0.2], [1.0, 1.1, 1.2]]
angular = [[0.0, 0.1, 0.2], [1.0, 1.1, 1.2]]
)";

std::string table(const std::string& header, const std::string& keys) {
  return header + "\nname = \"it\"\nmaterial = \"stone\"\n" + keys;
}

// Tables of all kinds, with all keys that are numbers.
const std::vector<std::string> tables = {
    table("[[body]]", "kind = \"box\"\nsides = [1.0, 2.0, 3.0]\ndensity = 2000\n" + place + motion),
    table("[[body]]",
          "kind = \"sphere\"\nradius = 0.5\nmass = 100\ninertia = [1.0, 1.1, 1.2, 0.1, 0.1, "
          "0.1]\norientation = [1.0, 0.0, 0.0, 0.0]\n"),
    table("[[body]]",
          "kind = \"convex\"\nvertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, "
          "0.0, 1.0], [1.0, 1.0, 1.0]]\n"),
    table("[[body]]",
          "kind = \"half_space\"\nnormal = [0.1, 0.2, 1.0]\noffset = 0.5\nposition = [1.0, 2.0, "
          "3.0]\n"),
    table("[[body]]",
          "kind = \"points\"\npoints = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]\nmass = 1.5\ninertia = "
          "[1.0, 1.1, 1.2]\n"),
    table("[[body]]",
          "kind = \"cylinder_wall\"\nradius = 2.5\naxis = [0.1, 0.2, 1.0]\nbottom = -1.0\ntop = "
          "1.5\n"),
    table("[[body]]",
          "kind = \"compound\"\nparts = [ { kind = \"box\", sides = [1.0, 1.1, 1.2] }, { kind = "
          "\"convex\", vertices = [[0.0, 0.0, 0.0], "
          "[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], position = [3.0, 0.1, 0.2], "
          "rotation = { axis = [0.1, 0.1, 1.0], "
          "angle_deg = 10 } } ]\n"),
    table("[[body]]",
          "kind = \"box\"\nsides = [1.0, 2.0, 3.0]\n" + replaced(histories, "KIND", "velocity")),
    table("[[body]]", "kind = \"box\"\nsides = [1.0, 2.0, 3.0]\nvelocity = [1.0, 0.2, 0.3]\n" +
                          replaced(histories, "KIND", "acceleration")),
    table(
        "[[rock]]",
        "size = 1.5\nseed = 3\ncorners = 16\nirregularity = 0.2\nproportions = [1.0, 1.1, 1.2]\n"),
    table("[[rock]]",
          "size = 1.5\nvertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, "
          "1.0]]\n"),
    table("[[rough_plate]]", "length = 4.0\nwidth = 3.6\ngrain = 1.0\nroughness = 0.1\nseed = 2\n"),
    table("[[stack]]",
          "count = 3\nsides = [1.0, 1.1, 1.2]\ngap = 0.01\nposition = [0.1, 0.2, 5.0]\n"),
    table("[[arch]]", "voussoirs = 7\nradius = 1.5\nthickness = 0.2\ndepth = 0.5\n" + place),
    table("[[pyramid]]",
          "block = [1.0, 1.1, 1.2]\nfirst_course = 3\ncourses = 2\njoint_along = 0.01\njoint_up = "
          "0.01\n" +
              place),
    table(
        "[[grains]]",
        "count = 5\nseed = 1\nshape = \"hull\"\nsize = 0.1\ncorners = 12\nsphericity = "
        "0.8\nelongation = 1.2\nregion = { kind = "
        "\"cylinder\", radius = 1.5, height = 3.0 }\nposition = [0.1, 0.2, 5.0]\nvelocity = [0.1, "
        "0.2, 0.3]\n"),
    table("[[grains]]",
          "count = 5\nshape = \"cross\"\nthickness = 0.4\nsize_range = [0.1, 0.2]\nregion = { kind "
          "= \"box\", length = 1.5, width = "
          "1.2, height = 3.0 }\n"),
    table("[[grains]]",
          "count = 400\nshape = \"sphere\"\ngrading = { size = [0.1, 0.11, 0.12], mass = [0.5, "
          "0.5] }\nregion = { kind = \"box\", length "
          "= 1.5, width = 1.2 }\n"),
    table("[[fragments]]", "sides = [1.0, 1.1, 1.2]\ncount = 5\nseed = 2\n" + place),
    table("[column]",
          "kind = \"slice\"\nside_material = \"stone\"\ndensity = 2000\naspect = 1.5\ngrains = "
          "30\nwidth = 5.5\npacking = 0.58\nrelease "
          "= 0.1\nlift_speed = 1.5\nshape = \"sphere\"\nsize = 0.1\n"),
    table("[column]",
          "kind = \"axisymmetric\"\naspect = 1.5\nlength = 3.5\nshape = \"sphere\"\nsize_range = "
          "[0.1, 0.12]\n"),
    table("[[wall]]",
          "block = [1.0, 2.1, 1.2]\ncourses = 3\nfirst_course = 5\nrake = 1\njoint_along = "
          "0.01\njoint_up = 0.01\nbuttresses = { positions "
          "= [0.5], blocks = 1.5, courses = 2, gap_odd = 0.01, gap_even = 0.02 }\n" +
              place),
};

const std::vector<std::string> odd_values = {
    "1e-300",  "1e-14", "1e300", "-1e300", "1e14", "nan", "-inf", "-1", "0", "9223372036854775807",
    "\"two\"", "true",  "[]"};

// What is wrong with an answer to `text`, in whose line `line` a number was replaced; empty:
// nothing.
std::string fault(const std::string& text, std::size_t line) {
  std::string message;
  try {
    Scene scene = parse_scene(text, "scene.toml");
    const LedgerRow energy = first_record(scene.model, scene.state).ledger;
    return std::isfinite(energy.kinetic) && std::isfinite(energy.potential)
               ? ""
               : "accepted, with an energy that is not finite";
  } catch (const InputError& error) {
    message = error.what();
  }
  static const std::regex form(
      R"(scene\.toml:(\d+):\d+: ([a-z_.]+): .*(must|allowed|give|needs|cannot hold).*)");
  std::smatch found;
  if (!std::regex_match(message, found, form)) return "has another form: " + message;
  // Where two keys contradict each other, the other one may be named.
  const std::size_t named = std::stoul(found[1]);
  std::istringstream lines(text);
  std::string content, header_of_named, header_of_line, header;
  for (std::size_t number = 1; std::getline(lines, content); ++number) {
    if (content[0] == '[') header = content;
    if (number == named) header_of_named = header;
    if (number == line) header_of_line = header;
  }
  return header_of_named == header_of_line ? "" : "points to another table: " + message;
}

// The place of the bracket that closes the one at `at`.
std::size_t closing(const std::string& text, std::size_t at) {
  for (int depth = 0; at < text.size(); ++at) {
    depth += text[at] == '[' ? 1 : text[at] == ']' ? -1 : 0;
    if (depth == 0) break;
  }
  return at;
}

}  // namespace

TEST_CASE("Every array of a scene may be empty, or is refused where it stands", "[scenes][unit]") {
  std::size_t replaced_arrays = 0;
  std::vector<std::string> texts = {settings + tables[0]};
  for (const std::string& table : tables) texts.push_back(settings + table);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string& text = texts[i];
    for (std::size_t at = i == 0 ? 1 : settings.size(); at < text.size(); ++at) {
      // Not the bracket of a header.
      if (text[at] != '[' || text[at - 1] == '\n' || (text[at - 1] == '[' && text[at - 2] == '\n'))
        continue;
      ++replaced_arrays;
      const auto line =
          1 + static_cast<std::size_t>(
                  std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
      for (const char* empty : {"[]", "[[]]", "[{}]"}) {
        const std::string changed = text.substr(0, at) + empty + text.substr(closing(text, at) + 1);
        INFO(changed);
        CHECK(fault(changed, line) == "");
      }
    }
  }
  CHECK(replaced_arrays > 70);
  // All arrays of a table at once; and no tables at all.
  for (const std::string& table : tables) {
    std::string text = settings + table;
    for (std::size_t at = settings.size(); at < text.size(); ++at) {
      if (text[at] == '[' && text[at - 1] == ' ')
        text.replace(at, closing(text, at) + 1 - at, "[]");
    }
    INFO(text);
    CHECK(fault(text, static_cast<std::size_t>(std::count(settings.begin(), settings.end(), '\n')) +
                          2) == "");
  }
  for (const char* name : {"material", "contact", "body", "shape", "rock", "stack", "arch",
                           "pyramid", "grains", "fragments", "wall", "rough_plate"}) {
    INFO(name);
    const std::string message =
        message_of(std::string(name) + " = []\n[time]\ndt = 0.001\nend = 1.0\n");
    CHECK((message == "accepted" || message.starts_with("scene.toml:")));
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("Every number of a scene is accepted, or refused where it stands", "[scenes][unit]") {
  static const std::regex number(R"((^|[ \[])(-?\d+(\.\d+)?(e-\d+)?)(?=[,\] \n]))");
  std::size_t replaced_numbers = 0;
  for (std::size_t i = 0; i <= tables.size(); ++i) {
    const std::string text = settings + (i < tables.size() ? tables[i] : tables[0]);
    REQUIRE(message_of(text) == "accepted");
    const std::size_t begin = i < tables.size() ? settings.size() : 0,
                      end = i < tables.size() ? text.size() : settings.size();
    const std::string part = text.substr(begin, end - begin);
    for (std::sregex_iterator it(part.begin(), part.end(), number), last; it != last; ++it) {
      ++replaced_numbers;
      const std::size_t at = begin + static_cast<std::size_t>(it->position(2)),
                        length = static_cast<std::size_t>(it->length(2));
      const auto line =
          1 + static_cast<std::size_t>(
                  std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
      for (const std::string& value : odd_values) {
        const std::string changed = text.substr(0, at) + value + text.substr(at + length);
        INFO("line " << line << ", column of \"" << text.substr(at, length) << "\", replaced by "
                     << value << ":\n"
                     << changed.substr(begin));
        CHECK(fault(changed, line) == "");
      }
    }
  }
  CHECK(replaced_numbers > 200);
}

}  // namespace any_number_test
