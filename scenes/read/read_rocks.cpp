#include "scenes/read/read_rocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/lower_case.hpp"
#include "scenes/blocks/block_model.hpp"
#include "scenes/blocks/text_lines.hpp"
#include "scenes/generate/eota_block.hpp"

namespace scree::scenes {
namespace {

using site::Distribution;
using site::Rock;

constexpr double largest_exponent = 20.0, largest_sigma = 5.0, least_share = 0.001;
constexpr std::size_t most_values = 10000, most_cloud_points = 100000;

double normal_share(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

// `low` and `high`, needed or not.
void read_limits(TableReader& reader, const Range& range, bool needed, Distribution& d) {
  const auto low = reader.number("low", range), high = reader.number("high", range);
  if (needed && !low) reader.fail_missing("low", range.text());
  if (needed && !high) reader.fail_missing("high", range.text());
  if (low) d.low = *low;
  if (high) d.high = *high;
  if (d.high < d.low)
    reader.fail("high", fmt::format("{} is not allowed; must be at least low = {}", d.high, d.low));
}

void read_table(TableReader& reader, const Range& range, Distribution& d) {
  const std::string expected = "an array of numbers " + range.values();
  d.values = reader.need(reader.numbers("values", range), "values", expected);
  if (d.values.empty() || d.values.size() > most_values)
    reader.fail("values", fmt::format("{} values are not allowed; must be 1 to {}", d.values.size(),
                                      most_values));
  d.weights =
      reader.numbers("weights", {.low = 0.0}).value_or(std::vector<double>(d.values.size(), 1.0));
  double sum = 0.0;
  for (const double weight : d.weights) sum += weight;
  if (d.weights.size() != d.values.size() || !(sum > 0.0 && std::isfinite(sum)))
    reader.fail("weights", "must be one number >= 0 for each value, not all zero");
}

Distribution read_distribution(TableReader reader, const Range& range) {
  using Kind = Distribution::Kind;
  static const Choices<Kind> kinds = {{"uniform", Kind::uniform},
                                      {"lognormal", Kind::lognormal},
                                      {"power", Kind::power},
                                      {"table", Kind::table}};
  Distribution d;
  d.kind = reader.need(reader.choice("kind", kinds), "kind",
                       "\"uniform\", \"lognormal\", \"power\" or \"table\"");
  if (d.kind == Kind::table) {
    read_table(reader, range, d);
  } else {
    read_limits(reader, range, d.kind != Kind::lognormal, d);
  }
  if (d.kind == Kind::lognormal) {
    d.median = reader.need(reader.number("median", range), "median", range.text());
    const Range sigma{.low = 0.0, .high = largest_sigma};
    d.sigma = reader.need(reader.number("sigma", sigma), "sigma", sigma.text());
    const auto below = [&](double x) {
      if (d.sigma == 0.0) return x >= d.median ? 1.0 : 0.0;
      return normal_share(std::log(x / d.median) / d.sigma);
    };
    const double inside = (std::isfinite(d.high) ? below(d.high) : 1.0) -
                          (d.low > 0.0 ? below(std::nextafter(d.low, 0.0)) : 0.0);
    if (inside < least_share) {
      reader.fail("low", fmt::format("only {:.2g} of this distribution lies in [{}, {}]; must be "
                                     "at least {}",
                                     inside, d.low, d.high, least_share));
    }
  }
  if (d.kind == Kind::power) {
    const Range exponent{.low = 0.0, .high = largest_exponent, .low_allowed = false};
    d.exponent = reader.need(reader.number("exponent", exponent), "exponent", exponent.text());
  }
  reader.finish();
  return d;
}

// A number, or a table that says how it is spread.
std::optional<Distribution> read_spread(TableReader& reader, const std::string& key,
                                        const Range& range) {
  if (!reader.has(key)) {
    reader.number(key, range);
    reader.expect(key, "a number " + range.values() + ", or a table");
    return std::nullopt;
  }
  if (reader.is_table(key)) return read_distribution(*reader.table(key), range);
  Distribution d;
  d.median = *reader.number(key, range);
  return d;
}

// RAMMS's .pts and lists of points: x y z on each line.
std::vector<Vector3> points_in_lines(const std::string& text, const std::string& file) {
  blocks::Lines lines(text, file);
  std::vector<Vector3> points;
  std::string_view line;
  while (lines.next(line)) {
    const auto words = blocks::words_of(line);
    if (words.empty() || words[0].starts_with('#')) continue;
    if (words.size() != 3)
      lines.fail(fmt::format("has {} words; a point is three numbers, x y z", words.size()));
    points.push_back(lines.point_in(words, 0));
  }
  return points;
}

std::vector<Vector3> read_cloud(TableReader& reader, Rock& rock) {
  rock.file = reader.need(reader.text("file"), "file", "a file with points: .pts, .obj, .stl");
  const Place place = reader.place("file");
  Document& document = reader.document();
  const std::string& text = document.read_file(place, reader.field("file"), rock.file);
  const std::string path = document.path_of(rock.file);
  std::vector<Vector3> points;
  const std::size_t dot = rock.file.rfind('.');
  const std::string extension = dot == std::string::npos ? "" : lower_case(rock.file.substr(dot));
  if (extension == ".pts" || extension == ".xyz" || extension == ".txt") {
    points = points_in_lines(text, path);
  } else if (extension == ".obj" || extension == ".stl" || extension == ".ply") {
    for (const blocks::Block& block : blocks::read_blocks(text, path).blocks)
      points.insert(points.end(), block.vertices.begin(), block.vertices.end());
  } else {
    document.fail(place, reader.field("file"),
                  fmt::format("'{}' is no list of points that is known; must end in .pts, .xyz, "
                              ".txt, .obj, .stl or .ply",
                              rock.file));
  }
  if (points.size() > most_cloud_points) {
    document.fail(
        place, reader.field("file"),
        fmt::format("{} points are not allowed; at most {} are", points.size(), most_cloud_points));
  }
  return points;
}

// The corners of its hull are all that is needed of a cloud.
void keep_hull(TableReader& reader, Rock& rock) {
  const ConvexPolyhedron hull = at_key(
      reader, [&] { return make_convex_polyhedron(rock.cloud); }, "file");
  rock.cloud.clear();
  for (const Vector3& vertex : hull.vertices) rock.cloud.push_back(vertex + hull.origin);
}

void read_form(TableReader& reader, Rock& rock) {
  const Range length = positive("[m]");
  const bool cloud = rock.kind == Rock::Kind::cloud, ball = rock.kind == Rock::Kind::ball;
  reader.exclude("sides", "proportions");
  const auto sides = reader.vector("sides", length),
             proportions = reader.vector("proportions", positive(""));
  const auto diameter = reader.number("diameter", length);
  const auto corners = reader.integer("corners", 6, 1000);
  const auto irregularity = reader.number("irregularity", {.low = 0.0, .high = 0.9});
  const auto only_for = [&](bool is, const char* key, const char* kind) {
    if (reader.has(key) && !is)
      reader.fail(key, fmt::format("is not for this shape; it is for {}", kind));
  };
  only_for(!cloud && !ball && rock.kind != Rock::Kind::irregular, "sides", "eota and box");
  only_for(!cloud && !ball, "proportions", "eota, box and irregular");
  only_for(ball, "diameter", "ball");
  only_for(rock.kind == Rock::Kind::irregular, "corners", "irregular");
  only_for(rock.kind == Rock::Kind::irregular, "irregularity", "irregular");
  only_for(cloud, "file", "cloud");
  if (cloud) {
    rock.cloud = read_cloud(reader, rock);
    keep_hull(reader, rock);
  } else {
    reader.text("file");
  }
  if (corners) rock.corners = static_cast<int>(*corners);
  if (irregularity) rock.irregularity = *irregularity;
  if (sides) rock.sides = *sides;
  if (proportions) rock.sides = *proportions;
  if (diameter) rock.sides.setConstant(*diameter);
  const bool has_size = sides || diameter;
  if (has_size && rock.volume)
    reader.fail("volume", "its lengths are given; give `proportions`, or no volume");
  rock.scaled = !has_size && (rock.mass || rock.volume);
  if (rock.mass && rock.volume) reader.fail("volume", "give either mass or volume, not both");
  if (!has_size && !rock.scaled && !cloud)
    reader.fail_missing(ball ? "diameter" : "sides", "lengths > 0 [m], or a mass or volume");
  // A shape that is none is told now, not in a run.
  if (rock.kind == Rock::Kind::eota)
    at_key(
        reader, [&] { return make_convex_polyhedron(eota_block(rock.sides)); },
        sides ? "sides" : "proportions");
  if (rock.kind == Rock::Kind::box)
    at_key(
        reader, [&] { return make_box(rock.sides); }, sides ? "sides" : "proportions");
}

Rock read_one_rock(TableReader& reader, const MaterialNames& materials) {
  static const Choices<Rock::Kind> kinds = {{"eota", Rock::Kind::eota},
                                            {"box", Rock::Kind::box},
                                            {"ball", Rock::Kind::ball},
                                            {"irregular", Rock::Kind::irregular},
                                            {"cloud", Rock::Kind::cloud}};
  Rock rock;
  rock.name = reader.name();
  rock.kind = reader.need(reader.choice("shape", kinds), "shape",
                          "\"eota\", \"box\", \"ball\", \"irregular\" or \"cloud\"");
  rock.material = read_material(reader, materials);
  rock.density = read_density(reader, materials);
  rock.mass = read_spread(reader, "mass", positive("[kg]"));
  rock.volume = read_spread(reader, "volume", positive("[m3]"));
  read_form(reader, rock);
  if (rock.density == 0.0 && (rock.scaled || !rock.mass)) fail_without_density(reader);
  rock.weight = reader.number("weight", positive("")).value_or(1.0);
  reader.finish();
  return rock;
}

}  // namespace

std::vector<Rock> read_rocks(TableReader& ensemble, const MaterialNames& materials) {
  std::vector<Rock> rocks;
  for (TableReader& reader : ensemble.tables("rock")) {
    Rock rock = read_one_rock(reader, materials);
    if (std::ranges::find(rocks, rock.name, &Rock::name) != rocks.end())
      reader.fail("name",
                  fmt::format("there is already a rock \"{}\"; names must be unique", rock.name));
    rocks.push_back(std::move(rock));
  }
  if (rocks.empty()) ensemble.fail_missing("rock", "at least one [[ensemble.rock]]");
  return rocks;
}

}  // namespace scree::scenes
