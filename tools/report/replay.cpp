#include "tools/report/replay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/measure/stress_tensor.hpp"
#include "tools/export/wall_mesh.hpp"

namespace scree::report {
namespace {

using nlohmann::json;

constexpr int number_bits =
    16;  // significant bits of speeds, energies and forces: 5e-6 of the value
constexpr int gap_bits = 12;
constexpr double quaternion_scale = 32767.0;

json triple(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

json describe(ResultShape shape, double scene_size) {
  if (shape.kind == "cylinder_wall") {
    const WallMesh mesh = cylinder_wall_mesh(shape, scene_size);
    shape.vertices = mesh.points;
    shape.face_begin = {0};
    for (const auto& face : mesh.faces) {
      shape.faces.insert(shape.faces.end(), face.begin(), face.end());
      shape.face_begin.push_back(static_cast<std::int32_t>(shape.faces.size()));
    }
  }
  json text = {{"kind", shape.kind}};
  if (shape.kind == "sphere")
    text.update({{"radius", shape.radius}, {"centre", triple(shape.centre)}});
  if (shape.kind == "half_space")
    text.update({{"normal", triple(shape.normal)}, {"offset", shape.offset}});
  json vertices = json::array();
  for (const Vector3& vertex : shape.vertices) {
    for (const double value : vertex) vertices.push_back(round_bits(value, 24));
  }
  if (!shape.vertices.empty()) text["vertices"] = vertices;
  if (!shape.faces.empty()) text.update({{"faces", shape.faces}, {"face_begin", shape.face_begin}});
  return text;
}

double size_of(const ResultShape& shape) {
  double radius = shape.radius;
  for (const Vector3& vertex : shape.vertices) radius = std::max(radius, vertex.norm());
  return 2.0 * radius;
}

struct Bounds {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  void add(const Vector3& x) {
    if (!x.allFinite()) return;
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  bool empty() const { return !(low.x() <= high.x()); }
  double diagonal() const { return empty() ? 1.0 : (high - low).norm(); }
};

// Fine enough to be invisible: a millionth of what is seen and a ten-thousandth of the smallest
// body; a power of two.
double quantum_of(double diagonal, double smallest) {
  const double wanted =
      std::max({std::min(1e-6 * diagonal, 1e-4 * smallest), 1e-9 * diagonal, 1e-12});
  return std::exp2(std::floor(std::log2(wanted)));
}

struct Quantiser {
  Vector3 origin = Vector3::Zero();  // [m] of the numbers, in the file's coordinates
  double quantum = 1.0;              // [m]

  void push(const Vector3& x, std::vector<std::int32_t>& out) const {
    for (const double value : (x - origin) / quantum) {
      out.push_back(std::isfinite(value)
                        ? static_cast<std::int32_t>(std::lround(std::clamp(value, -2e9, 2e9)))
                        : 0);
    }
  }
};

// Far from zero (map coordinates) the page, which draws with floats, computes from a round point
// near the bodies.
Vector3 local_origin(const Bounds& start, double extent) {
  Vector3 origin = Vector3::Zero();
  if (start.empty()) return origin;
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    const double middle = 0.5 * (start.low[axis] + start.high[axis]);
    if (std::abs(middle) > 10.0 * extent) origin[axis] = std::round(middle);
  }
  return origin;
}

struct Frames {
  std::vector<double> time, dt;
  std::vector<std::int32_t> step, position;
  std::vector<std::int16_t> orientation;
  std::vector<std::int32_t> image;  // periods that bodies have gone; empty: the world has none
  std::vector<double> image_shift;  // [m] likewise, of the images above
  std::vector<std::uint8_t> active;
  std::vector<float> speed, kinetic, force;
  std::vector<float> pressure,
      shear;  // [Pa] NaN where a body has no stress; empty without stresses
  std::vector<Quaternion> last;

  void push_orientation(std::size_t body, Quaternion q) {
    if (last.size() <= body) last.resize(body + 1, Quaternion::Identity());
    if (!q.coeffs().allFinite()) q = Quaternion::Identity();
    if (q.dot(last[body]) < 0.0) q.coeffs() = -q.coeffs();  // q and -q are the same rotation
    last[body] = q;
    for (const double value : {q.w(), q.x(), q.y(), q.z()}) {
      orientation.push_back(
          static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0, 1.0) * quaternion_scale)));
    }
  }
};

struct Contacts {
  std::vector<std::int32_t> begin = {0}, body_a, body_b, point;
  std::vector<float> normal_impulse, tangential_impulse, gap;
  std::vector<std::int16_t> direction;
  std::vector<std::uint8_t> status;
};

// A unit vector as two numbers: the octahedron |x| + |y| + |z| = 1, its lower half folded outwards.
void push_direction(const Vector3& v, std::vector<std::int16_t>& out) {
  const double sum = v.cwiseAbs().sum();
  Vector3 d = sum > 0.0 && std::isfinite(sum) ? Vector3(v / sum) : Vector3(0.0, 0.0, 1.0);
  if (d.z() < 0.0) {
    const double x = d.x(), y = d.y();
    d.x() = std::copysign(1.0 - std::abs(y), x);
    d.y() = std::copysign(1.0 - std::abs(x), y);
  }
  out.push_back(static_cast<std::int16_t>(std::lround(d.x() * 32767.0)));
  out.push_back(static_cast<std::int16_t>(std::lround(d.y() * 32767.0)));
}

void push_contact(const ResultContacts& all, std::size_t c, const Quantiser& place, Contacts& out) {
  const Vector3& p = all.impulse[c];
  out.body_a.push_back(all.body_a[c]);
  out.body_b.push_back(all.body_b[c]);
  place.push(all.point[c], out.point);
  out.normal_impulse.push_back(round_bits(p.x(), number_bits));
  out.tangential_impulse.push_back(round_bits(std::hypot(p.y(), p.z()), number_bits));
  out.gap.push_back(round_bits(all.gap[c], gap_bits));
  push_direction(p.squaredNorm() > 0.0 ? all.impulse_world[c] : all.normal[c], out.direction);
  out.status.push_back(all.status[c]);
}

// The `limit` strongest, in the order of the file.
std::vector<std::size_t> strongest(const ResultContacts& all, std::size_t limit) {
  std::vector<std::size_t> chosen(all.gap.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (chosen.size() <= limit) return chosen;
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
    return all.impulse[a].squaredNorm() > all.impulse[b].squaredNorm();
  });
  chosen.resize(limit);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Length of the step that ended a frame [s]: what its impulses are divided by to give mean forces.
// 0 for the start.
double step_length(const std::vector<double>& ledger_time, std::int64_t step) {
  const auto row = static_cast<std::size_t>(step);
  return step > 0 && row < ledger_time.size() ? ledger_time[row] - ledger_time[row - 1] : 0.0;
}

void add_forces(const ResultContacts& contacts, double dt, std::vector<double>& force) {
  if (!(dt > 0.0)) return;
  for (std::size_t c = 0; c < contacts.gap.size(); ++c) {
    const double mean = contacts.impulse[c].norm() / dt;
    for (const std::int32_t body : {contacts.body_a[c], contacts.body_b[c]}) {
      if (body >= 0 && static_cast<std::size_t>(body) < force.size())
        force[static_cast<std::size_t>(body)] += mean;
    }
  }
}

void push_frame(const ResultBodies& bodies, const ResultFrame& frame,
                const std::vector<double>& force, const Quantiser& place, Frames& out) {
  out.time.push_back(frame.time);
  out.step.push_back(static_cast<std::int32_t>(frame.step));
  for (const PeriodCount& image : frame.image)
    out.image.insert(out.image.end(), image.begin(), image.end());
  if (!frame.image.empty()) out.image_shift.push_back(frame.image_shift);
  for (std::size_t i = 0; i < bodies.name.size(); ++i) {
    const Vector3 &v = frame.velocity[i], &w = frame.spin[i];
    place.push(frame.position[i], out.position);
    out.push_orientation(i, frame.orientation[i]);
    out.active.push_back(frame.active[i] != 0 && frame.position[i].allFinite() ? 1 : 0);
    out.speed.push_back(round_bits(v.norm(), number_bits));
    out.kinetic.push_back(round_bits(
        0.5 * (bodies.mass[i] * v.squaredNorm() + w.dot(bodies.inertia[i] * w)), number_bits));
    out.force.push_back(round_bits(force[i], number_bits));
  }
}

void push_stress(const ResultStress& stress, Frames& out) {
  for (const measure::StressTensor& s : stress.stress) {
    out.pressure.push_back(round_bits(measure::pressure_of(s), number_bits));
    out.shear.push_back(round_bits(measure::shear_of(s), number_bits));
  }
}

void add_frames(const Frames& frames, std::size_t n, Payload& payload) {
  payload.add<double>("frame/time", frames.time, 1, Filter::bits);
  payload.add<double>("frame/dt", frames.dt, 1, Filter::bits);
  payload.add<std::int32_t>("frame/step", frames.step, 1, Filter::delta);
  payload.add<std::int32_t>("frame/position", frames.position, 3 * n, Filter::curvature);
  payload.add<std::int16_t>("frame/orientation", frames.orientation, 4 * n, Filter::delta);
  payload.add<std::uint8_t>("frame/active", frames.active, n, Filter::delta);
  payload.add<float>("frame/speed", frames.speed, n, Filter::bits);
  payload.add<float>("frame/kinetic", frames.kinetic, n, Filter::bits);
  payload.add<float>("frame/force", frames.force, n, Filter::bits);
  if (!frames.image.empty()) {
    payload.add<std::int32_t>("frame/image", frames.image, 3 * n, Filter::delta);
    payload.add<double>("frame/image_shift", frames.image_shift, 1, Filter::bits);
  }
  if (frames.pressure.empty()) return;
  payload.add<float>("frame/pressure", frames.pressure, n, Filter::bits);
  payload.add<float>("frame/shear", frames.shear, n, Filter::bits);
}

void add_contacts(const Contacts& contacts, Payload& payload) {
  payload.add<std::int32_t>("contact/begin", contacts.begin, 1, Filter::delta);
  payload.add<std::int32_t>("contact/body_a", contacts.body_a, 1, Filter::delta);
  payload.add<std::int32_t>("contact/body_b", contacts.body_b, 1, Filter::delta);
  payload.add<std::int32_t>("contact/point", contacts.point, 3, Filter::delta);
  payload.add<float>("contact/normal_impulse", contacts.normal_impulse);
  payload.add<float>("contact/tangential_impulse", contacts.tangential_impulse);
  payload.add<float>("contact/gap", contacts.gap);
  payload.add<std::int16_t>("contact/direction", contacts.direction, 2);
  payload.add<std::uint8_t>("contact/status", contacts.status);
}

// What the first look at the frames finds.
struct Survey {
  Bounds start, all;
  double smallest = std::numeric_limits<double>::infinity();  // [m] size of the smallest body
  std::vector<std::size_t> contacts;                          // of each frame
};

Survey survey(const ResultReader& results, const std::vector<std::int64_t>& frames,
              const ResultBodies& bodies, const std::vector<ResultShape>& shapes) {
  Survey found;
  for (const std::int64_t index : frames) {
    const ResultFrame frame = results.frame(index);
    for (std::size_t i = 0; i < bodies.name.size(); ++i) {
      const ResultShape& shape = shapes.at(static_cast<std::size_t>(bodies.shape[i]));
      if (shape.kind == "half_space" || shape.kind == "cylinder_wall") continue;
      found.all.add(frame.position[i]);
      if (index == frames.front()) found.start.add(frame.position[i]);
      found.smallest = std::min(found.smallest, size_of(shape));
    }
    found.contacts.push_back(results.has_contacts() ? results.contacts(index).gap.size() : 0);
  }
  return found;
}

json describe_bodies(const ResultBodies& bodies, const std::vector<ResultShape>& shapes,
                     const std::vector<std::string>& materials, double scene_size) {
  json text = {{"name", bodies.name},    {"shape", bodies.shape}, {"material", bodies.material},
               {"mass", bodies.mass},    {"fixed", bodies.fixed}, {"materials", materials},
               {"shapes", json::array()}};
  for (const ResultShape& shape : shapes) text["shapes"].push_back(describe(shape, scene_size));
  return text;
}

}  // namespace

std::vector<std::int64_t> shown_frames(std::int64_t n_frames, std::int64_t n_bodies,
                                       std::optional<std::int64_t> wanted) {
  const std::int64_t affordable =
      std::max<std::int64_t>(2, default_body_frames / std::max<std::int64_t>(1, n_bodies));
  const std::int64_t count =
      std::min(n_frames, wanted.value_or(std::min(default_frames, affordable)));
  std::vector<std::int64_t> frames;
  if (count == 1) return {n_frames - 1};
  for (std::int64_t k = 0; k < count; ++k)
    frames.push_back((2 * k * (n_frames - 1) + count - 1) / (2 * (count - 1)));
  return frames;
}

std::size_t contacts_per_frame(std::vector<std::size_t> counts, std::size_t budget) {
  std::sort(counts.begin(), counts.end());
  std::size_t left = budget;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t share = left / (counts.size() - i);
    if (counts[i] > share) return share;
    left -= counts[i];
  }
  return counts.empty() ? 0 : counts.back();
}

json add_empty_replay(Payload& payload) {
  Frames frames;
  frames.time = {0.0}, frames.dt = {0.0}, frames.step = {0};
  Contacts contacts;
  contacts.begin.push_back(0);
  add_frames(frames, 0, payload);
  add_contacts(contacts, payload);
  return {{"bodies", describe_bodies({}, {}, {}, 1.0)},
          {"frames", 1},
          {"frames_in_file", 0},
          {"has_contacts", false},
          {"contact_limit", nullptr},
          {"most_contacts", 0},
          {"origin", triple(Vector3::Zero())},
          {"quantum", 1.0},
          {"contact_quantum", 1.0}};
}

json add_replay(const ResultReader& results, const std::vector<std::int64_t>& indices,
                Payload& payload) {
  const ResultBodies bodies = results.bodies();
  const std::vector<ResultShape> shapes = results.shapes();
  const Survey found = survey(results, indices, bodies, shapes);
  const Vector3 origin = local_origin(found.start, found.all.diagonal());
  const double quantum = quantum_of(found.all.diagonal(), found.smallest);
  const Quantiser place{origin, quantum}, contact_place{origin, 8.0 * quantum};
  const std::size_t limit = contacts_per_frame(found.contacts, max_contacts);
  const std::vector<double> ledger_time = results.ledger("time");
  Frames frames;
  Contacts contacts;
  for (const std::int64_t index : indices) {
    const ResultFrame frame = results.frame(index);
    const double dt = step_length(ledger_time, frame.step);
    std::vector<double> force(bodies.name.size(), 0.0);
    if (results.has_contacts()) {
      const ResultContacts all = results.contacts(index);
      add_forces(all, dt, force);
      for (const std::size_t c : strongest(all, limit))
        push_contact(all, c, contact_place, contacts);
    }
    contacts.begin.push_back(static_cast<std::int32_t>(contacts.body_a.size()));
    frames.dt.push_back(dt);
    push_frame(bodies, frame, force, place, frames);
    if (results.has_stress()) push_stress(results.stress(index), frames);
  }
  add_frames(frames, bodies.name.size(), payload);
  add_contacts(contacts, payload);
  const std::size_t most =
      found.contacts.empty() ? 0 : *std::max_element(found.contacts.begin(), found.contacts.end());
  return {{"bodies", describe_bodies(bodies, shapes, results.materials(), found.all.diagonal())},
          {"frames", indices.size()},
          {"frames_in_file", results.n_frames()},
          {"has_contacts", results.has_contacts()},
          {"stress_mean", results.stress_mean()},
          {"contact_limit", most > limit ? json(limit) : json()},
          {"most_contacts", most},
          {"origin", triple(origin)},
          {"quantum", quantum},
          {"contact_quantum", contact_place.quantum},
          {"period", results.cell().is_periodic() ? triple(results.cell().length) : json()}};
}

}  // namespace scree::report
