#include "scenes/ensemble/release_place.hpp"

#include <algorithm>
#include <cmath>

namespace scree::ensemble {
namespace {

// Even and odd: whether (x, y) is inside a polygon.
bool is_inside(const std::vector<site::StartPoint>& corners, double x, double y) {
  bool inside = false;
  for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const auto &a = corners[i], &b = corners[j];
    if ((a.y > y) == (b.y > y)) continue;
    if (x < a.x + (y - a.y) * ((b.x - a.x) / (b.y - a.y))) inside = !inside;
  }
  return inside;
}

ReleasePlace on_line(const std::vector<site::StartPoint>& corners, Draws& draws) {
  std::vector<double> length;
  double whole = 0.0;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    const double dx = corners[i + 1].x - corners[i].x, dy = corners[i + 1].y - corners[i].y;
    length.push_back(std::sqrt(dx * dx + dy * dy));
    whole += length.back();
  }
  double left = whole * draws.unit();
  std::size_t i = 0;
  while (i + 1 < length.size() && left > length[i]) left -= length[i++];
  const double share = std::min(left / length[i], 1.0);
  return {corners[i].x + share * (corners[i + 1].x - corners[i].x),
          corners[i].y + share * (corners[i + 1].y - corners[i].y)};
}

// Of the box around it, until one is inside: the reader refuses polygons without area.
ReleasePlace in_polygon(const std::vector<site::StartPoint>& corners, Draws& draws) {
  double low_x = corners[0].x, high_x = low_x, low_y = corners[0].y, high_y = low_y;
  for (const site::StartPoint& corner : corners) {
    low_x = std::min(low_x, corner.x), high_x = std::max(high_x, corner.x);
    low_y = std::min(low_y, corner.y), high_y = std::max(high_y, corner.y);
  }
  for (;;) {
    const double x = draws.uniform(low_x, high_x), y = draws.uniform(low_y, high_y);
    if (is_inside(corners, x, y)) return {x, y};
  }
}

}  // namespace

Draws draws_of(const site::Site& site, const RunId& id, Stream stream) {
  // Below 2^40 runs a release.
  const std::uint64_t run =
      static_cast<std::uint64_t>(id.release) << 40U | static_cast<std::uint64_t>(id.number);
  return {site.seed, run, static_cast<std::uint32_t>(stream)};
}

ReleasePlace release_place(const site::Site& site, const RunId& id) {
  const site::Release& release = site.releases[static_cast<std::size_t>(id.release)];
  if (release.kind == site::Release::Kind::points) {
    const site::StartPoint& point =
        release.points[static_cast<std::size_t>(id.number) % release.points.size()];
    return {point.x, point.y, &point};
  }
  Draws draws = draws_of(site, id, Stream::place);
  return release.kind == site::Release::Kind::line ? on_line(release.points, draws)
                                                   : in_polygon(release.points, draws);
}

const site::Rock& rock_of(const site::Site& site, const RunId& id, const ReleasePlace& place) {
  if (place.point != nullptr && place.point->rock >= 0)
    return site.rocks[static_cast<std::size_t>(place.point->rock)];
  const std::vector<std::int32_t>& rocks =
      site.releases[static_cast<std::size_t>(id.release)].rocks;
  const auto at = [&](std::size_t i) -> const site::Rock& {
    return site.rocks[static_cast<std::size_t>(rocks[i])];
  };
  double whole = 0.0;
  for (std::size_t i = 0; i < rocks.size(); ++i) whole += at(i).weight;
  double left = whole * draws_of(site, id, Stream::rock).unit();
  for (std::size_t i = 0; i + 1 < rocks.size(); ++i) {
    left -= at(i).weight;
    if (left < 0.0) return at(i);
  }
  return at(rocks.size() - 1);
}

}  // namespace scree::ensemble
