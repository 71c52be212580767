// Reading of checkpoints. Nothing of one is used before all of it has been checked.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "engine/base/check.hpp"
#include "engine/base/hdf5_file.hpp"
#include "engine/base/hdf5_screen.hpp"
#include "engine/base/input_file.hpp"
#include "engine/files/checkpoint.hpp"
#include "engine/files/checkpoint_checks.hpp"
#include "engine/files/result_reader.hpp"
#include "engine/files/result_tables.hpp"
#include "engine/files/scene_group.hpp"
#include "engine/files/state_file.hpp"
#include "engine/state_hash.hpp"

namespace scree {
namespace {

constexpr std::size_t trailer_size = 64;  // SHA-256 of all bytes before it, hexadecimal

[[noreturn]] void refuse(const std::string& path, const std::string& message) {
  throw InputError(path + ": " + message);
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
  if (h5::read_integer_attribute(file, "version") > 1) {
    const std::int64_t asked = h5::read_integer_attribute(file, "asked");
    if (asked != 0 && asked != 1) throw h5::Error("asked: is neither 0 nor 1");
    origin.asked = asked == 1;
    origin.arithmetic = h5::read_string_attribute(file, "arithmetic");
  }
  if (h5::read_string_attribute(file, "scene_sha256") !=
      scene_hash(origin.scene_source, origin.scene_files)) {
    throw h5::Error("scene_sha256: is of another scene");
  }
  return origin;
}

RecordedRows read_rows(hid_t file) {
  RecordedRows rows{h5::read_integer_attribute(file, "recorded_frames"),
                    h5::read_integer_attribute(file, "recorded_contacts"),
                    h5::read_integer_attribute(file, "recorded_pairs"),
                    {},
                    {}};
  const auto bodies = h5::read_exactly<std::int32_t>(file, "open_sums/bodies", {2});
  const std::vector<double> sums = h5::read_exactly<double>(file, "open_sums/impulse_sum", {3});
  if (3 * bodies.size() != 2 * sums.size())
    throw h5::Error("open_sums/impulse_sum: not one row a pair");
  for (std::size_t i = 0; i < sums.size() / 3; ++i) {
    rows.open_sums.push_back(
        {bodies[2 * i], bodies[2 * i + 1], Vector3(sums[3 * i], sums[3 * i + 1], sums[3 * i + 2])});
  }
  if (!h5::exists(file, "open_stress")) return rows;
  const h5::Handle group =
      h5::own(H5Gopen2(file, "open_stress", H5P_DEFAULT), &H5Gclose, "open_stress");
  rows.open_stress.steps = h5::read_integer_attribute(group.id(), "steps");
  constexpr hsize_t width = measure::StressSums::width;
  rows.open_stress.of_body = h5::read_exactly<double>(file, "open_stress/bodies", {width});
  rows.open_stress.of_couple = h5::read_exactly<double>(file, "open_stress/couples", {width});
  return rows;
}

// A result file, also one that its run never closed, cannot be continued; its checkpoint can, if
// there is one.
void refuse_result_file(const std::string& path) {
  std::string what;
  try {
    const ResultReader results(path);
    const bool ended =
        results.finished() || !results.state_hash().empty() || !results.failure().empty();
    what = fmt::format("is the result file of a run{}, with {} steps to t = {:.9g} s",
                       ended ? "" : " that goes on or was killed", results.n_steps(),
                       results.time_end());
  } catch (const InputError&) {
    return;
  }
  const std::string checkpoint = checkpoint_path(path);
  std::error_code error;
  if (std::filesystem::exists(checkpoint, error))
    refuse(path, what + "; a run continues from its checkpoint: scree resume " + checkpoint);
  refuse(path, what + "; it cannot be continued, as there is no checkpoint " + checkpoint +
                   " (a run leaves one every few minutes, and when it is asked to stop)");
}

// The bytes that the checksum at their end is of. HDF5 sees nothing before they are known to be
// whole.
std::string read_whole(const std::string& path) {
  std::string bytes = read_input_file(path);
  if (bytes.compare(0, 8, "\x89HDF\r\n\x1a\n") != 0) refuse(path, "is not a checkpoint of scree");
  const std::size_t size = bytes.size() - std::min(bytes.size(), trailer_size);
  if (sha256(bytes.data(), size) == bytes.substr(size)) return bytes;
  // What kind of file it is comes before whether it is whole: a foreign file is not a damaged
  // checkpoint.
  if (bytes.find(checkpoint_format_name) == std::string::npos) {
    refuse_result_file(path);
    refuse(path, "is not a checkpoint of scree");
  }
  refuse(path, "is damaged or truncated (its checksum differs)");
}

void check_format(const std::string& path, hid_t file) {
  const bool named = h5::has_attribute(file, "format") && h5::is_string_attribute(file, "format");
  const std::string format = named ? h5::read_string_attribute(file, "format") : "";
  if (format != checkpoint_format_name) refuse(path, "is not a checkpoint of scree");
  const std::int64_t version = h5::read_integer_attribute(file, "version");
  if (version > checkpoint_format_version) {
    refuse(path, fmt::format(
                     "has version {} of the checkpoint format; this program reads up to version {}",
                     version, checkpoint_format_version));
  }
  if (version < 1) throw h5::Error("version: there is none below 1");
}

}  // namespace

Checkpoint read_checkpoint(const std::string& path) {
  std::string bytes = read_whole(path);
  h5::screen_image(path, bytes);
  const h5::Quiet quiet;
  try {
    const h5::Handle access = h5::own(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, "file access");
    h5::check(H5Pset_fapl_core(access.id(), 1 << 16, false), "file access");
    h5::check(H5Pset_file_image(access.id(), bytes.data(), bytes.size()), "cannot be opened");
    const h5::Handle file =
        h5::own(H5Fopen("checkpoint", H5F_ACC_RDONLY, access.id()), &H5Fclose, "cannot be opened");
    check_format(path, file.id());
    const std::int64_t version = h5::read_integer_attribute(file.id(), "version");
    Checkpoint checkpoint{read_origin(file.id()), read_rows(file.id()), read_state(file.id()),
                          version > 1, version > 7};
    if (const std::string fault = fault_of(checkpoint); !fault.empty()) throw h5::Error(fault);
    if (version > 2 && h5::read_string_attribute(file.id(), "contents_hash") !=
                           contents_hash(checkpoint.rows, checkpoint.state))
      throw h5::Error("contents_hash: is of other contents");
    return checkpoint;
  } catch (const h5::Error& error) {
    refuse(path, fmt::format("is damaged or truncated ({})", error.what()));
  }
}

}  // namespace scree
