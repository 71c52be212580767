#include "engine/checkpoint.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/hdf5_file.hpp"
#include "engine/model/check.hpp"
#include "engine/model/input_file.hpp"
#include "engine/posix_file.hpp"
#include "engine/result_copy.hpp"
#include "engine/result_reader.hpp"
#include "engine/result_tables.hpp"
#include "engine/scene_group.hpp"
#include "engine/state_hash.hpp"
#include "engine/unfinished_file.hpp"

namespace scree {
namespace {

constexpr std::int64_t format_version = 1;
constexpr std::size_t trailer_size =
    64;  // SHA-256 of all bytes before it, hexadecimal; HDF5 ignores what follows its end

// A file in memory: the disk sees nothing before the bytes are complete. In HDF5's earliest format, unlike our other
// files: taking the image clears a mark in the file's head that the checksum of later formats covers, so these could
// not be opened again.
h5::Handle memory_access() {
  h5::Handle access = h5::own(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, "file access");
  h5::check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST), "file access");
  h5::check(H5Pset_fapl_core(access.id(), 1 << 16, false), "file access");
  return access;
}

std::vector<double> flat(const std::vector<Vector3>& vectors) {
  std::vector<double> numbers;
  numbers.reserve(3 * vectors.size());
  for (const Vector3& v : vectors) numbers.insert(numbers.end(), {v.x(), v.y(), v.z()});
  return numbers;
}

std::vector<double> flat(const std::vector<Quaternion>& quaternions) {
  std::vector<double> numbers;
  for (const Quaternion& q : quaternions) numbers.insert(numbers.end(), {q.w(), q.x(), q.y(), q.z()});
  return numbers;
}

std::vector<Quaternion> quaternions_of(const std::vector<double>& q) {
  std::vector<Quaternion> quaternions;
  for (std::size_t i = 0; i + 3 < q.size(); i += 4) quaternions.emplace_back(q[i], q[i + 1], q[i + 2], q[i + 3]);
  return quaternions;
}

std::vector<Vector3> vectors_of(const std::vector<double>& numbers) {
  std::vector<Vector3> vectors;
  vectors.reserve(numbers.size() / 3);
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    vectors.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  return vectors;
}

void write_origin(hid_t file, const CheckpointOrigin& origin, const RecordedRows& rows) {
  h5::write_attribute(file, "format", checkpoint_format_name);
  h5::write_attribute(file, "version", format_version);
  h5::write_attribute(file, "program", origin.program);
  h5::write_attribute(file, "scene_name", origin.scene_name);
  h5::write_attribute(file, "overrides", origin.overrides);
  h5::write_attribute(file, "result", origin.result);
  h5::write_attribute(file, "start_hash", origin.start_hash);
  h5::write_attribute(file, "asked", std::int64_t{origin.asked});
  h5::write_attribute(file, "recorded_frames", rows.frames);
  h5::write_attribute(file, "recorded_contacts", rows.contacts);
  h5::write_attribute(file, "recorded_pairs", rows.pairs);
  write_scene_group(file, origin.scene_source, origin.scene_files);
}

void write_kept(hid_t file, const KeptImpulses& kept) {
  const h5::Handle group = h5::create_group(file, "kept");
  std::vector<std::int32_t> bodies, parts;
  std::vector<std::uint32_t> features;
  for (const ContactKey& key : kept.key) {
    bodies.insert(bodies.end(), {key.body_a, key.body_b});
    parts.insert(parts.end(), {key.part_a, key.part_b});
    features.insert(features.end(), {key.feature_a, key.feature_b});
  }
  const hsize_t n = kept.key.size();
  h5::write_dataset<std::int32_t>(group.id(), {"bodies", "", "bodies a and b of each contact"}, bodies, {n, 2});
  h5::write_dataset<std::int32_t>(group.id(), {"parts", "", "parts of a and b"}, parts, {n, 2});
  h5::write_dataset<std::uint32_t>(group.id(), {"features", "", "features of a and b"}, features, {n, 2});
  h5::write_dataset<double>(group.id(), {"impulse", "N s", "on b in the last step, world axes"}, flat(kept.impulse_W),
                            {n, 3});
  h5::write_dataset<double>(group.id(), {"before", "N s", "on b in the step before it"}, flat(kept.before_W), {n, 3});
  if (kept.moment_W.empty()) return;
  h5::write_dataset<double>(group.id(), {"moment", "N m s", "moment on b in the last step, world axes"}, flat(kept.moment_W),
                            {n, 3});
  h5::write_dataset<double>(group.id(), {"moment_before", "N m s", "moment on b in the step before it"},
                            flat(kept.before_moment_W), {n, 3});
}

// Where driven bodies were when their motion began: time, x and q (w,x,y,z) in a row.
void write_motion_start(hid_t group, const std::vector<MotionStart>& starts) {
  if (starts.empty()) return;
  std::vector<double> rows;
  for (const MotionStart& start : starts) {
    const Quaternion& q = start.q;
    rows.insert(rows.end(), {start.time, start.x.x(), start.x.y(), start.x.z(), q.w(), q.x(), q.y(), q.z()});
  }
  h5::write_dataset<double>(group, {"motion_start", "s, m, -", "where driven bodies were when their motion began: time, x, q"},
                            rows, {starts.size(), 8});
}

std::vector<MotionStart> motion_starts_of(const std::vector<double>& rows) {
  std::vector<MotionStart> starts;
  for (std::size_t i = 0; i + 7 < rows.size(); i += 8) {
    const double* r = rows.data() + i;
    starts.push_back({r[0], Vector3(r[1], r[2], r[3]), Quaternion(r[4], r[5], r[6], r[7])});
  }
  return starts;
}

void write_state(hid_t file, const State& state) {
  const h5::Handle group = h5::create_group(file, "state");
  const hid_t g = group.id();
  const hsize_t n = state.x.size();
  h5::write_attribute(g, "step", state.step);
  h5::write_attribute(g, "time", state.time);
  h5::write_attribute(g, "potential_change", state.potential_change);
  h5::write_attribute(g, "energy_scale", state.energy_scale);
  h5::write_dataset<double>(g, {"x", "m", "centre of mass, world axes, local origin"}, flat(state.x), {n, 3});
  h5::write_dataset<double>(g, {"q", "", "orientation of the principal axes, (w,x,y,z)"}, flat(state.q), {n, 4});
  h5::write_dataset<double>(g, {"v", "m/s", "velocity, world axes"}, flat(state.v), {n, 3});
  h5::write_dataset<double>(g, {"w", "rad/s", "spin, principal axes"}, flat(state.w), {n, 3});
  h5::write_dataset<std::uint8_t>(g, {"active", "", "1: the body takes part"}, state.active, {n});
  write_motion_start(g, state.motion_start);
  if (state.window_x.empty()) return;
  h5::write_attribute(g, "window_start", state.window_start);
  h5::write_dataset<double>(g, {"window_x", "m", "x at the start of the window of the stop rule"}, flat(state.window_x), {n, 3});
  h5::write_dataset<double>(g, {"window_q", "", "q at the start of the window of the stop rule"}, flat(state.window_q), {n, 4});
}

// Impulses that the next frame will count: they are not in the result file yet.
void write_open_sums(hid_t file, const std::vector<PairImpulse>& pairs) {
  const h5::Handle group = h5::create_group(file, "open_sums");
  std::vector<std::int32_t> bodies;
  std::vector<Vector3> sums;
  for (const PairImpulse& pair : pairs) {
    bodies.insert(bodies.end(), {pair.body_a, pair.body_b});
    sums.push_back(pair.sum);
  }
  const hsize_t n = pairs.size();
  h5::write_dataset<std::int32_t>(group.id(), {"bodies", "", "bodies a and b of each pair"}, bodies, {n, 2});
  h5::write_dataset<double>(group.id(), {"impulse_sum", "N s", "on b since the last frame, world axes"}, flat(sums),
                            {n, 3});
}

std::string to_bytes(const CheckpointOrigin& origin, const RecordedRows& rows, const State& state) {
  const h5::Quiet quiet;
  const h5::Handle access = memory_access();
  const h5::Handle file =
      h5::own(H5Fcreate("checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), &H5Fclose, "cannot be prepared");
  write_origin(file.id(), origin, rows);
  write_state(file.id(), state);
  write_kept(file.id(), state.kept);
  write_open_sums(file.id(), rows.open_sums);
  h5::check(H5Fflush(file.id(), H5F_SCOPE_LOCAL), "cannot be prepared");
  const ssize_t size = H5Fget_file_image(file.id(), nullptr, 0);
  if (size <= 0) throw h5::Error("cannot be prepared");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file.id(), bytes.data(), bytes.size()) != size) throw h5::Error("cannot be prepared");
  return bytes + sha256(bytes.data(), bytes.size());
}

// Writes and syncs; the reason of a failure, or "".
std::string store(const std::string& path, const std::string& bytes) {
  const posix::Identity there = posix::identity(path);
  if (there.there() && !there.regular) return path + " is in the way";
  const Descriptor file = posix::create_anew(path);
  if (!file.valid() || !posix::write_all(file.number(), bytes.data(), bytes.size(), 0) || fsync(file.number()) != 0) return std::strerror(errno);
  return "";
}

[[noreturn]] void refuse(const std::string& path, const std::string& message) {
  throw InputError(path + ": " + message);
}

std::string read_bytes(const std::string& path) {
  std::string bytes = read_input_file(path);
  if (bytes.compare(0, 8, "\x89HDF\r\n\x1a\n") != 0) refuse(path, "is not a checkpoint of scree");
  return bytes;
}

CheckpointOrigin read_origin(hid_t file) {
  CheckpointOrigin origin;
  origin.program = h5::read_string_attribute(file, "program");
  origin.scene_name = h5::read_string_attribute(file, "scene_name");
  origin.scene_source = read_scene_source(file);
  origin.scene_files = read_scene_files(file);
  origin.overrides = h5::read_string_attribute(file, "overrides");
  origin.result = h5::read_string_attribute(file, "result");
  origin.start_hash = h5::read_string_attribute(file, "start_hash");
  origin.asked = !h5::has_attribute(file, "asked") || h5::read_integer_attribute(file, "asked") != 0;
  return origin;
}

KeptImpulses read_kept(hid_t file) {
  KeptImpulses kept;
  const auto bodies = h5::read_rows<std::int32_t>(file, "kept/bodies"),
             parts = h5::read_rows<std::int32_t>(file, "kept/parts");
  const auto features = h5::read_rows<std::uint32_t>(file, "kept/features");
  for (std::size_t i = 0; i + 1 < bodies.size(); i += 2) {
    kept.key.push_back({bodies[i], bodies[i + 1], parts[i], parts[i + 1], features[i], features[i + 1]});
  }
  kept.impulse_W = vectors_of(h5::read_rows<double>(file, "kept/impulse"));
  kept.before_W = vectors_of(h5::read_rows<double>(file, "kept/before"));
  if (!h5::exists(file, "kept/moment")) return kept;
  kept.moment_W = vectors_of(h5::read_rows<double>(file, "kept/moment"));
  kept.before_moment_W = vectors_of(h5::read_rows<double>(file, "kept/moment_before"));
  return kept;
}

RecordedRows read_rows(hid_t file) {
  RecordedRows rows{h5::read_integer_attribute(file, "recorded_frames"),
                    h5::read_integer_attribute(file, "recorded_contacts"),
                    h5::read_integer_attribute(file, "recorded_pairs"),
                    {}};
  const auto bodies = h5::read_rows<std::int32_t>(file, "open_sums/bodies");
  const std::vector<Vector3> sums = vectors_of(h5::read_rows<double>(file, "open_sums/impulse_sum"));
  for (std::size_t i = 0; i < sums.size(); ++i)
    rows.open_sums.push_back({bodies.at(2 * i), bodies.at(2 * i + 1), sums[i]});
  return rows;
}

State read_state(hid_t file) {
  State state;
  const h5::Handle group = h5::own(H5Gopen2(file, "state", H5P_DEFAULT), &H5Gclose, "state");
  state.step = h5::read_integer_attribute(group.id(), "step");
  state.time = h5::read_double_attribute(group.id(), "time");
  state.potential_change = h5::read_double_attribute(group.id(), "potential_change");
  state.energy_scale = h5::read_double_attribute(group.id(), "energy_scale");
  state.x = vectors_of(h5::read_rows<double>(file, "state/x"));
  state.q = quaternions_of(h5::read_rows<double>(file, "state/q"));
  state.v = vectors_of(h5::read_rows<double>(file, "state/v"));
  state.w = vectors_of(h5::read_rows<double>(file, "state/w"));
  state.active = h5::read_rows<std::uint8_t>(file, "state/active");
  state.kept = read_kept(file);
  // Checkpoints of earlier versions have none: motion then goes on from where the body is.
  if (h5::exists(file, "state/motion_start")) {
    state.motion_start = motion_starts_of(h5::read_rows<double>(file, "state/motion_start"));
  }
  if (!h5::exists(file, "state/window_x")) return state;
  state.window_start = h5::read_double_attribute(group.id(), "window_start");
  state.window_x = vectors_of(h5::read_rows<double>(file, "state/window_x"));
  state.window_q = quaternions_of(h5::read_rows<double>(file, "state/window_q"));
  return state;
}

std::string partial_checkpoint(const std::string& path) { return path + ".partial"; }

[[noreturn]] void give_up(const std::string& path, const std::string& reason) {
  const std::string partial = partial_checkpoint(path);
  if (posix::identity(partial).regular) unlink(partial.c_str());
  throw CheckpointFailure(fmt::format("{}: cannot be written: {}", path, reason));
}

// The checkpoint at `path`, if it can be read and the result file `folder`/NAME that it names is of its run.
std::optional<Checkpoint> checkpoint_of_result(const std::string& path) {
  try {
    Checkpoint checkpoint = read_checkpoint(path);
    const CheckpointOrigin& origin = checkpoint.origin;
    const std::string result = (std::filesystem::path(path).parent_path() / origin.result).string();
    check_recorded({result, checkpoint.rows, checkpoint.state.step, checkpoint.state.time, checkpoint.state.energy_scale},
                   scene_hash(origin.scene_source, origin.scene_files));
    return checkpoint;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// A result file, also one that its run never closed, cannot be continued; its checkpoint can, if there is one.
void refuse_result_file(const std::string& path) {
  std::string what;
  try {
    const ResultReader results(path);
    const bool ended = results.finished() || !results.state_hash().empty() || !results.failure().empty();
    what = fmt::format("is the result file of a run{}, with {} steps to t = {:.9g} s", ended ? "" : " that goes on or was killed", results.n_steps(),
                       results.time_end());
  } catch (const InputError&) {
    return;
  }
  const std::string checkpoint = checkpoint_path(path);
  std::error_code error;
  if (std::filesystem::exists(checkpoint, error)) refuse(path, what + "; a run continues from its checkpoint: scree resume " + checkpoint);
  refuse(path, what + "; it cannot be continued, as there is no checkpoint " + checkpoint +
                   " (a run leaves one every few minutes, and when it is asked to stop)");
}

// What kind of file it is comes before whether it is whole: a foreign file is not a damaged checkpoint.
void check_format(const std::string& path, hid_t file) {
  const bool named = h5::has_attribute(file, "format") && h5::is_string_attribute(file, "format");
  const std::string format = named ? h5::read_string_attribute(file, "format") : "";
  if (format != checkpoint_format_name) refuse(path, "is not a checkpoint of scree");
  const std::int64_t version = h5::read_integer_attribute(file, "version");
  if (version > format_version) {
    refuse(path, fmt::format("has version {} of the checkpoint format; this program reads up to version {}", version,
                             format_version));
  }
}

}  // namespace

std::string checkpoint_path(const std::string& result) { return result + ".checkpoint"; }

void check_checkpoint_path(const std::string& path) {
  for (const std::string& name : {path, partial_checkpoint(path)}) {
    const posix::Identity there = posix::identity(name);
    require(!there.there() || there.regular, path, "cannot be written: " + name + " is in the way");
  }
}

void prepare_checkpoint(const std::string& path, const CheckpointOrigin& origin, const RecordedRows& rows, const State& state) {
  const std::string partial = partial_checkpoint(path);
  const UnfinishedFile unfinished(partial);
  std::string reason;
  try {
    reason = store(partial, to_bytes(origin, rows, state));
  } catch (const h5::Error& error) {
    reason = error.what();
  }
  if (!reason.empty()) give_up(path, reason);
}

void publish_checkpoint(const std::string& path) {
  if (std::rename(partial_checkpoint(path).c_str(), path.c_str()) != 0) give_up(path, std::strerror(errno));
  posix::sync_folder(path);
}

void write_checkpoint(const std::string& path, const CheckpointOrigin& origin, const RecordedRows& rows,
                      const State& state) {
  prepare_checkpoint(path, origin, rows, state);
  publish_checkpoint(path);
}

Checkpoint read_checkpoint(const std::string& path) {
  std::string bytes = read_bytes(path);
  refuse_result_file(path);
  const h5::Quiet quiet;
  try {
    const h5::Handle access = memory_access();
    h5::check(H5Pset_file_image(access.id(), bytes.data(), bytes.size()), "cannot be opened");
    const h5::Handle file = h5::own(H5Fopen("checkpoint", H5F_ACC_RDONLY, access.id()), &H5Fclose, "cannot be opened");
    check_format(path, file.id());
    const std::size_t size = bytes.size() - std::min(bytes.size(), trailer_size);
    if (sha256(bytes.data(), size) != bytes.substr(size)) throw h5::Error("its checksum differs");
    return {read_origin(file.id()), read_rows(file.id()), read_state(file.id())};
  } catch (const h5::Error& error) {
    refuse(path, fmt::format("is damaged or truncated ({})", error.what()));
  }
}

Checkpoint read_current_checkpoint(const std::string& path) {
  const std::string partial = partial_checkpoint(path);
  if (posix::identity(partial).regular && !checkpoint_of_result(path)) {
    if (std::optional<Checkpoint> waiting = checkpoint_of_result(partial)) return std::move(*waiting);
  }
  return read_checkpoint(path);
}

bool is_worth_keeping(const std::string& path) {
  if (!posix::identity(path).there()) return false;
  try {
    const Checkpoint checkpoint = read_checkpoint(path);
    return checkpoint.origin.asked || posix::identity((std::filesystem::path(path).parent_path() / checkpoint.origin.result).string()).there();
  } catch (const InputError&) {
    return true;   // whatever it is, it is not ours to drop
  }
}

void settle_checkpoint(const std::string& path) {
  const std::string partial = partial_checkpoint(path);
  if (!posix::identity(partial).regular) return;
  const bool waiting = posix::identity(path).there() && !checkpoint_of_result(path) && checkpoint_of_result(partial);
  if (waiting) publish_checkpoint(path);
  else unlink(partial.c_str());
}

}  // namespace scree
