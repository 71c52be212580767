#include "engine/files/checkpoint.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/base/check.hpp"
#include "engine/base/hdf5_file.hpp"
#include "engine/base/posix_file.hpp"
#include "engine/files/checkpoint_checks.hpp"
#include "engine/files/result_copy.hpp"
#include "engine/files/result_tables.hpp"
#include "engine/files/scene_group.hpp"
#include "engine/files/state_file.hpp"
#include "engine/files/unfinished_file.hpp"
#include "engine/state_hash.hpp"

namespace scree {
namespace {

// A file in memory: the disk sees nothing before the bytes are complete. In HDF5's earliest format,
// unlike our other files: taking the image clears a mark in the file's head that the checksum of
// later formats covers, so these could not be opened again.
h5::Handle memory_access() {
  h5::Handle access = h5::own(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, "file access");
  h5::check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST),
            "file access");
  h5::check(H5Pset_fapl_core(access.id(), 1 << 16, false), "file access");
  return access;
}

void write_origin(hid_t file, const CheckpointOrigin& origin, const RecordedRows& rows) {
  h5::write_attribute(file, "format", checkpoint_format_name);
  h5::write_attribute(file, "version", checkpoint_format_version);
  h5::write_attribute(file, "program", origin.program);
  h5::write_attribute(file, "scene_name", origin.scene_name);
  h5::write_attribute(file, "overrides", origin.overrides);
  h5::write_attribute(file, "result", origin.result);
  h5::write_attribute(file, "start_hash", origin.start_hash);
  h5::write_attribute(file, "asked", std::int64_t{origin.asked});
  h5::write_attribute(file, "arithmetic", origin.arithmetic);
  h5::write_attribute(file, "recorded_frames", rows.frames);
  h5::write_attribute(file, "recorded_contacts", rows.contacts);
  h5::write_attribute(file, "recorded_pairs", rows.pairs);
  write_scene_group(file, origin.scene_source, origin.scene_files);
}

// Impulses that the next frame will count: they are not in the result file yet.
void write_open_sums(hid_t file, const std::vector<PairImpulse>& pairs) {
  const h5::Handle group = h5::create_group(file, "open_sums");
  std::vector<std::int32_t> bodies;
  std::vector<double> sums;
  for (const PairImpulse& pair : pairs) {
    bodies.insert(bodies.end(), {pair.body_a, pair.body_b});
    sums.insert(sums.end(), {pair.sum.x(), pair.sum.y(), pair.sum.z()});
  }
  const hsize_t n = pairs.size();
  h5::write_dataset<std::int32_t>(group.id(), {"bodies", "", "bodies a and b of each pair"}, bodies,
                                  {n, 2});
  h5::write_dataset<double>(
      group.id(), {"impulse_sum", "N s", "on b since the last frame, world axes"}, sums, {n, 3});
}

// Stresses that the next frame will count.
void write_open_stress(hid_t file, const measure::StressSums& sums) {
  if (sums.steps == 0) return;
  constexpr hsize_t width = measure::StressSums::width;
  const h5::Handle group = h5::create_group(file, "open_stress");
  h5::write_attribute(group.id(), "steps", sums.steps);
  h5::write_dataset<double>(group.id(),
                            {"bodies", "N m",
                             "V sigma since the last frame, xx to xz, then the torque that nothing "
                             "balances"},
                            sums.of_body, {sums.of_body.size() / width, width});
  h5::write_dataset<double>(group.id(), {"couples", "N m2", "sum of r (x) m, row by row"},
                            sums.of_couple, {sums.of_couple.size() / width, width});
}

std::string to_bytes(const CheckpointOrigin& origin, const RecordedRows& rows, const State& state) {
  const h5::Quiet quiet;
  const h5::Handle access = memory_access();
  const h5::Handle file = h5::own(H5Fcreate("checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, access.id()),
                                  &H5Fclose, "cannot be prepared");
  write_origin(file.id(), origin, rows);
  h5::write_attribute(file.id(), "contents_hash", contents_hash(rows, state));
  write_state(file.id(), state);
  write_open_sums(file.id(), rows.open_sums);
  write_open_stress(file.id(), rows.open_stress);
  const std::string bytes = h5::image_of(file.id());
  return bytes + sha256(bytes.data(), bytes.size());  // HDF5 ignores what follows its end
}

// Writes and syncs; the reason of a failure, or "".
std::string store(const std::string& path, const std::string& bytes) {
  const posix::Identity there = posix::identity(path);
  if (there.there() && !there.regular) return path + " is in the way";
  const Descriptor file = posix::create_anew(path);
  if (!file.valid() || !posix::write_all(file.number(), bytes.data(), bytes.size(), 0) ||
      fsync(file.number()) != 0)
    return std::strerror(errno);
  return "";
}

std::string partial_checkpoint(const std::string& path) { return path + ".partial"; }

[[noreturn]] void give_up(const std::string& path, const std::string& reason) {
  drop_prepared_checkpoint(path);
  throw CheckpointFailure(fmt::format("{}: cannot be written: {}", path, reason));
}

// The checkpoint at `path`, if it can be read and the result file `folder`/NAME that it names is of
// its run.
std::optional<Checkpoint> checkpoint_of_result(const std::string& path) {
  try {
    Checkpoint checkpoint = read_checkpoint(path);
    const CheckpointOrigin& origin = checkpoint.origin;
    const std::string result = (std::filesystem::path(path).parent_path() / origin.result).string();
    check_recorded({result, checkpoint.rows, checkpoint.state.step, checkpoint.state.time,
                    checkpoint.state.energy_scale},
                   scene_hash(origin.scene_source, origin.scene_files));
    return checkpoint;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// The checkpoint is not of the result file (any more), and the one that waits for its name is.
bool one_waits(const std::string& path) {
  return !checkpoint_of_result(path) && checkpoint_of_result(partial_checkpoint(path));
}

}  // namespace

std::string checkpoint_path(const std::string& result) { return result + ".checkpoint"; }

void check_checkpoint_path(const std::string& path) {
  for (const std::string& name : {path, partial_checkpoint(path)}) {
    const posix::Identity there = posix::identity(name);
    require(!there.there() || there.regular, path, "cannot be written: " + name + " is in the way");
  }
}

void prepare_checkpoint(const std::string& path, const CheckpointOrigin& origin,
                        const RecordedRows& rows, const State& state) {
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

void drop_prepared_checkpoint(const std::string& path) {
  const std::string partial = partial_checkpoint(path);
  if (posix::identity(partial).regular) unlink(partial.c_str());
}

void publish_checkpoint(const std::string& path) {
  if (std::rename(partial_checkpoint(path).c_str(), path.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    if (!one_waits(path)) give_up(path, reason);
    throw CheckpointFailure(
        fmt::format("{}: cannot be replaced: {}; `scree resume` takes {} for it", path, reason,
                    partial_checkpoint(path)));
  }
  posix::sync_folder(path);
}

void write_checkpoint(const std::string& path, const CheckpointOrigin& origin,
                      const RecordedRows& rows, const State& state) {
  prepare_checkpoint(path, origin, rows, state);
  publish_checkpoint(path);
}

Checkpoint read_current_checkpoint(const std::string& path) {
  const std::string partial = partial_checkpoint(path);
  if (posix::identity(partial).regular && !checkpoint_of_result(path)) {
    if (std::optional<Checkpoint> waiting = checkpoint_of_result(partial))
      return std::move(*waiting);
  }
  return read_checkpoint(path);
}

bool is_worth_keeping(const std::string& path) {
  if (!posix::identity(path).there()) return false;
  try {
    const Checkpoint checkpoint = read_checkpoint(path);
    return checkpoint.origin.asked ||
           posix::identity(
               (std::filesystem::path(path).parent_path() / checkpoint.origin.result).string())
               .there();
  } catch (const InputError&) {
    return true;  // whatever it is, it is not ours to drop
  }
}

void settle_checkpoint(const std::string& path) {
  if (!posix::identity(partial_checkpoint(path)).regular) return;
  if (one_waits(path))
    publish_checkpoint(path);
  else
    drop_prepared_checkpoint(path);
}

}  // namespace scree
