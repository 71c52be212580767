#include "tools/plot/published.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "engine/base/check.hpp"
#include "tools/plot/measured.hpp"

namespace scree::plot {
namespace {

constexpr const char* published_word = "published";
constexpr std::uint32_t vertex_kind = 1, kind_shift = 28,
                        index_mask = (1U << kind_shift) - 1;  // of a feature, engine/RESULTS.md

// A corner of the free body that touches somewhere in the file: what it touches, and the frame of
// its first contact.
struct Corner {
  std::size_t other = 0;    // body
  Vector3 normal, tangent;  // normal towards the free body
  Curve normal_velocity, tangential_velocity, normal_impulse, tangential_impulse;
};

using CornerName =
    std::pair<std::size_t, std::uint32_t>;  // part of the body, index of the vertex in it
using Corners = std::map<CornerName, Corner>;

// A contact as the free body sees it.
struct BodyContact {
  bool at_corner = false;
  CornerName corner;
  std::size_t other = 0;
  double sign = 1.0;  // of normal, tangent and impulse, which are those of body b
};

BodyContact seen_from(std::size_t body, const ResultContacts& contacts, std::size_t c) {
  const bool is_b = contacts.body_b[c] == static_cast<std::int32_t>(body);
  const std::uint32_t feature = is_b ? contacts.feature_b[c] : contacts.feature_a[c];
  const std::int32_t part = is_b ? contacts.part_b[c] : contacts.part_a[c];
  return {feature >> kind_shift == vertex_kind,
          {static_cast<std::size_t>(std::max(part, 0)), feature & index_mask},
          static_cast<std::size_t>(is_b ? contacts.body_a[c] : contacts.body_b[c]),
          is_b ? 1.0 : -1.0};
}

// The only body that moves freely; none when there are more, or fewer.
std::optional<std::size_t> free_body(const ResultReader& results) {
  const ResultBodies bodies = results.bodies();
  const auto is_free = [](double mass) { return mass > 0.0; };
  if (std::count_if(bodies.mass.begin(), bodies.mass.end(), is_free) != 1) return std::nullopt;
  return static_cast<std::size_t>(std::find_if(bodies.mass.begin(), bodies.mass.end(), is_free) -
                                  bodies.mass.begin());
}

Corners touching_corners(const ResultReader& results, std::size_t body) {
  Corners corners;
  for (std::int64_t i = 0; i < results.n_frames(); ++i) {
    const ResultContacts contacts = results.contacts(i);
    for (std::size_t c = 0; c < contacts.body_a.size(); ++c) {
      const BodyContact seen = seen_from(body, contacts, c);
      if (!seen.at_corner || corners.contains(seen.corner)) continue;
      Corner& corner = corners[seen.corner];
      corner.other = seen.other;
      corner.normal = seen.sign * contacts.normal[c],
      corner.tangent = seen.sign * contacts.tangent[c];
      const auto [part, vertex] = seen.corner;
      const std::string name = part == 0
                                   ? fmt::format("corner {}", vertex + 1)
                                   : fmt::format("corner {} of part {}", vertex + 1, part + 1);
      corner.normal_velocity.label = corner.normal_impulse.label = name + ", normal";
      corner.tangential_velocity.label = corner.tangential_impulse.label = name + ", tangential";
    }
  }
  require(!corners.empty(), published_word, "no corner of the free body touches in any frame");
  return corners;
}

Vector3 velocity_at(const ResultFrame& frame, std::size_t body, const Vector3& r_W) {
  return frame.velocity[body] + (frame.orientation[body] * frame.spin[body]).cross(r_W);
}

void add(Curve& curve, double x, double y) { curve.x.push_back(x), curve.y.push_back(y); }

// Where a corner is in the axes of the body. The vertices of a compound are those of its parts, one
// part after the other.
Vector3 place_of(const CornerName& name, const ResultShape& shape) {
  const auto [part, vertex] = name;
  std::size_t first = 0;
  if (part + 1 < shape.part_face_begin.size()) {
    const auto corner_of = [&](std::int32_t face) {
      return shape.faces.begin() + shape.face_begin[static_cast<std::size_t>(face)];
    };
    const auto begin = corner_of(shape.part_face_begin[part]),
               end = corner_of(shape.part_face_begin[part + 1]);
    if (begin != end) first = static_cast<std::size_t>(*std::min_element(begin, end));
  }
  require(first + vertex < shape.vertices.size(), published_word,
          "a contact names a corner that the body does not have");
  return shape.vertices[first + vertex];
}

void add_corner_velocities(const ResultFrame& frame, std::size_t body, const ResultShape& shape,
                           Corners& corners) {
  for (auto& [name, corner] : corners) {
    const Vector3 r_W = frame.orientation[body] * place_of(name, shape);
    const Vector3 from_other = frame.position[body] + r_W - frame.position[corner.other];
    const Vector3 u = velocity_at(frame, body, r_W) - velocity_at(frame, corner.other, from_other);
    add(corner.normal_velocity, frame.time, u.dot(corner.normal));
    add(corner.tangential_velocity, frame.time, u.dot(corner.tangent));
  }
}

void add_corner_impulses(const ResultContacts& contacts, double time, std::size_t body,
                         Corners& corners) {
  for (auto& [name, corner] : corners) {
    Vector3 impulse = Vector3::Zero();
    for (std::size_t c = 0; c < contacts.body_a.size(); ++c) {
      const BodyContact seen = seen_from(body, contacts, c);
      if (seen.at_corner && seen.corner == name) impulse += seen.sign * contacts.impulse_world[c];
    }
    add(corner.normal_impulse, time, impulse.dot(corner.normal));
    add(corner.tangential_impulse, time, impulse.dot(corner.tangent));
  }
}

// Three curves named by their axes.
std::vector<Curve> axes_of(const std::string& before) {
  std::vector<Curve> curves;
  for (const char* axis : {"x", "y", "z"}) curves.push_back({before + axis, {}, {}});
  return curves;
}

void add(std::vector<Curve>& curves, double x, const Vector3& y) {
  for (Eigen::Index i = 0; i < 3; ++i) add(curves[static_cast<std::size_t>(i)], x, y[i]);
}

// Rotation vector of q, at most pi long.
Vector3 turn_of(const Quaternion& q) {
  const Eigen::AngleAxisd turn(q);
  return turn.angle() * turn.axis();
}

Panel panel(const std::string& y_label, std::vector<Curve> curves) {
  return {time_label, y_label, std::move(curves), false};
}

// Without the curves that are round-off in a planar motion.
std::vector<Curve> that_move(std::vector<Curve> curves) {
  std::erase_if(curves, [](const Curve& curve) {
    return std::all_of(curve.y.begin(), curve.y.end(),
                       [](double y) { return std::abs(y) < 1e-12; });
  });
  return curves;
}

// " (newton)" when all pairs of materials have that law.
std::string in_brackets(const std::string& law) {
  return law.empty() ? "" : fmt::format(" ({})", law);
}

void append(std::vector<Curve>& curves, std::vector<Curve> more) {
  std::move(more.begin(), more.end(), std::back_inserter(curves));
}

Curve ledger_curve(const ResultReader& results, const char* name) {
  return {name, results.ledger("time"), results.ledger(name)};
}

Panel energies(const ResultReader& results) {
  std::vector<Curve> curves = {ledger_curve(results, "kinetic"),
                               ledger_curve(results, "potential")};
  Curve total{"total", curves[0].x, curves[0].y};
  std::transform(total.y.begin(), total.y.end(), curves[1].y.begin(), total.y.begin(),
                 std::plus<>());
  curves.push_back(std::move(total));
  return panel("energies [J]", std::move(curves));
}

Curve sum_curve(const ResultReader& results, const char* label, const std::string& sum) {
  Curve curve = running_sum_of(results, sum)->curve;
  curve.label = label;
  return curve;
}

void add_values(Curve& curve, const Curve& other, double factor = 1.0) {
  for (std::size_t i = 0; i < curve.y.size(); ++i) curve.y[i] += factor * other.y[i];
}

// Figures 12 and 13 of the paper. Gravity's work counts among that of external forces, as there: it
// is minus the change of the potential energy. Bodies that appear bring what `event_energy` says.
std::vector<Panel> energy_panels(const ResultReader& results) {
  Curve kinetic = ledger_curve(results, "kinetic"), potential = ledger_curve(results, "potential"),
        external = sum_curve(results, "work of external forces", "sum(external_work)");
  const double start = potential.y.empty() ? 0.0 : potential.y.front();
  for (double& value : potential.y) value -= start;
  potential.label = "change of potential";
  // The change of energy less all that did not come from contacts.
  Curve change = kinetic;
  change.label = "change of energy less external work";
  const double first = kinetic.y.empty() ? 0.0 : kinetic.y.front();
  for (double& value : change.y) value -= first;
  add_values(change, potential);
  for (const char* term : {"sum(external_work)", "sum(drag_work)", "sum(driven_work)",
                           "sum(shear_work)", "sum(projection_work)", "sum(event_energy)"})
    add_values(change, sum_curve(results, "", term), -1.0);
  add_values(external, sum_curve(results, "", "sum(drag_work)"));
  add_values(external, sum_curve(results, "", "sum(driven_work)"));
  add_values(external, sum_curve(results, "", "sum(shear_work)"));
  add_values(external, sum_curve(results, "", "sum(event_energy)"));
  add_values(external, potential, -1.0);
  external.label = "work of external forces, with gravity and events";
  Curve contacts = sum_curve(results, "work of contacts", "contact_work"),
        scheme = sum_curve(results, "numerical dissipation", "sum(numerical_dissipation)");
  const std::string law = in_brackets(law_of(results));
  Panel positive = panel("largest positive work [J]" + law,
                         {ledger_curve(results, "max_positive_tangential_work")});
  positive.log_y = true;
  return {panel("energies [J]" + law, {kinetic, potential, external, contacts, scheme}),
          panel("balance [J]" + law, {change, contacts}), positive,
          panel("most negative work [J]" + law,
                {ledger_curve(results, "max_negative_tangential_work")})};
}

}  // namespace

std::string law_of(const ResultReader& results) {
  const std::vector<ResultPair> pairs = results.pairs();
  const bool one =
      !pairs.empty() && std::all_of(pairs.begin(), pairs.end(),
                                    [&](const ResultPair& p) { return p.law == pairs[0].law; });
  return one ? pairs[0].law : "";
}

std::vector<Panel> published_panels(const ResultReader& results) {
  const std::optional<std::size_t> only = free_body(results);
  if (!only) return energy_panels(results);
  const std::size_t body = *only;
  require(results.has_contacts() && results.n_frames() > 0, published_word,
          "the result file holds no contacts");
  Corners corners = touching_corners(results, body);
  const ResultShape shape =
      results.shapes().at(static_cast<std::size_t>(results.bodies().shape[body]));
  std::vector<Curve> place = axes_of(""), turn = axes_of("turn about "), velocity = axes_of("v"),
                     spin = axes_of("spin about ");
  Quaternion last = results.frame(0).orientation[body];
  Vector3 turned = turn_of(last);  // turns from frame to frame added up: no jump at pi
  for (std::int64_t i = 0; i < results.n_frames(); ++i) {
    const ResultFrame frame = results.frame(i);
    turned += turn_of(frame.orientation[body] * last.conjugate());
    last = frame.orientation[body];
    add(place, frame.time, frame.position[body]), add(turn, frame.time, turned);
    add(velocity, frame.time, frame.velocity[body]);
    add(spin, frame.time, frame.orientation[body] * frame.spin[body]);
    add_corner_velocities(frame, body, shape, corners);
    add_corner_impulses(results.contacts(i), frame.time, body, corners);
  }
  append(place, std::move(turn)), append(velocity, std::move(spin));
  std::vector<Curve> local_velocities, impulses;
  for (auto& [name, corner] : corners) {
    append(local_velocities, {corner.normal_velocity, corner.tangential_velocity});
    append(impulses, {corner.normal_impulse, corner.tangential_impulse});
  }
  return {panel("coordinates [m], [rad]", that_move(std::move(place))),
          panel("velocities [m/s], [rad/s]", that_move(std::move(velocity))),
          panel("local velocities [m/s]", std::move(local_velocities)),
          panel("impulses in a step [N s]", std::move(impulses)),
          panel("work of the reactions in a step [J]" + in_brackets(law_of(results)),
                {ledger_curve(results, "contact_normal_work"),
                 ledger_curve(results, "contact_tangential_work")}),
          energies(results)};
}

}  // namespace scree::plot
