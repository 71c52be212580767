#include "engine/files/result_layout.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "contact/laws/laws.hpp"
#include "contact/solver/names.hpp"
#include "engine/base/check.hpp"
#include "engine/files/load_tables.hpp"
#include "engine/files/measure_tables.hpp"
#include "engine/files/result_tables.hpp"
#include "engine/files/scene_group.hpp"
#include "engine/files/stress_tables.hpp"
#include "engine/files/warning_table.hpp"

namespace scree {
namespace {

constexpr hsize_t table_chunk_rows = 512;
// Of tables with a row a step: each join writes the last chunk of each of them, full or not.
constexpr hsize_t step_chunk_rows = 128;
constexpr std::size_t row_chunk_bytes = 8192;

// Numbers of bodies: chunks of one component of all bodies, over frames enough that what moves
// little repeats. Longer ones gain 1 to 2 % and cost more when they are written before they are
// full.
constexpr std::size_t frame_chunk_bytes = 65536;
constexpr std::size_t frame_chunk_rows = 8;
constexpr int frame_deflate = 6;
constexpr hsize_t compressed_bodies = 10;  // fewer are not compressed

// A shape as the file has it: axes of the user, origin in the centre of mass. Bodies share a shape
// of the model in axes B; the user's axes may still differ between them.
struct FileShape {
  std::vector<ShapeIndex> parts;
  Quaternion q_BU = Quaternion::Identity();

  bool operator==(const FileShape& other) const {
    return parts == other.parts && q_BU.coeffs() == other.q_BU.coeffs();
  }
};

void write_root(hid_t file, const ResultOrigin& origin) {
  h5::write_attribute(file, "format", result_format_name);
  h5::write_attribute(file, "version", result_format_version);
  h5::write_attribute(file, "units", "SI");
  h5::write_attribute(file, "title", origin.title);
  h5::write_attribute(file, "program", origin.program);
  h5::write_attribute(file, "finished", std::int64_t{0});
  h5::write_attribute(file, "time_end", std::numeric_limits<double>::quiet_NaN());
  h5::write_attribute(file, "state_hash", "", 64);
  h5::write_text(file, {failure_data_set, "", "why the run ended early; empty unless it failed"},
                 "", failure_length);
  write_scene_group(file, origin.scene_source, origin.scene_files);
}

void write_settings(hid_t file, const ResultOrigin& origin, const Model& model,
                    const Settings& settings) {
  const h5::Handle group = h5::create_group(file, "settings");
  const hid_t g = group.id();
  h5::write_attribute(g, "overrides", origin.overrides);
  h5::write_attribute(g, "gravity", std::span<const double>(model.gravity.data(), 3));
  h5::write_attribute(g, "origin", std::span<const double>(model.origin.data(), 3));
  constexpr std::array planes = {"yz", "xz", "xy"};
  if (model.plane_normal >= 0)
    h5::write_attribute(g, "plane", planes[static_cast<std::size_t>(model.plane_normal)]);
  if (const Cell& cell = model.cell; cell.is_periodic()) {
    const Vector3 corner = cell.corner + model.origin;
    h5::write_attribute(g, "periodic", std::span<const double>(cell.length.data(), 3));
    h5::write_attribute(g, "periodic_corner", std::span<const double>(corner.data(), 3));
    if (cell.is_sheared()) h5::write_attribute(g, "shear_rate", cell.shear_rate);
  }
  h5::write_attribute(g, "dt", settings.time.dt);
  h5::write_attribute(g, "end", settings.time.end);
  h5::write_attribute(g, "theta", settings.time.theta);
  const StepSettings& step = settings.step;
  h5::write_attribute(g, "activation",
                      activation_names.at(static_cast<std::size_t>(step.activation)));
  if (step.activation == Activation::gamma)
    h5::write_attribute(g, "activation_gamma", step.activation_gamma);
  h5::write_attribute(g, "closing", step.closing == Closing::impact ? "impact" : "two_step");
  h5::write_attribute(g, "rest", rest_names.at(static_cast<std::size_t>(step.rest)));
  h5::write_attribute(g, "correction",
                      step.correction == PositionCorrection::none         ? "none"
                      : step.correction == PositionCorrection::projection ? "projection"
                                                                          : "repeated");
  h5::write_attribute(g, "correction_slop", step.correction_slop);
  h5::write_attribute(g, "catch_share", step.catch_share);
  h5::write_attribute(g, "rotation",
                      step.rotation == RotationUpdate::cayley ? "cayley" : "exponential");
  h5::write_attribute(g, "frames", step.frames == Frames::start ? "start" : "middle");
  h5::write_attribute(g, "max_passes", std::int64_t{step.max_passes});
  h5::write_attribute(g, "method", contact::name_of(step.solver.method));
  h5::write_attribute(g, "measure", contact::name_of(step.solver.measure));
  h5::write_attribute(g, "tolerance", step.solver.tolerance);
  h5::write_attribute(g, "velocity_tolerance", step.solver.velocity_tolerance);
  h5::write_attribute(g, "max_iterations", step.solver.max_iterations);
  h5::write_attribute(g, "min_iterations", step.solver.min_iterations);
  h5::write_attribute(g, "backend", backend_name(settings.backend));
  h5::write_attribute(g, "threads", std::int64_t{settings.threads});
  h5::write_attribute(g, "frames_per_second", settings.output.frames_per_second);
  h5::write_attribute(
      g, "velocities",
      settings.output.velocities == VelocityPrecision::double_precision ? "double" : "single");
  h5::write_attribute(g, "overlap_tolerance", settings.overlap_tolerance);
  if (settings.output.stress) {
    h5::write_attribute(g, "stress_mean",
                        settings.output.stress_mean == StressMean::step ? "step" : "frame");
  }
  if (const BodyIndex body = settings.measure.relative_to; body >= 0)
    h5::write_attribute(g, "relative_to", model.name[static_cast<std::size_t>(body)]);
}

void write_materials(hid_t file, const MaterialTable& materials) {
  const h5::Handle group = h5::create_group(file, "materials");
  const std::size_t n = materials.name.size();
  h5::write_strings(group.id(), {"name", "", "name of each material"}, materials.name);
  const auto& parameters = contact::Laws::parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::vector<double> values;
    for (const std::optional<PairLaw>& pair : materials.pair_law) {
      values.push_back(pair ? contact::Laws::number(*pair, i)
                            : std::numeric_limits<double>::quiet_NaN());
    }
    h5::write_dataset<double>(group.id(),
                              {parameters[i].name, parameters[i].unit, parameters[i].meaning},
                              values, {n, n});
  }
  std::vector<std::string> law;
  for (const std::optional<PairLaw>& pair : materials.pair_law)
    law.emplace_back(pair ? contact::Laws::name_of(pair->law) : "");
  h5::write_strings(group.id(),
                    {"law", "", "impact law of each pair, row by row [n_materials * n_materials]"},
                    law);
}

// Writes the fields of a shape, turned into the user's axes.
struct FieldWriter {
  hid_t group;
  Quaternion q_UB;

  void operator()(const ShapeField& field, double value) const {
    h5::write_dataset<double>(group, described(field), std::span<const double>(&value, 1), {});
  }
  void operator()(const ShapeField& field, const Vector3& value) const {
    const Vector3 x_U = q_UB * value;
    h5::write_dataset<double>(group, described(field), std::span<const double>(x_U.data(), 3), {3});
  }
  void operator()(const ShapeField& field, std::span<const Vector3> points) const {
    std::vector<double> numbers;
    for (const Vector3& point : points) {
      const Vector3 x_U = q_UB * point;
      numbers.insert(numbers.end(), x_U.begin(), x_U.end());
    }
    h5::write_dataset<double>(group, described(field), numbers, {points.size(), 3});
  }
  void operator()(const ShapeField& field, const std::vector<std::int32_t>& indices) const {
    h5::write_dataset<std::int32_t>(group, described(field), indices, {indices.size()});
  }

 private:
  static h5::Description described(const ShapeField& field) {
    return {field.name, field.unit, field.meaning};
  }
};

void write_fields(hid_t group, const Shape& shape, const Quaternion& q_UB) {
  std::visit([&]<class T>(const T& s) { T::fields(s, FieldWriter{group, q_UB}); }, shape);
}

// A compound is one mesh: the surfaces of its parts, one after the other.
void write_compound(hid_t group, const Model& model, const FileShape& wanted) {
  ConvexPolyhedron all;
  all.face_begin = {0};
  std::vector<std::int32_t> part_face_begin = {0};
  for (const ShapeIndex index : wanted.parts) {
    const auto& part = std::get<ConvexPolyhedron>(model.shapes[static_cast<std::size_t>(index)]);
    const auto first = static_cast<std::int32_t>(all.vertices.size());
    const auto corner = static_cast<std::int32_t>(all.face_vertices.size());
    all.vertices.insert(all.vertices.end(), part.vertices.begin(), part.vertices.end());
    for (const std::int32_t v : part.face_vertices) all.face_vertices.push_back(first + v);
    for (std::size_t f = 1; f < part.face_begin.size(); ++f)
      all.face_begin.push_back(corner + part.face_begin[f]);
    part_face_begin.push_back(static_cast<std::int32_t>(all.face_begin.size()) - 1);
  }
  write_fields(group, all, wanted.q_BU.conjugate());
  h5::write_dataset<std::int32_t>(
      group,
      {"part_face_begin", "", "part p has the faces [part_face_begin[p], part_face_begin[p+1])"},
      part_face_begin, {part_face_begin.size()});
}

void write_shape(hid_t group, const Model& model, const FileShape& wanted) {
  const Shape& first = model.shapes[static_cast<std::size_t>(wanted.parts[0])];
  const bool compound = wanted.parts.size() > 1;
  h5::write_text(group, {"kind", "", "name of the kind of shape, or compound"},
                 compound ? "compound" : shape_kind(first));
  if (compound) {
    write_compound(group, model, wanted);
  } else {
    write_fields(group, first, wanted.q_BU.conjugate());
  }
}

std::vector<std::int32_t> write_shapes(hid_t file, const Model& model) {
  const h5::Handle shapes = h5::create_group(file, "shapes");
  std::vector<std::int32_t> shape_of_body;
  std::map<ShapeIndex, std::vector<std::pair<FileShape, std::int32_t>>> known;  // by the first part
  std::int32_t count = 0;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    const auto begin = model.part_shape.begin() + model.part_begin[i],
               end = model.part_shape.begin() + model.part_begin[i + 1];
    const FileShape wanted{{begin, end}, model.q_BU[i]};
    auto& same_index = known[wanted.parts[0]];
    auto found = std::find_if(same_index.begin(), same_index.end(),
                              [&](const auto& entry) { return entry.first == wanted; });
    if (found == same_index.end()) {
      const h5::Handle group = h5::create_group(shapes.id(), std::to_string(count));
      write_shape(group.id(), model, wanted);
      found = same_index.insert(same_index.end(), {wanted, count++});
    }
    shape_of_body.push_back(found->second);
  }
  return shape_of_body;
}

void write_bodies(hid_t file, const Model& model) {
  const std::vector<std::int32_t> shape_of_body = write_shapes(file, model);
  const h5::Handle group = h5::create_group(file, "bodies");
  const std::size_t n = model.name.size();
  std::vector<double> inertia;
  std::vector<std::uint8_t> fixed, driven;
  for (std::size_t i = 0; i < n; ++i) {
    const Matrix3 R_BU = model.q_BU[i].toRotationMatrix();
    const Matrix3 J_U = R_BU.transpose() * model.inertia[i].asDiagonal() * R_BU;
    inertia.insert(inertia.end(), J_U.data(), J_U.data() + 9);
    fixed.push_back(model.kind[i] == BodyKind::fixed ? 1 : 0);
    driven.push_back(model.kind[i] == BodyKind::driven ? 1 : 0);
  }
  h5::write_strings(group.id(), {"name", "", "name of each body, unique"}, model.name);
  h5::write_dataset<std::int32_t>(group.id(), {"shape", "", "index into /shapes"}, shape_of_body,
                                  {n});
  h5::write_dataset<std::int32_t>(group.id(), {"material", "", "index into /materials"},
                                  model.material, {n});
  h5::write_dataset<double>(group.id(), {"mass", "kg", "mass; 0 unless the body moves freely"},
                            model.mass, {n});
  h5::write_dataset<double>(
      group.id(), {"inertia", "kg m2", "inertia about the centre of mass, in the user's axes"},
      inertia, {n, 3, 3});
  h5::write_dataset<std::uint8_t>(group.id(), {"fixed", "", "1: the body never moves"}, fixed, {n});
  h5::write_dataset<std::uint8_t>(group.id(), {"driven", "", "1: the body moves as prescribed"},
                                  driven, {n});
}

// What bodies are free to do, where some are locked.
void write_freedom(hid_t file, const Model& model) {
  std::vector<std::string> free;
  for (const SteeredBody& steered : model.steered) {
    if (steered.freedom.is_whole()) continue;
    free.resize(model.name.size());
    const auto i = static_cast<std::size_t>(steered.body);
    free[i] = describe(steered.freedom, model.q_BU[i]);
  }
  if (free.empty()) return;
  const h5::Handle group = h5::own(H5Gopen2(file, "bodies", H5P_DEFAULT), &H5Gclose, "bodies");
  h5::write_strings(group.id(),
                    {"free", "",
                     "directions that are not locked, of the world (x, y, z) and rotations with "
                     "their axis in the user's axes; empty: all"},
                    free);
}

// A table whose chunks hold about `row_chunk_bytes`: at least one row.
template <class T>
void create_row_table(hid_t group, const h5::Description& what, const std::vector<hsize_t>& row,
                      bool compressed) {
  hsize_t bytes = sizeof(T);
  for (const hsize_t n : row) bytes *= n;
  h5::create_table<T>(group, what, row,
                      {std::clamp<hsize_t>(row_chunk_bytes / bytes, 1, table_chunk_rows),
                       compressed ? 1 : 0, false});
}

// A table [F, n_bodies, components].
template <class T>
void create_body_table(hid_t group, const h5::Description& what, hsize_t n_bodies,
                       hsize_t components) {
  if (n_bodies < compressed_bodies)
    return create_row_table<T>(group, what, {n_bodies, components}, false);
  const hsize_t rows =
      std::clamp<hsize_t>(frame_chunk_bytes / (sizeof(double) * n_bodies), 1, frame_chunk_rows);
  h5::create_table<T>(group, what, {n_bodies, components}, {rows, frame_deflate, true});
}

void create_frames(hid_t file, hsize_t n_bodies, VelocityPrecision velocities, bool periodic) {
  const h5::Handle group = h5::create_group(file, "frames");
  const hid_t g = group.id();
  create_row_table<double>(g, {"time", "s", "time of the frame"}, {}, false);
  create_row_table<std::int64_t>(
      g, {"step", "", "step after which the frame was taken; 0: the start"}, {}, false);
  create_body_table<double>(
      g, {"position", "m", "centre of mass, world axes, the scene's origin added"}, n_bodies, 3);
  create_body_table<double>(
      g, {"orientation", "", "unit quaternion (w,x,y,z): x_world = q * x_user + position"},
      n_bodies, 4);
  const h5::Description velocity = {
      "velocity", "m/s, rad/s", "velocity in world axes, then spin in the user's axes of the body"};
  if (velocities == VelocityPrecision::single_precision) {
    create_body_table<float>(g, velocity, n_bodies, 6);
    const std::vector<double> none(6 * n_bodies, std::numeric_limits<double>::quiet_NaN());
    h5::write_dataset<double>(
        file, {last_velocity, "m/s, rad/s", "velocity in the last frame, not rounded"}, none,
        {n_bodies, 6});
  } else {
    create_body_table<double>(g, velocity, n_bodies, 6);
  }
  if (periodic) {
    create_body_table<std::int32_t>(
        g, {"image", "", "periods that the body has gone along x, y, z since the start"}, n_bodies,
        3);
    create_row_table<double>(
        g, {"image_shift", "m", "how far along x the images above are shifted"}, {}, false);
  }
  create_row_table<std::uint8_t>(g, {"active", "", "1: the body takes part"}, {n_bodies},
                                 n_bodies >= compressed_bodies);
}

void create_contacts(hid_t file, bool moments, bool periodic) {
  const h5::Handle group = h5::create_group(file, "frames/contacts");
  const hid_t g = group.id();
  create_row_table<std::int64_t>(
      g, {"offset", "", "contacts of frame i are the rows [offset[i], offset[i+1])"}, {}, false);
  create_row_table<std::int32_t>(g, {"body_a", "", "index of body a, the lower one"}, {}, true);
  create_row_table<std::int32_t>(g, {"body_b", "", "index of body b"}, {}, true);
  create_row_table<std::int32_t>(
      g, {"part_a", "", "which of the parts of body a, from 0; 0 unless it is a compound"}, {},
      true);
  create_row_table<std::int32_t>(g, {"part_b", "", "which of the parts of body b"}, {}, true);
  create_row_table<std::uint32_t>(
      g,
      {"feature_a", "",
       "kind (0 surface, 1 vertex, 2 edge, 3 face) in the top 4 bits, index below"},
      {}, true);
  create_row_table<std::uint32_t>(g, {"feature_b", "", "as feature_a, on body b"}, {}, true);
  create_row_table<double>(
      g, {"point", "m", "middle of the two witness points, at the start of the step"}, {3}, true);
  create_row_table<double>(g, {"normal", "", "unit, from a to b, world axes"}, {3}, true);
  create_row_table<double>(g, {"tangent", "", "unit vector t, world axes; s = n x t"}, {3}, true);
  create_row_table<double>(
      g, {"gap", "m", "distance at the start of the step, negative: penetration"}, {}, true);
  create_row_table<double>(
      g,
      {"impulse", "N s",
       "impulse on b during the step, components (n,t,s); divided by dt: mean force [N]"},
      {3}, true);
  create_row_table<double>(g, {"impulse_world", "N s", "impulse on b during the step, world axes"},
                           {3}, true);
  create_row_table<double>(g, {"velocity", "m/s", "u_theta of b relative to a, components (n,t,s)"},
                           {3}, true);
  create_row_table<std::uint8_t>(g, {"status", "", "0 open, 1 stick, 2 slip"}, {}, true);
  if (periodic) {
    create_row_table<std::int32_t>(
        g, {"image", "", "of b, as a in its place meets it: periods along x, y, z"}, {3}, true);
  }
  if (!moments) return;
  create_row_table<double>(g,
                           {"moment", "N m s",
                            "angular impulse on b of rolling and spinning resistance, components "
                            "(n,t,s); divided by dt: mean moment [N m]"},
                           {3}, true);
  create_row_table<double>(
      g, {"spin", "rad/s", "spin of b relative to a, averaged as velocity, components (n,t,s)"},
      {3}, true);
}

void create_pairs(hid_t file, hsize_t n_bodies) {
  const h5::Handle frames = h5::own(H5Gopen2(file, "frames", H5P_DEFAULT), &H5Gclose, "frames");
  create_row_table<double>(frames.id(),
                           {"body_impulse_sum", "N s",
                            "sum of the contact impulses on the body over all steps since the "
                            "previous frame, world axes"},
                           {n_bodies, 3}, true);
  const h5::Handle group = h5::create_group(file, "frames/pairs");
  const hid_t g = group.id();
  create_row_table<std::int64_t>(
      g, {"offset", "", "pairs of frame i are the rows [offset[i], offset[i+1])"}, {}, false);
  create_row_table<std::int32_t>(g, {"body_a", "", "index of body a, the lower one"}, {}, true);
  create_row_table<std::int32_t>(g, {"body_b", "", "index of body b"}, {}, true);
  create_row_table<double>(
      g,
      {"impulse_sum", "N s",
       "sum of the contact impulses on b over all steps since the previous frame, world axes"},
      {3}, true);
  create_row_table<double>(
      g, {"mean_force", "N", "resultant on b, mean over the frame's step, world axes"}, {3}, true);
  create_row_table<double>(g,
                           {"point", "m",
                            "mean of the contact points of the frame's step, weighted with their "
                            "normal impulses; 0: the pair carries nothing in it"},
                           {3}, true);
  create_row_table<double>(
      g,
      {"mean_moment", "N m",
       "resultant moment on b about `point`, mean over the frame's step, world axes"},
      {3}, true);
}

void create_step_tables(hid_t file) {
  const h5::Handle ledger = h5::create_group(file, "ledger");
  h5::create_table<double>(ledger.id(), {"time", "s", "end of the step; row 0 is the start"}, {},
                           {step_chunk_rows});
  for (const LedgerColumn& column : ledger_columns) {
    h5::create_table<double>(ledger.id(), {column.name, "J", column.meaning}, {},
                             {step_chunk_rows});
  }
  const h5::Handle solver = h5::create_group(file, "solver");
  for (const SolverCount& column : solver_counts) {
    h5::create_table<std::int64_t>(solver.id(), {column.name, "", column.meaning}, {},
                                   {step_chunk_rows});
  }
  for (const SolverNumber& column : solver_numbers) {
    h5::create_table<double>(solver.id(), {column.name, column.unit, column.meaning}, {},
                             {step_chunk_rows});
  }
}

}  // namespace

void write_layout(hid_t file, const ResultOrigin& origin, const Model& model,
                  const Settings& settings) {
  write_root(file, origin);
  write_settings(file, origin, model, settings);
  write_materials(file, model.materials);
  write_bodies(file, model);
  write_freedom(file, model);
  create_step_tables(file);
  create_load_tables(file, model);
  create_measure_tables(file, model, settings);
  create_warning_table(file);
  if (settings.output.keep_frames) {
    const bool periodic = model.cell.is_periodic();
    create_frames(file, static_cast<hsize_t>(model.n_bodies()), settings.output.velocities,
                  periodic);
    if (settings.output.contacts) {
      create_contacts(file, contact::Laws::any_moments(model.materials), periodic);
      create_pairs(file, static_cast<hsize_t>(model.n_bodies()));
    }
  }
  create_stress_tables(file, model, settings);
}

}  // namespace scree
