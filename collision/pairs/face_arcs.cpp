#include "collision/pairs/face_arcs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/index.hpp"

namespace scree::collision {
namespace {

double angle_of(const Vector3& along, const Vector3& t, const Vector3& s) {
  return std::atan2(s.dot(along), t.dot(along));
}

double turned_to(double from, double to) {
  const double turn = std::fmod(to - from + 2.0 * full_turn, full_turn);
  return turn > full_turn - same_angle ? 0.0 : turn;
}

}  // namespace

Arc arc_of(const PlacedPart& part, std::int32_t f, const Vector3& q, double eps, const Vector3& t,
           const Vector3& s) {
  const auto loop = part.solid().face(f);
  const Vector3& m = part.normals[index(f)];
  std::array<std::size_t, 2> on{};
  std::array<double, 2> angle{};
  std::size_t n_on = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vector3& from = part.points[index(loop[i])];
    const Vector3 along = part.points[index(loop[i + 1 < loop.size() ? i + 1 : 0])] - from;
    const double inside = m.cross(along).dot(q - from), limit = eps * along.norm();
    if (inside < -limit) return {};
    if (inside > limit) continue;
    if (n_on == 2) return {};
    on.at(n_on) = i, angle.at(n_on) = angle_of(along, t, s), ++n_on;
  }
  if (n_on == 0) return {0.0, full_turn};
  if (n_on == 1) return {angle[0], std::numbers::pi};
  const bool in_order = on[1] == on[0] + 1;
  if (!in_order && !(on[0] == 0 && on[1] + 1 == loop.size())) return {};
  const double out = in_order ? angle[1] : angle[0], in = in_order ? angle[0] : angle[1];
  return {out, turned_to(out, in + std::numbers::pi)};
}

double widest_turn(std::span<const Arc> arcs) {
  double widest = 0.0;
  for (const Arc& first : arcs) {
    double reached = first.length;
    for (std::size_t round = 0; round < arcs.size(); ++round) {
      for (const Arc& arc : arcs) {
        const double begin = turned_to(first.begin, arc.begin);
        if (begin <= reached + same_angle) reached = std::max(reached, begin + arc.length);
      }
    }
    widest = std::max(widest, reached);
  }
  return widest;
}

}  // namespace scree::collision
