#include "scenes/read/read_ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenes/read/read_rocks.hpp"
#include "scenes/read/release_csv.hpp"
#include "scenes/site/ground_surface.hpp"

namespace scree::scenes {
namespace {

using site::Release;
using site::Site;

constexpr std::int64_t most_runs = 10'000'000;
constexpr std::int64_t most_map_cells = 100'000'000;

// The index of what has that name.
template <class Named>
std::int32_t index_of(const TableReader& reader, const char* key, const std::vector<Named>& all,
                      const std::string& name) {
  const auto found = std::ranges::find(all, name, &Named::name);
  if (found != all.end()) return static_cast<std::int32_t>(found - all.begin());
  std::vector<std::string> names;
  for (const Named& one : all) names.push_back(one.name);
  reader.fail_choice(key, name, names);
}

template <class Named>
void refuse_taken(const TableReader& reader, const std::vector<Named>& all,
                  const std::string& name) {
  if (std::ranges::find(all, name, &Named::name) == all.end()) return;
  reader.fail("name", fmt::format("\"{}\" is there already; names must be unique", name));
}

// Map coordinates to those of the scene.
std::vector<site::StartPoint> local_points(const std::vector<std::vector<double>>& rows,
                                           const Vector3& origin) {
  std::vector<site::StartPoint> points;
  for (const std::vector<double>& row : rows) {
    site::StartPoint point;
    point.x = row[0] - origin.x(), point.y = row[1] - origin.y();
    if (row.size() > 2) point.z = row[2] - origin.z();
    points.push_back(std::move(point));
  }
  return points;
}

void read_points_file(TableReader& reader, const Vector3& origin, Site& site, Release& release) {
  const std::string name =
      reader.need(reader.text("file"), "file", "the name of a CSV file of points");
  const std::string& text =
      reader.document().read_file(reader.place("file"), reader.field("file"), name);
  ReleaseCsv csv = read_release_csv(text, reader.document().path_of(name));
  for (std::size_t i = 0; i < csv.points.size(); ++i) {
    site::StartPoint& point = csv.points[i];
    point.x -= origin.x(), point.y -= origin.y();
    if (point.z) *point.z -= origin.z();
    if (!csv.rock[i].empty()) point.rock = index_of(reader, "file", site.rocks, csv.rock[i]);
  }
  release.points = std::move(csv.points);
  if (csv.unread.empty()) return;
  std::string columns;
  for (const std::string& column : csv.unread) columns += (columns.empty() ? "" : ", ") + column;
  site.notes.push_back(fmt::format("{}: columns that are not read: {}", name, columns));
}

double area_of(const std::vector<site::StartPoint>& corners) {
  double twice = 0.0;
  for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++)
    twice += (corners[j].x - corners[0].x) * (corners[i].y - corners[0].y) -
             (corners[i].x - corners[0].x) * (corners[j].y - corners[0].y);
  return 0.5 * std::abs(twice);
}

// Where it starts: exactly one of the four keys.
void read_places(TableReader& reader, const Vector3& origin, Site& site, Release& release) {
  const Range place = any("[m]");
  const auto points = reader.rows("points", 2, 3, place), line = reader.rows("line", 2, 2, place),
             polygon = reader.rows("polygon", 2, 2, place);
  const bool file = reader.has("file");
  if (!file) reader.text("file");
  const int given = (points ? 1 : 0) + (line ? 1 : 0) + (polygon ? 1 : 0) + (file ? 1 : 0);
  if (given != 1) reader.fail_missing("points", "exactly one of points, file, line and polygon");
  const auto refuse_few = [&](const char* key, std::size_t least) {
    if (release.points.size() < least)
      reader.fail(key, fmt::format("{} points are not allowed; must be at least {}",
                                   release.points.size(), least));
  };
  if (file) {
    read_points_file(reader, origin, site, release);
  } else if (points) {
    release.points = local_points(*points, origin);
    refuse_few("points", 1);
  } else if (line) {
    release.kind = Release::Kind::line;
    release.points = local_points(*line, origin);
    refuse_few("line", 2);
    double length = 0.0;
    for (std::size_t i = 0; i + 1 < release.points.size(); ++i)
      length += std::abs(release.points[i + 1].x - release.points[i].x) +
                std::abs(release.points[i + 1].y - release.points[i].y);
    if (!(length > 0.0)) reader.fail("line", "has no length");
  } else {
    release.kind = Release::Kind::polygon;
    release.points = local_points(*polygon, origin);
    refuse_few("polygon", 3);
    double box_x = 0.0, box_y = 0.0;
    for (const site::StartPoint& a : release.points) {
      box_x = std::max(box_x, std::abs(a.x - release.points[0].x));
      box_y = std::max(box_y, std::abs(a.y - release.points[0].y));
    }
    if (!(area_of(release.points) > 1e-4 * box_x * box_y))
      reader.fail("polygon", "has no area, or next to none in the box around it");
  }
}

Release read_release(TableReader& reader, const Vector3& origin, Site& site) {
  Release release;
  release.name = reader.name();
  refuse_taken(reader, site.releases, release.name);
  read_places(reader, origin, site, release);
  release.runs = reader.integer("runs", 1, most_runs).value_or(1);
  const Range drop = positive("[m]");
  release.drop = reader.number("drop", drop).value_or(release.drop);
  release.velocity = reader.vector("velocity", any("[m/s]")).value_or(Vector3::Zero());
  release.spin = reader.vector("angular_velocity", any("[rad/s]")).value_or(Vector3::Zero());
  const bool turned = reader.has("orientation") || reader.has("rotation");
  const Quaternion q = read_orientation(reader);
  if (turned) release.orientation = q;
  const auto names = reader.texts("rocks");
  reader.expect("rocks", "names of [[ensemble.rock]]");
  for (std::size_t i = 0; i < (names ? names->size() : site.rocks.size()); ++i) {
    release.rocks.push_back(names ? index_of(reader, "rocks", site.rocks, (*names)[i])
                                  : static_cast<std::int32_t>(i));
  }
  if (release.rocks.empty()) reader.fail("rocks", "an empty array is not allowed");
  reader.finish();
  return release;
}

site::Barrier read_barrier(TableReader& reader, const Vector3& origin, const Site& site) {
  site::Barrier barrier;
  barrier.name = reader.name();
  refuse_taken(reader, site.barriers, barrier.name);
  const auto rows =
      reader.need(reader.rows("line", 2, 2, any("[m]")), "line", "at least two points [x, y] [m]");
  for (const std::vector<double>& row : rows)
    barrier.corners.push_back(Vector3(row[0] - origin.x(), row[1] - origin.y(), 0.0));
  if (rows.size() < 2) reader.fail("line", "must have at least two points [x, y]");
  for (std::size_t i = 0; i + 1 < barrier.corners.size(); ++i) {
    if (barrier.corners[i] == barrier.corners[i + 1])
      reader.fail("line", fmt::format("points {} and {} are the same", i + 1, i + 2));
  }
  reader.finish();
  return barrier;
}

void read_map(TableReader reader, const Vector3& origin, Site& site) {
  const Range cell = positive("[m]");
  site.map.cell = reader.need(reader.number("cell", cell), "cell", cell.text());
  const auto corner = [&](const char* key) -> std::optional<Vector3> {
    const auto row = reader.numbers(key, any("[m]"));
    reader.expect(key, "two numbers [x, y]");
    if (!row) return std::nullopt;
    if (row->size() != 2) reader.fail(key, "must be two numbers [x, y] [m]");
    return Vector3((*row)[0] - origin.x(), (*row)[1] - origin.y(), 0.0);
  };
  const auto low = corner("low"), high = corner("high");
  if (low.has_value() != high.has_value())
    reader.fail_missing(low ? "high" : "low", "two numbers [x, y] [m], as its opposite is given");
  site.epsg = reader.integer("epsg", 1024, 32767).value_or(0);
  // The codes of EPSG for longitude and latitude are in this range, but for some transverse ones.
  if (site.epsg >= 4000 && site.epsg < 5000) {
    site.notes.push_back(fmt::format(
        "ensemble.map.epsg: {} is a code of longitude and latitude, in degrees, while coordinates "
        "of a scene are metres; give that of a projected system",
        site.epsg));
  }
  if (low) {
    site.map.low = *low;
    const Vector3 size = (*high - *low) / site.map.cell;
    if (!(size.x() > 0.0 && size.y() > 0.0))
      reader.fail("high", "must be beyond low along x and y");
    const double columns = std::ceil(size.x() - 1e-9), rows = std::ceil(size.y() - 1e-9);
    if (!(columns * rows <= static_cast<double>(most_map_cells)))
      reader.fail("cell", fmt::format("gives a map of {:.6g} cells; at most {} are allowed",
                                      columns * rows, most_map_cells));
    site.map.columns = std::max(1, static_cast<std::int32_t>(columns));
    site.map.rows = std::max(1, static_cast<std::int32_t>(rows));
  }
  reader.finish();
}

site::Until read_until(TableReader reader, const Site& site) {
  static const Choices<site::Quantity> quantities = {{"energy", site::Quantity::energy},
                                                     {"velocity", site::Quantity::velocity},
                                                     {"jump", site::Quantity::jump},
                                                     {"spin", site::Quantity::spin}};
  site::Until until;
  const std::string barrier =
      reader.need(reader.text("barrier"), "barrier", "the name of an [[ensemble.barrier]]");
  until.barrier = index_of(reader, "barrier", site.barriers, barrier);
  until.quantity = reader.choice("quantity", quantities).value_or(until.quantity);
  const Range share{.low = 0.01, .high = 0.999};
  until.share = reader.number("quantile", share).value_or(until.share);
  const Range tolerance{.low = 0.0, .high = 1.0, .low_allowed = false};
  until.tolerance = reader.number("tolerance", tolerance).value_or(until.tolerance);
  until.batch = reader.integer("batch", 10, most_runs).value_or(until.batch);
  reader.finish();
  return until;
}

std::vector<BodyIndex> read_ground(TableReader& reader, const Model& model) {
  const auto names = reader.texts("ground");
  reader.expect("ground", "names of fixed bodies");
  std::vector<BodyIndex> ground;
  if (!names) {
    for (BodyIndex i = 0; i < model.n_bodies(); ++i) {
      if (site::GroundSurface::can_be(model, i)) ground.push_back(i);
    }
    if (ground.empty())
      reader.fail_missing("ground", "there is no fixed body that could be; names of bodies");
    return ground;
  }
  for (const std::string& name : *names) {
    const auto found = std::ranges::find(model.name, name);
    if (found == model.name.end()) reader.fail_choice("ground", name, model.name);
    ground.push_back(static_cast<BodyIndex>(found - model.name.begin()));
    if (!site::GroundSurface::can_be(model, ground.back()))
      reader.fail("ground", fmt::format("\"{}\" cannot be ground; must be a fixed terrain, "
                                        "half-space or convex body that is always there",
                                        name));
  }
  if (ground.empty()) reader.fail("ground", "an empty array is not allowed");
  return ground;
}

}  // namespace

std::optional<Site> read_ensemble(TableReader& file, const MaterialNames& materials,
                                  const Scene& scene) {
  std::optional<TableReader> reader = file.table("ensemble");
  if (!reader) return std::nullopt;
  if (scene.model.plane_normal >= 0)
    file.fail("ensemble", "is not for plane problems; take [world] plane away");
  const Vector3& origin = scene.model.origin;
  Site site;
  site.seed = read_seed(*reader);
  site.ground = read_ground(*reader, scene.model);
  site.rocks = read_rocks(*reader, materials);
  for (TableReader& release : reader->tables("release"))
    site.releases.push_back(read_release(release, origin, site));
  if (site.releases.empty()) reader->fail_missing("release", "at least one [[ensemble.release]]");
  if (site.n_runs() > most_runs)
    reader->fail("release",
                 fmt::format("{} runs are not allowed; at most {} are", site.n_runs(), most_runs));
  for (TableReader& barrier : reader->tables("barrier"))
    site.barriers.push_back(read_barrier(barrier, origin, site));
  std::optional<TableReader> map = reader->table("map");
  if (!map) reader->fail_missing("map", "a table with the side of its cells, { cell = 5 }");
  read_map(*map, origin, site);
  const Range confidence{.low = 0.5, .high = 0.9999};
  site.confidence = reader->number("confidence", confidence).value_or(site.confidence);
  if (std::optional<TableReader> until = reader->table("until"))
    site.until = read_until(*until, site);
  reader->finish();
  return site;
}

}  // namespace scree::scenes
