#include "tools/analyse/images.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::analyse {
namespace {

using Range = std::array<std::int32_t, 2>;

// Periods along an axis that may bring what lies from `from` to `to` between two faces.
Range range_of(double length, double from, double to, double low, double high) {
  if (length == 0.0) return {0, 0};
  return {static_cast<std::int32_t>(std::ceil((low - to) / length)),
          static_cast<std::int32_t>(std::floor((high - from) / length))};
}

// Bounds of all that moves: centres, and the ways to points of contact.
Eigen::AlignedBox3d bounds_of(const Packing& packing) {
  Eigen::AlignedBox3d box;
  for (std::size_t i = 0; i < packing.centre.size(); ++i) {
    if (packing.moves[i] != 0) box.extend(packing.centre[i]);
  }
  for (const PackedContact& contact : packing.contacts) {
    box.extend(contact.point);
    if (contact.moves_a) box.extend(Vector3(packing.centre[contact.body_a] + contact.arm_a));
    if (contact.moves_b) box.extend(Vector3(packing.centre[contact.body_b] + contact.arm_b));
  }
  return box;
}

// Appends the image of the packing that lies `offset` away and moves with `velocity` more: bodies
// that lie in the box, and those of contacts of which a part does.
void append_image(const Packing& packing, const Vector3& offset, const Vector3& velocity,
                  const Eigen::AlignedBox3d& box, Packing& all) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> copy(packing.centre.size(), none);
  const auto copy_of = [&](std::size_t body) {
    if (copy[body] == none) {
      copy[body] = all.centre.size();
      all.centre.push_back(packing.centre[body] + offset);
      all.velocity.push_back(packing.velocity[body] + velocity);
      all.mass.push_back(packing.mass[body]), all.volume.push_back(packing.volume[body]);
      all.moves.push_back(packing.moves[body]);
    }
    return copy[body];
  };
  for (std::size_t i = 0; i < packing.centre.size(); ++i) {
    if (packing.moves[i] != 0 && box.contains(Vector3(packing.centre[i] + offset))) copy_of(i);
  }
  std::vector<std::uint8_t> taken(packing.contacts.size(), 0);
  const auto take = [&](std::size_t c) {
    PackedContact image = packing.contacts[c];
    image.point += offset;
    image.body_a = copy_of(image.body_a), image.body_b = copy_of(image.body_b);
    all.contacts.push_back(image);
    taken[c] = 1;
  };
  const auto passes = [&](bool moves, std::size_t body, const Vector3& arm) {
    if (!moves) return false;
    Eigen::AlignedBox3d way(Vector3(packing.centre[body] + offset));
    way.extend(Vector3(packing.centre[body] + offset + arm));
    return copy[body] != none || box.intersects(way);
  };
  for (std::size_t c = 0; c < taken.size(); ++c) {
    const PackedContact& contact = packing.contacts[c];
    if (passes(contact.moves_a, contact.body_a, contact.arm_a) ||
        passes(contact.moves_b, contact.body_b, contact.arm_b) ||
        box.contains(Vector3(contact.point + offset)))
      take(c);
  }
  // Whether a neighbour of what lies in the box is a rattler depends on all of its contacts.
  const std::vector<std::size_t> known = copy;
  for (std::size_t c = 0; c < taken.size(); ++c) {
    const PackedContact& contact = packing.contacts[c];
    if (taken[c] == 0 && (known[contact.body_a] != none || known[contact.body_b] != none)) take(c);
  }
}

}  // namespace

Packing with_images(const Packing& packing, const Vector3& low, const Vector3& high) {
  const scree::Cell& world = packing.world;
  const Eigen::AlignedBox3d bounds = bounds_of(packing);
  if (!world.is_periodic() || bounds.isEmpty()) return packing;
  const Eigen::AlignedBox3d box(low, high);
  Packing all;
  all.frame = packing.frame, all.time = packing.time, all.plane_normal = packing.plane_normal;
  const Vector3 &from = bounds.min(), &to = bounds.max();
  const Range up = range_of(world.length.z(), from.z(), to.z(), low.z(), high.z()),
              along = range_of(world.length.y(), from.y(), to.y(), low.y(), high.y());
  for (std::int32_t k = up[0]; k <= up[1]; ++k) {
    const double moved = static_cast<double>(k) * packing.image_shift;
    const Range across =
        range_of(world.length.x(), from.x() + moved, to.x() + moved, low.x(), high.x());
    for (std::int32_t j = along[0]; j <= along[1]; ++j) {
      for (std::int32_t i = across[0]; i <= across[1]; ++i)
        append_image(packing, world.offset(PeriodCount{i, j, k}, packing.image_shift),
                     Vector3(static_cast<double>(k) * world.image_speed(), 0.0, 0.0), box, all);
    }
  }
  return all;
}

}  // namespace scree::analyse
