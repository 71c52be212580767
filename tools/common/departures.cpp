#include "tools/common/departures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/printable.hpp"

namespace scree {

nlohmann::ordered_json departures_json(std::span<const Departure> departures,
                                       const std::vector<std::string>& body_names) {
  const auto numbers = [](const Vector3& v) {
    return nlohmann::ordered_json::array({v.x(), v.y(), v.z()});
  };
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Departure& d : departures) {
    list.push_back({{"body", body_names[static_cast<std::size_t>(d.body)]},
                    {"step", d.step},
                    {"time", d.time},
                    {"position", numbers(d.position)},
                    {"velocity", numbers(d.velocity)},
                    {"kinetic_energy", d.kinetic},
                    {"rotation_energy", d.rotation}});
  }
  return list;
}

std::string departures_text(std::span<const Departure> departures,
                            const std::vector<std::string>& body_names) {
  constexpr std::size_t most_lines = 10;
  std::string text;
  const auto out = std::back_inserter(text);
  for (const Departure& d : departures.first(std::min(departures.size(), most_lines))) {
    fmt::format_to(out,
                   "left         '{}' left the terrain at t = {:.9g} s at ({:.10g}, {:.10g}, "
                   "{:.10g}) m with {:.4g} m/s, {:.4g} J\n",
                   printable(body_names[static_cast<std::size_t>(d.body)]), d.time, d.position.x(),
                   d.position.y(), d.position.z(), d.velocity.norm(), d.kinetic + d.rotation);
  }
  if (departures.size() > most_lines) {
    fmt::format_to(out, "             and {} more (/departures of the result file)\n",
                   departures.size() - most_lines);
  }
  return text;
}

}  // namespace scree
