#include "engine/model/loads.hpp"

#include <algorithm>

#include "engine/base/check.hpp"

namespace scree {

Vector3 field_gain(std::span<const FieldRecord> field, double t, double h) {
  Vector3 gain = Vector3::Zero();
  for (const FieldRecord& part : field) gain += integral(part.acceleration, t, h);
  return gain;
}

GroundMotion ground_motion(std::span<const FieldRecord> field, double t) {
  GroundMotion motion;
  for (const FieldRecord& part : field) {
    if (!part.ground) continue;
    const TwoIntegrals gained = integrals_until(part.acceleration, t);
    motion.acceleration -= value_at(part.acceleration, t);
    motion.velocity -= gained.once;
    motion.displacement -= gained.twice;
  }
  return motion;
}

bool has_ground(std::span<const FieldRecord> field) {
  return std::ranges::any_of(field, &FieldRecord::ground);
}

void check_load(const Load& load, const std::string& field) {
  require(!load.force.empty() || !load.torque.empty(), field, "a load needs a force or a torque");
  for (const Record* record : {&load.force, &load.torque}) {
    if (!record->empty()) check_record(*record, field);
  }
  require(load.point.allFinite(), field, "the point where a load acts must be finite [m]");
}

void check_drag(const Drag& drag, const std::string& field) {
  const auto admitted = [](double value) { return value >= 0.0 && value <= 1e40; };
  require(admitted(drag.linear), field, "linear drag must be from 0 to 1e40 [N s/m]");
  require(admitted(drag.angular), field, "angular drag must be from 0 to 1e40 [N m s]");
}

}  // namespace scree
