// Reads the result files that ResultWriter writes, also while they grow and after a kill.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/math.hpp"
#include "engine/files/scene_text.hpp"
#include "engine/measure/departure_row.hpp"
#include "engine/measure/gauges.hpp"
#include "engine/measure/impact_log.hpp"
#include "engine/measure/screens.hpp"
#include "engine/model/warnings.hpp"

namespace scree {

// A shape in the user's axes, origin in the centre of mass. Only the fields of its kind are filled.
struct ResultShape {
  std::string kind;  // sphere, box, polyhedron, half_space, points, cylinder_wall, compound
  std::vector<Vector3> vertices;  // [m]
  std::vector<std::int32_t> faces,
      face_begin;  // of a compound: those of all its parts, one after the other
  std::vector<std::int32_t> part_face_begin;  // compound: part p has the faces [part_face_begin[p],
                                              // part_face_begin[p + 1])
  double radius = 0.0;                        // [m]
  Vector3 centre = Vector3::Zero();           // [m] of a sphere; on the axis of a cylinder wall
  Vector3 normal = Vector3::UnitZ();          // of a half-space; axis of a cylinder wall
  double offset = 0.0;                        // [m]
  double bottom = 0.0, top = 0.0;  // [m] ends of a cylinder wall along its axis, may be infinite
  double volume = 0.0;             // [m3] 0: it has none
};

struct ResultBodies {
  std::vector<std::string> name;
  std::vector<std::int32_t> shape, material;
  std::vector<double> mass;      // [kg]
  std::vector<Matrix3> inertia;  // [kg m2] user axes
  std::vector<std::uint8_t> fixed;
};

// What two materials do to each other.
struct ResultPair {
  std::int32_t material_a = 0, material_b = 0;  // a <= b
  std::string law;                              // name of the impact law
  std::map<std::string, double> number;         // mu, e and the rest, by their names in scenes
};

struct ResultFrame {
  double time = 0.0;  // [s]
  std::int64_t step = 0;
  std::vector<Vector3> position;        // [m] centre of mass, map coordinates
  std::vector<Quaternion> orientation;  // x_world = q * x_user + position
  std::vector<Vector3> velocity, spin;  // [m/s] world axes; [rad/s] user axes of the body
  std::vector<std::uint8_t> active;
  std::vector<PeriodCount> image;  // of a periodic world: periods that bodies have gone; else empty
  double image_shift = 0.0;        // [m] of the images above (engine/model/cell.hpp)
};

struct ResultContacts {
  std::vector<std::int32_t> body_a, body_b;
  std::vector<std::int32_t> part_a, part_b;  // of compounds; -1 in files that do not have them
  std::vector<std::uint32_t> feature_a, feature_b;
  std::vector<Vector3> point, normal, tangent, impulse, impulse_world, velocity;
  std::vector<Vector3> moment, spin;  // empty unless the file has them
  std::vector<PeriodCount> image;     // of b, as a meets it; likewise
  std::vector<double> gap;
  std::vector<std::uint8_t> status;  // ContactStatus
};

// What pairs of bodies gave each other, of one frame.
struct ResultPairImpulses {
  std::vector<std::int32_t> body_a, body_b;  // a < b
  std::vector<Vector3> impulse_sum;          // [N s] on b, all steps since the frame before
  std::vector<Vector3> mean_force, point, mean_moment;  // [N], [m], [N m] in the frame's own step
};

struct ResultScreen {
  std::string name;
  Vector3 point = Vector3::Zero(), normal = Vector3::UnitZ();  // [m] map coordinates
  std::vector<Vector3> corners;  // [m] map coordinates; empty: the whole plane
};

// Groups of bodies; the last one has all that are in no other.
struct ResultGroups {
  std::vector<std::string> name;
  std::vector<std::int32_t> of_body;         // [n_bodies]
  std::vector<std::int32_t> pair_a, pair_b;  // [n_pairs] groups, a < b
  double moved = 0.0;                        // [m] farther than this counts; infinite: not counted
};

// Loads on one body, one entry a step (rows of /solver).
struct ResultLoad {
  std::int32_t body = -1;
  std::vector<Vector3> force, torque;  // [N], [N m] mean over the step, world axes
};

// Motion of the ground, one entry a step, at its end; empty: the scene has none.
struct ResultGround {
  std::vector<Vector3> acceleration, velocity, displacement;  // [m/s2], [m/s], [m]
};

// Mean stress of bodies in a frame; NaN where there is none.
struct ResultStress {
  std::vector<measure::StressTensor> stress;  // [Pa, n_bodies]
  std::vector<double> asymmetry;              // [-]
  std::vector<Matrix3> couple;                // [N/m] empty unless the file has it
};

struct ResultGauge {
  std::string name, kind;                                 // bodies, box, grid
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();  // [m] map coordinates; NaN: of bodies
  std::array<std::int32_t, 3> cells = {1, 1, 1};
  double volume = 0.0;                // [m3] of a cell, or of the bodies
  std::vector<std::uint8_t> counted;  // [n_bodies]

  std::size_t n_cells() const { return measure::CellGrid{low, high, cells}.count(); }
};

class ResultReader {
 public:
  // Throws InputError, one line: no such file, no HDF5 file, not ours, of a newer version, damaged
  // or truncated.
  explicit ResultReader(const std::string& path);
  ~ResultReader();
  ResultReader(ResultReader&&) noexcept;
  ResultReader& operator=(ResultReader&&) noexcept;

  // All of these throw InputError when the file is damaged where they read.
  std::string title() const;
  std::string program() const;
  std::string scene_sha256() const;
  std::string scene_source() const;
  std::vector<SceneFile> scene_files() const;  // that the scene names, with their texts
  std::string state_hash() const;              // empty while the run goes on, and after a kill
  bool finished() const;                       // the run reached its end
  std::string failure() const;  // why the run failed; empty when it did not, or was killed
  // What the run warned of so far. None also in files of earlier programs, which did not record
  // warnings.
  std::vector<RecordedWarning> warnings() const;
  bool records_warnings() const;
  std::map<std::string, std::string> settings() const;  // as text, by name
  std::string setting(const std::string& name) const;
  Vector3 gravity() const;  // [m/s2]
  Cell cell() const;        // periodic directions; its corner in map coordinates
  double dt() const;        // [s] length of a step
  std::vector<std::string> materials() const;
  std::vector<ResultPair> pairs() const;  // those that the scene has

  ResultBodies bodies() const;
  std::vector<ResultShape> shapes() const;

  // Counts as of the opening; rows of a step or frame that was being written are left out.
  std::int64_t n_bodies() const;
  std::int64_t n_steps() const;     // rows of /solver; /ledger has one more, the start
  std::int64_t n_frames() const;    // 0 also when the file keeps no frames
  std::int64_t n_contacts() const;  // over all frames
  std::int64_t n_pairs() const;     // rows of /frames/pairs, likewise
  double time_end() const;          // [s] of the last step recorded
  bool has_contacts() const;

  // Bytes in the file, compressed: poses, velocities and activity of all frames; their contacts.
  std::uint64_t frame_bytes() const;
  std::uint64_t contact_bytes() const;

  std::vector<double> frame_times() const;
  ResultFrame frame(std::int64_t index) const;
  // The last one with velocities in double precision, in files whose frames round them too. Those
  // of a run that was killed while it wrote them are rounded as in the frame. Throws InputError
  // when there are no frames.
  ResultFrame last_frame() const;
  ResultContacts contacts(std::int64_t frame) const;

  // One value a row: [n_steps + 1] and [n_steps]. Throws InputError with the known names for an
  // unknown one.
  std::vector<double> ledger(const std::string& name) const;
  std::vector<double> solver(const std::string& name) const;

  // What the devices of the scene measured, in the order of time. Each throws InputError when the
  // scene has no such device.
  bool logs_impacts() const;
  std::int64_t n_impacts() const;  // 0 without a log
  std::vector<measure::Impact> impacts() const;
  std::vector<measure::BelowThreshold> below_threshold() const;  // [n_steps] what is not in the log
  std::vector<ResultScreen> screens() const;                     // none without one
  std::vector<measure::Crossing> crossings() const;
  bool has_terrain() const;  // that bodies can leave
  std::vector<measure::DepartureRow> departures() const;
  bool has_groups() const;
  ResultGroups groups() const;
  std::vector<Vector3> group_impulses(std::size_t pair) const;     // [N s, n_steps] on its b
  std::vector<std::int32_t> group_moved(std::size_t group) const;  // [n_steps]
  std::string relative_to() const;  // body that displacements are relative to; empty: none
  ResultPairImpulses pair_impulses(std::int64_t frame) const;
  bool has_stress() const;
  std::string stress_mean() const;                // "step" or "frame"; empty without stresses
  ResultStress stress(std::int64_t frame) const;  // throws InputError without
  std::vector<ResultGauge> gauges() const;        // none without one
  // [n_steps * n_cells] of number `gauge`, the cells of a step after one another.
  std::vector<measure::GaugeRow> gauge_rows(std::size_t gauge) const;
  // [m3, n_bodies] what the file says, or the volumes of shapes; 0: none. In files of plane
  // problems that do not say it discs are taken as 1 m thick.
  std::vector<double> volumes() const;
  std::vector<std::int32_t> loaded_bodies() const;
  std::vector<ResultLoad> loads() const;
  ResultGround ground() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scree
