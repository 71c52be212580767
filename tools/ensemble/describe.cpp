#include "tools/ensemble/describe.hpp"

#include <fmt/format.h>

#include <iterator>

#include "engine/base/printable.hpp"

namespace scree::ensemble {
namespace {

const char* shape_name(site::Rock::Kind kind) {
  constexpr const char* names[] = {"eota", "box", "ball", "irregular", "cloud"};
  return names[static_cast<std::size_t>(kind)];
}

std::string size_of(const site::Rock& rock) {
  if (rock.volume) return fmt::format("volume {} m3", describe(*rock.volume));
  if (rock.mass) return fmt::format("mass {} kg", describe(*rock.mass));
  return fmt::format("density {:g} kg/m3", rock.density);
}

std::string form_of(const site::Rock& rock) {
  if (rock.kind == site::Rock::Kind::cloud)
    return fmt::format("cloud, hull of {} corners, {}", rock.cloud.size(),
                       rock.scaled ? "scaled" : "as in the file");
  if (rock.kind == site::Rock::Kind::ball)
    return rock.scaled ? "ball" : fmt::format("ball of {:g} m", rock.sides.x());
  return fmt::format("{} {:g} x {:g} x {:g}{}", shape_name(rock.kind), rock.sides.x(),
                     rock.sides.y(), rock.sides.z(), rock.scaled ? " in proportion" : " m");
}

// The box around a line has no point in common with the map.
bool is_outside(const site::Barrier& barrier, const site::MapGrid& map) {
  Vector3 low = barrier.corners.front(), high = low;
  for (const Vector3& corner : barrier.corners)
    low = low.cwiseMin(corner), high = high.cwiseMax(corner);
  return low.x() > map.low.x() + map.width() || high.x() < map.low.x() ||
         low.y() > map.low.y() + map.height() || high.y() < map.low.y();
}

const char* places_of(const site::Release& release) {
  return release.kind == site::Release::Kind::points ? "points"
         : release.kind == site::Release::Kind::line ? "corners of a line"
                                                     : "corners of a polygon";
}

}  // namespace

std::string ensemble_lines(const Ensemble& ensemble) {
  const site::Site& site = ensemble.site();
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "ensemble     {} runs, seed {}; step and warnings here are those of run 0\n",
                 ensemble.runs().size(), site.seed);
  for (const BodyIndex body : site.ground) {
    fmt::format_to(out, "ground       {}\n",
                   printable(ensemble.scene().model.name[static_cast<std::size_t>(body)]));
  }
  for (const site::Rock& rock : site.rocks) {
    fmt::format_to(out, "rock         {}: {}, {}, weight {:g}\n", printable(rock.name),
                   form_of(rock), size_of(rock), rock.weight);
  }
  for (const site::Release& release : site.releases) {
    fmt::format_to(out, "release      {}: {} runs, {} {}, {} rocks, {}\n", printable(release.name),
                   release.n_runs(), release.points.size(), places_of(release),
                   release.rocks.size(),
                   release.orientation ? "one orientation" : "random orientations");
  }
  for (const site::Barrier& barrier : site.barriers) {
    fmt::format_to(
        out, "barrier      {}: {} corners{}\n", printable(barrier.name), barrier.corners.size(),
        is_outside(barrier, ensemble.map()) ? ", outside of the map: no run crosses it" : "");
  }
  const site::MapGrid& map = ensemble.map();
  fmt::format_to(out, "map          {} x {} cells of {:g} m{}\n", map.columns, map.rows, map.cell,
                 site.epsg > 0 ? fmt::format(", EPSG:{}", site.epsg) : std::string());
  if (site.until) {
    fmt::format_to(
        out,
        "until        the {:g} % quantile of {} at {} is known to {:g}, looked at every {} runs\n",
        100.0 * site.until->share,
        site::quantity_names[static_cast<std::size_t>(site.until->quantity)],
        printable(site.barriers[static_cast<std::size_t>(site.until->barrier)].name),
        site.until->tolerance, site.until->batch);
  }
  for (const std::string& note : site.notes)
    fmt::format_to(out, "note         {}\n", printable(note));
  return text;
}

nlohmann::ordered_json ensemble_json(const Ensemble& ensemble) {
  const site::Site& site = ensemble.site();
  nlohmann::ordered_json json = {{"runs", ensemble.runs().size()}, {"seed", site.seed}};
  for (const site::Rock& rock : site.rocks)
    json["rocks"][rock.name] = {{"shape", shape_name(rock.kind)}, {"size", size_of(rock)}};
  for (const site::Release& release : site.releases)
    json["releases"][release.name] = {{"runs", release.n_runs()},
                                      {"points", release.points.size()}};
  for (const site::Barrier& barrier : site.barriers)
    json["barriers"][barrier.name] = {{"corners", barrier.corners.size()},
                                      {"outside", is_outside(barrier, ensemble.map())}};
  json["map"] = {{"cell", ensemble.map().cell},
                 {"columns", ensemble.map().columns},
                 {"rows", ensemble.map().rows},
                 {"epsg", site.epsg}};
  json["notes"] = site.notes;
  return json;
}

}  // namespace scree::ensemble
