#include "tools/analyse/packing.hpp"

#include <cstdio>
#include <string_view>

#include "engine/base/check.hpp"

namespace scree::analyse {
namespace {

Vector3 vector_setting(const ResultReader& results, const char* name) {
  Vector3 v = Vector3::Zero();
  std::sscanf(results.setting(name).c_str(), "%lf, %lf, %lf", &v[0], &v[1], &v[2]);
  return v;
}

constexpr std::uint8_t slip = 2;  // ContactStatus

// What brings an arm to within half a period along each periodic axis [m]. (Bodies are smaller, but
// for plates that span the cell, whose arms say nothing.)
Vector3 to_nearest_image(const Cell& cell, double shift, const Vector3& arm) {
  Vector3 way = Vector3::Zero();
  for (const int axis : {2, 1, 0}) {
    if (cell.length[axis] == 0.0) continue;
    const double periods = std::round((arm + way)[axis] / cell.length[axis]);
    way[axis] -= periods * cell.length[axis];
    if (axis == 2) way.x() -= periods * shift;
  }
  return way;
}

}  // namespace

PackingReader::PackingReader(const ResultReader& results)
    : results_(results),
      bodies_(results.bodies()),
      volume_(results.volumes()),
      counted_(bodies_.mass.size(), 1),
      loads_(results.loads()),
      ground_(results.ground()),
      gravity_(vector_setting(results, "gravity")),
      h_(results.dt()),
      theta_(std::stod(results.setting("theta"))) {
  require(results.has_contacts(), "run", "the result file keeps no contacts");
  const std::map<std::string, std::string> settings = results.settings();
  if (const auto frames = settings.find("frames"); frames != settings.end())
    middle_ = frames->second == "middle";
  if (const auto plane = settings.find("plane"); plane != settings.end())
    plane_normal_ = plane->second == "yz" ? 0 : plane->second == "xz" ? 1 : 2;
}

void PackingReader::count_only(const std::vector<std::string>& names) {
  counted_.assign(bodies_.name.size(), 0);
  for (const std::string& name : names) {
    const bool pattern = name.ends_with('*');
    const std::string_view begin =
        std::string_view(name).substr(0, name.size() - (pattern ? 1 : 0));
    bool found = false;
    for (std::size_t i = 0; i < counted_.size(); ++i) {
      const std::string_view body = bodies_.name[i];
      if (pattern ? !body.starts_with(begin) : body != begin) continue;
      counted_[i] = 1, found = true;
    }
    require(found, "--only", "there is no body '" + name + "'");
  }
}

// What a body moved from where its contacts were found to the end of the step. A component that
// stands still under a force is locked.
Vector3 PackingReader::way_in_step(std::size_t body, const Vector3& velocity,
                                   const Vector3& impulse) const {
  Vector3 gain = impulse / bodies_.mass[body] + h_ * gravity_;
  for (int axis = 0; axis < 3; ++axis)
    if (velocity[axis] == 0.0) gain[axis] = 0.0;
  const Vector3 whole = h_ * (velocity - (1.0 - theta_) * gain);
  if (!middle_) return whole;
  // The middle is reached with the velocities without contacts.
  const Vector3 start = velocity - gain;
  return whole - (1.0 - theta_) * h_ * (start + theta_ * h_ * gravity_);
}

Packing PackingReader::read(std::int64_t index) const {
  const ResultFrame frame = results_.frame(index);
  const ResultContacts contacts = results_.contacts(index);
  const std::size_t n = bodies_.mass.size();
  Packing packing;
  packing.frame = index, packing.time = frame.time;
  packing.velocity = frame.velocity;
  packing.mass = bodies_.mass, packing.volume = volume_;
  packing.plane_normal = plane_normal_;
  std::vector<Vector3> impulse(n, Vector3::Zero());
  for (std::size_t c = 0; c < contacts.point.size(); ++c) {
    impulse[static_cast<std::size_t>(contacts.body_a[c])] -= contacts.impulse_world[c];
    impulse[static_cast<std::size_t>(contacts.body_b[c])] += contacts.impulse_world[c];
  }
  const auto row = static_cast<std::size_t>(frame.step) - 1;
  for (const ResultLoad& load : loads_) {
    if (frame.step > 0) impulse[static_cast<std::size_t>(load.body)] += h_ * load.force.at(row);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const bool moves = bodies_.mass[i] > 0.0 && frame.active[i] != 0;
    packing.moves.push_back(moves && counted_[i] != 0 ? 1 : 0);
    packing.centre.push_back(frame.position[i]);
    if (!moves || frame.step == 0) continue;
    Vector3 given = impulse[i];
    if (!ground_.acceleration.empty()) given -= h_ * bodies_.mass[i] * ground_.acceleration.at(row);
    packing.centre[i] -= way_in_step(i, frame.velocity[i], given);
  }
  const Cell cell = results_.cell();
  const double shift = frame.image_shift - h_ * cell.image_speed();  // when contacts were found
  packing.world = cell, packing.image_shift = shift;
  for (std::size_t c = 0; c < contacts.point.size(); ++c) {
    if (contacts.impulse_world[c].isZero(0.0)) continue;
    PackedContact contact;
    contact.body_a = static_cast<std::size_t>(contacts.body_a[c]);
    contact.body_b = static_cast<std::size_t>(contacts.body_b[c]);
    contact.moves_a = packing.moves[contact.body_a] != 0;
    contact.moves_b = packing.moves[contact.body_b] != 0;
    contact.point = contacts.point[c], contact.normal = contacts.normal[c];
    // With frames in the middle both bodies have one point.
    const Vector3 half_gap =
        middle_ ? Vector3(Vector3::Zero()) : Vector3(0.5 * contacts.gap[c] * contacts.normal[c]);
    contact.arm_a = contact.point - half_gap - packing.centre[contact.body_a];
    contact.arm_b = contact.point + half_gap - packing.centre[contact.body_b];
    if (cell.is_periodic()) {
      contact.to_a = to_nearest_image(cell, shift, contact.arm_a), contact.arm_a += contact.to_a;
      contact.to_b = to_nearest_image(cell, shift, contact.arm_b), contact.arm_b += contact.to_b;
    }
    contact.force = contacts.impulse_world[c] / h_;
    contact.slips = contacts.status[c] == slip;
    packing.contacts.push_back(contact);
  }
  return packing;
}

std::vector<Matrix3> moments_of(const Packing& packing) {
  std::vector<Matrix3> moments(packing.mass.size(), Matrix3::Zero());
  for (const PackedContact& contact : packing.contacts) {
    if (contact.moves_a) moments[contact.body_a] -= contact.arm_a * contact.force.transpose();
    if (contact.moves_b) moments[contact.body_b] += contact.arm_b * contact.force.transpose();
  }
  return moments;
}

}  // namespace scree::analyse
