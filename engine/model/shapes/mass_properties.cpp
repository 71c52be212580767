#include "engine/base/check.hpp"
#include "engine/model/shapes/shapes.hpp"

namespace scree {

MassProperties mass_properties(const Shape& shape) {
  return std::visit(
      [&](const auto& s) -> MassProperties {
        if constexpr (requires { s.integrals(); })
          return s.integrals();
        else
          throw InputError(std::string("shape: a shape of kind ") + s.kind() +
                           " has no volume; give mass and inertia");
      },
      shape);
}

MassProperties mass_properties(std::span<const Shape> parts) {
  std::vector<MassProperties> all;
  MassProperties sum;
  for (const Shape& part : parts) {
    all.push_back(mass_properties(part));
    sum.volume += all.back().volume;
    sum.centre += all.back().volume * all.back().centre;
  }
  if (all.size() == 1) return all[0];  // nothing rounded
  sum.centre /= sum.volume;
  for (const MassProperties& part : all) {
    const Vector3 r = part.centre - sum.centre;
    sum.inertia +=
        part.inertia + part.volume * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
  }
  return sum;
}

}  // namespace scree
